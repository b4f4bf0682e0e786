/**
 * Seeded chance: the sfc32 generator (Chris Doty-Humphrey's Small Fast Counter, 128 bits of state). The same seed gives
 * the same rolls on every machine: only integer operations, `+ − × ÷` and comparisons are used, which agree everywhere.
 *
 * Give every part of a scenario its own `fork`: then one part that rolls more often does not change what the others
 * see.
 */

import { LabError } from "./lab-error.ts";

export type Seed = string | number;

export class Dice {
  /** What to print when a run fails: `new Dice(seed)` rolls the same again. */
  readonly seed: string;
  #a: number;
  #b: number;
  #c: number;
  #counter: number;

  /** A number means its decimal text: `new Dice(7)` equals `new Dice("7")`. */
  constructor(seed: Seed) {
    if (typeof seed === "number" && !Number.isFinite(seed)) {
      throw new LabError("bad-dice", `a seed is ${seed}, but must be text or a finite number`);
    }
    this.seed = String(seed);
    this.#a = hashText(this.seed, 0x9e3779b9);
    this.#b = hashText(this.seed, 0x243f6a88);
    this.#c = hashText(this.seed, 0xb7e15162);
    this.#counter = 1;
    // The state starts as three hashes; twelve rounds mix each bit of them into all others.
    for (let round = 0; round < 12; round += 1) this.#next32();
  }

  /**
   * Dice of their own for one purpose; they depend on this seed and the label, not on what was rolled here. The same
   * label gives the same dice.
   */
  fork(label: Seed): Dice {
    return new Dice(`${this.seed}/${label}`);
  }

  /** From 0 up to, not including, 1, in steps of 2⁻⁵³. */
  next(): number {
    const high = this.#next32() >>> 5;
    const low = this.#next32() >>> 6;
    return (high * 0x4000000 + low) / 0x20000000000000;
  }

  /** A whole number from 0 to `count` − 1. */
  int(count: number): number {
    if (!Number.isSafeInteger(count) || count < 1) {
      throw new LabError("bad-dice", `int(${count}): the count must be a whole number of at least 1`);
    }
    return Math.floor(this.next() * count);
  }

  /** From `low` up to, not including, `high`. */
  range(low: number, high: number): number {
    if (!(low <= high)) throw new LabError("bad-dice", `range(${low}, ${high}): low must not be above high`);
    return low + this.next() * (high - low);
  }

  /** True with the given share, 0 to 1. Rolls once whatever the share is. */
  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new LabError("bad-dice", "pick([]): there must be an item to pick");
    return items[this.int(items.length)]!;
  }

  /** Shuffles the array in place and returns it. */
  shuffle<T>(items: T[]): T[] {
    for (let last = items.length - 1; last > 0; last -= 1) {
      const other = this.int(last + 1);
      const swapped = items[last]!;
      items[last] = items[other]!;
      items[other] = swapped;
    }
    return items;
  }

  /**
   * About normal: the sum of twelve rolls less 6 has mean 0 and deviation 1. Its price is that nothing lies beyond 6
   * deviations; its gain is that no logarithm or cosine is used, whose last bits differ between engines.
   */
  normal(mean = 0, deviation = 1): number {
    let sum = -6;
    for (let roll = 0; roll < 12; roll += 1) sum += this.next();
    return mean + deviation * sum;
  }

  #next32(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum;
  }
}

/**
 * 32 bits of a text, differing by `basis`: FNV-1a over its code units, then mixed so that close texts differ in all
 * bits.
 */
function hashText(text: string, basis: number): number {
  let hash = basis | 0;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
