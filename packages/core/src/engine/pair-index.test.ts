import fc from "fast-check";
import { expect, test } from "vitest";
import { PairIndex } from "./pair-index.ts";

test("does what a map does, through collisions, deletions and doubling", () => {
  const step = fc.record({ set: fc.boolean(), view: fc.nat({ max: 40 }), slot: fc.nat({ max: 60 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 3000, size: "max" }), fc.constantFrom(1, 1024, 8192), (steps, stride) => {
      const index = new PairIndex();
      const map = new Map<string, number>();
      for (const [number, { set, view, slot: nth }] of steps.entries()) {
        const slot = nth * stride;
        const key = `${view} ${slot}`;
        if (!set) {
          index.delete(view, slot);
          map.delete(key);
        } else if (!map.has(key)) {
          index.set(view, slot, number);
          map.set(key, number);
        }
      }
      for (let view = 0; view <= 40; view++) {
        for (let nth = 0; nth <= 60; nth++) {
          if (index.get(view, nth * stride) !== (map.get(`${view} ${nth * stride}`) ?? -1)) {
            expect(index.get(view, nth * stride)).toBe(map.get(`${view} ${nth * stride}`) ?? -1);
          }
        }
      }
    }),
    { numRuns: 60 },
  );
});
