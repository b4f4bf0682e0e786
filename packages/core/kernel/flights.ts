/** Sends whose fate is followed, as `Flights` keeps them. */

import {
  ABSENT,
  BODY_WIRE_X,
  BODY_WIRE_Y,
  BODY_WIRE_Z,
  ENDS,
  ENDS_NEWEST,
  ENDS_OLDEST,
  FLIGHT,
  FLIGHT_CAUSE,
  FLIGHT_FIRST_MISS,
  FLIGHT_FRESH,
  FLIGHT_METRIC,
  FLIGHT_NEXT,
  FLIGHT_ROUND,
  FLIGHT_SAMPLE,
  FLIGHT_SAMPLE_Y,
  FLIGHT_VERSION,
  FLIGHT_ZONE,
  FURTHER,
  FURTHER_Z,
  PAIR,
  PAIR_BASE,
  VIEW_ENDS,
  VIEW_FLIGHTS,
  VIEW_FLIGHTS_FREE,
  VIEW_FLIGHTS_HIGH,
  VIEW_FLIGHTS_MORE,
  VIEW_FLIGHTS_ROOM,
  VIEW_PAIRS,
} from "../src/engine/memory/layout";
import { firstMiss } from "./clock";
import { NONE } from "./pairs";

/** Whether one more send can be followed. */
export function hasRoom(view: usize): bool {
  return (
    load<i32>(view, VIEW_FLIGHTS_FREE) != NONE ||
    load<i32>(view, VIEW_FLIGHTS_HIGH) < load<i32>(view, VIEW_FLIGHTS_ROOM)
  );
}

/** The pair is being sent; of what it stood on until now it is remembered since when that is behind. Returns its flight. */
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
): i32 {
  const flights = <usize>load<i32>(view, VIEW_FLIGHTS);
  const ends = <usize>load<i32>(view, VIEW_ENDS) + number * ENDS;
  const tail = load<i32>(ends, ENDS_NEWEST);
  if (held > 0 && held != version) noteMiss(view, number, pair, slot, held, round, body, flights, tail);
  const taken = take(view, flights);
  const flight = flights + taken * FLIGHT;
  store<i32>(flight, round, FLIGHT_ROUND);
  store<i32>(flight, version, FLIGHT_VERSION);
  store<i32>(flight, NONE, FLIGHT_NEXT);
  store<i32>(flight, 0, FLIGHT_FIRST_MISS);
  store<u8>(flight, zone, FLIGHT_ZONE);
  store<u8>(flight, cause, FLIGHT_CAUSE);
  store<u8>(flight, metric, FLIGHT_METRIC);
  store<u8>(flight, <i32>(held == ABSENT), FLIGHT_FRESH);
  store<f64>(flight, load<f64>(body, BODY_WIRE_X), FLIGHT_SAMPLE);
  store<f64>(flight, load<f64>(body, BODY_WIRE_Y), FLIGHT_SAMPLE_Y);
  const more = <usize>load<i32>(view, VIEW_FLIGHTS_MORE);
  if (more != 0) store<f64>(more + taken * FURTHER, load<f64>(body, BODY_WIRE_Z), FURTHER_Z);
  if (tail == NONE) store<i32>(ends, taken, ENDS_OLDEST);
  else store<i32>(flights + tail * FLIGHT, taken, FLIGHT_NEXT);
  store<i32>(ends, taken, ENDS_NEWEST);
  return taken;
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

function noteMiss(
  view: usize,
  number: i32,
  pair: usize,
  slot: i32,
  held: i32,
  round: i32,
  body: usize,
  flights: usize,
  tail: i32,
): void {
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
  if (load<i32>(flight, FLIGHT_FIRST_MISS) != 0) return;
  store<i32>(flight, firstMiss(view, number, pair, slot, held, round, body), FLIGHT_FIRST_MISS);
}

/** Reads of each pair's flights, as `touch` does of the rest: the newest and the base. */
export function touchFlights(view: usize, list: usize, end: usize): i32 {
  const pairs = <usize>load<i32>(view, VIEW_PAIRS);
  const ends = <usize>load<i32>(view, VIEW_ENDS);
  const flights = <usize>load<i32>(view, VIEW_FLIGHTS);
  let sum = 0;
  for (let at = list; at < end; at += 4) sum += load<i32>(ends + load<i32>(at) * ENDS);
  for (let at = list; at < end; at += 4) {
    const number = load<i32>(at);
    const newest = max(0, load<i32>(ends + number * ENDS, ENDS_NEWEST));
    const base = max(0, load<i32>(pairs + number * PAIR, PAIR_BASE));
    sum += load<i32>(flights + newest * FLIGHT) + load<i32>(flights + base * FLIGHT);
  }
  return sum;
}
