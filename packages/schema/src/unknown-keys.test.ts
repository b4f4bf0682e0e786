import { describe, expect, test } from "vitest";
import { OptionsError } from "./index.ts";
import { nearestName, refuseUnknownKeys, suggestion, unknownKeyOf } from "./internal/index.ts";

const BOUND = ["time", "sequence", "value"];

describe("unknown keys", () => {
  test("known keys pass, in any order and number", () => {
    expect(() => refuseUnknownKeys({ value: 1, time: 2 }, BOUND, "bound")).not.toThrow();
    expect(() => refuseUnknownKeys({}, BOUND, "bound")).not.toThrow();
  });

  test("an unknown one is refused, with the one that was probably meant", () => {
    const refuse = () => refuseUnknownKeys({ tme: 1 }, BOUND, "bound");
    expect(refuse).toThrow(OptionsError);
    expect(refuse).toThrow('bound: unknown key "tme"; did you mean "time"? Known: time, sequence, value');
    expect(refuse).toThrow(expect.objectContaining({ code: "unknown-key", key: "tme" }));
  });

  test("is found even if its value is undefined", () => {
    expect(unknownKeyOf({ time: 1, tim: undefined }, BOUND)).toBe("tim");
  });
});

describe("the nearest name", () => {
  test("letters added, left out, changed, swapped or in the wrong case", () => {
    for (const typo of ["tme", "tiime", "tine", "itme", "TIME", "times"]) expect(nearestName(typo, BOUND)).toBe("time");
    expect(nearestName("seqence", BOUND)).toBe("sequence");
    expect(nearestName("roundMS", ["port", "roundMs"])).toBe("roundMs");
  });

  test("none where nothing is near", () => {
    expect(nearestName("tickRate", ["port", "roundMs", "view"])).toBeUndefined();
    expect(suggestion("tickRate", ["port", "view"])).toBe("known: port, view");
    expect(nearestName("x".repeat(100_000), BOUND)).toBeUndefined();
  });
});
