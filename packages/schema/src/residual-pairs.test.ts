import { describe, expect, it } from "vitest";
import { BitReader } from "./bit-reader.ts";
import { BitWriter } from "./bit-writer.ts";
import { hasBeyond, isFirstBeyond, PAIR_LENGTHS, pairOf, pairPart, readPair, writePair } from "./residual-pairs.ts";
import { isSteady, RESIDUAL_LENGTHS, straightContext } from "./residuals.ts";

/** Every steady context, with the misses that lead to it. */
const CONTEXTS = [-2, -1, 0, 1, 2]
  .flatMap((e1) => [-2, -1, 0, 1, 2].map((e2) => straightContext(e1, e2)))
  .filter(isSteady);

describe("tables", () => {
  it("use every word, so that any bits are the code of something", () => {
    for (const lengths of [...RESIDUAL_LENGTHS, ...PAIR_LENGTHS]) {
      const share = lengths.reduce((sum, length) => sum + (length === 0 ? 0 : 2 ** -length), 0);
      expect(share).toBe(1);
    }
  });
});

describe("a pair of residuals", () => {
  it("comes back from every two contexts, with either sign turned", () => {
    // Four, each with either sign, but without misses there is no sign.
    expect(new Set(CONTEXTS).size).toBe(7);
    for (const context1 of CONTEXTS) {
      for (const context2 of CONTEXTS) {
        for (let first = -2; first <= 2; first++) {
          for (let second = -2; second <= 2; second++) {
            const pair = pairOf(pairPart(first), pairPart(second));
            const w = new BitWriter();
            writePair(w, context1, context2, pair);
            const r = new BitReader(w.finish());
            expect(readPair(r, context1, context2)).toBe(pair);
            expect(w.byteLength * 8 - r.bitsLeft).toBe(w.bitLength);
            expect(isFirstBeyond(pair)).toBe(Math.abs(first) === 2);
            expect(hasBeyond(pair)).toBe(Math.abs(first) === 2 || Math.abs(second) === 2);
          }
        }
      }
    }
  });

  it("takes as many bits as its mirror image does with the signs turned", () => {
    const up = straightContext(1, 0);
    const down = straightContext(-1, 0);
    const bits = (context: number, residual: number): number => {
      const w = new BitWriter();
      writePair(w, context, context, pairOf(pairPart(residual), pairPart(residual)));
      return w.bitLength;
    };
    expect(bits(up, 1)).toBe(bits(down, -1));
    expect(bits(up, -1)).toBe(bits(down, 1));
    expect(bits(up, -1)).toBeLessThan(bits(up, 1));
  });
});
