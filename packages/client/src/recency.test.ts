import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Recency } from "./recency.ts";

describe("recency", () => {
  it("answers as a log of changes would", () => {
    const step = fc.tuple(fc.constantFrom("touch" as const, "touch" as const, "forget" as const), fc.nat(200));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), fc.nat(200), (steps, at) => {
        const recency = new Recency();
        const log = new Map<number, number>();
        let mark = 0;
        steps.forEach(([what, slot], index) => {
          if (index === at) mark = recency.mark;
          log.delete(slot);
          if (what === "touch") {
            recency.touch(slot);
            log.set(slot, recency.mark);
          } else {
            recency.forget(slot);
          }
        });
        const expected = [...log].filter(([, stamp]) => stamp > mark).sort(([, a], [, b]) => b - a);
        expect([...recency.since(mark)]).toEqual(expected.map(([slot]) => slot));
      }),
    );
  });
});
