/**
 * How long a number of rounds lasts, in ms, as metrics are told. With 30 rounds a second that is no whole number, and V8 allocates an object for
 * each such number that it passes to a call. Here those objects are made once and handed out again. They stay objects because the list also holds
 * `undefined`, so V8 does not store it as plain numbers.
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
