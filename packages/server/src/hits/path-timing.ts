/**
 * The round trip of one client, measured by its acks. Example: an ack that tells of a frame of time 1,000 and arrives at 1,108 is a trip of
 * 108 ms. That is the way down, the wait for the client's next frame, and the way up. The median of the last trips counts as the usual
 * trip.
 */

import { Lateness } from "@nearfield/presentation/internal";

/** Trips that are remembered: those of the last few seconds, so that a path that became slower is noticed soon; but always some. */
const KEPT = 64;
const KEPT_MS = 4000;
const LEAST_KEPT = 8;
/** A client reads arrived packets once per frame. On average it reads them this long after they came, ms. */
const FRAME_WAIT_MS = 8;

export class PathTiming {
  readonly #trips: Lateness = new Lateness(KEPT, KEPT_MS, LEAST_KEPT);

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

  /** The way up of a trip, ms: half of it. The client's clock is also built on half a trip, so this is right even if one way takes longer. */
  upMsOf(tripMs: number): number {
    return Math.max(0, tripMs - FRAME_WAIT_MS) / 2;
  }

  /** How long after its time a frame usually takes effect, ms. */
  get ageMs(): number {
    return this.tripMs - this.upMs;
  }

  /** How much that varies, ms. Both ways vary independently, so a single way varies less than the whole trip. */
  get ageSpreadMs(): number {
    return this.#trips.spreadMs * Math.SQRT1_2;
  }

  /** The link has changed: forgets all measured trips. */
  forget(): void {
    this.#trips.forget();
  }

  /** @param atMs when it was measured. Default: with the last one. */
  note(tripMs: number, atMs?: number): void {
    this.#trips.note(Math.max(0, tripMs), atMs);
  }
}
