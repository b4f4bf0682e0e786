/**
 * A timer wheel of pair numbers: one bucket per round, 256 rounds ahead. Entries are never taken out; a pair that was rescheduled
 * leaves a stale entry behind, which the engine knows by the pair's own `nextCheck`.
 */

import { grown } from "../object-store.ts";

const ROUNDS = 256;

export class Wheel {
  readonly #buckets: Int32Array[] = Array.from({ length: ROUNDS }, () => new Int32Array(16));
  readonly #counts: Int32Array = new Int32Array(ROUNDS);

  /** The last round that can be scheduled now. */
  horizon(now: number): number {
    return now + ROUNDS - 1;
  }

  add(round: number, pair: number): void {
    const at = round & (ROUNDS - 1);
    const count = this.#counts[at]!;
    let bucket = this.#buckets[at]!;
    if (count === bucket.length) {
      bucket = grown(new Int32Array(count * 2), bucket);
      this.#buckets[at] = bucket;
    }
    bucket[count] = pair;
    this.#counts[at] = count + 1;
  }

  /** Entries of this round; they stay until `clear`. */
  bucket(round: number): Int32Array {
    const at = round & (ROUNDS - 1);
    return this.#buckets[at]!.subarray(0, this.#counts[at]!);
  }

  clear(round: number): void {
    this.#counts[round & (ROUNDS - 1)] = 0;
  }
}
