/**
 * The Gilbert–Elliott chain at work: one step and one verdict per packet put on the wire. It starts in its long-run
 * state (bad with share p / (p + r)), so that short scenarios see the loss they asked for too.
 */

import type { GilbertElliott } from "./conditions.ts";
import type { Dice } from "./dice.ts";

export class LossModel {
  readonly #dice: Dice;
  #chain: GilbertElliott;
  #bad: boolean;

  constructor(chain: GilbertElliott, dice: Dice) {
    this.#chain = chain;
    this.#dice = dice;
    this.#bad = dice.chance(longRunBad(chain));
  }

  /** Takes other chances from the next packet on; a burst that is under way goes on. */
  change(chain: GilbertElliott): void {
    this.#chain = chain;
  }

  /** Is the next packet lost? Rolls twice, whatever the state. */
  next(): boolean {
    const { p, r, k, h } = this.#chain;
    this.#bad = this.#dice.chance(this.#bad ? 1 - r : p);
    return !this.#dice.chance(this.#bad ? h : k);
  }
}

function longRunBad({ p, r }: GilbertElliott): number {
  return p + r === 0 ? 0 : p / (p + r);
}
