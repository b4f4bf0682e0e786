/**
 * Turns a counter that only grows into rates: now, mean, peak. It has no clock: the caller of `sample` gives the time. "Now" is
 * the rate of the last second, or since the last sample if that is longer ago: it spans two samples that are less than a second apart together.
 */

import { rounded } from "./drawn.ts";
import type { Flow } from "./feed/report.ts";

/** Samples that are further apart than this make a window of their own. */
const SHORT_MS = 750;

interface Sample {
  atMs: number;
  total: number;
}

export class Meter {
  readonly #first: Sample = { atMs: 0, total: 0 };
  #before: Sample = { atMs: 0, total: 0 };
  #last: Sample = { atMs: 0, total: 0 };
  #newest: Sample = { atMs: 0, total: 0 };
  #samples = 0;
  #peak = 0;

  /** @param total the counter's value; it may only grow. */
  sample(atMs: number, total: number): void {
    if (this.#samples === 0) {
      for (const sample of [this.#first, this.#before, this.#last, this.#newest]) {
        sample.atMs = atMs;
        sample.total = total;
      }
    } else {
      const spare = this.#before;
      this.#before = this.#last;
      this.#last = this.#newest;
      this.#newest = spare;
      spare.atMs = atMs;
      spare.total = total;
    }
    this.#samples += 1;
    if (this.#samples > 2) this.#peak = Math.max(this.#peak, this.now);
  }

  /** Per second. */
  get now(): number {
    return rate(this.#from, this.#newest);
  }

  get mean(): number {
    return rate(this.#first, this.#newest);
  }

  /** How much the counter grew since the first sample. */
  get risen(): number {
    return this.#newest.total - this.#first.total;
  }

  /** How much it grew within the window of `now`. */
  get risenNow(): number {
    return this.#newest.total - this.#from.total;
  }

  /** Where the window of `now` begins. */
  get #from(): Sample {
    return this.#newest.atMs - this.#last.atMs > SHORT_MS ? this.#last : this.#before;
  }

  flow(): Flow {
    const { now } = this;
    const peak = Math.max(this.#peak, now);
    return { now: rounded(now), mean: rounded(this.mean), peak: rounded(peak), total: this.#newest.total };
  }
}

function rate(from: Sample, to: Sample): number {
  const ms = to.atMs - from.atMs;
  return ms > 0 ? ((to.total - from.total) * 1000) / ms : 0;
}
