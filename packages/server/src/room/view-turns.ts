/**
 * Which clients of a room are served in a round, while time is short. They are served in the order of joining, and from the beginning again after the
 * last one, whatever each of them costs. So turns are even. Because clients come and go meanwhile, whoever has sat out the most rounds that are allowed is
 * served too.
 */

import { MOST_EVERY } from "../round-load.ts";

export interface TurnTaker {
  /** Rounds in a row that it has sat out. */
  readonly roundsOut: number;
  readonly isPaused: boolean;
}

export class ViewTurns {
  /** How many clients there are, whose turn is first in this round, and how many have their turn. */
  #count = 0;
  #first = 0;
  #served = 0;
  /** How many were asked for in this round. */
  #asked = 0;

  /** A round begins. */
  begin(clients: Iterable<TurnTaker>, every: number): void {
    let count = 0;
    for (const { isPaused } of clients) if (!isPaused) count += 1;
    this.#first = count === 0 ? 0 : (this.#first + this.#served) % count;
    this.#served = Math.ceil(count / every);
    this.#count = count;
    this.#asked = 0;
  }

  /** Whether this client is served in this round. Ask once for each client that is not paused, in the order of joining. */
  serves({ roundsOut }: TurnTaker): boolean {
    const place = this.#asked++ - this.#first;
    const isTurn = (place < 0 ? place + this.#count : place) < this.#served;
    return isTurn || roundsOut >= MOST_EVERY - 1;
  }
}
