/** The pairs that watch an object, in the lists that `Observers` keeps: they are listed, woken, put to rest and cleared of stale entries. */

import {
  CROSSING,
  CROSSING_VIEW,
  ENGINE_RESTING,
  ENGINE_ROUND,
  ENGINE_SHEETS,
  ENGINE_WATCHERS,
  FOUND,
  FOUND_CROSSING,
  FOUND_PAIR,
  FOUND_SLOT,
  FREE,
  LEFT_PAIR,
  LEFT_REST,
  LEFT_SHIFT,
  LIST,
  LIST_COUNT,
  LIST_ENTRIES,
  LIST_ROOM,
  LISTED,
  MOST_WOKEN,
  PAIR,
  PAIR_TAG,
  REVEALED,
  REVEALED_SEEN,
  REVEALED_SLOT,
  SLOT_MASK,
  VIEW_HIGH,
  VIEW_LEFT,
  VIEW_LEFT_COUNT,
  VIEW_NEXT,
  VIEW_NUMBER,
  VIEW_PAIRS,
  VIEW_SEEN,
  VIEW_WOKEN,
  VIEW_WOKEN_COUNT,
  WATCHER,
  WATCHER_PAIR,
  WATCHER_VIEW,
  WOKEN,
  WOKEN_PAIR,
  WOKEN_SLOT,
} from "../src/engine/memory/layout";
import { planned } from "./plan";

/** Objects whose lists are read ahead. */
const AT_ONCE = 8;

/**
 * Keeps one entry of each pair that watches the object still, or again; returns how many. Pairs that it has seen get a mark, which is another
 * one each time, where what is left to be done with them is listed during a round.
 */
export function keepWatchers(list: usize, count: i32, slot: i32, mark: i32): i32 {
  const end = list + count * WATCHER;
  touch(list, end);
  touchLeft(list, end);
  let to = list;
  for (let at = list; at < end; at += WATCHER) {
    const view = sheetOf(at);
    const number = load<i32>(at, WATCHER_PAIR);
    if (view == 0 || number >= load<i32>(view, VIEW_HIGH)) continue;
    const tag = load<i32>(<usize>load<i32>(view, VIEW_PAIRS) + number * PAIR, PAIR_TAG);
    const seen = <usize>load<i32>(view, VIEW_LEFT) + (number << 2);
    if (tag == FREE || (tag & SLOT_MASK) != slot || load<i32>(seen) == mark) continue;
    store<i32>(seen, mark);
    store<i64>(to, load<i64>(at));
    to += WATCHER;
  }
  return <i32>((to - list) / WATCHER);
}

/** Has every pair that watches the object looked at in this round. */
export function planWatchers(list: usize, count: i32, slot: i32): void {
  const end = list + count * WATCHER;
  const now = planned(load<i32>(0, ENGINE_ROUND));
  touch(list, end);
  for (let at = list; at < end; at += WATCHER) {
    const view = sheetOf(at);
    const number = load<i32>(at, WATCHER_PAIR);
    if (view == 0 || number >= load<i32>(view, VIEW_HIGH)) continue;
    const tag = load<i32>(<usize>load<i32>(view, VIEW_PAIRS) + number * PAIR, PAIR_TAG);
    if (tag != FREE && (tag & SLOT_MASK) == slot) store<u8>(<usize>load<i32>(view, VIEW_NEXT) + number, now);
  }
}

/** Has every pair looked at in this round whose object may be known of now, or no more: `REVEALED` says which object, and by which bits. */
export function reveal(list: usize, count: i32): void {
  const lists = <usize>load<i32>(0, ENGINE_WATCHERS);
  const end = list + count * REVEALED;
  for (let from = list; from < end; from += REVEALED * AT_ONCE) {
    const to = min(end, from + REVEALED * AT_ONCE);
    for (let at = from; at < to; at += REVEALED) {
      const watchers = lists + load<i32>(at, REVEALED_SLOT) * LIST;
      const entries = <usize>load<i32>(watchers, LIST_ENTRIES);
      const last = entries + load<i32>(watchers, LIST_COUNT) * WATCHER;
      touchSeeing(entries, last, load<i32>(at, REVEALED_SEEN));
    }
    for (let at = from; at < to; at += REVEALED) {
      revealTo(lists, load<i32>(at, REVEALED_SLOT), load<i32>(at, REVEALED_SEEN));
    }
  }
}

function revealTo(lists: usize, slot: i32, seen: i32): void {
  const list = lists + slot * LIST;
  const now = planned(load<i32>(0, ENGINE_ROUND));
  const entries = <usize>load<i32>(list, LIST_ENTRIES);
  const end = entries + load<i32>(list, LIST_COUNT) * WATCHER;
  for (let at = entries; at < end; at += WATCHER) {
    const view = sheetOf(at);
    const number = load<i32>(at, WATCHER_PAIR);
    if (view == 0 || load<i32>(view, VIEW_SEEN) != seen || number >= load<i32>(view, VIEW_HIGH)) continue;
    const tag = load<i32>(<usize>load<i32>(view, VIEW_PAIRS) + number * PAIR, PAIR_TAG);
    if (tag != FREE && (tag & SLOT_MASK) == slot) store<u8>(<usize>load<i32>(view, VIEW_NEXT) + number, now);
  }
}

/**
 * Lists the pairs that were found to watch an object from now on; those in whose lists there is no room stay at the front, and it returns how
 * many. Lists as `Observers` keeps them: address, how many entries, how many there is room for.
 */
export function enlist(found: usize, count: i32, crossings: usize): i32 {
  const lists = <usize>load<i32>(0, ENGINE_WATCHERS);
  const end = found + count * FOUND;
  let sum = 0;
  for (let at = found; at < end; at += FOUND) sum += load<i32>(lists + load<i32>(at, FOUND_SLOT) * LIST, LIST_COUNT);
  touched = sum;
  let left = found;
  for (let at = found; at < end; at += FOUND) {
    const list = lists + load<i32>(at, FOUND_SLOT) * LIST;
    const entries = load<i32>(list, LIST_COUNT);
    const pair = load<i32>(at, FOUND_PAIR);
    if (pair < 0 || entries >= load<i32>(list, LIST_ROOM)) {
      memory.copy(left, at, FOUND);
      left += FOUND;
      continue;
    }
    const entry = <usize>load<i32>(list, LIST_ENTRIES) + entries * WATCHER;
    const view = <usize>load<i32>(crossings + load<i32>(at, FOUND_CROSSING) * CROSSING, CROSSING_VIEW);
    store<i32>(entry, load<i32>(view, VIEW_NUMBER), WATCHER_VIEW);
    store<i32>(entry, pair, WATCHER_PAIR);
    store<i32>(list, entries + 1, LIST_COUNT);
  }
  return <i32>((left - found) / FOUND);
}

/**
 * Wakes all pairs that rest on the objects of a list of slots. Here it only notes them with their views: pairs lie far apart in memory, and
 * those of one view are fetched together (`awaken`).
 */
export function wake(slots: usize, count: i32): void {
  const lists = <usize>load<i32>(0, ENGINE_RESTING);
  const end = slots + ((<usize>count) << 2);
  for (let from = slots; from < end; from += 4 * AT_ONCE) {
    const to = min(end, from + 4 * AT_ONCE);
    let sum = 0;
    for (let at = from; at < to; at += 4) {
      const list = lists + load<i32>(at) * LIST;
      const entries = <usize>load<i32>(list, LIST_ENTRIES);
      sum += touchWoken(entries, entries + load<i32>(list, LIST_COUNT) * WATCHER);
    }
    touched = sum;
    for (let at = from; at < to; at += 4) wakeOf(load<i32>(at), lists);
  }
}

function wakeOf(slot: i32, lists: usize): void {
  const list = lists + slot * LIST;
  const entries = <usize>load<i32>(list, LIST_ENTRIES);
  const end = entries + load<i32>(list, LIST_COUNT) * WATCHER;
  for (let at = entries; at < end; at += WATCHER) {
    const view = sheetOf(at);
    if (view == 0) continue;
    if (load<i32>(view, VIEW_WOKEN_COUNT) == MOST_WOKEN) awaken(view);
    const count = load<i32>(view, VIEW_WOKEN_COUNT);
    const woken = view + VIEW_WOKEN + count * WOKEN;
    store<i32>(woken, load<i32>(at, WATCHER_PAIR), WOKEN_PAIR);
    store<i32>(woken, slot, WOKEN_SLOT);
    store<i32>(view, count + 1, VIEW_WOKEN_COUNT);
  }
  store<i32>(list, 0, LIST_COUNT);
}

/** Has the pairs of a view that were woken looked at in this round: those that rest on their objects still. */
export function awaken(view: usize): void {
  const pairs = <usize>load<i32>(view, VIEW_PAIRS);
  const next = <usize>load<i32>(view, VIEW_NEXT);
  const high = load<i32>(view, VIEW_HIGH);
  const now = planned(load<i32>(0, ENGINE_ROUND));
  const first = view + VIEW_WOKEN;
  const end = first + load<i32>(view, VIEW_WOKEN_COUNT) * WOKEN;
  let sum = 0;
  for (let at = first; at < end; at += WOKEN) {
    const number = load<i32>(at, WOKEN_PAIR);
    if (number < high) sum += load<i32>(pairs + number * PAIR, PAIR_TAG);
  }
  touched = sum;
  for (let at = first; at < end; at += WOKEN) {
    const number = load<i32>(at, WOKEN_PAIR);
    if (number >= high) continue;
    const pair = pairs + number * PAIR;
    const tag = load<i32>(pair, PAIR_TAG);
    if (tag == FREE || (tag & SLOT_MASK) != load<i32>(at, WOKEN_SLOT) || (tag & LISTED) == 0) continue;
    store<i32>(pair, tag & ~LISTED, PAIR_TAG);
    store<u8>(next + number, now);
  }
  store<i32>(view, 0, VIEW_WOKEN_COUNT);
}

/**
 * Lists the pairs that a view leaves to rest; whatever else it leaves, and those in whose lists there is no room, stay at the front, and it
 * returns how many.
 */
export function rest(view: usize): i32 {
  const lists = <usize>load<i32>(0, ENGINE_RESTING);
  const pairs = <usize>load<i32>(view, VIEW_PAIRS);
  const left = <usize>load<i32>(view, VIEW_LEFT);
  const end = left + (load<i32>(view, VIEW_LEFT_COUNT) << 2);
  let sum = 0;
  for (let at = left; at < end; at += 4) {
    const tag = load<i32>(pairs + (load<i32>(at) & LEFT_PAIR) * PAIR, PAIR_TAG);
    sum += load<i32>(lists + (tag & SLOT_MASK) * LIST, LIST_COUNT);
  }
  touched = sum;
  let others = left;
  for (let at = left; at < end; at += 4) {
    const entry = load<i32>(at);
    const number = entry & LEFT_PAIR;
    const pair = pairs + number * PAIR;
    const tag = load<i32>(pair, PAIR_TAG);
    const list = lists + (tag & SLOT_MASK) * LIST;
    const count = load<i32>(list, LIST_COUNT);
    const isListed = (tag & LISTED) != 0;
    if (entry >>> LEFT_SHIFT != LEFT_REST || (!isListed && count >= load<i32>(list, LIST_ROOM))) {
      store<i32>(others, entry);
      others += 4;
      continue;
    }
    store<u8>(<usize>load<i32>(view, VIEW_NEXT) + number, 0);
    if (isListed) continue;
    const to = <usize>load<i32>(list, LIST_ENTRIES) + count * WATCHER;
    store<i32>(pair, tag | LISTED, PAIR_TAG);
    store<i32>(to, load<i32>(view, VIEW_NUMBER), WATCHER_VIEW);
    store<i32>(to, number, WATCHER_PAIR);
    store<i32>(list, count + 1, LIST_COUNT);
  }
  return <i32>((others - left) >> 2);
}

function sheetOf(at: usize): usize {
  return <usize>load<i32>(<usize>load<i32>(0, ENGINE_SHEETS) + (load<i32>(at, WATCHER_VIEW) << 2));
}

/** Reads the views, and then their pairs, only to bring them into the cache. These loads do not depend on one another, so the processor fetches many at once. */
function touch(list: usize, end: usize): void {
  let sum = touchViews(list, end);
  for (let at = list; at < end; at += WATCHER) {
    const view = sheetOf(at);
    if (view != 0) sum += touchPair(view, load<i32>(at, WATCHER_PAIR));
  }
  touched = sum;
}
let touched = 0;

/** The same of the pairs of those views only that have these bits. */
function touchSeeing(list: usize, end: usize, seen: i32): void {
  let sum = touchViews(list, end);
  for (let at = list; at < end; at += WATCHER) {
    const view = sheetOf(at);
    if (view != 0 && load<i32>(view, VIEW_SEEN) == seen) sum += touchPair(view, load<i32>(at, WATCHER_PAIR));
  }
  touched = sum;
}

/** The same of what is left to be done with pairs. */
function touchLeft(list: usize, end: usize): void {
  let sum = 0;
  for (let at = list; at < end; at += WATCHER) {
    const view = sheetOf(at);
    const number = load<i32>(at, WATCHER_PAIR);
    if (view == 0 || number >= load<i32>(view, VIEW_HIGH)) continue;
    sum += load<i32>(<usize>load<i32>(view, VIEW_LEFT) + (number << 2));
  }
  touched = sum;
}

/** The same of where views note the pairs that are woken. */
function touchWoken(list: usize, end: usize): i32 {
  let sum = 0;
  for (let at = list; at < end; at += WATCHER) {
    const view = sheetOf(at);
    if (view != 0) sum += load<i32>(view, VIEW_WOKEN_COUNT);
  }
  return sum;
}

function touchViews(list: usize, end: usize): i32 {
  let sum = 0;
  for (let at = list; at < end; at += WATCHER) {
    const view = sheetOf(at);
    if (view != 0) sum += load<i32>(view, VIEW_PAIRS) + load<i32>(view, VIEW_HIGH);
  }
  return sum;
}

function touchPair(view: usize, number: i32): i32 {
  if (number >= load<i32>(view, VIEW_HIGH)) return 0;
  const tag = load<i32>(<usize>load<i32>(view, VIEW_PAIRS) + number * PAIR, PAIR_TAG);
  return tag + load<u8>(<usize>load<i32>(view, VIEW_NEXT) + number);
}
