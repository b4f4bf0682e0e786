import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { percentile } from "../statistics.ts";
import { ErrorTally } from "./error-tally.ts";

describe("ErrorTally", () => {
  it("finds percentiles to a thousandth of the bound, and the mean and largest exactly", () => {
    const errors = fc.array(fc.double({ noNaN: true, min: 0, max: 7.9 }), { minLength: 1 });
    fc.assert(
      fc.property(errors, fc.constantFrom(0.5, 0.99, 1), (values, share) => {
        const tally = new ErrorTally(4);
        for (const value of values) tally.add(value);
        const exact = percentile(values, share);
        expect(tally.percentile(share)).toBeGreaterThanOrEqual(exact);
        expect(tally.percentile(share)).toBeLessThanOrEqual(exact + 0.004 + 1e-9);
        expect(tally.largest).toBe(Math.max(...values));
        expect(tally.mean).toBeCloseTo(values.reduce((sum, value) => sum + value, 0) / values.length, 9);
      }),
    );
  });

  it("says nothing of nothing", () => {
    expect([new ErrorTally(1).mean, new ErrorTally(1).percentile(0.99)]).toEqual([Number.NaN, Number.NaN]);
  });
});
