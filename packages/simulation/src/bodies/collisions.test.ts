/** Collisions against brute force, in 2D and 3D, and the few cases whose answer is known by heart. */

import type { ObjectId } from "@nearfield/schema";
import { objectId } from "@nearfield/schema/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Collisions } from "./collisions.ts";
import type { BodyShape } from "./contact.ts";

interface Body {
  readonly shape: BodyShape;
  readonly at: readonly [number, number, number];
}

const circle = (radius: number): BodyShape => ({ kind: "circle", radius });
const box = (halfX: number, halfY: number, halfZ = 0): BodyShape => ({ kind: "box", halfX, halfY, halfZ });

function found(
  bodies: readonly Body[],
  axes: 2 | 3,
  cell = 10,
): { pair: [number, number]; normal: number[]; depth: number }[] {
  const collisions = new Collisions({ cell, axes });
  bodies.forEach(({ shape, at }, i) => {
    collisions.add(objectId(i, 0), shape, ...at);
  });
  return Array.from({ length: collisions.find() }, (_, i) => ({
    pair: [collisions.first[i]!, collisions.second[i]!],
    normal: [collisions.normalX[i]!, collisions.normalY[i]!, collisions.normalZ[i]!],
    depth: collisions.depth[i]!,
  }));
}

const half = (shape: BodyShape, axis: number): number =>
  shape.kind === "circle" ? shape.radius : [shape.halfX, shape.halfY, shape.halfZ ?? 0][axis]!;

/** Overlap by definition: some point lies within both. Boxes and the nearest points of circles decide it. */
function overlap(a: Body, b: Body, axes: number): boolean {
  const gap = Array.from({ length: axes }, (_, axis) => {
    const halfA = a.shape.kind === "box" ? half(a.shape, axis) : 0;
    const halfB = b.shape.kind === "box" ? half(b.shape, axis) : 0;
    return Math.abs(a.at[axis]! - b.at[axis]!) - halfA - halfB;
  });
  const reach = (a.shape.kind === "circle" ? a.shape.radius : 0) + (b.shape.kind === "circle" ? b.shape.radius : 0);
  if (a.shape.kind === "box" && b.shape.kind === "box") return gap.every((along) => along < 0);
  if (gap.every((along) => along < 0)) return true;
  return gap.reduce((sum, along) => sum + Math.max(0, along) ** 2, 0) < reach ** 2;
}

const coordinate = fc.integer({ min: -200, max: 200 }).map((n) => n / 4);
const size = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 1, max: 30 }).map((n) => n / 4) },
  { weight: 1, arbitrary: fc.integer({ min: 30, max: 400 }) },
);
const shape: fc.Arbitrary<BodyShape> = fc.oneof(
  size.map(circle),
  fc.tuple(size, size, size).map((sizes) => box(...sizes)),
);
const body = (axes: 2 | 3): fc.Arbitrary<Body> =>
  fc.record({ shape, at: fc.tuple(coordinate, coordinate, axes === 3 ? coordinate : fc.constant(0)) });

describe("collisions", () => {
  for (const axes of [2, 3] as const) {
    it(`finds in ${axes}D what comparing all with all finds, each pair once and in order`, () => {
      fc.assert(
        fc.property(fc.array(body(axes), { maxLength: 60 }), fc.constantFrom(0.5, 4, 10, 1000), (bodies, cell) => {
          const expected: [number, number][] = [];
          bodies.forEach((a, i) => {
            bodies.forEach((b, j) => {
              if (i < j && overlap(a, b, axes)) expected.push([i, j]);
            });
          });
          expect(found(bodies, axes, cell).map(({ pair }) => pair)).toEqual(expected);
        }),
      );
    });

    it(`tells in ${axes}D a way that parts the two`, () => {
      fc.assert(
        fc.property(body(axes), body(axes), (a, b) => {
          for (const { normal, depth } of found([a, b], axes)) {
            expect(Math.hypot(...normal)).toBeCloseTo(1, 9);
            const way = depth + 1e-6;
            const moved = b.at.map((along, axis) => along + normal[axis]! * way) as unknown as Body["at"];
            expect(overlap(a, { ...b, at: moved }, axes)).toBe(false);
          }
        }),
      );
    });
  }

  it("does not count touching, and knows where two lie in one place", () => {
    const at = (x: number): Body => ({ shape: circle(5), at: [x, 0, 0] });
    expect(found([at(0), at(10)], 2)).toEqual([]);
    expect(found([at(0), at(0)], 2)).toEqual([{ pair: [0, 1], normal: [1, 0, 0], depth: 10 }]);
    expect(found([at(0), at(8)], 2)).toEqual([{ pair: [0, 1], normal: [1, 0, 0], depth: 2 }]);
  });

  it("never lets two bodies of one object meet", () => {
    const collisions = new Collisions({ cell: 10 });
    collisions.add(7 as ObjectId, circle(5), 0, 0);
    collisions.add(7 as ObjectId, circle(5), 1, 0);
    expect(collisions.find()).toBe(0);
  });

  it("uses its columns again", () => {
    const collisions = new Collisions({ cell: 10 });
    const step = (): number => {
      collisions.clear();
      for (let i = 0; i < 500; i++) collisions.add(objectId(i, 0), circle(6), (i * 7) % 400, (i * 13) % 300);
      return collisions.find();
    };
    const count = step();
    const columns = [collisions.first, collisions.depth];
    expect(step()).toBe(count);
    expect([collisions.first, collisions.depth]).toEqual(columns);
    expect(collisions.first).toBe(columns[0]);
  });

  it("refuses what cannot work, naming it", () => {
    expect(() => new Collisions({ cell: 0 })).toThrow("cell is 0");
    const collisions = new Collisions({ cell: 1, maxBodies: 1 });
    expect(() => collisions.add(1 as ObjectId, circle(Number.NaN), 0, 0)).toThrow("half size of NaN");
    expect(() => collisions.add(1 as ObjectId, circle(1), Number.NaN, 0)).toThrow("finite coordinates");
    collisions.add(1 as ObjectId, circle(1), 0, 0);
    expect(() => collisions.add(2 as ObjectId, circle(1), 0, 0)).toThrow("maxBodies (1)");
  });
});
