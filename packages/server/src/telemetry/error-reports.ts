/**
 * Reports exceptions to the host without flooding it. Of each place in the code, the first few within an interval are reported, then
 * nothing until the interval is over, then one line that says how many more there were. Without this, a handler that throws at every
 * command would write gigabytes of log a day.
 *
 * Invariant: whatever the host's own `onError` does, nothing is thrown here. What is not reported is counted.
 */

import { ServerError } from "../errors.ts";

export type OnError = (error: unknown, where: string) => void;

export interface ErrorReportsOptions {
  /** The most exceptions of one place that are reported within an interval. */
  readonly perPlace: number;
  /** Length of the interval, ms. */
  readonly intervalMs: number;
}

/** Places that are counted separately. All further places share one count. */
const MOST_PLACES = 256;
const ELSEWHERE = "elsewhere";

interface Place {
  sinceMs: number;
  told: number;
  suppressed: number;
}

export class ErrorReports {
  readonly #onError: OnError;
  readonly #options: ErrorReportsOptions;
  readonly #places = new Map<string, Place>();
  /** Exceptions that the host was not told of, since the start. */
  suppressed = 0;
  /** Times that the host's `onError` threw, since the start. */
  failed = 0;

  constructor(onError: OnError, options: ErrorReportsOptions) {
    this.#onError = onError;
    this.#options = options;
  }

  report(error: unknown, where: string, nowMs: number): void {
    const place = this.#place(where, nowMs);
    if (place.told < this.#options.perPlace) {
      place.told += 1;
      this.#tell(error, where);
    } else {
      place.suppressed += 1;
      this.suppressed += 1;
    }
  }

  /** Ends the intervals that are over; once a round. */
  sumUp(nowMs: number): void {
    if (this.#places.size === 0) return;
    for (const [where, place] of this.#places) {
      if (nowMs - place.sinceMs < this.#options.intervalMs) continue;
      this.#places.delete(where);
      if (place.suppressed === 0) continue;
      const seconds = Math.round((nowMs - place.sinceMs) / 1000);
      const text = `${place.suppressed} more errors at this place within ${seconds} s were counted and not shown`;
      this.#tell(new ServerError("suppressed", text), where);
    }
  }

  #place(where: string, nowMs: number): Place {
    const name = this.#places.size < MOST_PLACES || this.#places.has(where) ? where : ELSEWHERE;
    let place = this.#places.get(name);
    if (place === undefined) {
      place = { sinceMs: nowMs, told: 0, suppressed: 0 };
      this.#places.set(name, place);
    }
    return place;
  }

  #tell(error: unknown, where: string): void {
    try {
      const answer: unknown = this.#onError(error, where);
      if (answer instanceof Promise) answer.catch(() => this.#failedToTell());
    } catch {
      this.#failedToTell();
    }
  }

  #failedToTell(): void {
    this.failed += 1;
  }
}
