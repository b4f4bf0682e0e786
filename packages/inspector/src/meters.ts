/**
 * Turns counters that only grow into rates: now, mean, peak. All counters of an instance are sampled together. It has no clock: the caller of `sample` gives the
 * time. "Now" is the rate of the last second, or since the last sample if that is longer ago: it spans two samples that are less than a second apart together.
 */

import { FLOW_LENGTH, type Value } from "./shape.ts";

/** Samples that are further apart than this make a window of their own. */
const SHORT_MS = 750;

/** One sample of all counters. */
interface Sample {
  atMs: number;
  readonly totals: Float64Array;
}

export class Meters {
  readonly #count: number;
  readonly #first: Sample;
  #before: Sample;
  #last: Sample;
  #newest: Sample;
  readonly #peaks: Float64Array;
  #samples = 0;

  /** @param count number of counters. */
  constructor(count: number) {
    this.#count = count;
    // One block of memory for all, since a room has some for each client.
    const block = new Float64Array(5 * count);
    const column = (index: number): Float64Array => block.subarray(index * count, (index + 1) * count);
    this.#first = { atMs: 0, totals: column(0) };
    this.#before = { atMs: 0, totals: column(1) };
    this.#last = { atMs: 0, totals: column(2) };
    this.#newest = { atMs: 0, totals: column(3) };
    this.#peaks = column(4);
  }

  /** @param totals the counters' values; they may only grow. */
  sample(atMs: number, totals: Float64Array): void {
    if (this.#samples === 0) {
      for (const sample of [this.#first, this.#before, this.#last]) {
        sample.atMs = atMs;
        sample.totals.set(totals);
      }
    } else {
      const spare = this.#before;
      this.#before = this.#last;
      this.#last = this.#newest;
      this.#newest = spare;
    }
    this.#newest.atMs = atMs;
    this.#newest.totals.set(totals);
    this.#samples += 1;
    if (this.#samples > 2) this.#raisePeaks();
  }

  /** Per second. */
  now(counter: number): number {
    return rate(this.#from, this.#newest, counter);
  }

  mean(counter: number): number {
    return rate(this.#first, this.#newest, counter);
  }

  /** How much the counter grew since the first sample. */
  risen(counter: number): number {
    return this.#newest.totals[counter]! - this.#first.totals[counter]!;
  }

  /** How much it grew within the window of `now`. */
  risenNow(counter: number): number {
    return this.#newest.totals[counter]! - this.#from.totals[counter]!;
  }

  /** Writes the flows of the first counters, so many, as a `Shape` has them. */
  writeFlows(into: Value[], at: number, count: number): void {
    const [first, from, newest, peaks] = [this.#first, this.#from, this.#newest, this.#peaks];
    for (let counter = 0; counter < count; counter++) {
      const now = rate(from, newest, counter);
      const to = at + counter * FLOW_LENGTH;
      into[to] = Math.round(now * 100);
      into[to + 1] = Math.round(rate(first, newest, counter) * 100);
      into[to + 2] = Math.round(Math.max(peaks[counter]!, now) * 100);
      into[to + 3] = newest.totals[counter]!;
    }
  }

  #raisePeaks(): void {
    const [from, newest, peaks] = [this.#from, this.#newest, this.#peaks];
    for (let counter = 0; counter < this.#count; counter++) {
      const now = rate(from, newest, counter);
      if (now > peaks[counter]!) peaks[counter] = now;
    }
  }

  /** Where the window of `now` begins. */
  get #from(): Sample {
    return this.#newest.atMs - this.#last.atMs > SHORT_MS ? this.#last : this.#before;
  }
}

function rate(from: Sample, to: Sample, counter: number): number {
  const ms = to.atMs - from.atMs;
  return ms > 0 ? ((to.totals[counter]! - from.totals[counter]!) * 1000) / ms : 0;
}
