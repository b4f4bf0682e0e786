/**
 * Who stands in which cell of a grid, made anew in every step by counting. Movement looks for neighbours with it, combat for enemies. Within a cell, pieces
 * stand in the order of their slots, so that every search gives the same answer on every machine.
 */

export interface Placed {
  readonly high: number;
  readonly alive: Uint8Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly side: Uint8Array;
}

/** Edge of a cell, in world units. */
export const CELL = 32;
/** Cells along each edge of a block, as a power of two: whole blocks without enemies are left out of a search. */
const BLOCK_BITS = 2;

export class Crowd {
  /** Cells along each edge of the map. */
  readonly cells: number;
  /** Where the pieces of each cell begin in `slots`; one more at the end. */
  readonly starts: Uint32Array;
  readonly slots: Uint32Array;
  /** By cell: bit s is set if a piece of side s is there. */
  readonly sides: Uint8Array;
  readonly #blocks: number;
  /** By block, as `sides`. */
  readonly #blockSides: Uint8Array;
  readonly #cellOf: Uint32Array;
  readonly #next: Uint32Array;

  constructor(size: number, capacity: number) {
    this.cells = Math.ceil(size / CELL);
    const count = this.cells * this.cells;
    this.#blocks = Math.ceil(this.cells / (1 << BLOCK_BITS));
    this.#blockSides = new Uint8Array(this.#blocks * this.#blocks);
    this.starts = new Uint32Array(count + 1);
    this.#next = new Uint32Array(count);
    this.sides = new Uint8Array(count);
    this.slots = new Uint32Array(capacity);
    this.#cellOf = new Uint32Array(capacity);
  }

  gather({ high, alive, x, y, side }: Placed): void {
    const { starts, slots, sides } = this;
    starts.fill(0);
    sides.fill(0);
    this.#blockSides.fill(0);
    for (let slot = 0; slot < high; slot++) {
      if (alive[slot] === 0) continue;
      const [column, row] = [this.line(x[slot]!), this.line(y[slot]!)];
      const cell = row * this.cells + column;
      this.#cellOf[slot] = cell;
      starts[cell + 1]! += 1;
      sides[cell]! |= 1 << side[slot]!;
      this.#blockSides[(row >> BLOCK_BITS) * this.#blocks + (column >> BLOCK_BITS)]! |= 1 << side[slot]!;
    }
    for (let cell = 1; cell < starts.length; cell++) starts[cell]! += starts[cell - 1]!;
    this.#next.set(starts.subarray(0, this.#next.length));
    for (let slot = 0; slot < high; slot++) {
      if (alive[slot] === 0) continue;
      const cell = this.#cellOf[slot]!;
      slots[this.#next[cell]!] = slot;
      this.#next[cell]! += 1;
    }
  }

  /** Whether somebody whose side is not among `own` (bits) may be in this rectangle of cells; certainly not, if false. */
  hasOthers(own: number, left: number, top: number, right: number, bottom: number): boolean {
    for (let row = top >> BLOCK_BITS; row <= bottom >> BLOCK_BITS; row++) {
      for (let column = left >> BLOCK_BITS; column <= right >> BLOCK_BITS; column++) {
        if ((this.#blockSides[row * this.#blocks + column]! & ~own) !== 0) return true;
      }
    }
    return false;
  }

  /** The row or column of cells in which a coordinate lies. */
  line(coordinate: number): number {
    const line = Math.floor(coordinate / CELL);
    return line > 0 ? Math.min(line, this.cells - 1) : 0;
  }
}
