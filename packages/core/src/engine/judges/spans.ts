/**
 * How long so many rounds last, in ms, as metrics are told. Rounds of 30 a second last no whole number of ms, and V8 makes an object for each
 * such number that a call is given. Here they are made once: a list that does not hold numbers alone keeps those objects, and hands them out.
 */

/** More rounds are reckoned anew each time: whoever moves is sent oftener, and whoever does not is seldom asked about. */
const KEPT = 1024;

export class Spans {
  readonly #roundMs: number;
  readonly #kept: (number | undefined)[];

  constructor(roundMs: number) {
    this.#roundMs = roundMs;
    this.#kept = [...Array.from({ length: KEPT }, (_, rounds) => rounds * roundMs), undefined];
  }

  of(rounds: number): number {
    return this.#kept[rounds < KEPT ? rounds : KEPT] ?? rounds * this.#roundMs;
  }
}
