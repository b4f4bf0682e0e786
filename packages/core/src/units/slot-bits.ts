/** A set of slots that is walked in ascending order, so that what is made of it does not depend on the order in which they were added. */

import { grown } from "@nearfield/schema/internal";

export class SlotBits {
  #words: Uint32Array = new Uint32Array(0);
  /** One past the last word with a slot. */
  #end = 0;

  ensure(capacity: number): void {
    const words = (capacity + 31) >>> 5;
    if (words > this.#words.length) this.#words = grown(this.#words, words);
  }

  add(slot: number): void {
    const word = slot >>> 5;
    this.#words[word] = this.#words[word]! | (1 << (slot & 31));
    if (word >= this.#end) this.#end = word + 1;
  }

  delete(slot: number): void {
    this.#words[slot >>> 5] = this.#words[slot >>> 5]! & ~(1 << (slot & 31));
  }

  /** Writes the slots into `out` from place `at` on, where there is room for them, and empties the set. Returns how many there were. */
  take(out: Int32Array, at: number): number {
    let count = 0;
    for (let word = 0; word < this.#end; word++) {
      for (let bits = this.#words[word]!; bits !== 0; bits &= bits - 1) {
        out[at + count++] = (word << 5) + 31 - Math.clz32(bits & -bits);
      }
      this.#words[word] = 0;
    }
    this.#end = 0;
    return count;
  }
}
