/** The game's sounds, as the `Ear` hears them. */

import { SoundPlayer } from "@nearfield/kit/browser";
import type { Camera } from "./camera.ts";
import { Ear } from "./ear.ts";
import { RECIPES, type SoundName } from "./sound-recipes.ts";

export class Sound extends SoundPlayer<SoundName> {
  readonly #ear = new Ear();

  constructor(storage: Storage) {
    super(storage, { game: "skirmish", recipes: RECIPES, mostVoices: 16, loud: 0.5, near: 0.8 });
  }

  /** Sounds of the world are heard from where this camera is, wherever it goes. */
  listen(camera: Camera): void {
    this.#ear.listen(camera);
  }

  /** At a place in the world, or, without one, in the ear. */
  play(name: SoundName, x?: number, y?: number): void {
    this.playAs(name, (nowMs) => this.#ear.hear(name, nowMs, x, y));
  }
}
