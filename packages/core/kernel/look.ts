/**
 * The steps of a look at one pair that both judges of the kernel share (`still.ts`, `moving.ts`): does the object exist for the view, does a pair
 * over its stated bound wait, record the send, decide, end the list. The judges differ in how they measure the value and plan the next look.
 */

import {
  ABSENT,
  BODY_ID,
  GAP,
  METRIC_SHIFT,
  PAIR_BASE,
  PAIR_HELD,
  PAIR_LAST_SEND,
  PAIR_TAG,
  SET_ENTER,
  SET_STAY,
  SPATIAL,
  UNSAMPLED,
  VIEW_DECIDED,
  VIEW_FIRST_MISS,
  VIEW_LEFT_COUNT,
  VIEW_NEXT,
} from "../src/engine/memory/layout";
import { free, NONE } from "./pairs";
import { ahead, PATIENCE } from "./plan";
import { CREATE, CREATION, decide, UPDATE, WAIT } from "./verdict";
import { letWait, waitUnseen } from "./waits";

/** The object is out of range and not in the replica; or it is in the replica and has left the range. */
export const OUTSIDE = -3;
export const GONE = -4;

/** Whether the view may know of the object, by the bits of the view (`VIEW_SEEN`). */
export function isSeen(seen: usize, slot: i32): bool {
  return seen == 0 || ((load<i32>(seen + ((<usize>slot >>> 5) << 2)) >>> (slot & 31)) & 1) != 0;
}

/** Of a hidden object nothing is left to be done, or the view is told that it is gone, or the engine sees to it. */
export const HIDDEN = 0;
export const VANISHED = 1;
export const LEFT_HIDDEN = 2;

/**
 * The view may not know of the object. One that is not in the replica, though in range, is not looked at again before it can be seen. One that is
 * in the replica vanishes from it. The kernel sees to that where every send arrives, and to the end of pairs out of range where `leaves` says so; the rest is
 * the engine's.
 */
export function hide(
  view: usize,
  number: i32,
  pair: usize,
  set: usize,
  traits: i32,
  square: f64,
  flights: i32,
  leaves: bool,
): i32 {
  if ((traits & SPATIAL) == 0) return LEFT_HIDDEN;
  const isHeld = load<i32>(pair, PAIR_HELD) != ABSENT;
  if (square > load<f64>(set, SET_ENTER)) {
    if (!leaves) return LEFT_HIDDEN;
    free(view, number);
    return isHeld ? VANISHED : HIDDEN;
  }
  if (isHeld && flights != 0) return LEFT_HIDDEN;
  store<u8>(<usize>load<i32>(view, VIEW_NEXT) + number, 0);
  if (!isHeld) return HIDDEN;
  store<i32>(pair, load<i32>(pair, PAIR_TAG) & UNSAMPLED, PAIR_TAG);
  store<i32>(pair, ABSENT, PAIR_HELD);
  store<i32>(pair, NONE, PAIR_LAST_SEND);
  store<i32>(pair, 0, PAIR_BASE);
  store<i32>(<usize>load<i32>(view, VIEW_FIRST_MISS) + (number << 2), NONE);
  return VANISHED;
}

/** Whether the object exists for the view: `CREATION`, `WAIT` if the client has it, `OUTSIDE` or `GONE`. */
export function presenceOf(set: usize, held: i32, square: f64): i32 {
  if (held == ABSENT) return square > load<f64>(set, SET_ENTER) ? OUTSIDE : CREATION;
  if (square > load<f64>(set, SET_STAY)) return GONE;
  return held < 0 ? CREATION : WAIT;
}

/** The pair is over its stated bound and is not sent in this round. It is looked at again after so many; until then nothing about that changes. */
export function passOver(
  view: usize,
  number: i32,
  zone: i32,
  cause: i32,
  round: i32,
  now: i32,
  wait: i32,
  thread: usize,
): void {
  if (wait == 1) letWait(view, number, zone, cause, round, thread);
  else waitUnseen(view, number, zone, cause, round, thread);
  store<u8>(<usize>load<i32>(view, VIEW_NEXT) + number, ahead(now, wait));
}

/** The pair's state after a send, but for its sample. */
export function noteSend(pair: usize, tag: i32, metric: i32, rough: i32, version: i32, round: i32): void {
  store<i32>(pair, (tag & UNSAMPLED) | (metric << METRIC_SHIFT) | rough, PAIR_TAG);
  store<i32>(pair, version, PAIR_HELD);
  store<i32>(pair, round, PAIR_LAST_SEND);
}

/** Where every send arrives, the version that the client had is the pair's base. */
export function noteBase(pair: usize, held: i32): void {
  store<i32>(pair, max(held, 0), PAIR_BASE);
}

export function decideSend(view: usize, row: usize, body: usize, cause: i32, zone: i32, settled: i32): void {
  decide(view, row, load<i32>(body, BODY_ID), cause == CREATION ? CREATE : UPDATE, cause, zone, settled);
}

/** Whether an equal pair rests after a send: its object is updated so seldom that being woken is cheaper than looks in between. */
export function restsFor(traits: i32, wait: i32): bool {
  const between = traits & GAP;
  return between == GAP || wait * PATIENCE < between;
}

/** All listed pairs have been looked at: how many rows are decided, and how many pairs are left to the engine. */
export function endLooks(view: usize, row: usize, list: usize, left: usize): void {
  store<i32>(view, <i32>row, VIEW_DECIDED);
  store<i32>(view, <i32>((left - list) >> 2), VIEW_LEFT_COUNT);
}
