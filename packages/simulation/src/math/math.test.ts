/** Our functions against the engine's own, which are within a bit or two of the truth. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cubeRoot } from "./cube-root.ts";
import { exponential, logarithm, power } from "./exponential.ts";
import { arccosine, arcsine, tangent } from "./tangent.ts";

const MOST_ERROR = 1e-14;
const ENDS = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, -0];
/** Of all sizes, down to those that have few bits. */
const SIZES = [Number.MIN_VALUE, 1e-320, 2.3e-308, 1e-100, 1e-16, 0.1, 0.5, 1, 2, 3, 10, 1e16, 1e300, Number.MAX_VALUE];

/** Share of the larger one by which they differ; results that have few bits left may differ in the last. */
function error(ours: number, theirs: number): number {
  if (Object.is(ours, theirs)) return 0;
  const apart = Math.abs(ours - theirs);
  return apart <= Number.MIN_VALUE ? 0 : apart / Math.abs(theirs);
}

function expectClose(ours: number, theirs: number): void {
  if (!(error(ours, theirs) <= MOST_ERROR)) expect(ours).toBe(theirs);
}

interface Case {
  readonly name: string;
  readonly ours: (x: number) => number;
  readonly theirs: (x: number) => number;
  readonly from: number;
  readonly to: number;
}

const CASES: readonly Case[] = [
  { name: "tangent", ours: tangent, theirs: Math.tan, from: -1e6, to: 1e6 },
  { name: "tangent of small angles", ours: tangent, theirs: Math.tan, from: -8, to: 8 },
  { name: "arcsine", ours: arcsine, theirs: Math.asin, from: -1.01, to: 1.01 },
  { name: "arccosine", ours: arccosine, theirs: Math.acos, from: -1.01, to: 1.01 },
  { name: "exponential", ours: exponential, theirs: Math.exp, from: -800, to: 800 },
  { name: "logarithm", ours: logarithm, theirs: Math.log, from: 0, to: Number.MAX_VALUE },
  { name: "logarithm near 1", ours: logarithm, theirs: Math.log, from: 0.5, to: 2 },
  { name: "cubeRoot", ours: cubeRoot, theirs: Math.cbrt, from: -Number.MAX_VALUE, to: Number.MAX_VALUE },
  { name: "cubeRoot of usual numbers", ours: cubeRoot, theirs: Math.cbrt, from: -1000, to: 1000 },
];

test.each(CASES)("$name", ({ ours, theirs, from, to }) => {
  fc.assert(
    fc.property(fc.double({ min: from, max: to, noNaN: true }), (x) => expectClose(ours(x), theirs(x))),
    { numRuns: 2000 },
  );
  // `fc.double` likes extremes; these lie evenly.
  for (let i = 0; i <= 2000; i++) {
    const x = from + (to / 2000 - from / 2000) * i;
    expectClose(ours(x), theirs(x));
  }
  for (const x of ENDS) expect(ours(x)).toBe(theirs(x));
  for (const size of SIZES) {
    // Where the tangent promises nothing.
    if (ours === tangent && size > 1e6) continue;
    expectClose(ours(size), theirs(size));
    expectClose(ours(-size), theirs(-size));
  }
});

test("tangent near its poles", () => {
  for (let quarters = -1001; quarters <= 1001; quarters += 2) {
    for (const off of [0, 1e-15, -1e-12, 1e-9, 1e-3]) {
      const angle = (quarters * Math.PI) / 2 + off;
      expectClose(tangent(angle), Math.tan(angle));
    }
  }
});

describe("power", () => {
  const base = fc.oneof(
    fc.double({ min: 0, max: Number.MAX_VALUE, noNaN: true }),
    fc.double({ min: 0.5, max: 2, noNaN: true }),
    fc.double({ min: -100, max: 100, noNaN: true }),
  );
  const exponent = fc.oneof(
    fc.double({ noNaN: true }),
    fc.double({ min: -10, max: 10, noNaN: true }),
    fc.integer({ min: -400, max: 400 }),
  );

  test("of anything", () => {
    fc.assert(
      fc.property(base, exponent, (x, y) => expectClose(power(x, y), x ** y)),
      { numRuns: 10_000 },
    );
  });

  test("results that are close to the ends of the doubles", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 10, noNaN: true }),
        fc.double({ min: -760, max: 760, noNaN: true }),
        (x, log) => {
          if (Math.abs(x - 1) < 1e-9) return;
          const y = log / Math.log(x);
          expectClose(power(x, y), x ** y);
        },
      ),
      { numRuns: 5000 },
    );
  });

  test("large powers, whose logarithm must be exact", () => {
    for (let i = 1; i <= 2000; i++) {
      const x = 0.005 * i + 1e-4;
      for (const log of [-700, -350.5, 350.5, 700]) {
        const y = log / Math.log(x);
        expectClose(power(x, y), x ** y);
      }
    }
  });

  test("ends and signs", () => {
    const numbers = [
      ...ENDS,
      ...SIZES,
      ...SIZES.map((size) => -size),
      3,
      -3,
      2.5,
      -2.5,
      33,
      -34,
      1 + 2 ** -52,
      2 ** 53,
    ];
    for (const x of numbers) for (const y of numbers) expectClose(power(x, y), x ** y);
  });

  test("whole powers of whole numbers are exact", () => {
    for (let x = -12; x <= 12; x++) {
      for (let y = 0; Math.abs(x) ** y < 2 ** 53 && y <= 32; y++) {
        expect(BigInt(power(x, y))).toBe(BigInt(x) ** BigInt(y));
      }
    }
  });
});

test("cubes of whole numbers have whole roots", () => {
  for (let root = -1000; root <= 1000; root++) expect(cubeRoot(root ** 3)).toBe(root);
});
