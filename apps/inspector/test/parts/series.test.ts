import { describe, expect, test } from "vitest";
import { Series } from "../../web/series.ts";

describe("figures over time", () => {
  test("a window holds the samples of its span, counted back from the newest", () => {
    const series = new Series(["out", "in"], 100);
    for (let second = 0; second < 10; second++) series.push(second * 1000, { out: second });
    expect(series.window(3000, ["out", "in"])).toEqual({
      times: [-3, -2, -1, 0],
      columns: [
        [6, 7, 8, 9],
        [null, null, null, null],
      ],
    });
  });

  test("the oldest samples fall out", () => {
    const series = new Series(["out"], 8);
    for (let sample = 0; sample < 100; sample++) series.push(sample, { out: sample });
    expect(series.length).toBeLessThanOrEqual(10);
    expect(series.window(1000, ["out"]).columns[0]!.at(-1)).toBe(99);
  });

  test("time that goes back is another run: nothing of the former is left", () => {
    const series = new Series(["out"], 8);
    series.push(5000, { out: 1 });
    series.push(100, { out: 2 });
    expect(series.window(10_000, ["out"])).toEqual({ times: [0], columns: [[2]] });
  });

  test("an empty series is an empty window", () => {
    expect(new Series(["out"], 8).window(1000, ["out"])).toEqual({ times: [], columns: [[]] });
  });
});
