/**
 * Objects sorted by the grid cell in which they lie, row after row, with where they are now and where they were a round ago. A counting sort makes it anew in
 * each round. Neighbouring cells are neighbours in memory, so looking through a strip of cells reads memory in order. Cells are narrower than rows
 * are high, which makes strips more exact without making more of them.
 *
 * The grid covers the first two axes and wraps around like a torus, so its table does not grow with the world. Places that fall on the same cell
 * are told apart by the distance test, which every reader makes anyway.
 */

import type { Kernel } from "../memory/kernel.ts";
import {
  ENGINE_BEFORE,
  ENGINE_BODIES,
  ENGINE_ROW,
  HEIGHT,
  SLENDER,
  SNAPSHOT,
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
} from "../memory/layout.ts";
import type { Memory } from "../memory/memory.ts";
import type { Bodies } from "../objects/bodies.ts";

const LEAST_SHIFT = 4;
/** The kernel reads eight objects at a time, so seven past the last. */
const BEYOND = 7;
/** Reals of an object. */
const SPOT_REALS: number = SPOT / 8;
const HEIGHT_REALS: number = HEIGHT / 8;
const SHORT = [SNAPSHOT_SHORT_X, SNAPSHOT_SHORT_Y] as const;

export class Snapshot {
  /** There are 2^rowShift rows of 2^shift cells. */
  rowShift: number = LEAST_SHIFT;
  shift: number = LEAST_SHIFT + SLENDER;
  /** By cell, `column | (row << shift)`: where its objects begin; those of the next begin where they end. */
  starts: Int32Array;
  slots: Int32Array;
  /** What the kernel is told of it, see `layout.ts`. */
  readonly sheet: Int32Array;
  readonly address: number;
  /** Round of which it is, and how many there are. */
  round = -1;
  count = 0;
  #cells: Int32Array;
  /** x and y now and before; z now and before, where there is a third axis. */
  #spots: Float64Array;
  #heights: Float64Array | undefined;
  /** x and y once more, as short reals. */
  #short: Int32Array[];
  readonly #memory: Memory;
  readonly #kernel: Kernel;
  readonly #bodies: Bodies;

  constructor(memory: Memory, kernel: Kernel, bodies: Bodies, isDeep: boolean) {
    this.#memory = memory;
    this.#kernel = kernel;
    this.#bodies = bodies;
    this.sheet = memory.ints(SNAPSHOT / 4);
    this.address = this.sheet.byteOffset;
    this.starts = memory.ints(1);
    this.slots = memory.ints(0);
    this.#cells = memory.ints(0);
    this.#spots = memory.reals(0);
    this.#heights = isDeep ? memory.reals(0) : undefined;
    this.#short = [memory.ints(0), memory.ints(0)];
  }

  /**
   * Takes the first `count` of `slots`, a column of the same memory; all have a place.
   *
   * @param size height of a row.
   */
  take(slots: Int32Array, count: number, size: number, round: number): void {
    this.round = round;
    this.count = count;
    this.#reserve(count);
    this.sheet[SNAPSHOT_COUNT / 4] = count;
    const { engine, engineReals } = this.#memory;
    engine[ENGINE_BODIES / 4] = this.#bodies.reals.byteOffset;
    engine[ENGINE_BEFORE / 4] = this.#bodies.before.byteOffset;
    engineReals[ENGINE_ROW / 8] = size;
    this.#kernel.sort(this.address, slots.byteOffset);
  }

  /** Where an object is and was: x, y, x and y before, and if there is a third axis z and z before. */
  placeAt(index: number): number[] {
    const spot = this.#spots.subarray(index * SPOT_REALS, (index + 1) * SPOT_REALS);
    const height = this.#heights?.subarray(index * HEIGHT_REALS, (index + 1) * HEIGHT_REALS) ?? [];
    return [...spot, ...height];
  }

  #reserve(count: number): void {
    if (count + BEYOND > this.slots.length) this.#grow(Math.max(64, count * 2));
    while (1 << (this.shift + this.rowShift) < 4 * count) {
      this.shift++;
      this.rowShift++;
    }
    const cells = 1 << (this.shift + this.rowShift);
    if (this.starts.length === cells + 1) return;
    this.#memory.release(this.starts);
    this.starts = this.#memory.ints(cells + 1);
    this.sheet[SNAPSHOT_STARTS / 4] = this.starts.byteOffset;
    this.sheet[SNAPSHOT_SHIFT / 4] = this.shift;
    this.sheet[SNAPSHOT_ROW_SHIFT / 4] = this.rowShift;
  }

  #grow(room: number): void {
    for (const column of [this.slots, this.#cells, this.#spots, ...this.#short]) this.#memory.release(column);
    this.slots = this.#memory.ints(room);
    this.#cells = this.#memory.ints(room);
    this.#spots = this.#memory.reals(room * SPOT_REALS);
    this.#short = this.#short.map(() => this.#memory.ints(room));
    this.sheet[SNAPSHOT_SLOTS / 4] = this.slots.byteOffset;
    this.sheet[SNAPSHOT_CELLS / 4] = this.#cells.byteOffset;
    this.sheet[SNAPSHOT_SPOTS / 4] = this.#spots.byteOffset;
    for (const [i, { byteOffset }] of this.#short.entries()) this.sheet[SHORT[i]! / 4] = byteOffset;
    if (this.#heights === undefined) return;
    this.#memory.release(this.#heights);
    this.#heights = this.#memory.reals(room * HEIGHT_REALS);
    this.sheet[SNAPSHOT_HEIGHTS / 4] = this.#heights.byteOffset;
  }
}
