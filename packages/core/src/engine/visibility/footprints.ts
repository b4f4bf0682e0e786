/** Which cells a unit sees from a cell. They are kept once found: walls do not move, and units come back to where others were. */

import type { VisionGrid } from "../../vision-grid.ts";

/** Cells in all lists that are kept, at most: 16 MB. Then all are forgotten and found again. */
const MOST_CELLS = 1 << 22;

export class Footprints {
  readonly #grid: VisionGrid;
  /** By sight: lists by cell. */
  readonly #bySight = new Map<number, (Int32Array | undefined)[]>();
  #kept = 0;
  /** The sight that was asked for last, and its lists: most units see equally far. */
  #lastSight = Number.NaN;
  #lastLists: (Int32Array | undefined)[] = [];

  constructor(grid: VisionGrid) {
    this.#grid = grid;
  }

  /** @param sights by slot: how far a unit sees. */
  of(cell: number, sights: Float64Array, slot: number): Int32Array {
    const sight = sights[slot]!;
    const lists = sight === this.#lastSight ? this.#lastLists : this.#listsOf(sight);
    let cells = lists[cell];
    if (cells === undefined) {
      cells = this.#grid.inSight(cell, sight);
      this.#kept += cells.length;
      if (this.#kept > MOST_CELLS) {
        this.#bySight.clear();
        this.#lastSight = Number.NaN;
        this.#kept = cells.length;
      } else lists[cell] = cells;
    }
    return cells;
  }

  #listsOf(sight: number): (Int32Array | undefined)[] {
    let lists = this.#bySight.get(sight);
    if (lists === undefined) {
      lists = new Array<Int32Array | undefined>(this.#grid.count);
      this.#bySight.set(sight, lists);
    }
    this.#lastSight = sight;
    this.#lastLists = lists;
    return lists;
  }
}
