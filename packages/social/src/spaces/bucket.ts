/** Allows so much per second, and so much at once. */

export class Bucket {
  readonly #perSecond: number;
  readonly #atOnce: number;
  #left: number;
  #countedMs: number;

  constructor(perSecond: number, atOnce: number, nowMs: number) {
    this.#perSecond = perSecond;
    this.#atOnce = atOnce;
    this.#left = atOnce;
    this.#countedMs = nowMs;
  }

  /** Whether there is so much left; if so, it is taken. */
  take(amount: number, nowMs: number): boolean {
    this.#left = Math.min(this.#atOnce, this.#left + ((nowMs - this.#countedMs) / 1000) * this.#perSecond);
    this.#countedMs = nowMs;
    if (amount > this.#left) return false;
    this.#left -= amount;
    return true;
  }
}
