/** Walls: merged tiles cover what the tiles covered, and casts stop where stepping along in small steps would. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeTiles, type WallHit, Walls } from "./walls.ts";

const COLUMNS = 12;
const ROWS = 9;
const CELL = 10;
const GRID = { columns: COLUMNS, rows: ROWS, cellX: CELL, cellY: CELL };

const tiles = fc
  .array(fc.boolean(), { minLength: COLUMNS * ROWS, maxLength: COLUMNS * ROWS })
  .map((bits) => Uint8Array.from(bits, Number));

function wallsOf(solid: Uint8Array): Walls {
  return new Walls(
    GRID,
    mergeTiles(solid, COLUMNS, ROWS).map((tile) => tile * CELL),
  );
}

const nothing = (): WallHit => ({ distance: 0, normalX: 0, normalY: 0, wall: -1 });

/** Distance from a point to the nearest solid tile; within one, below 0: how deep. */
function gap(solid: Uint8Array, x: number, y: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      if (solid[row * COLUMNS + column] === 0) continue;
      const dx = Math.max(column * CELL - x, x - (column + 1) * CELL);
      const dy = Math.max(row * CELL - y, y - (row + 1) * CELL);
      least = Math.min(least, dx < 0 && dy < 0 ? Math.max(dx, dy) : Math.hypot(Math.max(0, dx), Math.max(0, dy)));
    }
  }
  return least;
}

describe("walls", () => {
  it("cover each solid tile once and nothing else", () => {
    fc.assert(
      fc.property(tiles, (solid) => {
        const covered = new Uint8Array(COLUMNS * ROWS);
        const merged = mergeTiles(solid, COLUMNS, ROWS);
        for (let i = 0; i < merged.length; i += 4) {
          for (let row = merged[i + 1]!; row < merged[i + 3]!; row++)
            for (let column = merged[i]!; column < merged[i + 2]!; column++) covered[row * COLUMNS + column]! += 1;
        }
        expect(covered).toEqual(solid);
      }),
    );
  });

  it("are few: a full map is one", () => {
    expect(mergeTiles(new Uint8Array(COLUMNS * ROWS).fill(1), COLUMNS, ROWS)).toEqual([0, 0, COLUMNS, ROWS]);
  });

  it("stop a ray or a circle where it first touches one", () => {
    const coordinate = fc.double({ min: -30, max: 150, noNaN: true });
    const turn = fc.double({ min: 0, max: 2 * Math.PI, noNaN: true });
    const radius = fc.oneof(fc.constant(0), fc.double({ min: 0.5, max: 12, noNaN: true }));
    fc.assert(
      fc.property(tiles, coordinate, coordinate, turn, radius, (solid, x, y, angle, r) => {
        const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
        const hit = nothing();
        const reach = 200;
        const touches = wallsOf(solid).cast(x, y, r, dx, dy, reach, hit);
        const end = touches ? hit.distance : reach;
        for (let way = 0; way < end - 1e-6; way += 0.5) {
          expect(gap(solid, x + dx * way, y + dy * way)).toBeGreaterThanOrEqual(r - 1e-6);
        }
        if (touches) expect(gap(solid, x + dx * end, y + dy * end)).toBeLessThanOrEqual(r + 1e-6);
        if (touches && end > 0) expect(Math.hypot(hit.normalX, hit.normalY)).toBeCloseTo(1, 6);
        if (touches && end > 0) expect(hit.normalX * dx + hit.normalY * dy).toBeLessThan(1e-9);
      }),
      { numRuns: 400 },
    );
  });

  it("let a ray pass that misses, along an edge and past the end of the map", () => {
    const solid = new Uint8Array(COLUMNS * ROWS);
    solid[2 * COLUMNS + 5] = 1;
    const walls = wallsOf(solid);
    expect(walls.cast(0, 20, 0, 1, 0, 1000, nothing())).toBe(false);
    expect(walls.cast(0, 25, 0, 1, 0, 49, nothing())).toBe(false);
    const hit = nothing();
    expect(walls.cast(0, 25, 0, 1, 0, Number.POSITIVE_INFINITY, hit)).toBe(true);
    expect(hit).toEqual({ distance: 50, normalX: -1, normalY: 0, wall: 0 });
    expect(walls.cast(-500, 25, 3, 1, 0, Number.POSITIVE_INFINITY, hit)).toBe(true);
    expect(hit.distance).toBe(547);
    expect(walls.cast(55, 25, 0, 1, 0, 10, hit)).toBe(true);
    expect(hit).toEqual({ distance: 0, normalX: 0, normalY: 0, wall: 0 });
    expect(walls.cast(500, 500, 3, 0, 1, 1000, hit)).toBe(false);
  });
});
