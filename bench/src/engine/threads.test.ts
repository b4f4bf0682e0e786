import { describe, expect, it } from "vitest";
import { breakEven, measureThreads } from "./threads.ts";

const at = (views: number, ratio: number) => ({ views, ratio });

describe("breakEven", () => {
  it("lies where the ratios cross 1, on a scale of logarithms", () => {
    expect(breakEven([at(25, 1.5), at(100, 1.2), at(400, 0.8)])).toBeCloseTo(200);
    expect(breakEven([at(100, 1), at(400, 0.8)])).toBeCloseTo(100);
  });

  it("counts from the last size at which the crew did not pay", () => {
    expect(breakEven([at(25, 0.9), at(100, 1.1), at(1600, 0.9)])).toBeCloseTo(400);
  });

  it("is the smallest size where it always pays, and none where it never does", () => {
    expect(breakEven([at(25, 0.9), at(100, 0.8)])).toBe(25);
    expect(breakEven([at(25, 0.9), at(100, 1)])).toBeUndefined();
  });
});

it("measures both on the same rounds, or says that there is one core", async () => {
  const lines: string[] = [];
  const pace = { rounds: 2, blockMs: 1000 };
  const result = await measureThreads({
    ...{ sizes: [40, 80], viewsOfB: 40, joinRoundsOfB: 2, pace, joinRounds: 2, settle: pace },
    progress: (line) => lines.push(line),
  });
  if (result === undefined) {
    expect(lines).toEqual(["threads: skipped, there is one core"]);
    return;
  }
  expect(result.points.map(({ views }) => views)).toEqual([40, 80]);
  expect(result.b.views).toBe(40);
  for (const { alone, crewed, ratio } of [...result.points, result.b]) {
    expect([alone.all.length, crewed.all.length]).toEqual([10, 10]);
    expect(ratio).toBeGreaterThan(0);
  }
});
