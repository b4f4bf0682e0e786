/**
 * How a sound of a flat world arrives at an ear in its plane: quieter with the distance, on the side it comes from. What is faint is left out, and so is what is far
 * while the same sound has just begun.
 */

import type { Heard } from "./sound-player.ts";

export interface PlaneEarOptions {
  /** World units at which a sound is half as loud. */
  readonly halfAt: number;
  /** How steeply it fades beyond; 2 is as in open air. */
  readonly fades: number;
  /** World units to one side that sound as far to that side as can be, and how far that is, 0 to 1. */
  readonly sideAt: number;
  readonly mostSide: number;
  /** What is quieter is not worth playing. */
  readonly faint: number;
  /** Louder than this, the same sound may begin at any time. */
  readonly near: number;
  /** Otherwise again only after this time, ms. */
  readonly againMs: number;
}

const SILENCE: Heard = { loud: 0, side: 0 };

export class PlaneEar<Name extends string> {
  readonly #options: PlaneEarOptions;
  readonly #begunMs = new Map<Name, number>();

  constructor(options: PlaneEarOptions) {
    this.#options = options;
  }

  /** A sound so many world units to the right of the ear and below it. */
  hear(name: Name, dx: number, dy: number, nowMs: number): Heard {
    const { halfAt, fades, sideAt, mostSide, faint, near, againMs } = this.#options;
    const loud = 1 / (1 + (Math.hypot(dx, dy) / halfAt) ** fades);
    const isAgain = nowMs - (this.#begunMs.get(name) ?? Number.NEGATIVE_INFINITY) < againMs;
    if (loud < faint || (loud < near && isAgain)) return SILENCE;
    this.#begunMs.set(name, nowMs);
    return { loud, side: Math.max(-mostSide, Math.min(mostSide, dx / sideAt)) };
  }
}
