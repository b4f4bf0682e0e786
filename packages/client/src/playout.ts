/**
 * The playout clock: the moment up to which state has usually arrived. Interpolation shows objects at this moment. It lies behind the
 * newest frame only by as much as the frames' delays vary, however long the path is. It is known from the first frame on, long before the
 * server's clock is. There is one for the whole client and not one per object: an object that is sent every three seconds would need half a
 * minute to learn its delay.
 *
 * Invariant: it never goes back, and runs at most a quarter faster or slower than time does.
 */

import { Lateness } from "@nearfield/presentation/internal";

/** Frames that are counted: those of the last few seconds, at most so many; and always some, since frames may be far apart. */
const KEPT = 32;
const KEPT_MS = 4000;
const LEAST_KEPT = 8;
/** How much faster or slower it runs while the delay changes. */
const SLEW = 0.25;

export class Playout {
  readonly #lateness: Lateness = new Lateness(KEPT, KEPT_MS, LEAST_KEPT);
  #localMs = Number.NEGATIVE_INFINITY;
  #lagMs = 0;

  /** State of server time `serverMs` has arrived, at time `localMs` of the client's clock. */
  heard(serverMs: number, localMs: number): void {
    const isFirst = this.#lateness.count === 0;
    this.#lateness.note(localMs - serverMs, localMs);
    if (!isFirst) return;
    this.#localMs = localMs;
    this.#lagMs = this.#lateness.usualMs;
  }

  /** The moment to show, in ms of the server's time; NaN before anything was heard. `localMs` must not go back. */
  at(localMs: number): number {
    if (this.#lateness.count === 0) return Number.NaN;
    const most = SLEW * Math.max(0, localMs - this.#localMs);
    this.#localMs = Math.max(this.#localMs, localMs);
    this.#lagMs += Math.max(-most, Math.min(most, this.#lateness.usualMs - this.#lagMs));
    return this.#localMs - this.#lagMs;
  }
}
