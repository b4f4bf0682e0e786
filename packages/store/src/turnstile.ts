/** Lets a fixed number in at a time. The others wait in the order of their arrival; past `waiting` of them, newcomers are refused. */
import { StoreError } from "./errors.ts";

export class Turnstile {
  #free: number;
  readonly #places: number;
  readonly #waiting: number;
  readonly #queue: (() => void)[] = [];
  #whenEmpty: (() => void) | undefined;

  constructor(places: number, waiting: number) {
    this.#free = places;
    this.#places = places;
    this.#waiting = waiting;
  }

  async pass<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#enter();
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** Resolves when nobody is inside and nobody waits. Called once, when no one new comes. */
  empty(): Promise<void> {
    if (this.#free === this.#places) return Promise.resolve();
    return new Promise((resolve) => (this.#whenEmpty = resolve));
  }

  #enter(): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free--;
      return undefined;
    }
    if (this.#queue.length >= this.#waiting) {
      throw new StoreError("busy", `${this.#waiting} transactions wait for the store already; try again later`);
    }
    return new Promise((resolve) => this.#queue.push(resolve));
  }

  #leave(): void {
    const next = this.#queue.shift();
    if (next !== undefined) return next();
    this.#free++;
    if (this.#free === this.#places) this.#whenEmpty?.();
  }
}
