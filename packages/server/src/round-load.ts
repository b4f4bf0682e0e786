/**
 * Decides how much less clients are sent while rounds take too long. It is told how long each round took and has no clock of its own.
 *
 * One number, the *strain*, says how much: 1 is nothing, 64 the most. A round's time goes mostly into records and packets. So with strain s
 * the bounds of zones 1 and up are loosened by s, up to 8, which makes fewer records; and each client is served once in √s rounds, up to 8,
 * which makes fewer packets. Outer zones give way first: at strain 4 they are four times looser, and zone 0 is sent in every second round.
 *
 * Rounds are looked at eight at a time; the longest of them is left out, since it may be a garbage collection. If they take more than is
 * allowed, strain grows, and the next eight rounds only show what came of it. It shrinks after rounds have taken less than four fifths of
 * what is allowed for a while, and by so little that they still fit after it.
 * Why so: docs/decisions/0031-turns.md.
 */

import { MOST_ROUNDS_OUT, OUTER_LIMIT } from "@nearfield/core/internal";

/** The most rounds from one turn of a client to its next. */
export const MOST_EVERY: number = MOST_ROUNDS_OUT + 1;
const MOST_STRAIN: number = MOST_EVERY ** 2;

/** Rounds that are looked at together. */
const WINDOW = 8;
/** Rounds that take r times as long as they may raise the strain by this power of r. Twice the strain saves about two fifths of the time. */
const GROWTH_POWER = 1.5;
const MOST_GROWTH = 4;
const LEAST_GROWTH = 1.05;
/** Rounds that take less than this share of what is allowed leave room. */
const ROOMY = 0.8;
/** Windows in a row with such room after which strain shrinks, and the most by which it does then. */
const ROOMY_WINDOWS = 4;
const MOST_SHRINKING = 0.7;
/** Less strain than this is none. */
const LITTLE_STRAIN = 1.1;
/** Bounds are loosened in steps of 2^¼, so that they seldom change. */
const STEPS_PER_DOUBLING = 4;

export class RoundLoad {
  #strain = 1;
  readonly #allowedMs: number;
  #rounds = 0;
  #sumMs = 0;
  #longestMs = 0;
  #roomyWindows = 0;
  /** Strain has just grown: rounds do not show what came of it yet. */
  #isSettling = false;

  /** @param allowedMs what a round may take; `Infinity`: there is never any strain. */
  constructor(allowedMs: number) {
    this.#allowedMs = allowedMs;
  }

  /** Each client is served once in so many rounds, on average. */
  get every(): number {
    return Math.sqrt(this.#strain);
  }

  /** By how much the bounds of zones 1 and up are loosened at least. */
  get outer(): number {
    const steps = Math.round(STEPS_PER_DOUBLING * Math.log2(Math.min(OUTER_LIMIT, this.#strain)));
    return 2 ** (steps / STEPS_PER_DOUBLING);
  }

  /** A round is over. */
  note(tookMs: number): void {
    this.#rounds += 1;
    this.#sumMs += tookMs;
    if (tookMs > this.#longestMs) this.#longestMs = tookMs;
    if (this.#rounds < WINDOW) return;
    this.#adapt((this.#sumMs - this.#longestMs) / (WINDOW - 1) / this.#allowedMs);
    this.#rounds = 0;
    this.#sumMs = 0;
    this.#longestMs = 0;
  }

  /** @param load what rounds take, as a share of what they may take. */
  #adapt(load: number): void {
    this.#roomyWindows = load < ROOMY ? this.#roomyWindows + 1 : 0;
    if (load > 1 && !this.#isSettling) {
      const growth = Math.min(MOST_GROWTH, Math.max(LEAST_GROWTH, load ** GROWTH_POWER));
      this.#strain = Math.min(MOST_STRAIN, this.#strain * growth);
      this.#isSettling = true;
      return;
    }
    this.#isSettling = false;
    if (this.#roomyWindows < ROOMY_WINDOWS || this.#strain === 1) return;
    this.#strain *= Math.max(MOST_SHRINKING, load / ROOMY);
    if (this.#strain < LITTLE_STRAIN) this.#strain = 1;
    this.#roomyWindows = 0;
  }
}
