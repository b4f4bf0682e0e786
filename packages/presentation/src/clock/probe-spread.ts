/**
 * Learns from the probes themselves how exact a probe is, given its round trip. The model of a probe's variance is `even + steep × excess²`,
 * where the excess is the round trip minus the shortest round trip. On a path with queues the shortest round trips are the exact
 * ones, and `even` is almost 0. Where delays are random, all probes are equally exact, and `steep` is almost 0. To find out which
 * it is, the shortest quarter of the round trips is compared with the next quarter.
 */

/** What even the best probe is wrong by, ms: timers, and the coarse clocks of browsers. */
const FLOOR_MS = 0.5;
const FLOOR_VARIANCE = FLOOR_MS ** 2;
/** An error that is spread evenly over ± excess ÷ 2 has this variance, per excess². */
const STEEPEST = 1 / 12;
/** Times the median residual beyond which a probe is an extreme; 4.5 are three standard deviations. */
const LIKELY_MEDIANS = 4.5;
/** Probes that a quarter needs to say anything. */
const LEAST = 4;
/** Quarters are small, and luck makes them look exact: no probe counts as better than this share of the shortest quarter. */
const LUCK = 0.1;

export class ProbeSpread {
  /** Round trip by probe, ms; filled before `learn`. */
  readonly trips: Float64Array;
  /** The shortest of them. */
  shortestMs = 0;
  /** Beyond this residual a probe is an extreme. */
  likelyMs = 0;
  readonly #sorted: Float64Array;
  #even = FLOOR_VARIANCE;
  #steep: number = STEEPEST;
  #most: number = FLOOR_VARIANCE;

  constructor(capacity: number) {
    this.trips = new Float64Array(capacity);
    this.#sorted = new Float64Array(capacity);
  }

  reset(): void {
    this.shortestMs = 0;
    this.likelyMs = 0;
  }

  varianceOf(i: number): number {
    const excess = this.trips[i]! - this.shortestMs;
    return Math.min(this.#most, this.#even + this.#steep * excess * excess);
  }

  medianOf(values: Float64Array, count: number): number {
    return this.#sort(values, count)[count >> 1]!;
  }

  /** @param residuals by probe: how far, in ms, its offset lies from what the others say. */
  learn(residuals: Float64Array, count: number): void {
    this.likelyMs = LIKELY_MEDIANS * this.medianOf(residuals, count) + 2 * FLOOR_MS;
    const sorted = this.#sort(this.trips, count);
    const [quarter, half] = [sorted[count >> 2]!, sorted[count >> 1]!];
    this.shortestMs = sorted[0]!;
    this.#most = Math.max(FLOOR_VARIANCE, 2 * this.#mean(residuals, count, 0, Number.POSITIVE_INFINITY, false));
    this.#even = FLOOR_VARIANCE;
    this.#steep = STEEPEST;
    if (count < 4 * LEAST) return;
    const near = this.#mean(residuals, count, 0, quarter, false);
    const far = this.#mean(residuals, count, quarter, half, false);
    const nearExcess = this.#mean(residuals, count, 0, quarter, true);
    const farExcess = this.#mean(residuals, count, quarter, half, true);
    if (!(farExcess > nearExcess)) return;
    this.#steep = Math.min(STEEPEST, Math.max(0, (far - near) / (farExcess - nearExcess)));
    this.#even = Math.max(FLOOR_VARIANCE, near - this.#steep * nearExcess, LUCK * near);
  }

  /** Mean of the squared excesses or residuals of all probes but extremes whose round trip is above `from` and up to `to`. */
  #mean(residuals: Float64Array, count: number, from: number, to: number, ofExcess: boolean): number {
    let [sum, found] = [0, 0];
    for (let i = 0; i < count; i++) {
      const trip = this.trips[i]!;
      if (residuals[i]! > this.likelyMs || trip > to || (trip <= from && from > 0)) continue;
      sum += (ofExcess ? trip - this.shortestMs : residuals[i]!) ** 2;
      found += 1;
    }
    return found === 0 ? 0 : sum / found;
  }

  #sort(values: Float64Array, count: number): Float64Array {
    const sorted = this.#sorted.subarray(0, count);
    sorted.set(values.subarray(0, count));
    return sorted.sort();
  }
}
