/** The levels, fetched when they are first played. A level that cannot be fetched is asked for again after a while. */

import type { LevelName } from "../levels.ts";
import { Terrain } from "../terrain.ts";

/** Written out, so that the page's builder finds the files. */
const FILES: Readonly<Record<LevelName, URL>> = {
  cell: new URL("../../levels/cell.tmj", import.meta.url),
  foundry: new URL("../../levels/foundry.tmj", import.meta.url),
  citadel: new URL("../../levels/citadel.tmj", import.meta.url),
  harbour: new URL("../../levels/harbour.tmj", import.meta.url),
};
const AGAIN_MS = 2000;

export class LevelShelf {
  readonly #terrains = new Map<LevelName, Terrain>();
  readonly #asked = new Map<LevelName, number>();

  /** The level, or undefined while it is on its way. */
  get(name: LevelName, nowMs: number): Terrain | undefined {
    const terrain = this.#terrains.get(name);
    if (terrain === undefined && nowMs - (this.#asked.get(name) ?? Number.NEGATIVE_INFINITY) > AGAIN_MS) {
      this.#asked.set(name, nowMs);
      void this.#fetch(name);
    }
    return terrain;
  }

  async #fetch(name: LevelName): Promise<void> {
    try {
      const answer = await fetch(FILES[name]);
      if (answer.ok) this.#terrains.set(name, new Terrain(await answer.text()));
    } catch {
      // The network is down: `get` asks again.
    }
  }
}
