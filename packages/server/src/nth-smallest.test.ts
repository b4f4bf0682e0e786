/** Selection gives what sorting gives, for every place, and leaves the numbers beyond the first `count` alone. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { nthSmallest } from "./nth-smallest.ts";

it("finds the number that sorting would put there", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 40 }), fc.nat(), (list, seed) => {
      const count = 1 + (seed % list.length);
      const sorted = list.slice(0, count).sort((a, b) => a - b);
      for (let n = 0; n < count; n++) {
        const numbers = Float64Array.from(list);
        expect(nthSmallest(numbers, count, n)).toBe(sorted[n]);
        expect([...numbers.subarray(count)]).toEqual(list.slice(count));
      }
    }),
  );
});
