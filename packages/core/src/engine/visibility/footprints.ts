/**
 * Which cells a unit sees from a cell. They are kept once found: walls do not move, and units come back to where others were. All lists lie in one
 * array, one after the other, since thousands of small ones would never be in the processor's cache.
 */

import { grown } from "@nearfield/schema/internal";
import type { VisionGrid } from "../../vision-grid.ts";

/** Numbers in all lists that are kept, at most: 16 MB. Then all are forgotten and found again. */
const MOST_KEPT = 1 << 22;
const FIRST_ROOM = 1024;

export class Footprints {
  /** The list that was found last: `cells[from]` up to `cells[to]`. */
  cells: Int32Array = new Int32Array(FIRST_ROOM);
  from = 0;
  to = 0;
  readonly #grid: VisionGrid;
  /** By sight: where the list of each cell begins in `cells`, with its length before it; 0 = it is not kept. */
  readonly #bySight = new Map<number, Int32Array>();
  #used = 0;
  /** The sight that was asked for last, and its lists: most units see equally far. */
  #lastSight = Number.NaN;
  #lastStarts: Int32Array = new Int32Array(0);

  constructor(grid: VisionGrid) {
    this.#grid = grid;
  }

  /** @param sights by slot: how far a unit sees. */
  find(cell: number, sights: Float64Array, slot: number): void {
    const sight = sights[slot]!;
    const starts = sight === this.#lastSight ? this.#lastStarts : this.#startsOf(sight);
    const start = starts[cell]!;
    this.from = start > 0 ? start : this.#add(cell, sight);
    this.to = this.from + this.cells[this.from - 1]!;
  }

  #add(cell: number, sight: number): number {
    const found = this.#grid.inSight(cell, sight);
    if (this.#used + found.length + 1 > MOST_KEPT) this.#forgetAll();
    const start = this.#used + 1;
    const end = start + found.length;
    if (end > this.cells.length) this.cells = grown(this.cells, Math.max(end, this.cells.length * 2));
    this.cells[start - 1] = found.length;
    this.cells.set(found, start);
    this.#startsOf(sight)[cell] = start;
    this.#used = end;
    return start;
  }

  #forgetAll(): void {
    this.#bySight.clear();
    this.#lastSight = Number.NaN;
    this.#used = 0;
  }

  #startsOf(sight: number): Int32Array {
    let starts = this.#bySight.get(sight);
    if (starts === undefined) {
      starts = new Int32Array(this.#grid.count);
      this.#bySight.set(sight, starts);
    }
    this.#lastSight = sight;
    this.#lastStarts = starts;
    return starts;
  }
}
