/** The claim of `borders.ts`: wherever in its cell the pivot lies, whoever lies as far off as a ring is made for lies in the ring. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { distanceInFrame, extentOf, frameOf } from "../../camera-frame.ts";
import { distance } from "../../judge.ts";
import type { Shape } from "../../view.ts";
import { SLENDER, SUBCELLS } from "../memory/layout.ts";
import { heap, Memory } from "../memory/memory.ts";
import { Band, type Ring, Rings, TurnedBand } from "./borders.ts";

const columnOf = (x: number, size: number): number => Math.floor((x * (1 << SLENDER)) / size);
const rowOf = (y: number, size: number): number => Math.floor(y / size);

function holds(ring: Ring, row: number, column: number): boolean {
  for (let at = 0; at < ring.length; at += 3) {
    if (ring[at] === row && column >= ring[at + 1]! && column <= ring[at + 2]!) return true;
  }
  return false;
}

function cellsIn(ring: Ring): number {
  let cells = 0;
  for (let at = 0; at < ring.length; at += 3) cells += ring[at + 2]! - ring[at + 1]! + 1;
  return cells;
}

function ringAt(rings: Rings, y: number, size: number): Ring {
  return rings.rings[Math.min(SUBCELLS - 1, Math.floor((y / size - rowOf(y, size)) * SUBCELLS))]!;
}

const unit = fc.double({ min: 0, max: 1, noNaN: true });
const spot = fc.oneof(fc.double({ min: -1e5, max: 1e5, noNaN: true }), fc.integer({ min: -2000, max: 2000 }));

interface Case {
  readonly shape: Shape;
  readonly nearest: number;
  readonly farthest: number;
  readonly size: number;
  readonly depth: number;
}
const someRings: fc.Arbitrary<Case> = fc
  .record({
    shape: fc.constantFrom<Shape>("round", "square"),
    edge: fc.double({ min: 0.5, max: 60, noNaN: true }),
    width: fc.double({ min: 0.01, max: 4, noNaN: true }),
    size: fc.constantFrom(1, 0.5, 12.5, 62.5, 1 / 3),
    depth: fc.constantFrom(0, 0, 0.4, 3, 100),
  })
  .map(({ shape, edge, width, size, depth }) => ({
    shape,
    nearest: (edge - width) * size,
    farthest: edge * size,
    size,
    depth: depth * size,
  }));

describe("rings", () => {
  test("hold whoever is as far off as they are made for", () => {
    fc.assert(
      fc.property(
        someRings,
        spot,
        spot,
        fc.array(fc.tuple(unit, unit, unit), { minLength: 20, maxLength: 20 }),
        (ring, x, y, at) => {
          const { shape, nearest, farthest, size, depth } = ring;
          const rings = new Rings(heap, new Band(shape, nearest, farthest, depth), size);
          for (const [turn, tilt, far] of at) {
            const d = Math.max(0, nearest) + far * (farthest - Math.max(0, nearest));
            const dz = Math.min(d, depth) * tilt;
            const flat = shape === "round" ? Math.sqrt(Math.max(0, d * d - dz * dz)) : d;
            const angle = turn * 2 * Math.PI;
            const [along, up] = [Math.cos(angle), Math.sin(angle)];
            const stretch = shape === "round" ? flat : flat / Math.max(Math.abs(along), Math.abs(up));
            const [ox, oy] = [x + along * stretch, y + up * stretch];
            const apart = distance(shape, ox - x, oy - y, dz);
            if (!(apart > nearest && apart <= farthest)) continue;
            const row = rowOf(oy, size) - rowOf(y, size);
            const column = columnOf(ox, size) - columnOf(x, size);
            if (!holds(ringAt(rings, y, size), row, column)) expect([ox, oy, dz], "outside the ring").toEqual([]);
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  test("hold whoever is as far from a camera as they are made for", () => {
    const side = fc.double({ min: 0.5, max: 20, noNaN: true });
    const rotation = fc.oneof(
      fc.constantFrom(0, Math.PI / 2, Math.PI, -0.3),
      fc.double({ min: -7, max: 7, noNaN: true }),
    );
    const places = fc.array(fc.tuple(unit, unit), { minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(someRings, side, side, rotation, spot, spot, places, (ring, width, height, turned, x, y, at) => {
        const { nearest, farthest, size } = ring;
        const frame = frameOf({ camera: [0, 0], size: [width, height], rotation: turned, coefficients: [] });
        const rings = new Rings(heap, new TurnedBand(frame, nearest, farthest), size);
        const extent = extentOf(frame);
        for (const [across, up] of at) {
          const ox = x + (2 * across - 1) * farthest * extent[0];
          const oy = y + (2 * up - 1) * farthest * extent[1];
          const apart = distanceInFrame(frame, ox - x, oy - y);
          if (!(apart > nearest && apart <= farthest)) continue;
          const row = rowOf(oy, size) - rowOf(y, size);
          const column = columnOf(ox, size) - columnOf(x, size);
          if (!holds(ringAt(rings, y, size), row, column)) expect([ox, oy], "outside the ring").toEqual([]);
        }
      }),
      { numRuns: 400 },
    );
  });

  test.each(["round", "square"] as const)("%s: far fewer cells than the area they surround", (shape) => {
    const [radius, size] = [40, 1];
    const rings = new Rings(heap, new Band(shape, radius - 0.25, radius, 0), size);
    const area = shape === "round" ? Math.PI * radius ** 2 : 4 * radius ** 2;
    expect(rings.rings).toHaveLength(SUBCELLS);
    for (const ring of rings.rings) expect(cellsIn(ring)).toBeLessThan((area * (1 << SLENDER)) / 4);
  });

  test("give all of their memory back", () => {
    const memory = new Memory();
    const make = (): Rings => new Rings(memory, new Band("round", 39, 40, 0), 1);
    const places = (rings: Rings): number[] => rings.rings.map(({ byteOffset }) => byteOffset).sort((a, b) => a - b);
    const first = make();
    const before = places(first);
    first.dispose();
    expect(places(make())).toEqual(before);
  });
});
