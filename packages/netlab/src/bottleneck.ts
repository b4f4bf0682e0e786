/**
 * The narrowest part of a path: each packet waits until those before it are sent, then takes the time that its size needs. It knows only the
 * sizes of packets.
 *
 * Invariant: packets leave in the order in which they came, also when the bandwidth changes while they wait.
 */

import type { ResolvedConditions } from "./conditions.ts";
import type { Clock } from "./virtual-clock.ts";

interface Queued {
  readonly bytes: number;
  readonly onWire: () => void;
  /** Takes its departure back. */
  cancel: () => void;
}

export class Bottleneck {
  readonly #clock: Clock;
  readonly #queue: Set<Queued> = new Set();
  #conditions: ResolvedConditions;
  /** When it has sent all that waits. */
  #busyUntilMs = 0;
  #queuedBytes = 0;

  constructor(clock: Clock, conditions: ResolvedConditions) {
    this.#clock = clock;
    this.#conditions = conditions;
  }

  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  get isBusy(): boolean {
    return this.#busyUntilMs > this.#clock.nowMs;
  }

  /** What waits gets the bandwidth that there is now. */
  change(conditions: ResolvedConditions): void {
    const { bandwidthBytesPerSecond, trace } = this.#conditions;
    this.#conditions = conditions;
    if (bandwidthBytesPerSecond === conditions.bandwidthBytesPerSecond && trace === conditions.trace) return;
    this.#busyUntilMs = this.#clock.nowMs;
    for (const queued of this.#queue) {
      queued.cancel();
      this.#departAt(this.#departure(this.#busyUntilMs, queued.bytes), queued);
    }
  }

  /** Calls `onWire` when it is through with a packet of so many bytes: at once, where nothing holds it up. */
  take(bytes: number, onWire: () => void): void {
    const { nowMs } = this.#clock;
    const departureMs = this.#departure(Math.max(nowMs, this.#busyUntilMs), bytes);
    if (departureMs === nowMs && this.#queue.size === 0) {
      onWire();
      return;
    }
    const queued: Queued = { bytes, onWire, cancel: () => {} };
    this.#queue.add(queued);
    this.#queuedBytes += bytes;
    this.#departAt(departureMs, queued);
  }

  #departAt(departureMs: number, queued: Queued): void {
    this.#busyUntilMs = departureMs;
    queued.cancel = this.#clock.at(departureMs, () => {
      this.#queue.delete(queued);
      this.#queuedBytes -= queued.bytes;
      queued.onWire();
    });
  }

  /** When it is through with a packet that it begins with at that time. */
  #departure(startMs: number, bytes: number): number {
    const { trace, traceStartMs, bandwidthBytesPerSecond } = this.#conditions;
    if (trace?.tellsBandwidth) return trace.departureMs(startMs + traceStartMs, bytes) - traceStartMs;
    return startMs + (bytes / bandwidthBytesPerSecond) * 1000;
  }
}
