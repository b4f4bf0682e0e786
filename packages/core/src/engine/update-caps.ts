/**
 * Update caps: the most updates an object is taken to get, so that a sequence bound need not be looked at before it can be reached. There
 * are two: updates in one round, and rounds with an update in any `WINDOW` of them, which is far less for things that move now and then.
 * Like speed caps they are promises: they rise at once, and whoever exceeds one has all its plans made anew.
 */

import { grown } from "../object-store.ts";
import { WINDOW } from "./layout.ts";

/** Rounds after which the second cap sinks to what was seen in them. It begins with every round, which promises nothing. */
const SINKS_AFTER = 64;
/** It lies this much above what was seen. */
const HEADROOM = 2;

export class UpdateCaps {
  /** Columns by slot: the two caps. */
  cap: Uint16Array = new Uint16Array(64).fill(1);
  busy: Uint8Array = new Uint8Array(64);
  /** Updates in this round; busy rounds of the last window, as bits, the last one first, and which that was. */
  #now: Uint16Array = new Uint16Array(64);
  #recent: Int32Array = new Int32Array(64);
  #last: Int32Array = new Int32Array(64);
  #seen: Uint8Array = new Uint8Array(64);
  #since: Int32Array = new Int32Array(64);

  start(slot: number, round: number): void {
    while (slot >= this.cap.length) this.#grow();
    this.cap[slot] = 1;
    this.busy[slot] = WINDOW;
    this.#now[slot] = 0;
    this.#recent[slot] = 0;
    this.#last[slot] = round;
    this.#seen[slot] = 0;
    this.#since[slot] = round;
  }

  count(slot: number): void {
    this.#now[slot] = this.#now[slot]! + 1;
  }

  /** Ends the round for an object that was updated in it; true if a cap was too low, and is raised. */
  exceeds(slot: number, round: number): boolean {
    const now = this.#now[slot]!;
    this.#now[slot] = 0;
    const isBusier = this.#exceedsBusy(slot, round);
    if (now <= this.cap[slot]!) return isBusier;
    this.cap[slot] = now;
    return true;
  }

  #exceedsBusy(slot: number, round: number): boolean {
    const passed = round - this.#last[slot]!;
    const recent = passed >= WINDOW ? 1 : (this.#recent[slot]! << passed) | 1;
    this.#recent[slot] = recent;
    this.#last[slot] = round;
    const count = bitsIn(recent);
    if (count > this.#seen[slot]!) this.#seen[slot] = count;
    if (count > this.busy[slot]!) {
      this.busy[slot] = Math.min(WINDOW, count + (count >> 1));
      return true;
    }
    if (round - this.#since[slot]! < SINKS_AFTER) return false;
    this.busy[slot] = Math.min(this.busy[slot]!, this.#seen[slot]! + HEADROOM);
    this.#seen[slot] = count;
    this.#since[slot] = round;
    return false;
  }

  #grow(): void {
    const length = this.cap.length * 2;
    this.cap = grown(new Uint16Array(length).fill(1), this.cap);
    this.busy = grown(new Uint8Array(length), this.busy);
    this.#now = grown(new Uint16Array(length), this.#now);
    this.#recent = grown(new Int32Array(length), this.#recent);
    this.#last = grown(new Int32Array(length), this.#last);
    this.#seen = grown(new Uint8Array(length), this.#seen);
    this.#since = grown(new Int32Array(length), this.#since);
  }
}

function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
