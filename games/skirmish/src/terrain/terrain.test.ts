import { describe, expect, it } from "vitest";
import { MAP_NAMES, MAP_SIZES, TILE } from "../state.ts";
import { Terrain } from "./terrain.ts";

/** Numbers of sides that are tried: all on the small map, some on the others, which take longer to make. */
const tried = { small: [2, 3, 4, 5, 6, 7, 8], medium: [2, 5, 7], large: [3, 8] };
const seeds = [1, 2, 3];

describe("terrain", () => {
  it("is the same for the same seed, and another for another", () => {
    const make = (seed: number) => new Terrain({ seed, map: "small", sides: 3 });
    expect(make(5).corners).toEqual(make(5).corners);
    expect(make(5).corners).not.toEqual(make(6).corners);
  });

  it("refuses numbers of sides that have no map", () => {
    expect(() => new Terrain({ seed: 1, map: "small", sides: 9 })).toThrow(/sides must be/);
  });

  describe.each(MAP_NAMES)("%s", (map) => {
    it.each(tried[map])("with %i sides has level starts and ore within reach of every start", (sides) => {
      for (const seed of map === "large" ? [1] : seeds) {
        const terrain = new Terrain({ seed, map, sides });
        expect(terrain.size).toBe(MAP_SIZES[map]);
        for (const { x, y } of [...terrain.starts, ...terrain.ore]) {
          expect(terrain.walkable[terrain.tileAt(x, y)], `seed ${seed}: ${x}, ${y}`).toBe(1);
        }
        for (const { x, y } of terrain.starts) {
          for (let dy = -3; dy <= 3; dy++) {
            for (let dx = -3; dx <= 3; dx++) {
              expect(terrain.walkable[terrain.tileAt(x + dx * TILE, y + dy * TILE)]).toBe(1);
            }
          }
        }
      }
    });

    it.each(tried[map])("with %i sides gives every side the same ground around it", (sides) => {
      const terrain = new Terrain({ seed: 4, map, sides });
      const near = terrain.starts.map((start) => {
        const ore = terrain.ore.filter(({ x, y }) => distance(start, { x, y }) < 12 * TILE);
        const reach = terrain.size / sides;
        return {
          ore: ore.reduce((sum, { amount }) => sum + amount, 0),
          far: Math.round(Math.min(...ore.map((patch) => distance(start, patch)))),
          middle: Math.round(distance(start, { x: terrain.size / 2, y: terrain.size / 2 })),
          walkable: walkableShare(terrain, start, reach),
        };
      });
      for (const other of near.slice(1)) {
        expect({ ...other, walkable: 0 }).toEqual({ ...near[0], walkable: 0 });
        expect(Math.abs(other.walkable - near[0]!.walkable)).toBeLessThan(0.04);
      }
    });
  });

  it("has water, cliffs and land in measure", () => {
    for (const map of MAP_NAMES) {
      for (const sides of map === "large" ? [2] : [2, 5, 8]) {
        const { walkable } = new Terrain({ seed: 7, map, sides });
        const share = walkable.reduce((sum, one) => sum + one, 0) / walkable.length;
        expect(share, `${map} ${sides}`).toBeGreaterThan(0.35);
        expect(share, `${map} ${sides}`).toBeLessThan(0.95);
      }
    }
  });

  it("blends heights between corners, and clamps places outside", () => {
    const terrain = new Terrain({ seed: 1, map: "small", sides: 2 });
    const across = terrain.tiles + 1;
    expect(terrain.heightAt(32, 48)).toBe(terrain.corners[3 * across + 2]);
    expect(terrain.heightAt(-50, -50)).toBe(terrain.corners[0]);
    expect(terrain.heightAt(40, 48)).toBeCloseTo(
      (terrain.corners[3 * across + 2]! + terrain.corners[3 * across + 3]!) / 2,
      5,
    );
  });
});

function distance(a: { x: number; y: number }, b: { x: number; y: number }): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function walkableShare(terrain: Terrain, { x, y }: { x: number; y: number }, reach: number): number {
  let [open, all] = [0, 0];
  for (let dy = -reach; dy <= reach; dy += TILE / 2) {
    for (let dx = -reach; dx <= reach; dx += TILE / 2) {
      const half = terrain.size / 2;
      const isOnLand = Math.hypot(x + dx - half, y + dy - half) < half - 4 * TILE;
      if (dx * dx + dy * dy > reach * reach || !isOnLand) continue;
      all += 1;
      open += terrain.walkable[terrain.tileAt(x + dx, y + dy)]!;
    }
  }
  return open / all;
}
