/**
 * Judges plain views: `displacement`, `path`, `relative` or `predicted`, and nothing demanded or paused. Most views are such.
 * Lists the pairs that are to be looked at, and has them judged: by `still.ts` where pictures stay, by `moving.ts` where they go on. Ripe pairs follow in a batch of their own (`ripe.ts`).
 */

import {
  BEFORE,
  BEFORE_X,
  BEFORE_Y,
  BEFORE_Z,
  BODY,
  BODY_VERSION,
  BODY_X,
  BODY_Y,
  BODY_Z,
  DEFERS,
  ENGINE_BEFORE,
  ENGINE_BODIES,
  ENGINE_MOTIONS,
  ENGINE_ROUND,
  FREE,
  FURTHER,
  GO_ON,
  MOTION,
  PAIR,
  PAIR_TAG,
  RECORDS,
  SET,
  SET_FADING,
  SET_MASK,
  SET_SHIFT,
  SETTLED,
  SLOT_MASK,
  STAY,
  THREAD_LOOKS,
  VERDICT,
  VERDICT_LEFT,
  VERDICT_VIEW,
  VIEW_CAUSES,
  VIEW_DECIDED,
  VIEW_DEFERRED,
  VIEW_DEFERS,
  VIEW_FLIGHTS,
  VIEW_HIGH,
  VIEW_LEFT,
  VIEW_LEFT_COUNT,
  VIEW_MORE,
  VIEW_NEXT,
  VIEW_OUT,
  VIEW_PAIRS,
  VIEW_PICTURES,
  VIEW_RIPE,
  VIEW_ROWS,
  VIEW_SETS,
  VIEW_SWEEPS,
  VIEW_UNEQUAL,
  VIEW_UNSEEN,
  VIEW_USED,
  VIEW_WAITS,
  VIEW_WAS_BUSY,
  VIEW_WITHHELD,
  VIEW_WOKEN_COUNT,
  VIEW_ZONES,
} from "../src/engine/memory/layout";
import { forgetAspects } from "./among";
import { touchFlights } from "./flights";
import { judgeMoving } from "./moving";
import { ahead, planned } from "./plan";
import { listRipe } from "./ripe";
import { judgeStill } from "./still";
import { letWait, surface, waitOn } from "./waits";
import { awaken } from "./watchers";

/** Works on some views of a batch. */
export function judgeSome(batch: usize, from: i32, to: i32, thread: usize): void {
  let looks = load<i32>(thread, THREAD_LOOKS);
  for (let at = batch + from * VERDICT; at < batch + to * VERDICT; at += VERDICT) {
    const view = <usize>load<i32>(at, VERDICT_VIEW);
    looks += judge(view, thread);
    store<i32>(at, load<i32>(view, VIEW_LEFT_COUNT), VERDICT_LEFT);
  }
  store<i32>(thread, looks, THREAD_LOOKS);
}

/** Judges the due pairs of a view, or all of them; returns how many. Clears the decisions of the round before. */
function judge(view: usize, thread: usize): i32 {
  if (load<i32>(view, VIEW_RIPE) != 0) return sendRipe(view, thread);
  if (load<i32>(view, VIEW_WOKEN_COUNT) != 0) awaken(view);
  store<i32>(view, 0, VIEW_DECIDED);
  store<i32>(view, 0, VIEW_WITHHELD);
  const list = <usize>load<i32>(view, VIEW_LEFT);
  const count = load<i32>(view, VIEW_SWEEPS) == 0 ? gatherDue(view, list) : gatherAll(view, list);
  if (load<i32>(view, VIEW_UNSEEN) != 0) surface(view, list, count, load<i32>(0, ENGINE_ROUND), thread);
  if (load<i32>(view, VIEW_OUT) != 0 && load<i32>(view, VIEW_WAITS) != 0) {
    waitOn(view, list, count, load<i32>(0, ENGINE_ROUND), thread);
  }
  judgeListed(view, list, count, thread);
  if (load<i32>(view, VIEW_DEFERS) != 0) store<i32>(view, load<i32>(view, VIEW_DECIDED), VIEW_DEFERRED);
  chooseSweep(view);
  return count;
}

/** Sends the ripe pairs of a view after those that were due; returns how many pairs were looked at. */
function sendRipe(view: usize, thread: usize): i32 {
  const list = <usize>load<i32>(view, VIEW_LEFT);
  const count = listRipe(view, list, thread);
  judgeListed(view, list, count, thread);
  return load<i32>(view, VIEW_UNEQUAL);
}

function judgeListed(view: usize, list: usize, count: i32, thread: usize): void {
  forgetAspects(thread);
  const pictures = load<i32>(view, VIEW_PICTURES);
  if (pictures == GO_ON) judgeMoving(view, list, count, thread);
  else if (pictures == STAY) judgeStill(view, list, count, thread);
  else judgeMixed(view, list, count, thread);
}

/** Each judge gets its pairs, and what both leave stands side by side. */
function judgeMixed(view: usize, list: usize, count: i32, thread: usize): void {
  const staying = putStayingFirst(view, list, count);
  const others = list + ((<usize>staying) << 2);
  judgeStill(view, list, staying, thread);
  const left = load<i32>(view, VIEW_LEFT_COUNT);
  judgeMoving(view, others, count - staying, thread);
  const leftOfOthers = load<i32>(view, VIEW_LEFT_COUNT);
  memory.copy(list + ((<usize>left) << 2), others, (<usize>leftOfOthers) << 2);
  store<i32>(view, left + leftOfOthers, VIEW_LEFT_COUNT);
}

/** Brings the listed pairs whose pictures stay to the front; returns how many they are. */
function putStayingFirst(view: usize, list: usize, count: i32): i32 {
  const pairs = <usize>load<i32>(view, VIEW_PAIRS);
  const sets = <usize>load<i32>(view, VIEW_SETS);
  const end = list + ((<usize>count) << 2);
  let to = list;
  for (let at = list; at < end; at += 4) {
    const number = load<i32>(at);
    const set = sets + ((load<i32>(pairs + number * PAIR, PAIR_TAG) >>> SET_SHIFT) & SET_MASK) * SET;
    if (load<f64>(set, SET_FADING) != 0) continue;
    store<i32>(at, load<i32>(to));
    store<i32>(to, number);
    to += 4;
  }
  return <i32>((to - list) >> 2);
}

/**
 * Records what was decided for a view that deferred it; what was withheld since waits. Nothing that the decisions depend on has changed, so
 * judging the same pairs again finds the same.
 */
export function recordSends(view: usize, thread: usize): void {
  const rows = <usize>load<i32>(view, VIEW_ROWS);
  const end = rows + ((<usize>load<i32>(view, VIEW_DEFERRED)) << 2);
  const list = <usize>load<i32>(view, VIEW_LEFT);
  const zones = <usize>load<i32>(view, VIEW_ZONES);
  const causes = <usize>load<i32>(view, VIEW_CAUSES);
  const next = <usize>load<i32>(view, VIEW_NEXT);
  const round = load<i32>(0, ENGINE_ROUND);
  let to = list;
  for (let at = rows, row: usize = 0; at < end; at += 4, row++) {
    const number = load<i32>(at);
    if (number >= 0) {
      store<i32>(to, number);
      to += 4;
    } else if (number != SETTLED) {
      letWait(view, ~number, load<u8>(zones + row), load<u8>(causes + row), round, thread);
      store<u8>(next + ~number, ahead(planned(round), 1));
    }
  }
  const decided = load<i32>(view, VIEW_DECIDED);
  store<i32>(view, RECORDS, VIEW_DEFERS);
  touch(view, list, to);
  judgeListed(view, list, <i32>((to - list) >> 2), thread);
  store<i32>(view, decided, VIEW_DECIDED);
  store<i32>(view, 0, VIEW_DEFERS);
  store<i32>(view, 0, VIEW_DEFERRED);
}

/** Has every pair of a view that has a plan looked at in this round. The others are equal or hidden, so where pivots are does not matter to them. */
export function lookNow(view: usize): void {
  const next = <usize>load<i32>(view, VIEW_NEXT);
  const high = load<i32>(view, VIEW_HIGH);
  const now = planned(load<i32>(0, ENGINE_ROUND));
  const all = i8x16.splat(<i8>now);
  const none = i8x16.splat(0);
  let pair = 0;
  for (; pair + 16 <= high; pair += 16) {
    const plans = v128.load(next + pair);
    v128.store(next + pair, v128.andnot(all, i8x16.eq(plans, none)));
  }
  // What lies behind the last pair may belong to another view.
  for (; pair < high; pair++) if (load<u8>(next + pair) != 0) store<u8>(next + pair, now);
}

/** The same for pairs whose object moved in this round: enough where no pivot of the view did. */
export function lookMoved(view: usize): void {
  const next = <usize>load<i32>(view, VIEW_NEXT);
  const pairs = <usize>load<i32>(view, VIEW_PAIRS);
  const bodies = <usize>load<i32>(0, ENGINE_BODIES);
  const before = <usize>load<i32>(0, ENGINE_BEFORE);
  const high = load<i32>(view, VIEW_HIGH);
  const now = planned(load<i32>(0, ENGINE_ROUND));
  for (let number = 0; number < high; number++) {
    if (load<u8>(next + number) == 0) continue;
    const slot = load<i32>(pairs + number * PAIR, PAIR_TAG) & SLOT_MASK;
    const body = bodies + slot * BODY;
    const place = before + slot * BEFORE;
    const stands =
      load<f64>(body, BODY_X) == load<f64>(place, BEFORE_X) &&
      load<f64>(body, BODY_Y) == load<f64>(place, BEFORE_Y) &&
      load<f64>(body, BODY_Z) == load<f64>(place, BEFORE_Z);
    if (!stands) store<u8>(next + number, now);
  }
}

/** How many pairs of a view have a plan, and up to 15 of the view whose pairs lie behind. */
export function countPlanned(view: usize): i32 {
  const next = <usize>load<i32>(view, VIEW_NEXT);
  const end = next + load<i32>(view, VIEW_HIGH);
  const none = i8x16.splat(0);
  let unplanned = 0;
  let pairs = 0;
  for (let at = next; at < end; at += 16) {
    unplanned += popcnt(i8x16.bitmask(i8x16.eq(v128.load(at), none)));
    pairs += 16;
  }
  return pairs - unplanned;
}

/** A view that sent most of its pairs in two rounds running looks at all of them in the next. One round is not enough: pairs that were created together are due together once. */
function chooseSweep(view: usize): void {
  const isBusy = <i32>(load<i32>(view, VIEW_DECIDED) * 2 > load<i32>(view, VIEW_USED));
  store<i32>(view, isBusy & load<i32>(view, VIEW_WAS_BUSY), VIEW_SWEEPS);
  store<i32>(view, isBusy, VIEW_WAS_BUSY);
}

/**
 * Lists the pairs that are planned for this round, or for one of those that the view sat out before it. Counted from the byte of the first of these
 * rounds, their bytes lie in a row; where the cycle begins anew within it, so does 0, which stands for no plan.
 */
function gatherDue(view: usize, list: usize): i32 {
  const next = <usize>load<i32>(view, VIEW_NEXT);
  const high = load<i32>(view, VIEW_HIGH);
  const round = load<i32>(0, ENGINE_ROUND);
  const since = planned(round - load<i32>(view, VIEW_OUT));
  const span = planned(round) - since;
  let to = list;
  let first = 0;
  // Sixty-four at a time, since the end of the inner loop can seldom be foreseen.
  for (; first + 64 <= high; first += 64) {
    const at = next + first;
    const low = dueOf(at, since, span) | (dueOf(at + 16, since, span) << 16);
    const up = dueOf(at + 32, since, span) | (dueOf(at + 48, since, span) << 16);
    let due = <u64>(<u32>low) | ((<u64>(<u32>up)) << 32);
    while (due != 0) {
      store<i32>(to, first + <i32>ctz(due));
      to += 4;
      due &= due - 1;
    }
  }
  for (; first < high; first += 16) {
    let due = dueOf(next + first, since, span);
    while (due != 0) {
      store<i32>(to, first + ctz(due));
      to += 4;
      due &= due - 1;
    }
  }
  touch(view, list, to);
  return <i32>((to - list) >> 2);
}

/** Which of 16 plans lie within a span of rounds: a bit each. */
function dueOf(plans: usize, since: i32, span: i32): i32 {
  const bytes = v128.load(plans);
  const within = i8x16.le_u(i8x16.sub(bytes, i8x16.splat(<i8>since)), i8x16.splat(<i8>span));
  return i8x16.bitmask(v128.andnot(within, i8x16.eq(bytes, i8x16.splat(0))));
}

function gatherAll(view: usize, list: usize): i32 {
  const pairs = <usize>load<i32>(view, VIEW_PAIRS);
  const high = load<i32>(view, VIEW_HIGH);
  let to = list;
  for (let pair = 0; pair < high; pair++) {
    store<i32>(to, pair);
    to += (<usize>(load<i32>(pairs + pair * PAIR, PAIR_TAG) != FREE)) << 2;
  }
  touch(view, list, to);
  return <i32>((to - list) >> 2);
}

/** Reads each pair, and then each object, only to bring them into the cache. These loads do not depend on one another, so the processor fetches many at once. */
function touch(view: usize, list: usize, end: usize): void {
  const pairs = <usize>load<i32>(view, VIEW_PAIRS);
  const bodies = <usize>load<i32>(0, ENGINE_BODIES);
  let sum = 0;
  for (let at = list; at < end; at += 4) sum += load<i32>(pairs + load<i32>(at) * PAIR, PAIR_TAG);
  for (let at = list; at < end; at += 4) {
    sum += load<i32>(bodies + (load<i32>(pairs + load<i32>(at) * PAIR, PAIR_TAG) & SLOT_MASK) * BODY, BODY_VERSION);
  }
  if (load<i32>(view, VIEW_PICTURES) != STAY) sum += touchMotions(view, list, end);
  // Where sends are deferred, few of those that are looked at leave.
  if (load<i32>(view, VIEW_FLIGHTS) != 0 && load<i32>(view, VIEW_DEFERS) != DEFERS) {
    sum += touchFlights(view, list, end);
  }
  touched = sum;
}
let touched = 0;

/** The same of what was sent besides, and of how objects move. */
function touchMotions(view: usize, list: usize, end: usize): i32 {
  const pairs = <usize>load<i32>(view, VIEW_PAIRS);
  const more = <usize>load<i32>(view, VIEW_MORE);
  const motions = <usize>load<i32>(0, ENGINE_MOTIONS);
  let sum = 0;
  for (let at = list; at < end; at += 4) {
    const number = load<i32>(at);
    sum += load<i32>(more + number * FURTHER);
    sum += load<i32>(motions + (load<i32>(pairs + number * PAIR, PAIR_TAG) & SLOT_MASK) * MOTION);
  }
  return sum;
}
