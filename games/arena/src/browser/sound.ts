/** The arena's sounds, as the player hears them: louder when they are near, on the side they come from. */

import { PlaneEar, SoundPlayer } from "@nearfield/kit/browser";
import { RECIPES, type SoundName } from "./sound-recipes.ts";

/** Louder than this is never left out. */
const NEAR = 0.7;

/** Where a sound comes from, seen from the ear: world units to the right and down. */
export interface Place {
  readonly dx: number;
  readonly dy: number;
}

const HERE: Place = { dx: 0, dy: 0 };

export class Sound extends SoundPlayer<SoundName> {
  readonly #ear = new PlaneEar<SoundName>({
    halfAt: 190,
    fades: 1.6,
    sideAt: 320,
    mostSide: 0.85,
    faint: 0.04,
    near: NEAR,
    againMs: 45,
  });

  constructor(storage: Storage) {
    super(storage, { game: "arena", recipes: RECIPES, mostVoices: 14, loud: 0.55, near: NEAR });
  }

  play(name: SoundName, place: Place = HERE): void {
    this.playAs(name, (nowMs) => this.#ear.hear(name, place.dx, place.dy, nowMs));
  }
}
