/** The game's sounds, as they are heard from the middle of the screen. */

import { PlaneEar, SoundPlayer } from "@nearfield/kit/browser";
import type { Camera } from "./camera.ts";
import { RECIPES, type SoundName } from "./sound-recipes.ts";

export class Sound extends SoundPlayer<SoundName> {
  readonly #camera: Camera;
  readonly #ear = new PlaneEar<SoundName>({
    halfAt: 130,
    fades: 2,
    sideAt: 240,
    mostSide: 0.8,
    faint: 0.06,
    near: Number.POSITIVE_INFINITY,
    againMs: 40,
  });

  constructor(storage: Storage, camera: Camera) {
    super(storage, { game: "outpost", recipes: RECIPES, mostVoices: 14, loud: 0.5, near: 0.8 });
    this.#camera = camera;
  }

  /** At a place in the world, or, without one, in the ear. */
  play(name: SoundName, x: number = this.#camera.x, y: number = this.#camera.y): void {
    this.playAs(name, (nowMs) => this.#ear.hear(name, x - this.#camera.x, y - this.#camera.y, nowMs));
  }
}
