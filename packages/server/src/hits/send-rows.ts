/**
 * The sends of a log, one row each, in columns. Rows are taken and given back; rows of one object are chained by `next`. Columns grow by
 * doubling up to `maxSends` rows. Nothing else is allocated.
 */

import { FULL_MOTION_SIZE } from "@nearfield/presentation/internal";
import { grown } from "@nearfield/schema/internal";

/** Numbers of a motion: position, velocity, acceleration. */
export const MOTION_NUMBERS: number = FULL_MOTION_SIZE;
/** No row. */
export const NONE = -1;
const FIRST_ROWS = 64;

export class SendRows {
  /** By row: the next newer send of the same object. */
  next: Int32Array = new Int32Array(FIRST_ROWS);
  /** By row: server time of the state, ms; the packet that carried it; time bound of its zone, ms. */
  time: Float64Array = new Float64Array(FIRST_ROWS);
  packet: Int32Array = new Int32Array(FIRST_ROWS);
  bound: Float64Array = new Float64Array(FIRST_ROWS);
  /** By row: 1 if the object rests where it is; 1 if the send removes it. */
  settles: Uint8Array = new Uint8Array(FIRST_ROWS);
  removes: Uint8Array = new Uint8Array(FIRST_ROWS);
  motion: Float64Array = new Float64Array(FIRST_ROWS * MOTION_NUMBERS);
  /** Rows that are taken. */
  inUse = 0;
  readonly #maxSends: number;
  #rows = 0;
  #free = NONE;

  constructor(maxSends: number) {
    this.#maxSends = maxSends;
  }

  /** Takes a row, with all motion set to 0. `NONE` if all rows are taken. */
  take(timeMs: number, packet: number): number {
    const row = this.#takeRow();
    if (row === NONE) return NONE;
    this.inUse += 1;
    this.next[row] = NONE;
    this.time[row] = timeMs;
    this.packet[row] = packet;
    this.settles[row] = 0;
    this.removes[row] = 0;
    return row;
  }

  release(row: number): void {
    this.next[row] = this.#free;
    this.#free = row;
    this.inUse -= 1;
  }

  #takeRow(): number {
    const row = this.#free;
    if (row !== NONE) {
      this.#free = this.next[row]!;
      return row;
    }
    if (this.#rows === this.#maxSends) return NONE;
    if (this.#rows === this.next.length) this.#grow();
    return this.#rows++;
  }

  #grow(): void {
    const size = this.next.length * 2;
    this.next = grown(this.next, size);
    this.time = grown(this.time, size);
    this.packet = grown(this.packet, size);
    this.bound = grown(this.bound, size);
    this.settles = grown(this.settles, size);
    this.removes = grown(this.removes, size);
    this.motion = grown(this.motion, size, MOTION_NUMBERS);
  }
}
