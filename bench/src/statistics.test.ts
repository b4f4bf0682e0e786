import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitExponent, mean, median, percentile } from "./statistics.ts";

const numbers = fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 1 });

describe("median", () => {
  it("takes the middle one, or the mean of the two in the middle", () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([7])).toBe(7);
  });

  it("leaves its input alone", () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
  });

  it("has as many values below as above", () => {
    fc.assert(
      fc.property(numbers, (values) => {
        const middle = median(values);
        const below = values.filter((value) => value < middle).length;
        const above = values.filter((value) => value > middle).length;
        expect(Math.max(below, above)).toBeLessThanOrEqual(values.length / 2);
      }),
    );
  });
});

describe("percentile", () => {
  it("counts by nearest rank", () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(percentile(values, 0.99)).toBe(99);
    expect(percentile(values, 1)).toBe(100);
    expect(percentile(values, 0)).toBe(1);
    expect(percentile([5, 1], 0.99)).toBe(5);
  });

  it("is one of the values, and that share does not exceed it", () => {
    fc.assert(
      fc.property(numbers, fc.double({ noNaN: true, min: 0, max: 1 }), (values, share) => {
        const found = percentile(values, share);
        expect(values).toContain(found);
        expect(values.filter((value) => value <= found).length).toBeGreaterThanOrEqual(share * values.length - 1e-9);
      }),
    );
  });

  it("refuses a share that is none, and no values", () => {
    expect(() => percentile([1], 99)).toThrow("99");
    expect(() => percentile([], 0.5)).toThrow("no values");
  });
});

describe("mean", () => {
  it("adds and divides", () => expect(mean([1, 2, 6])).toBe(3));
});

describe("fitExponent", () => {
  it("finds the exponent of a power law, whatever its factor", () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, min: -2, max: 3 }),
        fc.double({ noNaN: true, min: 1e-3, max: 1e3 }),
        (exponent, factor) => {
          const points = [100, 250, 500, 2000].map((size) => ({ size, cost: factor * size ** exponent }));
          expect(fitExponent(points)).toBeCloseTo(exponent, 6);
        },
      ),
    );
  });

  it("lies between those of two power laws that were added", () => {
    const points = [1, 10, 100, 1000].map((size) => ({ size, cost: size + size ** 2 }));
    expect(fitExponent(points)).toBeGreaterThan(1);
    expect(fitExponent(points)).toBeLessThan(2);
  });

  it("refuses what has no logarithm or no slope", () => {
    expect(() => fitExponent([{ size: 0, cost: 1 }])).toThrow("size 0");
    expect(() =>
      fitExponent([
        { size: 2, cost: 1 },
        { size: 2, cost: 3 },
      ]),
    ).toThrow("two different sizes");
  });
});
