/** The levels: of the paper's sizes, as the script makes them, symmetric, and such that everybody gets everywhere. */

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { levelText } from "../levels/generate.mjs";
import { AVATAR_RADIUS, LEVEL_NAMES, LEVELS, type Spot, type Terrain } from "../src/index.ts";
import { readTerrain } from "../src/node/index.ts";

/** Corners of tiles that an avatar reaches from a place, by steps between corners with room around them. */
function reachable(terrain: Terrain, from: Spot): Set<number> {
  const { columns, rows, tile } = terrain;
  const isFree = (x: number, y: number): boolean => terrain.isFree(x * tile, y * tile, AVATAR_RADIUS + 1);
  const start = [Math.round(from.x / tile), Math.round(from.y / tile)] as const;
  const seen = new Set([start[1] * (columns + 1) + start[0]]);
  const open = [start];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ] as const) {
      const [x, y] = [at[0] + dx, at[1] + dy];
      const corner = y * (columns + 1) + x;
      if (x < 1 || y < 1 || x >= columns || y >= rows || seen.has(corner) || !isFree(x, y)) continue;
      seen.add(corner);
      open.push([x, y]);
    }
  }
  return seen;
}

describe.each(LEVEL_NAMES)("%s", (name) => {
  const terrain = readTerrain(name);

  it("is what the script makes", () => {
    expect(readFileSync(new URL(`../levels/${name}.tmj`, import.meta.url), "utf8")).toBe(levelText(name));
  });

  it("has the size of the paper's maps, and places enough", () => {
    expect(terrain).toMatchObject({ name, width: LEVELS[name].width, height: LEVELS[name].height });
    expect(terrain.spawns.length).toBeGreaterThanOrEqual(16);
    expect(new Set(terrain.items.map(({ kind }) => kind)).size).toBe(4);
    expect(terrain.interests.length).toBeGreaterThan(3);
  });

  it("is the same seen from the left and from the right, from above and from below", () => {
    const { columns, rows, solid } = terrain;
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const tile = solid[row * columns + column];
        expect(solid[row * columns + columns - 1 - column]).toBe(tile);
        expect(solid[(rows - 1 - row) * columns + column]).toBe(tile);
      }
    }
  });

  it("can be walked: every spawn, item and point of interest stands free, and is reached from the first spawn", () => {
    const seen = reachable(terrain, terrain.spawns[0]!);
    for (const spot of [...terrain.spawns, ...terrain.items, ...terrain.interests]) {
      expect(terrain.isFree(spot.x, spot.y, AVATAR_RADIUS), `${spot.x}, ${spot.y}`).toBe(true);
      const [x, y] = [Math.round(spot.x / terrain.tile), Math.round(spot.y / terrain.tile)];
      expect(seen.has(y * (terrain.columns + 1) + x), `${spot.x}, ${spot.y}`).toBe(true);
    }
  });
});
