/** How updates get from the sender to the receiver, and what they cost: the paper's way. Ours is in `nearfield-wire.ts`. */

import type { Way } from "./network.ts";
import { FRAME_MS } from "./recording.ts";
import type { Update } from "./update.ts";

export interface Sent {
  /** What the receiver will know, rounded as the wire rounds it. */
  readonly update: Update;
  readonly bytes: number;
}

export interface Wire {
  /** Called in every frame with the truth, and whether the sender wants it sent. Undefined if nothing left. */
  send(frame: number, truth: Update, isDue: boolean): Sent | undefined;
  /** Updates that have come by this frame, in the order they came. */
  arrived(frame: number): readonly Update[];
}

/** Each update whole, in a packet of its own (N fig. 3.13); a lost one stays lost. */
export class PaperWire implements Wire {
  readonly #way: Way;
  readonly #bytes: number;
  #underWay: { readonly arrivalMs: number; readonly update: Update }[] = [];

  constructor(way: Way, bytesPerUpdate: number) {
    this.#way = way;
    this.#bytes = bytesPerUpdate;
  }

  send(frame: number, truth: Update, isDue: boolean): Sent | undefined {
    if (!isDue) return undefined;
    const arrivalMs = this.#way.arrivalMs(frame * FRAME_MS);
    if (arrivalMs < Number.POSITIVE_INFINITY) this.#underWay.push({ arrivalMs, update: truth });
    return { update: truth, bytes: this.#bytes };
  }

  arrived(frame: number): readonly Update[] {
    const nowMs = frame * FRAME_MS;
    const here = this.#underWay.filter(({ arrivalMs }) => arrivalMs <= nowMs);
    this.#underWay = this.#underWay.filter(({ arrivalMs }) => arrivalMs > nowMs);
    return here.sort((a, b) => a.arrivalMs - b.arrivalMs).map(({ update }) => update);
  }
}
