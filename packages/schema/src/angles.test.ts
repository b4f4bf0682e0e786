/** Our angles against the engine's own, which agree with them to the last digits only. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { angleBetween, cosine, directionOf, foldAngle, sine } from "./angles.ts";

const angle = fc.double({ min: -100, max: 100, noNaN: true });

test("sine and cosine", () => {
  fc.assert(
    fc.property(angle, (a) => {
      expect(sine(a)).toBeCloseTo(Math.sin(a), 13);
      expect(cosine(a)).toBeCloseTo(Math.cos(a), 13);
    }),
  );
});

test("the direction of a vector, on the axes too", () => {
  const number = fc.oneof(fc.constantFrom(0, 1, -1), fc.double({ min: -1e3, max: 1e3, noNaN: true }));
  fc.assert(
    fc.property(number, number, (x, y) => {
      if (Math.abs(x) + Math.abs(y) < 1e-6) return;
      expect(Math.abs(angleBetween(directionOf(x, y), Math.atan2(y, x)))).toBeLessThan(1e-13);
    }),
  );
  expect([directionOf(0, 0), directionOf(-1, 0), directionOf(0, 1)]).toEqual([0, Math.PI, Math.PI / 2]);
});

test("turns go the short way round", () => {
  expect(angleBetween(3, -3)).toBeCloseTo(2 * Math.PI - 6, 12);
  fc.assert(
    fc.property(angle, angle, (from, to) => {
      const turn = angleBetween(from, to);
      expect(turn >= -Math.PI && turn < Math.PI).toBe(true);
      expect(Math.abs(foldAngle(from + turn - to))).toBeLessThan(1e-9);
    }),
  );
});
