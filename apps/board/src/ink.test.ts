import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MOST_POINTS, packInk, REACH, unpackInk } from "./ink.ts";
import { inkOf, Pieces } from "./pieces.ts";
import { INK_BYTES, MOST_PLACE } from "./shared.ts";

const offset = fc.integer({ min: -2 * REACH, max: 2 * REACH }).map((half) => half / 2);

describe("ink", () => {
  it("comes back as it was, in at most the bytes of its field", () => {
    const points = fc.array(fc.tuple(offset, offset), { minLength: 1, maxLength: MOST_POINTS });
    fc.assert(
      fc.property(points, (given) => {
        const ink = packInk(given.flat());
        expect(ink.length).toBeLessThanOrEqual(INK_BYTES);
        expect(unpackInk(ink)).toEqual(given.flat());
      }),
    );
  });

  it("any bytes are ink within its bounds, written the only way, or none", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: INK_BYTES }), (bytes) => {
        const points = unpackInk(bytes);
        if (points === undefined) return;
        expect(points.length).toBeLessThanOrEqual(2 * MOST_POINTS);
        expect(Math.max(...points.map(Math.abs))).toBeLessThanOrEqual(REACH);
        expect(packInk(points)).toEqual(bytes);
      }),
    );
  });
});

describe("pieces of a stroke", () => {
  const anywhere = fc.double({ min: -500, max: 9000, noNaN: true });

  it("are ink each, on the board, and each begins where the one before it ended", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anywhere, anywhere), { minLength: 1, maxLength: 200 }), (path) => {
        const pieces = new Pieces();
        for (const [x, y] of path) pieces.add(x, y);
        for (const piece of pieces.all) {
          expect(unpackInk(inkOf(piece))).toBeDefined();
          expect(Math.min(piece.x, piece.y)).toBeGreaterThanOrEqual(0);
          expect(Math.max(piece.x, piece.y)).toBeLessThanOrEqual(MOST_PLACE);
        }
        for (const [index, piece] of pieces.all.entries()) {
          const before = pieces.all[index - 1];
          if (before === undefined) continue;
          expect(piece.x).toBeCloseTo(before.x + before.points.at(-2)!, 0);
          expect(piece.y).toBeCloseTo(before.y + before.points.at(-1)!, 0);
        }
      }),
    );
  });

  it("tell how many of them changed", () => {
    const pieces = new Pieces();
    expect(pieces.add(100, 100)).toBe(1);
    expect(pieces.add(110, 100)).toBe(1);
    expect(pieces.add(700, 100)).toBe(3);
    expect(pieces.all.length).toBe(3);
  });
});
