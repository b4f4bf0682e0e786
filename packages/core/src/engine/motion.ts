/**
 * Speed caps: the most a thing is taken to move in one round, so that a value bound need not be looked at before it can be reached. A cap
 * is a promise to everybody who planned with it; whoever moves farther must have all those plans made anew (`exceeds` says so). Caps are
 * powers of two, so that an uneven walk seldom exceeds one; they rise at once and sink after a while, since plans made with a higher cap
 * only come early.
 */

import { grown } from "../object-store.ts";
import { REMEMBERED } from "./layout.ts";

export class SpeedCaps {
  #cap: Float64Array = new Float64Array(64);
  #seen: Float64Array = new Float64Array(64);
  #since: Int32Array = new Int32Array(64);

  start(index: number, round: number): void {
    while (index >= this.#cap.length) this.#grow();
    this.#cap[index] = 0;
    this.#seen[index] = 0;
    this.#since[index] = round;
  }

  of(index: number): number {
    return this.#cap[index]!;
  }

  /** Takes note of a move; true if it broke the cap, which is raised then. */
  exceeds(index: number, step: number, round: number): boolean {
    if (step > this.#seen[index]!) this.#seen[index] = step;
    const exceeded = step > this.#cap[index]!;
    if (exceeded) this.#cap[index] = powerAbove(step);
    else if (round - this.#since[index]! >= REMEMBERED) {
      this.#cap[index] = Math.min(this.#cap[index]!, powerAbove(this.#seen[index]!));
      this.#seen[index] = 0;
      this.#since[index] = round;
    }
    return exceeded;
  }

  #grow(): void {
    const length = this.#cap.length * 2;
    this.#cap = grown(new Float64Array(length), this.#cap);
    this.#seen = grown(new Float64Array(length), this.#seen);
    this.#since = grown(new Int32Array(length), this.#since);
  }
}

/** The least power of two that is not below `step`; `Infinity` stays. */
function powerAbove(step: number): number {
  if (step === 0 || step === Number.POSITIVE_INFINITY) return step;
  const power = 2 ** Math.ceil(Math.log2(step));
  return power < step ? 2 * power : power;
}
