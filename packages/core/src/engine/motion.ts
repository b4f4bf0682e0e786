/**
 * Speed caps: the most a thing is taken to move in one round, so that a value bound need not be looked at before it can be reached. A cap
 * is a promise to everybody who planned with it; whoever moves farther must have all those plans made anew (`exceeds` says so). Caps are
 * half an octave apart, so that an uneven walk seldom exceeds one; they rise at once and sink after a while, since plans made with a higher
 * cap only come early.
 */

import { grown, roomFor } from "@nearfield/schema";
import { REMEMBERED } from "./layout.ts";

/** Numbers per thing, side by side: the cap, and the most that was seen since when. */
const RECORD = 4;
const [CAP, SEEN, SINCE] = [0, 1, 2];

export class SpeedCaps {
  #records: Float64Array = new Float64Array(64 * RECORD);
  readonly #step = new Float64Array(1);

  start(index: number, round: number): void {
    const room = this.#records.length / RECORD;
    if (index >= room) this.#records = grown(this.#records, roomFor(index + 1, room), RECORD);
    this.#records[index * RECORD + CAP] = 0;
    this.#records[index * RECORD + SEEN] = 0;
    this.#records[index * RECORD + SINCE] = round;
  }

  of(index: number): number {
    return this.#records[index * RECORD + CAP]!;
  }

  /** Writes the cap into a column, rounded up, since that keeps fewer digits. */
  writeTo(column: Float32Array, at: number, index: number): void {
    column[at] = this.#records[index * RECORD + CAP]! * (1 + 1e-6);
  }

  /** Takes note of a move; true if it broke the cap, which is raised then. */
  exceeds(index: number, step: number, round: number): boolean {
    this.#step[0] = step;
    return this.exceedsAt(index, this.#step, 0, round);
  }

  /** `exceeds` for a move that stands in a column: a number with a fraction is boxed where a call is not inlined, and which calls are differs between releases of V8. */
  exceedsAt(index: number, steps: Float64Array, stepAt: number, round: number): boolean {
    const records = this.#records;
    const at = index * RECORD;
    const step = steps[stepAt]!;
    if (step > records[at + SEEN]!) records[at + SEEN] = step;
    const exceeded = step > records[at + CAP]!;
    if (exceeded) records[at + CAP] = capAbove(step);
    else if (round - records[at + SINCE]! >= REMEMBERED) {
      records[at + CAP] = Math.min(records[at + CAP]!, capAbove(records[at + SEEN]!));
      records[at + SEEN] = 0;
      records[at + SINCE] = round;
    }
    return exceeded;
  }
}

/** The least cap that is not below `step`; `Infinity` stays. */
function capAbove(step: number): number {
  if (step === 0 || step === Number.POSITIVE_INFINITY) return step;
  const halves = Math.ceil(2 * Math.log2(step));
  const cap = 2 ** (halves / 2);
  return cap < step ? 2 ** ((halves + 1) / 2) : cap;
}
