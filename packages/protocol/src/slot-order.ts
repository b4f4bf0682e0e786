/**
 * Sorts the decisions of one frame by slot, in time proportional to their number. Each slot is a bit in a set; the set is then read from its
 * lowest bit on, with a second set that says which words of the first have any bits. All frame writers of one world share one, and between
 * two frames it is empty.
 */

import { grown, MAX_SLOTS, roomFor } from "@nearfield/schema/internal";

// A constant of this module is inlined; an imported one would be looked up at every use.
const SLOT_MASK: number = MAX_SLOTS - 1;
/** Slots of which one word of `#summary` knows. */
const SPAN_BITS = 10;

export class SlotOrder {
  /** By slot: the decision that it belongs to. */
  #decisions: Int32Array = new Int32Array(1 << SPAN_BITS);
  /** One bit for each slot; and one for each word of these that is not 0. */
  #words: Int32Array = new Int32Array(1 << (SPAN_BITS - 5));
  #summary: Int32Array = new Int32Array(1);

  /**
   * Sorts the first `count` places of `sequence`, which holds decision numbers, by the slots of their ids. If two have the same slot,
   * returns false and leaves `sequence` as it was.
   */
  sort(ids: Uint32Array, sequence: Int32Array, count: number): boolean {
    let first = this.#summary.length;
    let last = -1;
    for (let place = 0; place < count; place++) {
      const decision = sequence[place]!;
      const slot = ids[decision]! & SLOT_MASK;
      const span = slot >>> SPAN_BITS;
      if (span >= this.#summary.length) this.#reach(slot);
      if (span < first) first = span;
      if (span > last) last = span;
      const word = this.#words[slot >>> 5]!;
      const bit = 1 << (slot & 31);
      if ((word & bit) !== 0) {
        this.#empty(first, last);
        return false;
      }
      this.#words[slot >>> 5] = word | bit;
      this.#summary[span]! |= 1 << ((slot >>> 5) & 31);
      this.#decisions[slot] = decision;
    }
    this.#read(first, last, sequence);
    return true;
  }

  /** Writes the decisions to `sequence` in the order of their slots, and empties the set. */
  #read(first: number, last: number, sequence: Int32Array): void {
    const words = this.#words;
    const summary = this.#summary;
    const decisions = this.#decisions;
    let place = 0;
    for (let span = first; span <= last; span++) {
      for (let used = summary[span]!; used !== 0; used &= used - 1) {
        const word = (span << 5) | (31 - Math.clz32(used & -used));
        for (let bits = words[word]!; bits !== 0; bits &= bits - 1) {
          sequence[place++] = decisions[(word << 5) | (31 - Math.clz32(bits & -bits))]!;
        }
        words[word] = 0;
      }
      summary[span] = 0;
    }
  }

  #empty(first: number, last: number): void {
    this.#summary.fill(0, first, last + 1);
    this.#words.fill(0, first << 5, (last + 1) << 5);
  }

  /** Makes room for this slot. */
  #reach(slot: number): void {
    const spans = roomFor((slot >>> SPAN_BITS) + 1, this.#summary.length);
    this.#summary = grown(this.#summary, spans);
    this.#words = grown(this.#words, spans << 5);
    this.#decisions = grown(this.#decisions, spans << SPAN_BITS);
  }
}
