/**
 * The arena's sounds, as the player hears them: louder when they are near, on the side they come from. What is faint, and what is far while the same sound has
 * just begun, is left out.
 */

import { type Heard, SoundPlayer } from "@nearfield/kit/browser";
import { RECIPES, type SoundName } from "./sound-recipes.ts";

/** World units at which a sound is half as loud. */
const HALF_AT = 190;
/** World units to one side that sound as far to that side as can be. */
const SIDE_AT = 320;
/** Louder than this is never left out. */
const NEAR = 0.7;
/** What is quieter is not worth playing. */
const FAINT = 0.04;
/** The same sound from afar again only after this time, ms. */
const AGAIN_MS = 45;

/** Where a sound comes from, seen from the ear: world units to the right and down. */
export interface Place {
  readonly dx: number;
  readonly dy: number;
}

const HERE: Place = { dx: 0, dy: 0 };
const SILENCE: Heard = { loud: 0, side: 0 };

export class Sound extends SoundPlayer<SoundName> {
  readonly #begunMs = new Map<SoundName, number>();

  constructor(storage: Storage) {
    super(storage, { game: "arena", recipes: RECIPES, mostVoices: 14, loud: 0.55, near: NEAR });
  }

  play(name: SoundName, place: Place = HERE): void {
    this.playAs(name, (nowMs) => this.#hear(name, place, nowMs));
  }

  #hear(name: SoundName, { dx, dy }: Place, nowMs: number): Heard {
    const near = 1 / (1 + (Math.hypot(dx, dy) / HALF_AT) ** 1.6);
    const again = nowMs - (this.#begunMs.get(name) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS;
    if (near < FAINT || (near < NEAR && again)) return SILENCE;
    this.#begunMs.set(name, nowMs);
    return { loud: near, side: Math.max(-0.85, Math.min(0.85, dx / SIDE_AT)) };
  }
}
