import fc from "fast-check";
import { expect, test } from "vitest";
import { Spans } from "./spans.ts";

test("so many rounds last so many times as long, kept or reckoned anew", () => {
  fc.assert(
    fc.property(fc.double({ min: 1, max: 1000, noNaN: true }), fc.nat({ max: 3000 }), (roundMs, rounds) => {
      const spans = new Spans(roundMs);
      expect(spans.of(rounds)).toBe(rounds * roundMs);
      expect(spans.of(rounds)).toBe(rounds * roundMs);
    }),
  );
});
