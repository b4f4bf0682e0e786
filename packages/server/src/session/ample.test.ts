import { object, Protocol, quantized, text, uint } from "@nearfield/schema";
import { describe, expect, test } from "vitest";
import { isAmple, mostRecordBits, surelyFit } from "./ample.ts";

const axis = quantized(0, 1000, 0.1);
const Ship = object("ship", { x: axis, y: axis, hull: uint(7) }, { position: ["x", "y"] });
const Score = object("score", { points: uint(16) });
const Sign = object("sign", { words: text(100) });

describe("room for all that was decided", () => {
  test("is told by the type with the longest records", () => {
    const longest = mostRecordBits(new Protocol({ objects: [Ship] }));
    expect(longest).toBe(64 + 3 * 16 + 3 * (14 + 14 + 7));
    expect(mostRecordBits(new Protocol({ objects: [Score, Ship] }))).toBe(longest);
  });

  test("is never certain where a field has no fixed width, unless nothing was decided", () => {
    const bits = mostRecordBits(new Protocol({ objects: [Ship, Sign] }));
    expect(bits).toBe(Number.POSITIVE_INFINITY);
    expect(isAmple(1e9, 1, bits, [])).toBe(false);
    expect(isAmple(1e9, 0, bits, [])).toBe(true);
  });

  test("tells how many surely fit", () => {
    for (const bits of [0, 72, 100, 372, 373, 1000, 1e6]) {
      const most = surelyFit(bits, 100);
      expect([most === 0 || isAmple(bits, most, 100, []), isAmple(bits, most + 1, 100, [])]).toEqual([true, false]);
    }
    expect(surelyFit(1e9, Number.POSITIVE_INFINITY)).toBe(0);
  });

  test("counts events and the frame's own head", () => {
    expect(isAmple(72 + 300 + 1, 3, 100, [])).toBe(true);
    expect(isAmple(72 + 300, 3, 100, [])).toBe(false);
    expect(isAmple(72 + 300 + 1, 3, 100, [{ bitLength: 8 }])).toBe(false);
  });
});
