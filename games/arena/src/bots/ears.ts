/** The ears of a bot: where it last heard a fight. If it hears several, it remembers the nearest, until that one has been quiet for a while. */

import type { Spot } from "../state.ts";

/** A fight that was not heard for this long is over, ms. */
const QUIET_MS = 1500;

export class Ears {
  #x = 0;
  #y = 0;
  #heardMs = Number.NEGATIVE_INFINITY;

  /** A shot or a blast at (x, y), heard at `own`. */
  hear(own: Spot, x: number, y: number, nowMs: number): void {
    if (nowMs - this.#heardMs < QUIET_MS && away(own, x, y) > away(own, this.#x, this.#y)) return;
    this.#x = x;
    this.#y = y;
    this.#heardMs = nowMs;
  }

  /** The nearest fight that goes on; undefined in silence. */
  fight(nowMs: number): Spot | undefined {
    return nowMs - this.#heardMs < QUIET_MS ? { x: this.#x, y: this.#y } : undefined;
  }
}

function away(own: Spot, x: number, y: number): number {
  return (own.x - x) * (own.x - x) + (own.y - y) * (own.y - y);
}
