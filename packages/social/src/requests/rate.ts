/**
 * How often somebody may do something: so many at once, and so many a second after that. One bucket for each player, kept by whoever counts.
 */

export interface RateLimit {
  /** At once. */
  readonly burst: number;
  readonly perSecond: number;
}

export class Rate {
  readonly #limit: RateLimit;
  #left: number;
  #atMs: number;

  constructor(limit: RateLimit, nowMs: number) {
    this.#limit = limit;
    this.#left = limit.burst;
    this.#atMs = nowMs;
  }

  /** Takes one, if there is one. */
  take(nowMs: number): boolean {
    const { burst, perSecond } = this.#limit;
    this.#left = Math.min(burst, this.#left + (Math.max(0, nowMs - this.#atMs) * perSecond) / 1000);
    this.#atMs = nowMs;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
