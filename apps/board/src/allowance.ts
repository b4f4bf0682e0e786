/** How many requests a person may make: a number at once, which grows again with every round. */

import { REQUEST_BURST, REQUESTS_PER_SECOND } from "./shared.ts";

export class Allowance {
  #left = REQUEST_BURST;
  /** The round up to which it has grown. */
  #round: number;

  constructor(round: number) {
    this.#round = round;
  }

  /** Whether one more request is allowed in this round; if so, it is counted. */
  take(round: number, roundMs: number): boolean {
    const grown = ((round - this.#round) * roundMs * REQUESTS_PER_SECOND) / 1000;
    this.#left = Math.min(REQUEST_BURST, this.#left + grown);
    this.#round = round;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
