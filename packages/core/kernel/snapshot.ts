/** Objects in the order of the grid cells they lie in: a counting sort, as `Snapshot` describes it. */

import {
  BEFORE,
  BEFORE_X,
  BEFORE_Z,
  BODY,
  BODY_X,
  BODY_Y,
  BODY_Z,
  ENGINE_BEFORE,
  ENGINE_BODIES,
  ENGINE_ROW,
  HEIGHT,
  HEIGHT_NOW,
  HEIGHT_OLD,
  SLENDER,
  SNAPSHOT_CELLS,
  SNAPSHOT_COUNT,
  SNAPSHOT_HEIGHTS,
  SNAPSHOT_ROW_SHIFT,
  SNAPSHOT_SHIFT,
  SNAPSHOT_SHORT_X,
  SNAPSHOT_SHORT_Y,
  SNAPSHOT_SLOTS,
  SNAPSHOT_SPOTS,
  SNAPSHOT_STARTS,
  SPOT,
  SPOT_OLD_X,
  SPOT_X,
} from "../src/engine/memory/layout";
import { whole } from "./numbers";

/** Takes the objects of a list of slots, as many as the snapshot says. */
export function sort(snapshot: usize, list: usize): void {
  const starts = <usize>load<i32>(snapshot, SNAPSHOT_STARTS);
  const cells = 1 << (load<i32>(snapshot, SNAPSHOT_SHIFT) + load<i32>(snapshot, SNAPSHOT_ROW_SHIFT));
  memory.fill(starts, 0, (cells + 1) << 2);
  count(snapshot, list, starts);
  // The last entry counts nothing and so becomes the end of all.
  let sum = 0;
  for (let at = starts; at <= starts + ((<usize>cells) << 2); at += 4) {
    sum += load<i32>(at);
    store<i32>(at, sum);
  }
  place(snapshot, list, starts);
}

function count(snapshot: usize, list: usize, starts: usize): void {
  const bodies = <usize>load<i32>(0, ENGINE_BODIES);
  const cells = <usize>load<i32>(snapshot, SNAPSHOT_CELLS);
  const shift = load<i32>(snapshot, SNAPSHOT_SHIFT);
  const mask = (1 << shift) - 1;
  const rowMask = (1 << load<i32>(snapshot, SNAPSHOT_ROW_SHIFT)) - 1;
  const row = load<f64>(0, ENGINE_ROW);
  const end = load<i32>(snapshot, SNAPSHOT_COUNT) << 2;
  for (let at = 0; at < end; at += 4) {
    const body = bodies + load<i32>(list + at) * BODY;
    const column = whole((load<f64>(body, BODY_X) * <f64>(1 << SLENDER)) / row);
    const line = whole(load<f64>(body, BODY_Y) / row);
    const cell = (column & mask) | ((line & rowMask) << shift);
    store<i32>(cells + at, cell);
    store<i32>(starts + (cell << 2), load<i32>(starts + (cell << 2)) + 1);
  }
}

/** From behind: what was each cell's end becomes its start. */
function place(snapshot: usize, list: usize, starts: usize): void {
  const bodies = <usize>load<i32>(0, ENGINE_BODIES);
  const before = <usize>load<i32>(0, ENGINE_BEFORE);
  const cells = <usize>load<i32>(snapshot, SNAPSHOT_CELLS);
  const slots = <usize>load<i32>(snapshot, SNAPSHOT_SLOTS);
  const spots = <usize>load<i32>(snapshot, SNAPSHOT_SPOTS);
  const heights = <usize>load<i32>(snapshot, SNAPSHOT_HEIGHTS);
  const shortX = <usize>load<i32>(snapshot, SNAPSHOT_SHORT_X);
  const shortY = <usize>load<i32>(snapshot, SNAPSHOT_SHORT_Y);
  for (let at = (load<i32>(snapshot, SNAPSHOT_COUNT) - 1) << 2; at >= 0; at -= 4) {
    const slot = load<i32>(list + at);
    const start = starts + (load<i32>(cells + at) << 2);
    const to = load<i32>(start) - 1;
    const body = bodies + slot * BODY;
    const was = before + slot * BEFORE;
    store<i32>(start, to);
    store<i32>(slots + (to << 2), slot);
    const spot = spots + to * SPOT;
    v128.store(spot, v128.load(body, BODY_X), SPOT_X);
    v128.store(spot, v128.load(was, BEFORE_X), SPOT_OLD_X);
    store<f32>(shortX + (to << 2), <f32>load<f64>(body, BODY_X));
    store<f32>(shortY + (to << 2), <f32>load<f64>(body, BODY_Y));
    if (heights == 0) continue;
    store<f64>(heights + to * HEIGHT, load<f64>(body, BODY_Z), HEIGHT_NOW);
    store<f64>(heights + to * HEIGHT, load<f64>(was, BEFORE_Z), HEIGHT_OLD);
  }
}

/** Where the objects of a list of slots are now is where they were before. */
export function settle(list: usize, count: i32): void {
  const bodies = <usize>load<i32>(0, ENGINE_BODIES);
  const before = <usize>load<i32>(0, ENGINE_BEFORE);
  for (let at = list; at < list + ((<usize>count) << 2); at += 4) {
    const slot = load<i32>(at);
    const body = bodies + slot * BODY;
    const was = before + slot * BEFORE;
    v128.store(was, v128.load(body, BODY_X), BEFORE_X);
    store<f64>(was, load<f64>(body, BODY_Z), BEFORE_Z);
  }
}
