/**
 * Estimates how far the server's clock is ahead of this side's, and how fast that changes, from probes that ask the server for its
 * time (N6). The server's processing time is subtracted from each probe. Half of the rest, the round trip, is the best
 * guess of the way back. Extremes are dropped, and a line is fitted through the other probes: it gives offset and drift.
 *
 * A probe's round trip says how exact the probe is. On a link that takes equally long both ways, a probe with the shortest round trip was as
 * fast as possible both ways, so its error is 0; a probe that took e ms longer is wrong by at most e ÷ 2. Example: the shortest is
 * 100 ms, and a probe took 130 ms; it is right within ± 15 ms and gets a weight to match. No probe can tell whether one way always takes longer
 * than the other: the estimate is then wrong by half of the difference.
 *
 * Nor can a probe tell which way its longer time was spent on. Where packets keep their order, answers wait behind the packets of every round, and probes behind
 * nothing: the mean of the probes then leans to one side, by a share of how much longer than the shortest they took. The bound allows for that.
 *
 * Pure: times are parameters.
 */

import { ProbeSpread } from "./probe-spread.ts";

/** One probe and its answer. */
export interface ClockSample {
  /** When it was sent and answered, ms of this side's clock. */
  readonly sentMs: number;
  readonly receivedMs: number;
  /** When the server received it, ms of the server's clock, and how long it kept it before it answered. */
  readonly serverMs: number;
  readonly heldMs: number;
}

/**
 * What became of a sample. `refused`: its times contradict each other, or are older than its forerunner's. `restarted`: it is one of
 * several in a row that lie apart from all before, so a clock has jumped, and only they count from now on.
 */
export type SampleFate = "taken" | "refused" | "restarted";

/** Samples kept, and their greatest age, ms. Larger values follow a change of drift more slowly. */
const KEPT = 1024;
const OLDEST_MS = 300_000;
/** Samples in a row that must contradict all others before a clock is believed to have jumped. */
const JUMP_SAMPLES = 8;
/** A round trip beyond this says nothing of use, ms. */
const LONGEST_MS = 10_000;
/** Drift that is likely before anything is known: good clocks agree to 1 in 10,000, bad ones to 1 in 1,000. */
const LIKELY_DRIFT = 1e-3;
/**
 * By how much the mean may lean, as a share of the probes' mean excess; as a standard error. With ± 30 ms on each way and a packet down in every round of 50 ms it leans by
 * 0.05, 2 ms of 40.
 */
const LEANING = 0.04;
/** Standard errors that the bound covers. */
const BOUND_ERRORS = 3;
/** A spread learnt from few samples is trusted less: with so many the bound is doubled. */
const FEW_SAMPLES = 12;
/** From this many samples on, the line is fitted again only with every fourth sample, since one more changes little. */
const MANY_SAMPLES = 64;
const FIT_EVERY = 4;
/** By how much the drift may have changed since the last sample. */
const DRIFT_WANDER = 1e-5;

export class ClockEstimator {
  /** Columns by sample, the oldest overwritten first: the middle of the probe, the offset then, the round trip. */
  readonly #at: Float64Array = new Float64Array(KEPT);
  readonly #offset: Float64Array = new Float64Array(KEPT);
  readonly #trip: Float64Array = new Float64Array(KEPT);
  /** By sample, in the order of age: how far it lies from the median, and what it weighs. */
  readonly #residual: Float64Array = new Float64Array(KEPT);
  readonly #weight: Float64Array = new Float64Array(KEPT);
  readonly #spread: ProbeSpread = new ProbeSpread(KEPT);
  #count = 0;
  /** Where the next sample goes. */
  #next = 0;
  #lastReceivedMs = Number.NEGATIVE_INFINITY;
  /** Samples since the line was laid. */
  #unfitted = 0;
  /** Samples in a row that lay on one side of all that was likely; negative: below. */
  #strays = 0;
  /** The line: the offset at `#centreMs` and its slope, with their variances. */
  #centreMs = 0;
  #centreOffsetMs = 0;
  #drift = 0;
  #offsetVariance = 0;
  #driftVariance = 0;
  /** Variance of the offset because one way may vary more than the other. */
  #leaningVariance = 0;

  /** Number of samples that the estimate uses. */
  get count(): number {
    return this.#count;
  }

  /** Ms that the server's clock gains per ms of this side's: 0.001 is 60 ms in a minute. */
  get drift(): number {
    return this.#drift;
  }

  /** The shortest round trip among the samples kept, ms; 0 before the first. */
  get shortestMs(): number {
    return this.#spread.shortestMs;
  }

  /** What must be added to this side's clock at `localMs` to have the server's; 0 before the first sample. */
  offsetAt(localMs: number): number {
    return this.#centreOffsetMs + this.#drift * (localMs - this.#centreMs);
  }

  /**
   * How far off `offsetAt` may be, ms, on a link that is as long one way as the other: three standard errors. `Infinity` before the first
   * sample; grows while there are no new ones.
   */
  boundAt(localMs: number): number {
    return this.#boundWith(localMs, this.#leaningVariance);
  }

  /** The same on a link that also varies equally on both ways: what more probes can make smaller. */
  evenBoundAt(localMs: number): number {
    return this.#boundWith(localMs, 0);
  }

  #boundWith(localMs: number, leaningVariance: number): number {
    if (this.#count === 0) return Number.POSITIVE_INFINITY;
    const away = localMs - this.#centreMs;
    const silenceMs = Math.max(0, localMs - this.#lastReceivedMs);
    const standardError = Math.sqrt(this.#offsetVariance + this.#driftVariance * away * away + leaningVariance);
    return (1 + FEW_SAMPLES / this.#count) * BOUND_ERRORS * standardError + DRIFT_WANDER * silenceMs;
  }

  add({ sentMs, receivedMs, serverMs, heldMs }: ClockSample): SampleFate {
    const tripMs = receivedMs - sentMs - heldMs;
    const isSane = heldMs >= 0 && tripMs >= 0 && tripMs <= LONGEST_MS && Number.isFinite(serverMs + receivedMs);
    if (!isSane || receivedMs < this.#lastReceivedMs) return "refused";
    const at = (sentMs + receivedMs) / 2;
    const offset = serverMs + heldMs / 2 - at;
    this.#strays = this.#straysWith(at, offset, tripMs);
    this.#lastReceivedMs = receivedMs;
    this.#keep(at, offset, tripMs);
    const jumped = Math.abs(this.#strays) >= JUMP_SAMPLES;
    if (jumped) this.#keepOnly(JUMP_SAMPLES);
    this.#unfitted += 1;
    if (jumped || this.#count < MANY_SAMPLES || this.#unfitted >= FIT_EVERY) this.#fit();
    return jumped ? "restarted" : "taken";
  }

  /** Forgets everything: the server's clock is another one now. */
  reset(): void {
    this.#keepOnly(0);
    this.#lastReceivedMs = Number.NEGATIVE_INFINITY;
    this.#centreMs = 0;
    this.#centreOffsetMs = 0;
    this.#spread.reset();
  }

  // ── samples ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The run of strays that this sample ends; 0 if it lies where others do, or its long way explains where it lies. */
  #straysWith(at: number, offset: number, tripMs: number): number {
    if (this.#count < JUMP_SAMPLES) return 0;
    const away = offset - this.offsetAt(at);
    const excess = Math.max(0, tripMs - this.shortestMs);
    if (Math.abs(away) <= Math.max(this.#spread.likelyMs, excess / 2) + this.boundAt(at)) return 0;
    return away > 0 ? Math.max(0, this.#strays) + 1 : Math.min(0, this.#strays) - 1;
  }

  #keep(at: number, offset: number, tripMs: number): void {
    this.#at[this.#next] = at;
    this.#offset[this.#next] = offset;
    this.#trip[this.#next] = tripMs;
    this.#next = (this.#next + 1) % KEPT;
    this.#count = Math.min(this.#count + 1, KEPT);
    while (at - this.#at[this.#row(0)]! > OLDEST_MS) this.#count -= 1;
  }

  /** Forgets all but the newest, and the line they did not make. */
  #keepOnly(newest: number): void {
    this.#count = newest;
    this.#strays = 0;
    this.#drift = 0;
  }

  /** Where sample i is, 0 being the oldest. */
  #row(i: number): number {
    return (this.#next - this.#count + i + KEPT) % KEPT;
  }

  // ── the line ───────────────────────────────────────────────────────────────────────────────────────────────────

  #fit(): void {
    this.#unfitted = 0;
    const middle = this.#spreadAroundMedian();
    this.#weigh();
    let [weights, sumAt, sumOffset, sumExcess] = [0, 0, 0, 0];
    const newest = this.#at[this.#row(this.#count - 1)]!;
    for (let i = 0; i < this.#count; i++) {
      const row = this.#row(i);
      const weight = this.#weight[i]!;
      weights += weight;
      sumAt += weight * (this.#at[row]! - newest);
      sumOffset += weight * (this.#offset[row]! - middle);
      sumExcess += weight * (this.#trip[row]! - this.shortestMs);
    }
    const centre = newest + sumAt / weights;
    const centreOffset = middle + sumOffset / weights;
    // What is likely of clocks counts like one more sample: a few probes in a row tell little of drift.
    let [squares, products] = [1 / LIKELY_DRIFT ** 2, 0];
    for (let i = 0; i < this.#count; i++) {
      const row = this.#row(i);
      const weight = this.#weight[i]!;
      const away = this.#at[row]! - centre;
      squares += weight * away * away;
      products += weight * away * (this.#offset[row]! - centreOffset);
    }
    this.#centreMs = centre;
    this.#centreOffsetMs = centreOffset;
    this.#drift = products / squares;
    this.#offsetVariance = 1 / weights;
    this.#driftVariance = 1 / squares;
    this.#leaningVariance = (LEANING * (sumExcess / weights)) ** 2;
  }

  /** The median of the offsets, the drift known so far taken out: half of the samples may lie, and it stands. */
  #spreadAroundMedian(): number {
    const count = this.#count;
    for (let i = 0; i < count; i++) {
      const row = this.#row(i);
      this.#residual[i] = this.#offset[row]! - this.#drift * (this.#at[row]! - this.#centreMs);
    }
    const middle = this.#spread.medianOf(this.#residual, count);
    for (let i = 0; i < count; i++) {
      this.#residual[i] = Math.abs(this.#residual[i]! - middle);
      this.#spread.trips[i] = this.#trip[this.#row(i)]!;
    }
    this.#spread.learn(this.#residual, count);
    return middle;
  }

  /** One over the variance of each sample; 0 for an extreme. */
  #weigh(): void {
    const { likelyMs } = this.#spread;
    for (let i = 0; i < this.#count; i++) {
      this.#weight[i] = this.#residual[i]! > likelyMs ? 0 : 1 / this.#spread.varianceOf(i);
    }
  }
}
