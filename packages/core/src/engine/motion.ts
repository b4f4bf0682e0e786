/**
 * Speed caps: the most a thing is taken to move in one round, so that whatever lies farther off need not be looked at before. A cap is
 * a promise to everybody who planned with it; whoever moves farther must have all those plans made anew (`exceeds` says so). Caps rise
 * at once and sink after a while: plans made with a higher cap only come early.
 * Why so: docs/decisions/0003-engine-plans.md.
 */

import { grown } from "../object-store.ts";

/** Rounds after which a cap sinks to what was seen in them. */
const WINDOW = 64;
/** A cap lies this much above what was seen, so that an even walk does not keep exceeding it. */
const HEADROOM = 1.25;

export class SpeedCaps {
  cap: Float64Array = new Float64Array(64);
  #seen: Float64Array = new Float64Array(64);
  #since: Int32Array = new Int32Array(64);

  start(index: number, round: number): void {
    while (index >= this.cap.length) this.#grow();
    this.cap[index] = 0;
    this.#seen[index] = 0;
    this.#since[index] = round;
  }

  /** Takes note of a move; true if it broke the cap, which is raised then. */
  exceeds(index: number, step: number, round: number): boolean {
    const exceeded = step > this.cap[index]!;
    if (step > this.#seen[index]!) this.#seen[index] = step;
    if (exceeded) {
      this.cap[index] = step * HEADROOM;
    } else if (round - this.#since[index]! >= WINDOW) {
      this.cap[index] = Math.min(this.cap[index]!, this.#seen[index]! * HEADROOM);
      this.#seen[index] = 0;
      this.#since[index] = round;
    }
    return exceeded;
  }

  #grow(): void {
    const length = this.cap.length * 2;
    this.cap = grown(new Float64Array(length), this.cap);
    this.#seen = grown(new Float64Array(length), this.#seen);
    this.#since = grown(new Int32Array(length), this.#since);
  }
}
