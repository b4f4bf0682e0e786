/**
 * What a round of the engine costs, in pairs looked at and never in time: it follows what is due, moved or crossed a border, not all pairs.
 * Ceilings are coarse, several times what is measured; they catch an engine that has begun to sweep.
 */

import { describe, expect, test } from "vitest";
import { Crowd, FULL_REPLICAS, measureLeft, PAIRS, RANGED, STEADY_CROWDS } from "./crowd.ts";

describe("pairs looked at per round", () => {
  test("a world at rest: none", () => {
    expect(new Crowd({ set: RANGED, speed: 0 }).figures().checks).toBe(0);
    expect(new Crowd({ set: FULL_REPLICAS, speed: 0 }).figures().checks).toBe(0);
  });

  test("ranged views, all moving: in the order of what is sent", () => {
    const { checks, decisions } = new Crowd({ set: RANGED, speed: 1 }).figures();
    expect(decisions).toBeGreaterThan(100);
    expect(checks).toBeLessThan(10 * decisions);
    expect(checks).toBeLessThan(PAIRS / 20);
  });

  test("full replicas of slow movers: far below all pairs", () => {
    const { checks, decisions } = new Crowd({ set: FULL_REPLICAS, speed: 0.2 }).figures();
    expect(decisions).toBeGreaterThan(20);
    expect(checks).toBeLessThan(PAIRS / 100);
  });
});

describe("memory", () => {
  test.each(STEADY_CROWDS)(
    "%s: a steady round leaves next to nothing behind, and keeps nothing",
    (_, ceiling, settings) => {
      const { median, kept } = measureLeft(settings, ceiling);
      expect(median).toBeLessThan(ceiling);
      expect(kept).toBeLessThan(PAIRS);
    },
  );
});
