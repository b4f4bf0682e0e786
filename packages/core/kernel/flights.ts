/** Sends whose fate is followed, as `Flights` keeps them. */

import {
  BODY_WIRE_X,
  BODY_WIRE_Y,
  BODY_WIRE_Z,
  ENGINE_LOGS,
  FLIGHT,
  FLIGHT_CAUSE,
  FLIGHT_FIRST_MISS,
  FLIGHT_METRIC,
  FLIGHT_NEXT,
  FLIGHT_ROUND,
  FLIGHT_SAMPLE,
  FLIGHT_VERSION,
  FLIGHT_ZONE,
  LOG,
  LOG_COUNT,
  LOG_RUNS,
  MORE,
  PAIR_BASE,
  PAIR_LAST_SEND,
  RUN,
  RUN_ROUND,
  RUN_VERSION,
  VIEW_FIRST_MISS,
  VIEW_FLIGHT_HEAD,
  VIEW_FLIGHT_TAIL,
  VIEW_FLIGHTS,
  VIEW_FLIGHTS_FREE,
  VIEW_FLIGHTS_HIGH,
  VIEW_FLIGHTS_MORE,
  VIEW_FLIGHTS_ROOM,
} from "../src/engine/layout";

const NONE = -1;

/** Whether one more send can be followed. */
export function hasRoom(view: usize): bool {
  return (
    load<i32>(view, VIEW_FLIGHTS_FREE) != NONE ||
    load<i32>(view, VIEW_FLIGHTS_HIGH) < load<i32>(view, VIEW_FLIGHTS_ROOM)
  );
}

/** The pair is being sent; of what it stood on until now it is remembered since when that is behind. */
export function depart(
  view: usize,
  number: i32,
  pair: usize,
  slot: i32,
  held: i32,
  version: i32,
  round: i32,
  zone: i32,
  cause: i32,
  metric: i32,
  body: usize,
): void {
  const flights = <usize>load<i32>(view, VIEW_FLIGHTS);
  const tails = <usize>load<i32>(view, VIEW_FLIGHT_TAIL) + (number << 2);
  const tail = load<i32>(tails);
  if (held > 0 && held != version) noteMiss(view, number, pair, slot, held, flights, tail);
  const taken = take(view, flights);
  const flight = flights + taken * FLIGHT;
  store<i32>(flight, round, FLIGHT_ROUND);
  store<i32>(flight, version, FLIGHT_VERSION);
  store<i32>(flight, NONE, FLIGHT_NEXT);
  store<i32>(flight, 0, FLIGHT_FIRST_MISS);
  store<u8>(flight, zone, FLIGHT_ZONE);
  store<u8>(flight, cause, FLIGHT_CAUSE);
  store<u8>(flight, metric, FLIGHT_METRIC);
  store<f64>(flight, load<f64>(body, BODY_WIRE_X), FLIGHT_SAMPLE);
  store<f64>(flight, load<f64>(body, BODY_WIRE_Y), FLIGHT_SAMPLE + 8);
  const more = <usize>load<i32>(view, VIEW_FLIGHTS_MORE);
  if (more != 0) store<f64>(more + taken * (MORE * 8), load<f64>(body, BODY_WIRE_Z));
  if (tail == NONE) store<i32>(<usize>load<i32>(view, VIEW_FLIGHT_HEAD) + (number << 2), taken);
  else store<i32>(flights + tail * FLIGHT, taken, FLIGHT_NEXT);
  store<i32>(tails, taken);
}

function take(view: usize, flights: usize): i32 {
  const free = load<i32>(view, VIEW_FLIGHTS_FREE);
  if (free == NONE) {
    const high = load<i32>(view, VIEW_FLIGHTS_HIGH);
    store<i32>(view, high + 1, VIEW_FLIGHTS_HIGH);
    return high;
  }
  store<i32>(view, load<i32>(flights + free * FLIGHT, FLIGHT_NEXT), VIEW_FLIGHTS_FREE);
  return free;
}

function noteMiss(view: usize, number: i32, pair: usize, slot: i32, held: i32, flights: usize, tail: i32): void {
  const base = load<i32>(pair, PAIR_BASE);
  let ground = base;
  if (tail != NONE) {
    const isNewer =
      base == NONE ||
      load<i32>(flights + tail * FLIGHT, FLIGHT_ROUND) > load<i32>(flights + base * FLIGHT, FLIGHT_ROUND);
    if (isNewer) ground = tail;
  }
  if (ground == NONE) return;
  const flight = flights + ground * FLIGHT;
  if (load<i32>(flight, FLIGHT_FIRST_MISS) == 0)
    store<i32>(flight, firstMiss(view, number, pair, slot, held), FLIGHT_FIRST_MISS);
}

/** First round with an update that the pair was not sent. */
function firstMiss(view: usize, number: i32, pair: usize, slot: i32, held: i32): i32 {
  const noted = load<i32>(<usize>load<i32>(view, VIEW_FIRST_MISS) + (number << 2));
  if (noted > load<i32>(pair, PAIR_LAST_SEND) && noted > 0) return noted;
  const log = <usize>load<i32>(0, ENGINE_LOGS) + slot * LOG;
  const runs = <usize>load<i32>(log, LOG_RUNS);
  let run = runs + (load<i32>(log, LOG_COUNT) - 1) * RUN;
  while (run > runs && load<i32>(run, RUN_VERSION) > held + 1) run -= RUN;
  return load<i32>(run, RUN_ROUND) + held + 1 - load<i32>(run, RUN_VERSION);
}
