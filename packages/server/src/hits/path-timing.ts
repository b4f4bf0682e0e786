/**
 * How long the way to one client and back is, from its acks: the shortest of the last trips, since everything that makes a trip longer (a
 * client that waits for its next frame, a queue on the way) is not the way itself. An ack that tells of a frame of time 1,000 and arrives
 * at 1,108 was a trip of 108 ms.
 */

/** Trips remembered: some seconds, so that a way that became longer shows soon. */
const KEPT = 64;

export class PathTiming {
  readonly #trips: Float64Array = new Float64Array(KEPT).fill(Number.POSITIVE_INFINITY);
  #next = 0;
  #shortest: number = Number.POSITIVE_INFINITY;

  /** Whether any trip is known. */
  get isKnown(): boolean {
    return this.#shortest < Number.POSITIVE_INFINITY;
  }

  /** The shortest trip, ms; `Infinity` before the first. */
  get tripMs(): number {
    return this.#shortest;
  }

  /** The way is another one from now on. */
  forget(): void {
    this.#trips.fill(Number.POSITIVE_INFINITY);
    this.#shortest = Number.POSITIVE_INFINITY;
  }

  note(tripMs: number): void {
    this.#trips[this.#next] = Math.max(0, tripMs);
    this.#next = (this.#next + 1) % KEPT;
    let shortest = Number.POSITIVE_INFINITY;
    for (let i = 0; i < KEPT; i++) if (this.#trips[i]! < shortest) shortest = this.#trips[i]!;
    this.#shortest = shortest;
  }
}
