/**
 * Errors of one zone: their number, mean, largest, and percentiles without keeping them. They are counted in steps of a thousandth of the
 * zone's bound, up to twice the bound, and a percentile is the upper end of its step.
 */

const STEPS_PER_BOUND = 1000;
const STEPS = 2 * STEPS_PER_BOUND;

export class ErrorTally {
  readonly bound: number;
  count = 0;
  largest = 0;
  #sum = 0;
  readonly #steps: Float64Array = new Float64Array(STEPS + 1);

  /** @param bound world units. */
  constructor(bound: number) {
    this.bound = bound;
  }

  add(error: number): void {
    this.count += 1;
    this.#sum += error;
    if (error > this.largest) this.largest = error;
    const step = Math.min(STEPS, Math.floor((error / this.bound) * STEPS_PER_BOUND));
    this.#steps[step] = this.#steps[step]! + 1;
  }

  /** NaN where nothing was seen. */
  get mean(): number {
    return this.#sum / this.count;
  }

  /** The error that this share (0 to 1) of all do not exceed; NaN where nothing was seen. */
  percentile(share: number): number {
    let left = Math.max(1, Math.ceil(share * this.count));
    for (let step = 0; step <= STEPS; step++) {
      left -= this.#steps[step]!;
      if (left <= 0) return Math.min(this.largest, ((step + 1) / STEPS_PER_BOUND) * this.bound);
    }
    return Number.NaN;
  }
}
