/**
 * Update caps: how many updates an object is assumed to get at most. Plans rely on them: a pair is not looked at before its sequence bound can be reached.
 * There are two caps: updates in one round, and rounds with an update among any `WINDOW` rounds. The second is far lower for things that move now and
 * then. Both rise at once. An object that exceeds one has all plans for its pairs made anew.
 */

import { grown, roomFor } from "@nearfield/schema/internal";
import { WINDOW } from "../memory/layout.ts";

/** Rounds after which the second cap sinks to what was seen in them. It begins with every round, which promises nothing. */
const SINKS_AFTER = 64;
/** It lies this much above what was seen. */
const HEADROOM = 2;

/** Numbers per slot, side by side, since all are needed at once: the two caps, then what they are made from. */
const RECORD = 8;
const [CAP, BUSY] = [0, 1];
/** Updates in this round; busy rounds of the last window, as bits, the last one first, and which that was. */
const [NOW, RECENT, LAST] = [2, 3, 4];
/** The busiest window since when. */
const [SEEN, SINCE] = [5, 6];

export class UpdateCaps {
  #records: Int32Array = new Int32Array(64 * RECORD);

  start(slot: number, round: number): void {
    const room = this.#records.length / RECORD;
    if (slot >= room) this.#records = grown(this.#records, roomFor(slot + 1, room), RECORD);
    const records = this.#records;
    const at = slot * RECORD;
    records[at + CAP] = 1;
    records[at + BUSY] = WINDOW;
    records[at + NOW] = 0;
    records[at + RECENT] = 0;
    records[at + LAST] = round;
    records[at + SEEN] = 0;
    records[at + SINCE] = round;
  }

  /** The most updates it is taken to get in a round. */
  capOf(slot: number): number {
    return this.#records[slot * RECORD + CAP]!;
  }

  /** The most rounds in which it is taken to get any, of a window. */
  busyOf(slot: number): number {
    return this.#records[slot * RECORD + BUSY]!;
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
    const count = bitsIn(recent);
    if (count > records[at + SEEN]!) records[at + SEEN] = count;
    if (count > records[at + BUSY]!) {
      records[at + BUSY] = Math.min(WINDOW, count + (count >> 1));
      return true;
    }
    if (round - records[at + SINCE]! < SINKS_AFTER) return false;
    records[at + BUSY] = Math.min(records[at + BUSY]!, records[at + SEEN]! + HEADROOM);
    records[at + SEEN] = count;
    records[at + SINCE] = round;
    return false;
  }
}

function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
