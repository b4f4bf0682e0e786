import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SchemaError } from "./errors.ts";
import { Grid } from "./grid.ts";

const RUNS = 20 * (fc.readConfigureGlobal().numRuns ?? 100);

/** Ranges of every size and place, with steps from the finest allowed to the whole range. */
const grid: fc.Arbitrary<{ grid: Grid; step: number }> = fc
  .tuple(
    fc.oneof(
      fc.double({ min: -1e12, max: 1e12, noNaN: true }),
      fc.integer({ min: -1000, max: 1000 }),
      fc.constant(2 ** 50),
    ),
    fc.oneof(fc.double({ min: 1e-6, max: 1e12, noNaN: true }), fc.integer({ min: 1, max: 10_000 })),
    fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constant(0)),
    fc.constantFrom(0, 0.01, 0.1, 0.3, 0.25, 1, 3),
  )
  .map(([min, range, share, decimal]) => {
    const max = min + range;
    const finest = Math.max(Math.abs(min), Math.abs(max), max - min) * 2 ** -49;
    const step = decimal >= finest && decimal <= max - min ? decimal : finest * ((max - min) / finest) ** share;
    return { min, max, step: Math.min(Math.max(step, finest), max - min) };
  })
  .filter(({ min, max, step }) => max > min && step >= Math.max(Math.abs(min), Math.abs(max), max - min) * 2 ** -49)
  .map(({ min, max, step }) => ({ grid: new Grid(min, max, step), step }));

describe("Grid", () => {
  it("numbers its points from min to max", () => {
    const points = (min: number, max: number, step: number): number[] => {
      const made = new Grid(min, max, step);
      return Array.from({ length: made.steps + 1 }, (_, wire) => made.dequantize(wire));
    };
    expect(points(0, 1, 0.25)).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect(points(-3, 3, 2)).toEqual([-3, -1, 1, 3]);
    expect(points(0, 1, 0.3)).toEqual([0, 0.3, 0.6, 0.8999999999999999, 1]);
    expect(points(5, 6, 1)).toEqual([5, 6]);
  });

  it("gives decimals back as they stand in the source", () => {
    expect(new Grid(0, 1, 0.1).dequantize(3)).toBe(0.3);
    expect(new Grid(-2.5, 2.5, 0.01).dequantize(123)).toBe(-1.27);
    expect(new Grid(-1, 1, 0.1).dequantize(10)).toBe(0);
  });

  it("makes no extra point of a rounding error in max - min", () => {
    expect(new Grid(0, 1.1, 0.1).steps).toBe(11);
    expect(new Grid(0, 0.9, 0.3).steps).toBe(3);
    expect(new Grid(0, 0.7, 0.1).steps).toBe(7);
    expect(new Grid(0, 5000, 0.01).steps).toBe(500_000);
  });

  it("clamps what lies outside", () => {
    const made = new Grid(-1, 1, 0.1);
    expect([-5, -Infinity, 5, Infinity].map((value) => made.quantize(value))).toEqual([0, 0, 20, 20]);
  });

  it("keeps min, max and every point through quantising again", () => {
    fc.assert(
      fc.property(grid, fc.double({ min: 0, max: 1, noNaN: true }), ({ grid: made }, share) => {
        expect(made.quantize(made.min)).toBe(0);
        expect(made.quantize(made.max)).toBe(made.steps);
        const middle = Math.floor(share * made.steps);
        for (const wire of [0, 1, middle, made.steps - 1, made.steps]) {
          expect(made.quantize(made.dequantize(wire))).toBe(wire);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it("takes the nearest point, within the range", () => {
    fc.assert(
      fc.property(grid, fc.double({ min: 0, max: 1, noNaN: true }), ({ grid: made, step }, share) => {
        const value = Math.min(made.max, made.min + share * (made.max - made.min));
        const wire = made.quantize(value);
        const back = made.dequantize(wire);
        const rounding = Math.max(Math.abs(made.min), Math.abs(made.max)) * Number.EPSILON * 4;
        expect(Number.isInteger(wire) && wire >= 0 && wire <= made.steps).toBe(true);
        expect(back).toBeGreaterThanOrEqual(made.min);
        expect(back).toBeLessThanOrEqual(made.max);
        expect(Math.abs(back - value)).toBeLessThanOrEqual(step / 2 + rounding);
        for (const other of [wire - 1, wire + 1]) {
          expect(Math.abs(made.dequantize(other) - value)).toBeGreaterThanOrEqual(Math.abs(back - value) - rounding);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it.each([
    [1, 1, 0.1, "below max"],
    [2, 1, 0.1, "below max"],
    [0, Infinity, 1, "finite"],
    [Number.NaN, 1, 1, "finite"],
    [-1e308, 1e308, 1e300, "finite difference"],
    [0, 1, 0, "above 0"],
    [0, 1, -0.1, "above 0"],
    [0, 1, Number.NaN, "above 0"],
    [0, 1, 2, "at most max - min, 1"],
    [1e15, 1e15 + 8, 0.5, "at least 1.7"],
  ])("refuses (%d, %d, %d)", (min, max, step, requirement) => {
    expect(() => new Grid(min, max, step)).toThrow(SchemaError);
    expect(() => new Grid(min, max, step)).toThrow(requirement);
  });
});
