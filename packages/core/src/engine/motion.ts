/**
 * Speed caps: the most a thing is taken to move in one round, so that whatever lies farther off need not be looked at before. A cap is
 * a promise to everybody who planned with it; whoever moves farther must have all those plans made anew (`exceeds` says so). Caps rise
 * at once and sink after a while: plans made with a higher cap only come early. No cap lies below the floor, a speed at which nobody
 * needs to plan by speed, so that slow things may become less slow without a word.
 */

import { grown } from "../object-store.ts";

/** Rounds after which a cap sinks to what was seen in them. */
const WINDOW = 64;
/** A cap lies this much above what was seen, so that an even walk does not keep exceeding it. */
const HEADROOM = 1.25;

export class SpeedCaps {
  #cap: Float64Array = new Float64Array(64);
  #floor = Number.POSITIVE_INFINITY;
  #seen: Float64Array = new Float64Array(64);
  #since: Int32Array = new Int32Array(64);

  start(index: number, round: number): void {
    while (index >= this.#cap.length) this.#grow();
    this.#cap[index] = 0;
    this.#seen[index] = 0;
    this.#since[index] = round;
  }

  /** What is to be planned with. */
  of(index: number): number {
    return Math.max(this.#cap[index]!, this.#floor);
  }

  /** Lowers the floor to a speed that is of no consequence to one more; true if it was higher. */
  lowerFloor(speed: number): boolean {
    if (speed >= this.#floor) return false;
    this.#floor = speed;
    return true;
  }

  /** Takes note of a move; true if it broke the cap, which is raised then. */
  exceeds(index: number, step: number, round: number): boolean {
    const exceeded = step > this.of(index);
    if (step > this.#seen[index]!) this.#seen[index] = step;
    if (step > this.#cap[index]!) {
      this.#cap[index] = step * HEADROOM;
    } else if (round - this.#since[index]! >= WINDOW) {
      this.#cap[index] = Math.min(this.#cap[index]!, this.#seen[index]! * HEADROOM);
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
