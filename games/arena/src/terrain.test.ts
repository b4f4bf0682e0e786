import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readTerrain } from "./node/read-terrain.ts";
import { AVATAR_RADIUS } from "./state.ts";

const terrain = readTerrain("cell");

describe("sliding", () => {
  it("keeps whoever is free of walls free of them, wherever he is pushed", () => {
    const step = fc.tuple(fc.integer({ min: -30, max: 30 }), fc.integer({ min: -30, max: 30 }));
    fc.assert(
      fc.property(fc.nat(terrain.spawns.length - 1), fc.array(step, { maxLength: 60 }), (spawn, steps) => {
        const body = { ...terrain.spawns[spawn]! };
        for (const [dx, dy] of steps) {
          terrain.slide(body, dx, dy, AVATAR_RADIUS);
          expect(terrain.isFree(body.x, body.y, AVATAR_RADIUS - 0.001)).toBe(true);
        }
      }),
    );
  });

  it("goes on along a wall as if it had no seams", () => {
    const body = { x: 30, y: 16.5 };
    for (let step = 0; step < 50; step++) terrain.slide(body, 3, -3, AVATAR_RADIUS);
    expect(body.x).toBeCloseTo(180, 6);
    expect(body.y).toBeCloseTo(16, 6);
  });

  it("gets out of a wall, should it ever be in one", () => {
    const body = { x: 53, y: 57 };
    terrain.slide(body, 0, 0, AVATAR_RADIUS);
    expect(terrain.isFree(body.x, body.y, AVATAR_RADIUS - 0.001)).toBe(true);
  });
});

it("sight ends at walls, and at nothing else", () => {
  expect(terrain.sees(75, 40, 75, 75)).toBe(false);
  expect(terrain.sees(75, 40, 150, 40)).toBe(true);
  expect(terrain.reachOf(30, 30, -1, 0, 500)).toBeCloseTo(20, 6);
  expect(terrain.reachOf(30, 30, 1, 0, 50)).toBe(50);
});
