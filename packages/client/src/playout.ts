/**
 * The moment up to which state is usually here: what interpolation shows objects by. It is behind the newest frame by no more than frames
 * vary, whatever the way is long, and known from the first frame on, long before the server's clock is. It belongs to the client and not to an
 * object: one that is sent every three seconds would learn its way for half a minute.
 *
 * Invariant: it never goes back; it runs at most a quarter faster or slower than time does.
 */

import { Lateness } from "@nearfield/presentation/internal";

/** Frames that count: at 20 a second those of the last second and a half. */
const KEPT = 32;
/** Share of its way that it gains or loses while the way changes. */
const SLEW = 0.25;

export class Playout {
  readonly #lateness: Lateness = new Lateness(KEPT);
  #localMs = Number.NEGATIVE_INFINITY;
  #lagMs = 0;

  /** State of that moment of the server's time is here, at this time of the client's clock. */
  heard(serverMs: number, localMs: number): void {
    const isFirst = this.#lateness.count === 0;
    this.#lateness.note(localMs - serverMs);
    if (!isFirst) return;
    this.#localMs = localMs;
    this.#lagMs = this.#lateness.usualMs;
  }

  /** The moment, in ms of the server's time; NaN before anything was heard. Times do not go back. */
  at(localMs: number): number {
    if (this.#lateness.count === 0) return Number.NaN;
    const most = SLEW * Math.max(0, localMs - this.#localMs);
    this.#localMs = Math.max(this.#localMs, localMs);
    this.#lagMs += Math.max(-most, Math.min(most, this.#lateness.usualMs - this.#lagMs));
    return this.#localMs - this.#lagMs;
  }
}
