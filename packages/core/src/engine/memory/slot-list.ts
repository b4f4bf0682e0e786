/** A list of slots to which something happened since the last round. Each slot is in it at most once, in the order of the events. */

import { MAX_SLOTS } from "@nearfield/schema/internal";
import { type ColumnSource, enlarged } from "./memory.ts";

const FIRST_LENGTH = 64;

export class SlotList {
  count = 0;
  #slots: Int32Array;
  /** One past the slot's place in the list; 0 = not in it. */
  #place: Int32Array;
  readonly #columns: ColumnSource;

  constructor(columns: ColumnSource) {
    this.#columns = columns;
    this.#slots = columns.ints(FIRST_LENGTH);
    this.#place = columns.ints(FIRST_LENGTH);
  }

  at(index: number): number {
    return this.#slots[index]!;
  }

  /** The first `count` are in the list. */
  get slots(): Int32Array {
    return this.#slots;
  }

  has(slot: number): boolean {
    return slot < this.#place.length && this.#place[slot] !== 0;
  }

  add(slot: number): void {
    while (slot >= this.#place.length) {
      this.#place = enlarged(this.#columns, this.#place, this.#place.length * 2, MAX_SLOTS);
    }
    if (this.#place[slot] !== 0) return;
    if (this.count === this.#slots.length)
      this.#slots = enlarged(this.#columns, this.#slots, this.count * 2, MAX_SLOTS);
    this.#slots[this.count++] = slot;
    this.#place[slot] = this.count;
  }

  /** The last one takes its place. */
  remove(slot: number): void {
    const place = this.#place[slot] ?? 0;
    if (place === 0) return;
    const last = this.#slots[--this.count]!;
    this.#slots[place - 1] = last;
    this.#place[last] = place;
    this.#place[slot] = 0;
  }

  clear(): void {
    for (let i = 0; i < this.count; i++) this.#place[this.#slots[i]!] = 0;
    this.count = 0;
  }
}
