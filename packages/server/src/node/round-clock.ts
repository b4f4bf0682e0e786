/**
 * Calls a round every `roundMs` of real time. Each round has a nominal time, so one late round does not delay the ones after it. After a
 * long stop the process catches up by a few rounds at most and skips the others.
 */

import type { Timers } from "@nearfield/transport/node";

export interface RoundClockOptions {
  readonly roundMs: number;
  readonly round: () => void;
  /** Milliseconds of a clock that never goes back. Default: `performance.now`. */
  readonly now?: () => number;
  readonly timers: Timers;
}

/** The most rounds that are run at once to catch up. */
const MOST_AT_ONCE = 3;

export class RoundClock {
  readonly #options: RoundClockOptions;
  readonly #now: () => number;
  #nextMs: number;
  #cancel: (() => void) | undefined;
  /** Rounds that were given up because the process was too late for them. */
  skipped = 0;

  constructor(options: RoundClockOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#nextMs = this.#now() + options.roundMs;
    this.#schedule();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #schedule(): void {
    this.#cancel = this.#options.timers.after(Math.max(0, this.#nextMs - this.#now()), () => this.#run());
  }

  #run(): void {
    const { roundMs, round } = this.#options;
    for (let done = 0; done < MOST_AT_ONCE && this.#now() >= this.#nextMs; done++) {
      this.#nextMs += roundMs;
      round();
      if (this.#cancel === undefined) return;
    }
    const behind = Math.floor((this.#now() - this.#nextMs) / roundMs);
    if (behind > 0) {
      this.skipped += behind;
      this.#nextMs += behind * roundMs;
    }
    this.#schedule();
  }
}
