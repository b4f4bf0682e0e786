/** Time of real sockets that passes when the test says so, and not with the machine's. */

import type { VirtualClock } from "@nearfield/netlab/internal";
import type { Timers } from "@nearfield/transport/node";

/** Timers on a virtual clock. */
export function timersOn(clock: VirtualClock): Timers {
  return {
    every: (ms, task) => clock.every(ms, task),
    after: (ms, task) => clock.after(ms, task),
    now: () => clock.nowMs,
  };
}

/** Timers that the test turns by hand. */
export class HandTimers implements Timers {
  readonly #repeating: Set<() => void> = new Set();
  readonly #single: Set<() => void> = new Set();

  get active(): number {
    return this.#repeating.size + this.#single.size;
  }

  every(_ms: number, task: () => void): () => void {
    this.#repeating.add(task);
    return () => this.#repeating.delete(task);
  }

  after(_ms: number, task: () => void): () => void {
    this.#single.add(task);
    return () => this.#single.delete(task);
  }

  /** One period of every repeating timer passes. */
  beat(): void {
    for (const task of [...this.#repeating]) task();
  }

  /** Every single timer runs out. */
  expire(): void {
    const tasks = [...this.#single];
    this.#single.clear();
    for (const task of tasks) task();
  }
}
