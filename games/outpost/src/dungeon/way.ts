/** Ways through the dungeon for bots: from one tile, the number of tiles to every other, and the first tile of the way to one. */

import type { Layout } from "./layout.ts";
import { GRID, TILE } from "./numbers.ts";

const NEIGHBOURS = [1, -1, GRID, -GRID] as const;
const FAR = 65_535;

export class Ways {
  readonly #layout: Layout;
  readonly #tiles = new Uint16Array(GRID * GRID);
  readonly #queue = new Uint16Array(GRID * GRID);

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /** Measures from a place; what follows is about ways from there. */
  from(x: number, y: number): void {
    const { walls } = this.#layout;
    this.#tiles.fill(FAR);
    const first = tileAt(x, y);
    this.#tiles[first] = 0;
    this.#queue[0] = first;
    for (let head = 0, tail = 1; head < tail; head++) {
      const tile = this.#queue[head]!;
      for (const step of NEIGHBOURS) {
        const next = tile + step;
        if (walls[next] === 1 || this.#tiles[next] !== FAR) continue;
        this.#tiles[next] = this.#tiles[tile]! + 1;
        this.#queue[tail++] = next;
      }
    }
  }

  /** Tiles to a place; a large number if there is no way. */
  to(x: number, y: number): number {
    return this.#tiles[tileAt(x, y)] ?? FAR;
  }

  /** Where to go first on the way to a place: the middle of a tile some steps ahead. */
  towards(x: number, y: number, ahead: number): { x: number; y: number } {
    let tile = tileAt(x, y);
    if (this.#tiles[tile] === FAR) return { x, y };
    while (this.#tiles[tile]! > ahead) {
      const here = this.#tiles[tile]!;
      const step = NEIGHBOURS.find((near) => this.#tiles[tile + near] === here - 1);
      if (step === undefined) break;
      tile += step;
    }
    return { x: ((tile % GRID) + 0.5) * TILE, y: (Math.floor(tile / GRID) + 0.5) * TILE };
  }
}

function tileAt(x: number, y: number): number {
  return Math.floor(y / TILE) * GRID + Math.floor(x / TILE);
}
