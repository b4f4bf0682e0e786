/**
 * How long the way to one client and back is, from its acks. An ack that tells of a frame of time 1,000 and arrives at 1,108 was a trip of
 * 108 ms: the way down, the wait for the client's next frame, the way up. The middle of the last trips is what is usual.
 */

import { Lateness } from "@nearfield/presentation/internal";

/** Trips remembered: some seconds, so that a way that became longer shows soon. */
const KEPT = 64;
/** A client looks at what came once per frame: on average, ms after it came. */
const FRAME_WAIT_MS = 8;

export class PathTiming {
  readonly #trips: Lateness = new Lateness(KEPT);

  /** Whether any trip is known. */
  get isKnown(): boolean {
    return this.#trips.count > 0;
  }

  /** The usual trip, ms; 0 before the first. */
  get tripMs(): number {
    return this.#trips.middleMs;
  }

  /** The usual way up, ms. */
  get upMs(): number {
    return this.upMsOf(this.tripMs);
  }

  /** The way up of a trip, ms: the client's clock stands on halves, so a half is what counts, whatever share of the trip it really is. */
  upMsOf(tripMs: number): number {
    return Math.max(0, tripMs - FRAME_WAIT_MS) / 2;
  }

  /** When a frame usually takes effect, ms after its time. */
  get ageMs(): number {
    return this.tripMs - this.upMs;
  }

  /** By how much that varies, ms. A trip is two ways, and ways vary on their own: the whole by more than each. */
  get ageSpreadMs(): number {
    return this.#trips.spreadMs * Math.SQRT1_2;
  }

  /** The way is another one from now on. */
  forget(): void {
    this.#trips.forget();
  }

  note(tripMs: number): void {
    this.#trips.note(Math.max(0, tripMs));
  }
}
