/**
 * Some objects in the order of the grid cells they lie in, row after row, with where they are and were: made anew in each round by a counting
 * sort. Cells side by side are side by side in memory, so that looking through a strip of cells is reading on, and cells that are narrower
 * than their rows are high make strips more exact without making more of them.
 *
 * The grid lies over the first two axes and is rolled up to a torus, so that a world without edges needs no table that grows with it.
 * Places that fall on one another are told apart by the distance test that every reader makes anyway.
 */

import { type Bodies, REALS, Real } from "./bodies.ts";

/** Numbers per object in `places`: x and y now, x and y before. The third axis, now and before, is in `heights`. */
export const PLACE = 4;
export const HEIGHT = 2;
// Constants of this module: see `plain.ts`.
const REAL = REALS;
const X = Real.x;
const Y = Real.y;
const Z = Real.z;
const STRIDE: number = PLACE;
/** A row is as high as so many cells are wide, as a power of two. */
export const SLENDER = 2;
const LEAST_SHIFT = 4;

export class Snapshot {
  /** There are 2^rowShift rows of 2^shift cells. */
  rowShift: number = LEAST_SHIFT;
  shift: number = LEAST_SHIFT + SLENDER;
  /** By cell, `column | (row << shift)`: where its objects begin; those of the next begin where they end. */
  starts: Int32Array = new Int32Array(0);
  slots: Int32Array = new Int32Array(0);
  places: Float64Array = new Float64Array(0);
  heights: Float64Array = new Float64Array(0);
  /** Round of which it is, and how many there are. */
  round = -1;
  count = 0;
  #cells: Int32Array = new Int32Array(0);
  readonly #bodies: Bodies;
  readonly #isDeep: boolean;

  constructor(bodies: Bodies, isDeep: boolean) {
    this.#bodies = bodies;
    this.#isDeep = isDeep;
  }

  /**
   * Takes the first `count` of `slots`; all have a place.
   *
   * @param size height of a row.
   */
  take(slots: Int32Array, count: number, size: number, round: number): void {
    this.round = round;
    this.count = count;
    this.#reserve(count);
    const { reals } = this.#bodies;
    const starts = this.starts;
    const cells = this.#cells;
    const mask = (1 << this.shift) - 1;
    const rowMask = (1 << this.rowShift) - 1;
    const perUnit = (1 << SLENDER) / size;
    starts.fill(0);
    for (let i = 0; i < count; i++) {
      const at = slots[i]! * REAL;
      const column = Math.floor(reals[at + X]! * perUnit);
      const row = Math.floor(reals[at + Y]! / size);
      const cell = (column & mask) | ((row & rowMask) << this.shift);
      cells[i] = cell;
      starts[cell] = starts[cell]! + 1;
    }
    // The last entry counts nothing and so becomes the end of all.
    for (let cell = 1; cell < starts.length; cell++) starts[cell] = starts[cell]! + starts[cell - 1]!;
    this.#fill(slots, count);
  }

  /** From behind: what was each cell's end becomes its start. */
  #fill(slots: Int32Array, count: number): void {
    const { reals, before } = this.#bodies;
    const { starts, places, heights } = this;
    const cells = this.#cells;
    for (let i = count - 1; i >= 0; i--) {
      const slot = slots[i]!;
      const cell = cells[i]!;
      const to = starts[cell]! - 1;
      starts[cell] = to;
      this.slots[to] = slot;
      places[to * STRIDE] = reals[slot * REAL + X]!;
      places[to * STRIDE + 1] = reals[slot * REAL + Y]!;
      places[to * STRIDE + 2] = before[slot * 3]!;
      places[to * STRIDE + 3] = before[slot * 3 + 1]!;
      if (!this.#isDeep) continue;
      heights[to * HEIGHT] = reals[slot * REAL + Z]!;
      heights[to * HEIGHT + 1] = before[slot * 3 + 2]!;
    }
  }

  #reserve(count: number): void {
    if (count > this.slots.length) {
      const room = Math.max(64, count * 2);
      this.slots = new Int32Array(room);
      this.#cells = new Int32Array(room);
      this.places = new Float64Array(room * STRIDE);
      this.heights = new Float64Array(this.#isDeep ? room * HEIGHT : 0);
    }
    while (1 << (this.shift + this.rowShift) < 4 * count) {
      this.shift++;
      this.rowShift++;
    }
    const cells = 1 << (this.shift + this.rowShift);
    if (this.starts.length !== cells + 1) this.starts = new Int32Array(cells + 1);
  }
}
