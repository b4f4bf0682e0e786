import { Dice } from "@nearfield/kit";
import { describe, expect, it } from "vitest";
import { Terrain } from "../terrain/terrain.ts";
import { FieldCache } from "./field-cache.ts";
import { AT_GOAL, Integrator, NO_WAY } from "./flow-field.ts";
import { Ground } from "./ground.ts";

const seeds = [1, 2, 3, 4];

/** A map with holes and a building, so that ways bend. */
function brokenGround(seed: number): Ground {
  const ground = new Ground(new Terrain({ seed, map: "small", sides: 2 }));
  const dice = new Dice(seed, "holes");
  for (let hole = 0; hole < 400; hole++) ground.open[dice.int(ground.open.length)] = 0;
  return ground;
}

/** Dijkstra's algorithm as it stands in books: the nearest open tile is looked for among all, the cost of every step is asked for. */
function plainCosts(ground: Ground, goals: readonly number[]): number[] {
  const costs = Array.from(ground.open, () => Number.POSITIVE_INFINITY);
  const waiting = new Set(goals);
  for (const goal of goals) costs[goal] = 0;
  while (waiting.size > 0) {
    let nearest = -1;
    for (const tile of waiting) if (nearest < 0 || costs[tile]! < costs[nearest]!) nearest = tile;
    waiting.delete(nearest);
    for (let direction = 0; direction < 8; direction++) {
      const from = ground.neighbour(nearest, direction ^ 1);
      if (ground.open[from] !== 1 || !ground.isCornerFree(from, direction)) continue;
      const cost = costs[nearest]! + ground.stepCost(from, nearest, direction);
      if (cost >= costs[from]!) continue;
      costs[from] = cost;
      waiting.add(from);
    }
  }
  return costs;
}

describe("flow fields", () => {
  it.each(seeds)("have the costs of plain Dijkstra, and walking along them costs that much (seed %i)", (seed) => {
    const ground = brokenGround(seed);
    const start = ground.terrain.starts[0]!;
    const goal = ground.nearestOpen(ground.terrain.tileAt(start.x, start.y));
    const integrator = new Integrator(ground);
    const directions = new Uint8Array(ground.open.length);
    integrator.integrate(goal, directions);
    const plain = plainCosts(ground, [goal]);
    for (let tile = 0; tile < plain.length; tile++) {
      const isReached = plain[tile] !== Number.POSITIVE_INFINITY;
      expect(directions[tile] !== NO_WAY).toBe(isReached);
      if (!isReached || tile === goal) continue;
      expect(integrator.costs[tile]).toBe(plain[tile]);
      const direction = directions[tile]!;
      const next = ground.neighbour(tile, direction);
      expect(plain[next]! + ground.stepCost(tile, next, direction)).toBe(plain[tile]);
    }
  });

  it("lead to the edge of a building from all around", () => {
    const ground = new Ground(new Terrain({ seed: 1, map: "small", sides: 2 }));
    const { x, y } = ground.terrain.starts[0]!;
    const footprint = ground.footprint(x, y, 4)!;
    ground.occupy(footprint, 7);
    const fields = new FieldCache(ground);
    const at = fields.find(footprint[5]!, -1);
    const other = ground.terrain.starts[1]!;
    expect(footprint).toContain(fields.ahead(at, ground.terrain.tileAt(other.x, other.y), 1000));
  });

  it("a local one is the part of a whole one that lies near its goal", () => {
    const ground = brokenGround(5);
    const start = ground.terrain.starts[0]!;
    const goal = ground.nearestOpen(ground.terrain.tileAt(start.x, start.y));
    const integrator = new Integrator(ground);
    const [whole, local] = [new Uint8Array(ground.open.length), new Uint8Array(ground.open.length)];
    const all = integrator.integrate(goal, whole);
    const costs = integrator.costs.slice();
    const some = integrator.integrate(goal, local, 100);
    expect(some).toBeLessThan(all / 4);
    for (let tile = 0; tile < costs.length; tile++) if (costs[tile]! <= 100) expect(local[tile]).toBe(whole[tile]);
    // Nothing is left over for the next one.
    integrator.integrate(goal, local);
    expect(local).toEqual(whole);
  });

  it("a way leads between all starts of every map", () => {
    for (const [map, sides] of [
      ["small", 8],
      ["medium", 5],
      ["large", 6],
    ] as const) {
      const ground = new Ground(new Terrain({ seed: 9, map, sides }));
      const tiles = ground.terrain.starts.map(({ x, y }) => ground.terrain.tileAt(x, y));
      const directions = new Uint8Array(ground.open.length);
      new Integrator(ground).integrate(tiles[0]!, directions);
      expect(directions[tiles[0]!]).toBe(AT_GOAL);
      for (const tile of tiles.slice(1)) expect(directions[tile]).toBeLessThan(8);
    }
  });
});

describe("the cache of flow fields", () => {
  it("makes a field once for all that share a goal, and again when the ground has changed", () => {
    const ground = new Ground(new Terrain({ seed: 1, map: "small", sides: 2 }));
    const fields = new FieldCache(ground);
    const first = fields.find(2000, -1);
    expect(fields.find(2000, first)).toBe(first);
    expect(fields.find(2000, -1)).toBe(first);
    expect(fields.madeInAll).toBe(1);
    ground.occupy([2010], 1);
    expect(fields.find(2000, first)).toBe(first);
    expect(fields.madeInAll).toBe(2);
  });

  it("makes a bounded number in a step, and keeps a bounded number", () => {
    const ground = new Ground(new Terrain({ seed: 1, map: "small", sides: 2 }));
    const fields = new FieldCache(ground);
    const found = Array.from({ length: 20 }, (_, goal) => fields.find(1000 + goal, -1));
    expect(found.filter((at) => at >= 0).length).toBeLessThan(12);
    expect(found.filter((at) => at >= 0).length).toBeGreaterThan(3);
    for (let goal = 0; goal < 200; goal++) {
      fields.beginStep();
      expect(fields.find(1000 + goal, -1)).toBeLessThan(64);
    }
    fields.beginStep();
    const before = fields.madeInAll;
    fields.find(1199, -1);
    expect(fields.madeInAll).toBe(before);
    fields.find(1000, -1);
    expect(fields.madeInAll).toBe(before + 1);
  });
});
