import { describe, expect, it } from "vitest";
import { FACTORS, livePart, MOST_LIVE_SIDE, pivotsOf, RADII, zoneOf } from "./views.ts";

describe("zones of a person", () => {
  const screen = { x: 4000, y: 4000, width: 1200, height: 800 };

  it("are rectangles around the screen", () => {
    const pivots = pivotsOf(screen, undefined);
    expect([4600, 4601, 4000 + 600 * FACTORS[0], 4961, 6400, 6401].map((x) => zoneOf(pivots, x, 4000))).toEqual([
      0, 1, 1, 2, 2, 3,
    ]);
    expect(zoneOf(pivots, 4600, 4400)).toBe(0);
    expect(zoneOf(pivots, 4600, 4401)).toBe(1);
  });

  it("are circles around the cursor, and the innermost of both counts", () => {
    const pivots = pivotsOf(screen, { x: 4600, y: 4000 });
    expect(zoneOf(pivots, 4600 + RADII[0], 4000)).toBe(0);
    expect(zoneOf(pivots, 4601 + RADII[0], 4000)).toBe(1);
    expect(zoneOf([], 4000, 4000)).toBe(3);
  });

  it("of a screen that shows more than is granted, the middle is live", () => {
    const { width, height } = livePart({ ...screen, width: 5120, height: 3200 });
    expect([width, height]).toEqual([MOST_LIVE_SIDE, 1600]);
    expect(livePart(screen)).toEqual(screen);
  });
});
