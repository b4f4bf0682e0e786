/** Who watches an object, as `Observers` lists it. */

import {
  CROSSING,
  CROSSING_VIEW,
  ENGINE_ROUND,
  ENGINE_SHEETS,
  ENGINE_WATCHERS,
  FOUND,
  FOUND_CROSSING,
  FOUND_PAIR,
  FOUND_SLOT,
  FREE,
  LIST,
  LIST_COUNT,
  LIST_ENTRIES,
  LIST_ROOM,
  PAIR,
  PAIR_TAG,
  SLOT_MASK,
  VIEW_HIGH,
  VIEW_LEFT,
  VIEW_NEXT,
  VIEW_NUMBER,
  VIEW_PAIRS,
  WATCHER,
  WATCHER_PAIR,
  WATCHER_VIEW,
} from "../src/engine/layout";
import { planned } from "./numbers";

/**
 * Keeps one entry of each pair that watches the object still, or again; returns how many. Pairs that it has seen get a mark, which is another
 * one each time, where what is left to be done with them is listed during a round.
 */
export function keepWatchers(list: usize, count: i32, slot: i32, mark: i32): i32 {
  const end = list + count * WATCHER;
  touch(list, end);
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

function sheetOf(at: usize): usize {
  return <usize>load<i32>(<usize>load<i32>(0, ENGINE_SHEETS) + (load<i32>(at, WATCHER_VIEW) << 2));
}

/** Reads of the views, and then of their pairs: loads that do not wait for one another, so that all are under way at once. */
function touch(list: usize, end: usize): void {
  let sum = 0;
  for (let at = list; at < end; at += WATCHER) {
    const view = sheetOf(at);
    if (view != 0) sum += load<i32>(view, VIEW_LEFT) + load<i32>(view, VIEW_HIGH);
  }
  for (let at = list; at < end; at += WATCHER) {
    const view = sheetOf(at);
    const number = load<i32>(at, WATCHER_PAIR);
    if (view == 0 || number >= load<i32>(view, VIEW_HIGH)) continue;
    sum += load<i32>(<usize>load<i32>(view, VIEW_PAIRS) + number * PAIR, PAIR_TAG);
    sum += load<i32>(<usize>load<i32>(view, VIEW_LEFT) + (number << 2));
  }
  touched = sum;
}
let touched = 0;
