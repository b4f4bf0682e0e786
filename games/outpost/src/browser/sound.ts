/** The game's sounds, as they are heard from the middle of the screen. What is faint, and the same sound again at once, is left out. */

import { type Heard, SoundPlayer } from "@nearfield/kit/browser";
import type { Camera } from "./camera.ts";
import { RECIPES, type SoundName } from "./sound-recipes.ts";

/** World units at which a sound is half as loud, and to one side that sound as far to that side as can be. */
const HALF_AT = 130;
const SIDE_AT = 240;
const FAINT = 0.06;
/** The same sound again only after this time, ms. */
const AGAIN_MS = 40;
const SILENCE: Heard = { loud: 0, side: 0 };

export class Sound extends SoundPlayer<SoundName> {
  readonly #camera: Camera;
  readonly #begunMs = new Map<SoundName, number>();

  constructor(storage: Storage, camera: Camera) {
    super(storage, { game: "outpost", recipes: RECIPES, mostVoices: 14, loud: 0.5, near: 0.8 });
    this.#camera = camera;
  }

  /** At a place in the world, or, without one, in the ear. */
  play(name: SoundName, x: number = this.#camera.x, y: number = this.#camera.y): void {
    this.playAs(name, (nowMs) => this.#hear(name, x - this.#camera.x, y - this.#camera.y, nowMs));
  }

  #hear(name: SoundName, dx: number, dy: number, nowMs: number): Heard {
    const loud = 1 / (1 + (Math.hypot(dx, dy) / HALF_AT) ** 2);
    if (loud < FAINT || nowMs - (this.#begunMs.get(name) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS) return SILENCE;
    this.#begunMs.set(name, nowMs);
    return { loud, side: Math.max(-0.8, Math.min(0.8, dx / SIDE_AT)) };
  }
}
