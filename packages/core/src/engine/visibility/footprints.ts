/**
 * Which cells a unit sees from a cell. They are kept once found: walls do not move, and units come back to where others were. Lists lie one after the other in
 * large chunks, since thousands of small arrays would never be in the processor's cache. A full chunk is followed by another one, so that nothing that is kept is
 * ever copied: to double one array of several megabytes took as long as half a round.
 */

import type { VisionGrid } from "../../vision-grid.ts";

/** Numbers in all lists that are kept, at most: 16 MB. Then all are forgotten and found again. */
const MOST_KEPT = 1 << 22;
/** Numbers in a chunk. A list that is longer has a chunk of its own. */
const CHUNK_BITS = 16;
const CHUNK: number = 1 << CHUNK_BITS;

export class Footprints {
  /** The list that was found last: `cells[from]` up to `cells[to]`. */
  cells: Int32Array = new Int32Array(0);
  from = 0;
  to = 0;
  readonly #grid: VisionGrid;
  readonly #chunks: Int32Array[] = [];
  /** By sight: where the list of each cell begins, as chunk × CHUNK + place, with its length before it; 0 = it is not kept. */
  readonly #bySight = new Map<number, Int32Array>();
  /** Numbers in all chunks, and in the last one: how many are in use. */
  #kept = 0;
  #used = CHUNK;
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
    const known = starts[cell]!;
    const start = known > 0 ? known : this.#add(cell, sight);
    this.cells = this.#chunks[start >>> CHUNK_BITS]!;
    this.from = start & (CHUNK - 1);
    this.to = this.from + this.cells[this.from - 1]!;
  }

  #add(cell: number, sight: number): number {
    const found = this.#grid.inSight(cell, sight);
    const needed = found.length + 1;
    if (this.#used + needed > CHUNK) this.#addChunk(Math.max(CHUNK, needed));
    const chunk = this.#chunks.length - 1;
    const start = this.#used + 1;
    this.#chunks[chunk]![start - 1] = found.length;
    this.#chunks[chunk]!.set(found, start);
    this.#used += needed;
    this.#startsOf(sight)[cell] = chunk * CHUNK + start;
    return chunk * CHUNK + start;
  }

  #addChunk(numbers: number): void {
    if (this.#kept + numbers > MOST_KEPT) this.#forgetAll();
    this.#chunks.push(new Int32Array(numbers));
    this.#kept += numbers;
    this.#used = 0;
  }

  #forgetAll(): void {
    this.#chunks.length = 0;
    this.#bySight.clear();
    this.#lastSight = Number.NaN;
    this.#kept = 0;
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
