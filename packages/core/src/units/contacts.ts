/**
 * Pairs of groups that came near each other with headings that did not agree. They may agree later without anybody near the border moving, so
 * they are remembered. A pair may have drawn apart since: who uses it looks again.
 */

import { grown } from "@nearfield/schema/internal";

export class Contacts {
  count = 0;
  low: Int32Array = new Int32Array(32);
  high: Int32Array = new Int32Array(32);
  /** Some pairs were dropped, and still stand in the list. */
  hasDropped = false;
  /** Open hash of the pairs: number of the pair plus 1; 0 = empty. */
  #table: Int32Array = new Int32Array(128);

  add(a: number, b: number): void {
    const low = Math.min(a, b);
    const high = Math.max(a, b);
    let at = this.#hash(low, high);
    for (; this.#table[at] !== 0; at = (at + 1) & (this.#table.length - 1)) {
      const known = this.#table[at]! - 1;
      if (this.low[known] === low && this.high[known] === high) return;
    }
    if (this.count === this.low.length) {
      this.low = grown(this.low, this.count * 2);
      this.high = grown(this.high, this.count * 2);
    }
    this.low[this.count] = low;
    this.high[this.count] = high;
    this.#table[at] = ++this.count;
    if (this.count * 4 > this.#table.length) this.#rebuild(this.#table.length * 2);
  }

  /** Keeps the pairs of groups that still are; a group that was merged into another is that one. */
  renew(heir: (group: number) => number): void {
    const count = this.count;
    this.count = 0;
    this.hasDropped = false;
    this.#table.fill(0);
    for (let i = 0; i < count; i++) {
      const low = this.low[i]! < 0 ? -1 : heir(this.low[i]!);
      const high = low < 0 ? -1 : heir(this.high[i]!);
      if (low >= 0 && high >= 0 && low !== high) this.add(low, high);
    }
  }

  drop(index: number): void {
    this.low[index] = -1;
    this.hasDropped = true;
  }

  #rebuild(length: number): void {
    this.#table = new Int32Array(length);
    for (let i = 0; i < this.count; i++) {
      let at = this.#hash(this.low[i]!, this.high[i]!);
      while (this.#table[at] !== 0) at = (at + 1) & (length - 1);
      this.#table[at] = i + 1;
    }
  }

  #hash(low: number, high: number): number {
    const mixed = Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b);
    return (mixed ^ (mixed >>> 15)) & (this.#table.length - 1);
  }
}
