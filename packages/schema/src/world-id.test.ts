import { describe, expect, it } from "vitest";
import { MAX_ORIGINS, numberOf, originOf, WorldIds, worldId } from "./world-id.ts";

describe("world ids", () => {
  it("hold an origin and a number, up to the last of both", () => {
    for (const origin of [0, 1, 77, MAX_ORIGINS - 1])
      for (const number of [1, 2 ** 32, 2 ** 40 - 1]) {
        const id = worldId(origin, number);
        expect(Number.isSafeInteger(id)).toBe(true);
        expect([originOf(id), numberOf(id)]).toEqual([origin, number]);
      }
  });

  it("of one server never come twice, and are never those of another", () => {
    const [one, two] = [new WorldIds(1), new WorldIds(2)];
    const all = new Set(Array.from({ length: 1000 }, () => [one.next(), two.next()]).flat());
    expect(all.size).toBe(2000);
  });
});
