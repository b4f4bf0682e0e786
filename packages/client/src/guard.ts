/**
 * Runs the game's handlers and activities. An exception or a rejected promise is reported; the other handlers and the loop that calls
 * `update` go on. Each place is reported at most once a second; the rest is counted.
 */

/** Time between two reports of the same place, ms. */
const REPORT_EVERY_MS = 1000;

export class Guard {
  /** Exceptions of the game's code so far, reported or not. */
  errors = 0;
  readonly #onError: ((error: unknown, where: string) => void) | undefined;
  readonly #now: () => number;
  readonly #reportedMs = new Map<string, number>();

  /** @param onError undefined: exceptions are thrown to whoever calls `update`. */
  constructor(onError: ((error: unknown, where: string) => void) | undefined, now: () => number) {
    this.#onError = onError;
    this.#now = now;
  }

  /** @param where names the handler for people: "onEvent shot". */
  run<A, B>(where: string, code: (a: A, b: B) => unknown, a: A, b: B): void {
    if (this.#onError === undefined) {
      code(a, b);
      return;
    }
    try {
      const result = code(a, b);
      if (result instanceof Promise) result.catch((error: unknown) => this.#failed(error, where));
    } catch (error) {
      this.#failed(error, where);
    }
  }

  #failed(error: unknown, where: string): void {
    this.errors += 1;
    const nowMs = this.#now();
    const reportedMs = this.#reportedMs.get(where);
    if (reportedMs !== undefined && nowMs - reportedMs < REPORT_EVERY_MS) return;
    this.#reportedMs.set(where, nowMs);
    this.#onError?.(error, where);
  }
}
