/**
 * A clock that follows the host's real time. Tasks run in order of time, as on a `VirtualClock`, when the host's time has reached theirs. It
 * serves network conditions on a server on which people play.
 *
 * One timer of the host waits for the next task. If the host is late, all tasks that are due run at once, each with the time for which it was
 * scheduled, so that delays do not add up.
 */

import { VirtualClock } from "./virtual-clock.ts";

/** The host's time. Node: `{ now: () => performance.now(), after: nodeTimers.after }`. */
export interface HostTime {
  /** Ms of a clock that never goes back. */
  now(): number;
  /** Runs `task` once after `ms` unless the returned function is called. */
  after(ms: number, task: () => void): () => void;
}

export class PacedClock {
  readonly #host: HostTime;
  readonly #clock: VirtualClock;
  #isRunning = false;
  #wakesAtMs = Number.POSITIVE_INFINITY;
  #cancelWake: (() => void) | undefined;

  constructor(host: HostTime) {
    this.#host = host;
    this.#clock = new VirtualClock({ startMs: host.now() });
  }

  /** While a task runs, the time it was meant for. */
  get nowMs(): number {
    return this.#isRunning ? this.#clock.nowMs : this.#reached();
  }

  /** Tasks that wait to run. */
  get pending(): number {
    return this.#clock.pending;
  }

  /** Runs `task` at the given time, never inside this call; returns a function that cancels it. */
  at(timeMs: number, task: () => void): () => void {
    const cancel = this.#clock.at(timeMs, task);
    this.#arm();
    return cancel;
  }

  after(delayMs: number, task: () => void): () => void {
    return this.at(this.nowMs + delayMs, task);
  }

  #reached(): number {
    return Math.max(this.#host.now(), this.#clock.nowMs);
  }

  #arm(): void {
    const nextMs = this.#clock.nextMs;
    if (this.#isRunning || nextMs === undefined || nextMs >= this.#wakesAtMs) return;
    this.#cancelWake?.();
    this.#wakesAtMs = nextMs;
    // Hosts count whole milliseconds; rounded down, the timer would come too early and be set twice.
    this.#cancelWake = this.#host.after(Math.ceil(nextMs - this.#reached()), () => this.#wake());
  }

  #wake(): void {
    this.#wakesAtMs = Number.POSITIVE_INFINITY;
    this.#isRunning = true;
    try {
      this.#clock.runUntil(this.#reached());
    } finally {
      this.#isRunning = false;
      this.#arm();
    }
  }
}
