/**
 * The server's time as this side shows it: it follows the estimate, but never goes back and never jumps for small corrections. When
 * the estimate moves, the clock runs a little faster or slower until both agree. Example: the estimate falls by 20 ms; the clock
 * runs at 9/10 of its speed for 200 ms, and nothing that was shown happens twice.
 *
 * Two corrections are made at once: a long one forward, and the first one, since the time that the clock begins with is old by the one-way delay
 * and nothing depends on it yet. Invariant: `timeAt` never goes back.
 */

import type { ClockEstimator } from "./clock-estimator.ts";

/** How much faster or slower the clock runs while it corrects itself. */
const SLEW = 0.1;
/** A correction that is too long for that: forward it is made at once, backward the clock runs at half its speed. */
const FAR_MS = 250;
const FAR_SLEW = 0.5;

export class SlewedClock {
  readonly #estimator: ClockEstimator;
  #localMs = Number.NEGATIVE_INFINITY;
  #timeMs = Number.NEGATIVE_INFINITY;
  /** Whether it has followed an estimate yet. */
  #follows = false;

  constructor(estimator: ClockEstimator) {
    this.#estimator = estimator;
  }

  /** The server was heard to be at `serverMs`, or later, at this moment: good enough to begin with. */
  begin(localMs: number, serverMs: number): void {
    this.#timeMs = Math.max(this.timeAt(localMs), serverMs);
    this.#localMs = Math.max(this.#localMs, localMs);
  }

  /** The server's time, ms; −Infinity before anything is known of it. A moment before the last one asked for has the same answer. */
  timeAt(localMs: number): number {
    if (!(localMs > this.#localMs) || !this.#isKnown) return this.#timeMs;
    const passedMs = localMs - this.#localMs;
    this.#localMs = localMs;
    this.#timeMs = this.#advance(localMs, passedMs);
    return this.#timeMs;
  }

  /** How far off `timeAt` may be, ms: what the estimate may be off, and what is still to be corrected. */
  boundAt(localMs: number): number {
    if (this.#estimator.count === 0) return Number.POSITIVE_INFINITY;
    const due = localMs + this.#estimator.offsetAt(localMs) - this.timeAt(localMs);
    return this.#estimator.boundAt(localMs) + Math.abs(due);
  }

  get #isKnown(): boolean {
    return this.#estimator.count > 0 || this.#timeMs !== Number.NEGATIVE_INFINITY;
  }

  #advance(localMs: number, passedMs: number): number {
    if (this.#estimator.count === 0) return this.#timeMs + passedMs;
    const estimateMs = localMs + this.#estimator.offsetAt(localMs);
    const isFirst = !this.#follows;
    this.#follows = true;
    if (this.#timeMs === Number.NEGATIVE_INFINITY) return estimateMs;
    const dueMs = estimateMs - this.#timeMs - passedMs;
    if (dueMs > (isFirst ? 0 : FAR_MS)) return estimateMs;
    const slowest = (dueMs < -FAR_MS ? FAR_SLEW : SLEW) * passedMs;
    return this.#timeMs + passedMs + Math.min(SLEW * passedMs, Math.max(-slowest, dueMs));
  }
}
