/**
 * How much of the server's time one client's messages may take: reading them, carrying them out, and the game's handlers. It is a bucket
 * that fills with time and holds five seconds' worth. A client that empties it is ended with "costly".
 *
 * Each piece of work is estimated from its size (bytes, steps, objects to judge again) and measured by the host's clock. The larger of the
 * two counts, but never more than a hundred times the estimate: if the process was interrupted while it read an ack, that is not the
 * client's fault. Without a clock, and on virtual time, only the estimates count, so runs repeat exactly.
 */

import { ProtocolError } from "@nearfield/protocol/internal";
import type { Host } from "../host.ts";

/** Estimates for a slow machine, ms. */
export const WORK = {
  message: 0.005,
  byte: 0.000_05,
  /** A stepped command, repeated ones included. */
  step: 0.0005,
  action: 0.005,
  pivots: 0.01,
  view: 0.05,
  /** One object that is judged again because the view changed. */
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
  /** All time that this client took, ms. */
  spentMs = 0;
  /** The time it had taken when `Workload` last looked, ms. */
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

  /** The piece of work is done. Throws `ProtocolError("costly")` if the budget is used up. */
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
