/**
 * Ripe pairs of a view that sends something in this round anyway. Finds them among the pairs that are planned, and has them sent if
 * riding along saves packets. Exactly as `ripe.ts` says; a pair that is ripe is due by the ripened thresholds, which are laid out as the stated ones are.
 */

import {
  BODY,
  BODY_TRAITS,
  BODY_VERSION,
  BODY_X,
  BODY_Y,
  BODY_Z,
  CELL_MISSED,
  CELL_ROUNDS,
  CELL_VALUE_SQUARE,
  ENGINE_BODIES,
  ENGINE_OWNER,
  ENGINE_ROUND,
  ENGINE_ROUND_MS,
  FURTHER,
  FURTHER_VX,
  FURTHER_VY,
  FURTHER_VZ,
  PAIR,
  PAIR_HELD,
  PAIR_LAST_SEND,
  PAIR_TAG,
  SET,
  SET_CLOCK,
  SET_FADING,
  SET_MASK,
  SET_OWN,
  SET_SECTORS,
  SET_SHIFT,
  SLOT_MASK,
  SPATIAL,
  THREAD_BOUNDS,
  VIEW_HIGH,
  VIEW_MORE,
  VIEW_NEXT,
  VIEW_PAIRS,
  VIEW_PIVOTS,
  VIEW_RIPE,
  VIEW_SESSION,
  VIEW_SILENT,
  VIEW_UNEQUAL,
  VIEW_WATCH,
  WATCH_X,
  WATCH_Y,
  WATCH_Z,
} from "../src/engine/memory/layout";
import { forgetAspects, placeAmong } from "./among";
import { apartFromStill, isSampled } from "./apart";
import { cellOf, strictestOf, zoneOf } from "./cells";
import { roundsMissed } from "./clock";
import { apartFromMoving } from "./moving";

/** Lists the ripe pairs that ride along; returns how many. How many pairs are not equal it notes for the engine. */
export function listRipe(view: usize, list: usize, thread: usize): i32 {
  const pairs = <usize>load<i32>(view, VIEW_PAIRS);
  const round = load<i32>(0, ENGINE_ROUND);
  const end = listPlanned(view, list);
  forgetAspects(thread);
  let unequal = 0;
  let sends = 0;
  let to = list;
  for (let at = list; at < end; at += 4) {
    const number = load<i32>(at);
    const pair = pairs + number * PAIR;
    const lastSend = load<i32>(pair, PAIR_LAST_SEND);
    if (load<i32>(pair, PAIR_HELD) <= 0 || lastSend == round || isEqual(view, number, pair)) continue;
    unequal++;
    if (!isRipe(view, number, pair, round - lastSend, thread)) continue;
    sends |= 1 << (lastSend & 31);
    store<i32>(to, number);
    to += 4;
  }
  store<i32>(view, unequal, VIEW_UNEQUAL);
  const ripe = <i32>((to - list) >> 2);
  return 2 * ripe <= popcnt(sends) * load<i32>(view, VIEW_SILENT) ? ripe : 0;
}

/** Lists the pairs that any look is planned for; every pair that is not equal is such. Returns where the list ends. */
function listPlanned(view: usize, list: usize): usize {
  const next = <usize>load<i32>(view, VIEW_NEXT);
  const high = load<i32>(view, VIEW_HIGH);
  let to = list;
  for (let first = 0; first < high; first += 16) {
    let planned = i8x16.bitmask(i8x16.ne(v128.load(next + first), i8x16.splat(0)));
    while (planned != 0) {
      const number = first + ctz(planned);
      planned &= planned - 1;
      if (number >= high) break;
      store<i32>(to, number);
      to += 4;
    }
  }
  return to;
}

/** Whether the pair is equal, or is due on every change, so that it is equal if it was not sent. */
function isEqual(view: usize, number: i32, pair: usize): bool {
  const tag = load<i32>(pair, PAIR_TAG);
  const slot = tag & SLOT_MASK;
  const body = <usize>load<i32>(0, ENGINE_BODIES) + slot * BODY;
  const session = load<i32>(view, VIEW_SESSION);
  if ((load<i32>(body, BODY_TRAITS) & SPATIAL) == 0) return true;
  const set = <usize>load<i32>(view, VIEW_RIPE) + ((tag >>> SET_SHIFT) & SET_MASK) * SET;
  const isOwn = session != 0 && load<i32>(<usize>load<i32>(0, ENGINE_OWNER) + (slot << 2)) == session;
  if (load<i32>(body, BODY_VERSION) != load<i32>(pair, PAIR_HELD)) return isOwn && load<i32>(set, SET_OWN) != 0;
  return !goesOn(view, set, number, tag);
}

/** Whether the picture of the pair goes on by itself. */
function goesOn(view: usize, set: usize, number: i32, tag: i32): bool {
  if (load<f64>(set, SET_FADING) == 0) return false;
  const sample = <usize>load<i32>(view, VIEW_MORE) + number * FURTHER;
  const rests =
    load<f64>(sample, FURTHER_VX) == 0 && load<f64>(sample, FURTHER_VY) == 0 && load<f64>(sample, FURTHER_VZ) == 0;
  return !rests || !isSampled(set, tag);
}

/** Rounds for which the time of an unequal pair has been running. */
function lateness(view: usize, set: usize, number: i32, pair: usize, tag: i32, body: usize): i32 {
  const round = load<i32>(0, ENGINE_ROUND);
  const since = round - load<i32>(pair, PAIR_LAST_SEND);
  if (load<i32>(set, SET_CLOCK) == 0) return since;
  if (goesOn(view, set, number, tag)) return since - 1;
  return roundsMissed(view, number, pair, tag & SLOT_MASK, load<i32>(pair, PAIR_HELD), round, body);
}

function isRipe(view: usize, number: i32, pair: usize, since: i32, thread: usize): bool {
  const tag = load<i32>(pair, PAIR_TAG);
  const body = <usize>load<i32>(0, ENGINE_BODIES) + (tag & SLOT_MASK) * BODY;
  const index = (tag >>> SET_SHIFT) & SET_MASK;
  const set = <usize>load<i32>(view, VIEW_RIPE) + index * SET;
  const late = lateness(view, set, number, pair, tag, body);
  const missed = load<i32>(body, BODY_VERSION) - load<i32>(pair, PAIR_HELD);
  let cell: usize;
  if (load<i32>(view, VIEW_PIVOTS) != 0) {
    // Bounds only loosen outward: what is ripe in the last zone is so in all.
    const last = strictestOf(set, zoneOf(set, Infinity));
    const isReached = late >= load<i32>(last, CELL_ROUNDS) || missed >= load<i32>(last, CELL_MISSED);
    if (isReached && load<i32>(set, SET_SECTORS) == 1) return true;
    placeAmong(view, set, index, body, thread);
    cell = <usize>load<i32>(thread, THREAD_BOUNDS);
  } else {
    const pivot = <usize>load<i32>(view, VIEW_WATCH);
    const dx = load<f64>(body, BODY_X) - load<f64>(pivot, WATCH_X);
    const dy = load<f64>(body, BODY_Y) - load<f64>(pivot, WATCH_Y);
    const dz = load<f64>(body, BODY_Z) - load<f64>(pivot, WATCH_Z);
    const square = dx * dx + dy * dy + dz * dz;
    cell = cellOf(view, set, strictestOf(set, zoneOf(set, square)), dx, dy, dz, square);
  }
  if (late >= load<i32>(cell, CELL_ROUNDS)) return true;
  if (missed >= load<i32>(cell, CELL_MISSED)) return true;
  const limit = load<f64>(cell, CELL_VALUE_SQUARE);
  if (limit == Infinity) return false;
  if (!isSampled(set, tag)) return true;
  const more = <usize>load<i32>(view, VIEW_MORE);
  if (load<f64>(set, SET_FADING) == 0) return apartFromStill(pair, tag, set, body, more, number) >= limit;
  const elapsed = <f64>since * load<f64>(0, ENGINE_ROUND_MS);
  const fading = 1 + elapsed / load<f64>(set, SET_FADING);
  return apartFromMoving(pair, more + number * FURTHER, body, elapsed / fading / 1000) >= limit;
}
