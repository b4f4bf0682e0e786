/**
 * Speed caps: the most a thing is taken to move in one round, so that a value bound need not be looked at before it can be reached. A cap
 * is a promise to everybody who planned with it; whoever moves farther must have all those plans made anew (`exceeds` says so). Caps are
 * powers of two, so that an uneven walk seldom exceeds one; they rise at once and sink after a while, since plans made with a higher cap
 * only come early.
 */

import { grown } from "../object-store.ts";
import { REMEMBERED } from "./layout.ts";

/** Numbers per thing, side by side: the cap, and the most that was seen since when. */
const RECORD = 4;
const [CAP, SEEN, SINCE] = [0, 1, 2];

export class SpeedCaps {
  #records: Float64Array = new Float64Array(64 * RECORD);

  start(index: number, round: number): void {
    while (index * RECORD >= this.#records.length) {
      this.#records = grown(new Float64Array(this.#records.length * 2), this.#records);
    }
    this.#records[index * RECORD + CAP] = 0;
    this.#records[index * RECORD + SEEN] = 0;
    this.#records[index * RECORD + SINCE] = round;
  }

  of(index: number): number {
    return this.#records[index * RECORD + CAP]!;
  }

  /** Takes note of a move; true if it broke the cap, which is raised then. */
  exceeds(index: number, step: number, round: number): boolean {
    const records = this.#records;
    const at = index * RECORD;
    if (step > records[at + SEEN]!) records[at + SEEN] = step;
    const exceeded = step > records[at + CAP]!;
    if (exceeded) records[at + CAP] = powerAbove(step);
    else if (round - records[at + SINCE]! >= REMEMBERED) {
      records[at + CAP] = Math.min(records[at + CAP]!, powerAbove(records[at + SEEN]!));
      records[at + SEEN] = 0;
      records[at + SINCE] = round;
    }
    return exceeded;
  }
}

/** The least power of two that is not below `step`; `Infinity` stays. */
function powerAbove(step: number): number {
  if (step === 0 || step === Number.POSITIVE_INFINITY) return step;
  const power = 2 ** Math.ceil(Math.log2(step));
  return power < step ? 2 * power : power;
}
