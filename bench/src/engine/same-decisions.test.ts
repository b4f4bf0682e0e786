import { describe, expect, it } from "vitest";
import { FlatDecisions } from "./flat-decisions.ts";
import { requireSame } from "./same-decisions.ts";

describe("requireSame", () => {
  const decided = (...slots: number[]): FlatDecisions => {
    const decisions = new FlatDecisions(1);
    for (const slot of slots) decisions.push(slot as never, 1, 2, 0);
    decisions.endView();
    return decisions;
  };

  it("does not mind the order", () => {
    requireSame(decided(1, 2, 3).of(0), decided(3, 1, 2).of(0), "here");
  });

  it("names what only one of them decided", () => {
    expect(() => requireSame(decided(1, 2).of(0), decided(1, 7).of(0), "round 5")).toThrow(
      "round 5: the decisions differ; engine alone: [object 2 update by sequence in zone 0], brute force alone: [object 7",
    );
  });
});
