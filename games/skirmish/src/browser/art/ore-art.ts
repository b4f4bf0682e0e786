/** Ore: crystals on the ground that glow, sparkle now and then, and shrink as they are dug away. */

import type { Pieces } from "../picture.ts";
import type { Layer } from "./layer.ts";
import { grain, ORE, tint } from "./palette.ts";
import type { Sight } from "./sight.ts";
import type { Signs } from "./sign-shapes.ts";

/** World units from the middle of a full patch to its edge. */
const RADIUS = 12;
/** Sparkles come about once in this time at each crystal. */
const SPARKLE_MS = 1700;
const SPARKLES = 3;

export class OreArt {
  readonly #signs: Signs;

  constructor(signs: Signs) {
    this.#signs = signs;
  }

  draw(crystals: Layer, lights: Layer, ore: Pieces, sight: Sight, nowMs: number, isCalm: boolean): void {
    const { crystals: frames, glow } = this.#signs;
    for (let patch = 0; patch < ore.count; patch++) {
      const [x, y, id] = [ore.x[patch]!, ore.y[patch]!, ore.id[patch]!];
      const full = Math.sqrt(ore.built[patch]! / 255);
      const radius = Math.max(RADIUS * (0.4 + 0.6 * full), sight.pixels(4));
      if (!sight.sees(x, y, RADIUS * 2)) continue;
      const turn = grain(id, 3) * 6.28;
      lights.stretch(glow, x, y, radius * 2, radius * 2, 0, tint(ORE, 0.1 + 0.14 * full));
      crystals.add(frames[id % frames.length]!, x, y, radius, turn, tint(ORE));
      if (!isCalm && sight.scale > 0.6) this.#sparkle(lights, x, y, radius, id, nowMs);
    }
  }

  #sparkle(lights: Layer, x: number, y: number, radius: number, id: number, nowMs: number): void {
    for (let at = 0; at < SPARKLES; at++) {
      const time = nowMs / SPARKLE_MS + grain(id, at, 4) * 7;
      const turn = Math.floor(time);
      // A sparkle takes a quarter of its time.
      const share = (time - turn) * 4;
      if (share >= 1) continue;
      const angle = grain(id + turn, at, 5) * 6.28;
      const away = Math.sqrt(grain(id + turn, at, 6)) * radius * 0.8;
      const strength = Math.sin(share * Math.PI);
      const size = radius * 0.42 * strength;
      const [atX, atY] = [x + Math.cos(angle) * away, y + Math.sin(angle) * away];
      lights.stretch(this.#signs.star, atX, atY, size, size, share * 0.8, tint(0xfff2c8, strength));
    }
  }
}
