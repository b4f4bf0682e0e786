/**
 * How urgent an update or a creation outside zone 0 must be to be offered, while bytes run short: the *floor* of a view. Whoever writes frames withholds the
 * least urgent decisions. What is clearly less urgent than that would be withheld again, so it waits without being decided.
 *
 * The floor follows what was withheld in the round before, from a little below. A pair that is not offered remembers the floor as its *level*, and is offered once it
 * is as urgent as that. If the floor sinks well below the highest level, or nothing was withheld for some rounds, the floor is *lifted*: all levels
 * are forgotten. Rules that both the oracle and the engine go by, as they go by `urgency.ts`; why so: docs/decisions/0007-bytes-by-urgency.md.
 */

import { INNER_FIRST } from "./urgency.ts";

/** The floor, in parts of the most urgent that was withheld. A little more is offered than fits. */
const BELOW_CUT = 0.94;
/** Part of the floor that is left after a round in which nothing was withheld. */
const SINKING = 0.9;
/** The floor is lifted once it is below this part of the highest level. */
const LIFTED_BELOW = 0.8;

/** Rounds after the last in which something was withheld before which the floor is lifted. */
export const ROUNDS_AFTER_SHORTAGE = 3;

export class Floor {
  /** A short real, as levels are; 0 = everything that is due is offered. */
  value = 0;
  #highest = 0;
  #wasShort = false;
  /** Urgency of the most urgent that was withheld in this round, outside zone 0. */
  #cut = 0;

  /** Pairs may have levels. */
  get hasLevels(): boolean {
    return this.#highest > 0;
  }

  /** A decision was withheld. */
  noteWithheld(urgency: number): void {
    this.#wasShort = true;
    if (urgency < INNER_FIRST && urgency > this.#cut) this.#cut = urgency;
  }

  /** A round begins. True if the floor is lifted: then all levels are to be forgotten. */
  turn(): boolean {
    if (!this.#wasShort && this.value === 0) return false;
    const wasShort = this.#wasShort;
    if (!wasShort) this.value = Math.fround(this.value * SINKING);
    else if (this.#cut > 0) this.value = Math.fround(this.#cut * BELOW_CUT);
    this.#wasShort = false;
    this.#cut = 0;
    if (this.value >= LIFTED_BELOW * this.#highest) {
      if (this.value > this.#highest) this.#highest = this.value;
      return false;
    }
    if (!wasShort) this.value = 0;
    this.#highest = this.value;
    return true;
  }
}
