/**
 * Seeded dice (the sfc32 generator). Every random choice of a game is drawn from one of these, so that the game is a function of
 * its seed and of what its players do. Two dice with the same seed and label give the same throws on every machine.
 */

export class Dice {
  #a: number;
  #b: number;
  #c: number;
  #count = 1;

  constructor(seed: number, label = "") {
    let hash = 0x811c9dc5;
    for (let at = 0; at < label.length; at++) hash = Math.imul(hash ^ label.charCodeAt(at), 0x01000193);
    this.#a = seed | 0;
    this.#b = hash | 0;
    this.#c = 0x9e3779b9 | 0;
    for (let warm = 0; warm < 15; warm++) this.#next();
  }

  #next(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#count) | 0;
    this.#count = (this.#count + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    this.#c |= 0;
    return sum >>> 0;
  }

  /** A number in [0, 1). */
  next(): number {
    return this.#next() / 0x1_0000_0000;
  }

  /** A whole number in [0, below). */
  int(below: number): number {
    return Math.floor(this.next() * below);
  }

  /** True with the given chance (0–1). */
  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(from: readonly T[]): T {
    const picked = from[this.int(from.length)];
    if (picked === undefined) throw new RangeError("pick: the list is empty");
    return picked;
  }

  /** Shuffles in place and gives the same array back. */
  shuffle<T>(list: T[]): T[] {
    for (let last = list.length - 1; last > 0; last--) {
      const other = this.int(last + 1);
      const kept = list[last] as T;
      list[last] = list[other] as T;
      list[other] = kept;
    }
    return list;
  }

  /** About normal: mean 0, deviation 1, never beyond 3. */
  bell(): number {
    return this.next() + this.next() + this.next() + this.next() + this.next() + this.next() - 3;
  }
}
