/** Whom the screen follows: the player's own avatar, or another one while the player is dead or a spectator. The server decides, by `Following`. */

import type { Figure } from "./figure.ts";

/** The dead are followed for so long: they come back. Ms. */
const PATIENCE_MS = 4000;

export class Watching {
  /** Number of the avatar that is followed; 0: the own one. */
  number = 0;
  #askedMs = 0;
  readonly #ask: (number: number) => void;

  /** @param ask tells the server whom to follow */
  constructor(ask: (number: number) => void) {
    this.#ask = ask;
  }

  /** The next one alive, or the one before, in the order of their numbers; the own avatar is left out. */
  turn(step: 1 | -1, figures: readonly Figure[]): void {
    const numbers = figures.filter(({ own }) => !own).map(({ number }) => number);
    numbers.sort((a, b) => a - b);
    if (numbers.length === 0) return;
    const beyond =
      step > 0 ? numbers.find((number) => number > this.number) : numbers.findLast((number) => number < this.number);
    this.#ask(beyond ?? (step > 0 ? numbers[0]! : numbers.at(-1)!));
  }

  /** A spectator always follows somebody: if it follows nobody, or the followed avatar is gone, it asks for the next one. */
  begin(figures: readonly Figure[], nowMs: number): void {
    if (nowMs - this.#askedMs < PATIENCE_MS || this.of(figures)) return;
    this.#askedMs = nowMs;
    this.turn(1, figures);
  }

  /** The figure that is followed, if it is there. */
  of(figures: readonly Figure[]): Figure | undefined {
    return this.number === 0 ? undefined : figures.find(({ number }) => number === this.number);
  }
}
