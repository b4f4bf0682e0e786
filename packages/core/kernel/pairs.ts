/** The pairs of a view, as `PairTable` keeps them: what can be done without more memory. */

import {
  ABSENT,
  ENDS,
  ENTRY,
  ENTRY_KEY,
  ENTRY_PAIR,
  FREE,
  HASH,
  HASH_SHIFT,
  PAIR,
  PAIR_BASE,
  PAIR_HELD,
  PAIR_LAST_SEND,
  PAIR_TAG,
  SLOT_MASK,
  VIEW_ENDS,
  VIEW_FIRST_MISS,
  VIEW_FOLLOWS,
  VIEW_FREE,
  VIEW_HIGH,
  VIEW_INDEX,
  VIEW_INDEX_MASK,
  VIEW_NEXT,
  VIEW_PAIRS,
  VIEW_ROOM,
  VIEW_USED,
} from "../src/engine/memory/layout";

export const NONE = -1;

/** The entry of a slot in the index, or the one where it would be. */
export function entryOf(view: usize, slot: i32): usize {
  const index = <usize>load<i32>(view, VIEW_INDEX);
  const mask = load<i32>(view, VIEW_INDEX_MASK);
  let at = home(slot, mask);
  while (load<i32>(index + at, ENTRY_KEY) != slot + 1 && load<i32>(index + at, ENTRY_KEY) != 0)
    at = (at + ENTRY) & mask;
  return index + at;
}

function home(slot: i32, mask: i32): i32 {
  return ((slot * HASH) >>> HASH_SHIFT) & mask;
}

/** A fresh pair of the first set, given the empty entry of its slot; −1 where there is no room for one. */
export function take(view: usize, slot: i32, entry: usize): i32 {
  const used = load<i32>(view, VIEW_USED) + 1;
  if (used * (2 * ENTRY) > load<i32>(view, VIEW_INDEX_MASK) + ENTRY) return NONE;
  const pairs = <usize>load<i32>(view, VIEW_PAIRS);
  let number = load<i32>(view, VIEW_FREE);
  if (number != NONE) store<i32>(view, load<i32>(pairs + number * PAIR, PAIR_HELD), VIEW_FREE);
  else {
    number = load<i32>(view, VIEW_HIGH);
    if (number == load<i32>(view, VIEW_ROOM)) return NONE;
    store<i32>(view, number + 1, VIEW_HIGH);
  }
  store<i32>(view, used, VIEW_USED);
  store<i32>(entry, slot + 1, ENTRY_KEY);
  store<i32>(entry, number, ENTRY_PAIR);
  const pair = pairs + number * PAIR;
  store<i32>(pair, slot, PAIR_TAG);
  store<i32>(pair, ABSENT, PAIR_HELD);
  store<i32>(pair, NONE, PAIR_LAST_SEND);
  store<i32>(<usize>load<i32>(view, VIEW_FIRST_MISS) + (number << 2), NONE);
  if (load<i32>(view, VIEW_FOLLOWS) == 0) store<i32>(pair, 0, PAIR_BASE);
  else {
    store<i32>(pair, NONE, PAIR_BASE);
    store<i64>(<usize>load<i32>(view, VIEW_ENDS) + number * ENDS, NONE);
  }
  return number;
}

/** Gives a pair back; nothing of it is on its way. */
export function free(view: usize, number: i32): void {
  const pair = <usize>load<i32>(view, VIEW_PAIRS) + number * PAIR;
  unindex(view, load<i32>(pair, PAIR_TAG) & SLOT_MASK);
  store<u8>(<usize>load<i32>(view, VIEW_NEXT) + number, 0);
  store<i32>(pair, FREE, PAIR_TAG);
  store<i32>(pair, load<i32>(view, VIEW_FREE), PAIR_HELD);
  store<i32>(view, number, VIEW_FREE);
  store<i32>(view, load<i32>(view, VIEW_USED) - 1, VIEW_USED);
}

/** Closes the gap, so that no search ends too early. */
function unindex(view: usize, slot: i32): void {
  const index = <usize>load<i32>(view, VIEW_INDEX);
  const mask = load<i32>(view, VIEW_INDEX_MASK);
  let hole = <i32>(entryOf(view, slot) - index);
  for (let at = (hole + ENTRY) & mask; ; at = (at + ENTRY) & mask) {
    const key = load<i32>(index + at, ENTRY_KEY);
    if (key == 0) break;
    if (((at - home(key - 1, mask)) & mask) < ((at - hole) & mask)) continue;
    store<i64>(index + hole, load<i64>(index + at));
    hole = at;
  }
  store<i32>(index + hole, 0, ENTRY_KEY);
}
