/** Who watches an object, as `Observers` lists it. */

import {
  ENGINE_SHEETS,
  FREE,
  PAIR,
  PAIR_TAG,
  SLOT_MASK,
  VIEW_HIGH,
  VIEW_LEFT,
  VIEW_PAIRS,
  WATCHER,
  WATCHER_PAIR,
  WATCHER_VIEW,
} from "../src/engine/layout";

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
