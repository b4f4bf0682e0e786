import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isNewer, short, unwrap } from "./sequence.ts";

describe("numbers that wrap", () => {
  it("are told apart across the wrap", () => {
    expect(isNewer(3, 65_530)).toBe(true);
    expect(isNewer(65_530, 3)).toBe(false);
    expect(isNewer(5, 5)).toBe(false);
    expect(isNewer(0, 0x8000)).toBe(false);
    expect(isNewer(0x8000, 0)).toBe(false);
    expect(unwrap(3, 65_530)).toBe(65_539);
    expect(unwrap(65_530, 65_539)).toBe(65_530);
  });

  it("come back whole while they are less than 32,768 apart", () => {
    fc.assert(
      fc.property(fc.nat(2 ** 48), fc.integer({ min: -32_767, max: 32_767 }), (near, away) => {
        const number = near + away;
        fc.pre(number >= 0);
        expect(unwrap(short(number), near)).toBe(number);
        expect(isNewer(short(number), short(near))).toBe(away > 0);
      }),
    );
  });
});
