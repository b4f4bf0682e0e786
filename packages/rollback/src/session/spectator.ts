/**
 * Somebody who watches a fight, or checks it. A peer of the fight gives it a snapshot, and from then on what is final. It shows the fight as late as that, and
 * never anything that is taken back.
 */

import type { Request } from "../timeline/requests.ts";
import { Timeline } from "../timeline/timeline.ts";
import { decodeFinalRows } from "./final-rows.ts";
import type { MessageForm } from "./peer-message.ts";
import type { PeerSessionOptions } from "./peer-session.ts";

export type SpectatorOptions = Omit<PeerSessionOptions, "own" | "stallMs" | "checkpointSteps">;

export class Spectator {
  readonly timeline: Timeline;
  readonly #form: MessageForm;
  readonly #stepMs: number;
  readonly #startMs: number;

  constructor(options: SpectatorOptions) {
    const { players, inputBytes, hasLags = false, snapshot, stepMs, startMs, from = 0 } = options;
    this.timeline = new Timeline({ ...options, ahead: 0, from: snapshot?.state ?? from });
    this.#form = { players, inputBytes, hasLags };
    this.#stepMs = stepMs;
    this.#startMs = startMs;
  }

  /** The step from which it needs more: for the peer's `finalRows`. */
  get needs(): number {
    return this.timeline.confirmed;
  }

  /** What the peer's `finalRows` gave. Throws `WireError` if it is none. */
  receive(bytes: Uint8Array): void {
    const { inputBytes, hasLags } = this.#form;
    for (const { player, first, rows } of decodeFinalRows(this.#form, bytes))
      rows.forEach((row, at) => {
        const lags = hasLags ? row.subarray(inputBytes + 1) : undefined;
        if (first + at < this.timeline.openTo) this.timeline.put(player, first + at, row.subarray(0, inputBytes), lags);
      });
  }

  tick(nowMs: number): readonly Request[] {
    return this.timeline.tick(Math.max(0, Math.floor((nowMs - this.#startMs) / this.#stepMs)));
  }
}
