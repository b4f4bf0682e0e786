import fc from "fast-check";
import { expect, it } from "vitest";
import { areClientPivots, resolveClientPivots } from "./client-pivots.ts";

const factors = fc.option(fc.array(fc.double({ min: 0.5, max: 9 }), { maxLength: 12 }), { nil: undefined });
const ascending = factors.map((list) => list?.map((factor) => factor + 1).sort((a, b) => a - b));
const numberNear = (most: number): fc.Arbitrary<number> =>
  fc.oneof(fc.constantFrom(0, -1, most, most + 1, Infinity), fc.double({ min: 0, max: most, noNaN: true }));

it("a client takes the rules of clients' pivots that a room can state, and no others", () => {
  fc.assert(
    fc.property(
      fc.record({
        groupCoefficients: fc.oneof(factors, ascending),
        cameraCoefficients: fc.oneof(factors, ascending),
        cameraMoved: numberNear(1),
        pointMoved: numberNear(1000),
        restMs: numberNear(60_000),
      }),
      (rules) => {
        const isStated = (): boolean => {
          try {
            resolveClientPivots(rules as never);
            return true;
          } catch {
            return false;
          }
        };
        expect(areClientPivots(rules)).toBe(isStated());
      },
    ),
  );
});
