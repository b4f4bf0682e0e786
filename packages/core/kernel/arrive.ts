/** Notes the sends of a packet that arrived, all at once. The same as `Flights.arrive`, which does it for one send. */

import {
  BODY,
  BODY_ID,
  ENDS,
  ENDS_NEWEST,
  ENDS_OLDEST,
  ENGINE_BODIES,
  ENTRY_KEY,
  ENTRY_PAIR,
  FLIGHT,
  FLIGHT_NEXT,
  FLIGHT_ROUND,
  PAIR,
  PAIR_BASE,
  SLOT_MASK,
  VIEW_ENDS,
  VIEW_FLIGHTS,
  VIEW_FLIGHTS_FREE,
  VIEW_PAIRS,
} from "../src/engine/memory/layout";
import { entryOf, NONE } from "./pairs";

/** What was sent of these objects in a round has arrived. Those that it knows nothing of it leaves at the front; returns how many. */
export function arrive(view: usize, ids: usize, count: i32, round: i32): i32 {
  const bodies = <usize>load<i32>(0, ENGINE_BODIES);
  touch(view, ids, count);
  let left = ids;
  for (let at = ids; at < ids + ((<usize>count) << 2); at += 4) {
    const id = load<i32>(at);
    const entry = entryOf(view, id & SLOT_MASK);
    const isPair = load<i32>(entry, ENTRY_KEY) != 0 && load<i32>(bodies + (id & SLOT_MASK) * BODY, BODY_ID) == id;
    if (isPair && arriveOne(view, load<i32>(entry, ENTRY_PAIR), round)) continue;
    store<i32>(left, id);
    left += 4;
  }
  return <i32>((left - ids) >> 2);
}

/** Reads the index, then pairs, then flights, only to bring them into the cache. These loads do not depend on one another, so the processor fetches many at once. */
function touch(view: usize, ids: usize, count: i32): void {
  const pairs = <usize>load<i32>(view, VIEW_PAIRS);
  const ends = <usize>load<i32>(view, VIEW_ENDS);
  const flights = <usize>load<i32>(view, VIEW_FLIGHTS);
  let sum = 0;
  for (let i = 0; i < count; i++) sum += load<i32>(entryOf(view, load<i32>(ids + (i << 2)) & SLOT_MASK));
  for (let i = 0; i < count; i++) {
    const number = load<i32>(entryOf(view, load<i32>(ids + (i << 2)) & SLOT_MASK), ENTRY_PAIR);
    sum += load<i32>(pairs + number * PAIR) + load<i32>(ends + number * ENDS);
  }
  for (let i = 0; i < count; i++) {
    const number = load<i32>(entryOf(view, load<i32>(ids + (i << 2)) & SLOT_MASK), ENTRY_PAIR);
    const base = max(0, load<i32>(pairs + number * PAIR, PAIR_BASE));
    const oldest = max(0, load<i32>(ends + number * ENDS, ENDS_OLDEST));
    sum += load<i32>(flights + base * FLIGHT) + load<i32>(flights + oldest * FLIGHT);
  }
  touched = sum;
}
let touched = 0;

/** The flight of that round becomes the pair's base, unless a later one is; false if there is none. */
function arriveOne(view: usize, number: i32, round: i32): bool {
  const flights = <usize>load<i32>(view, VIEW_FLIGHTS);
  const ends = <usize>load<i32>(view, VIEW_ENDS) + number * ENDS;
  let before = NONE;
  let flight = load<i32>(ends, ENDS_OLDEST);
  while (flight != NONE && load<i32>(flights + flight * FLIGHT, FLIGHT_ROUND) != round) {
    before = flight;
    flight = load<i32>(flights + flight * FLIGHT, FLIGHT_NEXT);
  }
  if (flight == NONE) return false;
  const after = load<i32>(flights + flight * FLIGHT, FLIGHT_NEXT);
  if (before == NONE) store<i32>(ends, after, ENDS_OLDEST);
  else store<i32>(flights + before * FLIGHT, after, FLIGHT_NEXT);
  if (after == NONE) store<i32>(ends, before, ENDS_NEWEST);
  const pair = <usize>load<i32>(view, VIEW_PAIRS) + number * PAIR;
  const base = load<i32>(pair, PAIR_BASE);
  let spare = flight;
  if (base == NONE || load<i32>(flights + base * FLIGHT, FLIGHT_ROUND) <= round) {
    store<i32>(flights + flight * FLIGHT, NONE, FLIGHT_NEXT);
    store<i32>(pair, flight, PAIR_BASE);
    spare = base;
  }
  if (spare != NONE) {
    store<i32>(flights + spare * FLIGHT, load<i32>(view, VIEW_FLIGHTS_FREE), FLIGHT_NEXT);
    store<i32>(view, spare, VIEW_FLIGHTS_FREE);
  }
  return true;
}
