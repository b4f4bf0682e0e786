/**
 * Update caps: how many updates an object is assumed to get at most. Plans rely on them: a pair is not looked at before its sequence bound can be reached.
 * There are two kinds of caps: updates in one round, and rounds with an update among any `WINDOW` rounds, any half and any quarter of so many. Those of the
 * second kind are far lower for things that move now and then. All rise at once. An object that exceeds one has all plans for its pairs made anew.
 */

import { grown, roomFor } from "@nearfield/schema/internal";
import { HALF_SHIFT, MOST_OF_HALF, QUARTER_SHIFT, WINDOW } from "../memory/layout.ts";

/** Rounds after which caps of windows sink to what was seen in them. They begin with every round, which promises nothing. */
const SINKS_AFTER = 64;
/** That of the whole window lies this much above what was seen, and those of its parts so much. */
const HEADROOM = 2;
const HEADROOM_OF_PARTS = 1;
/** Rounds of the parts of a window, and the bits of those rounds. */
const HALF: number = WINDOW / 2;
const QUARTER: number = WINDOW / 4;
const BITS_OF_HALF: number = 2 ** HALF - 1;
const BITS_OF_QUARTER: number = 2 ** QUARTER - 1;

/** Numbers per slot, side by side, since all are needed at once: the caps, and what they are made from. */
const RECORD = 12;
const [CAP, BUSY, BUSY_HALF, BUSY_QUARTER] = [0, 1, 7, 8];
/** Updates in this round; busy rounds of the last window, as bits, the last one first, and which that was. */
const [NOW, RECENT, LAST] = [2, 3, 4];
/** The busiest window since when, and the busiest parts of one. */
const [SEEN, SINCE, SEEN_HALF, SEEN_QUARTER] = [5, 6, 9, 10];

export class UpdateCaps {
  #records: Int32Array = new Int32Array(64 * RECORD);

  start(slot: number, round: number): void {
    const room = this.#records.length / RECORD;
    if (slot >= room) this.#records = grown(this.#records, roomFor(slot + 1, room), RECORD);
    const records = this.#records;
    const at = slot * RECORD;
    records[at + CAP] = 1;
    records[at + BUSY] = WINDOW;
    records[at + BUSY_HALF] = HALF;
    records[at + BUSY_QUARTER] = QUARTER;
    records[at + NOW] = 0;
    records[at + RECENT] = 0;
    records[at + LAST] = round;
    records[at + SEEN] = 0;
    records[at + SEEN_HALF] = 0;
    records[at + SEEN_QUARTER] = 0;
    records[at + SINCE] = round;
  }

  /** The most updates it is taken to get in a round. */
  capOf(slot: number): number {
    return this.#records[slot * RECORD + CAP]!;
  }

  /** The most rounds in which it is taken to get any: of a window, of half of one, of a quarter. */
  busyOf(slot: number): number {
    return this.#records[slot * RECORD + BUSY]!;
  }

  busyOfHalf(slot: number): number {
    return this.#records[slot * RECORD + BUSY_HALF]!;
  }

  busyOfQuarter(slot: number): number {
    return this.#records[slot * RECORD + BUSY_QUARTER]!;
  }

  /** All three as the kernel reads them, from bit `BUSY_SHIFT` of an object's traits on. */
  windowsOf(slot: number): number {
    const half = Math.min(this.busyOfHalf(slot), MOST_OF_HALF);
    return this.busyOf(slot) | (half << HALF_SHIFT) | (this.busyOfQuarter(slot) << QUARTER_SHIFT);
  }

  count(slot: number): void {
    this.#records[slot * RECORD + NOW]!++;
  }

  /** Ends the round for an object that was updated in it; true if a cap was too low, and is raised. */
  exceeds(slot: number, round: number): boolean {
    const records = this.#records;
    const at = slot * RECORD;
    const now = records[at + NOW]!;
    records[at + NOW] = 0;
    const isBusier = this.#exceedsBusy(at, round);
    if (now <= records[at + CAP]!) return isBusier;
    records[at + CAP] = now;
    return true;
  }

  #exceedsBusy(at: number, round: number): boolean {
    const records = this.#records;
    const passed = round - records[at + LAST]!;
    const recent = passed >= WINDOW ? 1 : (records[at + RECENT]! << passed) | 1;
    records[at + RECENT] = recent;
    records[at + LAST] = round;
    const isBusier = this.#exceedsIn(at, bitsIn(recent), WINDOW, BUSY, SEEN);
    const isBusierInHalf = this.#exceedsIn(at, bitsIn(recent & BITS_OF_HALF), HALF, BUSY_HALF, SEEN_HALF);
    const isBusierInQuarter = this.#exceedsIn(
      at,
      bitsIn(recent & BITS_OF_QUARTER),
      QUARTER,
      BUSY_QUARTER,
      SEEN_QUARTER,
    );
    if (round - records[at + SINCE]! >= SINKS_AFTER) {
      this.#sink(at, bitsIn(recent), BUSY, SEEN, HEADROOM);
      this.#sink(at, bitsIn(recent & BITS_OF_HALF), BUSY_HALF, SEEN_HALF, HEADROOM_OF_PARTS);
      this.#sink(at, bitsIn(recent & BITS_OF_QUARTER), BUSY_QUARTER, SEEN_QUARTER, HEADROOM_OF_PARTS);
      records[at + SINCE] = round;
    }
    return isBusier || isBusierInHalf || isBusierInQuarter;
  }

  /** So many of the last rounds had an update. */
  #exceedsIn(at: number, count: number, rounds: number, cap: number, seen: number): boolean {
    const records = this.#records;
    if (count > records[at + seen]!) records[at + seen] = count;
    if (count <= records[at + cap]!) return false;
    records[at + cap] = Math.min(rounds, count + (count >> 1));
    return true;
  }

  #sink(at: number, count: number, cap: number, seen: number, headroom: number): void {
    const records = this.#records;
    records[at + cap] = Math.min(records[at + cap]!, records[at + seen]! + headroom);
    records[at + seen] = count;
  }
}

function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
