/** Which objects may be known of, by slot: a bit each, in the memory of the kernel. A view has its own, or shares those of its team. */

import { MAX_SLOTS } from "@nearfield/schema/internal";
import { type ColumnSource, enlarged } from "../memory/memory.ts";

const FIRST_WORDS = 8;

export class Seen {
  #words: Int32Array;
  readonly #columns: ColumnSource;

  constructor(columns: ColumnSource) {
    this.#columns = columns;
    this.#words = columns.ints(FIRST_WORDS);
  }

  /** Gives its memory back. */
  dispose(): void {
    this.#columns.release(this.#words);
  }

  /** Where the kernel finds it; another place after `reserve`. */
  get address(): number {
    return this.#words.byteOffset;
  }

  /** Makes room for so many slots. */
  reserve(slots: number): void {
    while (slots > this.#words.length * 32) {
      this.#words = enlarged(this.#columns, this.#words, this.#words.length * 2, MAX_SLOTS / 32);
    }
  }

  has(slot: number): boolean {
    return ((this.#words[slot >>> 5]! >>> (slot & 31)) & 1) !== 0;
  }

  /** Notes whether it may be known of; true if that is new. */
  note(slot: number, isSeen: boolean): boolean {
    if (this.has(slot) === isSeen) return false;
    this.#words[slot >>> 5]! ^= 1 << (slot & 31);
    return true;
  }
}
