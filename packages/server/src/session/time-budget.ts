/**
 * What one client's messages may cost in the server's time: reading them, carrying them out, and what the game does with them. A bucket that fills
 * with time and holds five seconds' worth; a client that empties it is ended with "costly".
 *
 * Each piece of work is estimated by what it is (so many bytes, steps, objects to judge anew) and measured by the host's clock; the larger
 * counts, but a measurement counts as a hundred times its estimate at most: a process that was interrupted while it read an ack is not the client's
 * fault. Without a clock, and on virtual time, the estimates alone decide, so runs repeat.
 */

import { ProtocolError } from "@nearfield/protocol";
import type { Host } from "../host.ts";

/** Estimates in ms, of a slow machine. */
export const WORK = {
  message: 0.005,
  byte: 0.000_05,
  /** A stepped command, repeated ones included. */
  step: 0.0005,
  action: 0.005,
  pivots: 0.01,
  view: 0.05,
  /** An object that a changed view has judged anew. */
  judged: 0.0005,
} as const;

const MOST_RATIO = 100;
const BURST_SECONDS = 5;

export class TimeBudget {
  readonly #host: Host;
  readonly #msPerSecond: number;
  #leftMs: number;
  #atMs: number;
  #startedMs = 0;
  /** All that it took, ms. */
  spentMs = 0;
  /** What it took until the server last looked; see `Workload`. */
  settledMs = 0;

  constructor(host: Host) {
    this.#host = host;
    this.#msPerSecond = host.resolved.limits.clientMsPerSecond;
    this.#leftMs = this.#msPerSecond * BURST_SECONDS;
    this.#atMs = host.elapsedMs;
  }

  /** A piece of work begins. */
  begin(): void {
    this.#startedMs = this.#host.resolved.now?.() ?? 0;
  }

  /** It is done. Throws `ProtocolError("costly")` where the budget is spent. */
  end(estimateMs: number): void {
    const measuredMs = (this.#host.resolved.now?.() ?? 0) - this.#startedMs;
    const costMs = Math.max(estimateMs, Math.min(measuredMs, MOST_RATIO * estimateMs));
    const nowMs = this.#host.elapsedMs;
    const burstMs = this.#msPerSecond * BURST_SECONDS;
    this.#leftMs = Math.min(burstMs, this.#leftMs + ((nowMs - this.#atMs) * this.#msPerSecond) / 1000) - costMs;
    this.#atMs = nowMs;
    this.spentMs += costMs;
    if (this.#leftMs < 0)
      throw new ProtocolError("costly", `more than ${this.#msPerSecond} ms of the server's time in a second`);
  }
}
