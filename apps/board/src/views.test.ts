import { describe, expect, it } from "vitest";
import { FACTORS, isWhollyLive, livePart, MOST_LIVE_SIDE, pivotsOf, RADII, zoneOf } from "./views.ts";

describe("zones of a person", () => {
  const screen = { x: 4000, y: 4000, width: 1200, height: 800 };

  it("are rectangles around the screen", () => {
    const pivots = pivotsOf(screen, undefined);
    const { x: middle, y, width, height } = livePart(screen);
    const right = (factor: number, beyond = 0): number => middle + (width / 2) * factor + beyond;
    const places = [1, ...FACTORS].flatMap((factor) => [right(factor), right(factor, 1)]);
    expect(places.map((x) => zoneOf(pivots, x, y))).toEqual([0, 1, 1, 2, 2, 3]);
    expect(zoneOf(pivots, right(1), y + height / 2)).toBe(0);
    expect(zoneOf(pivots, right(1), y + height / 2 + 1)).toBe(1);
  });

  it("are circles around the cursor, and the innermost of both counts", () => {
    const pivots = pivotsOf(screen, { x: 5000, y: 4000 });
    expect(zoneOf(pivots, 5000 + RADII[0], 4000)).toBe(0);
    expect(zoneOf(pivots, 5001 + RADII[0], 4000)).toBe(1);
    expect(zoneOf([], 4000, 4000)).toBe(3);
  });

  it("of a screen that shows more than is granted, the middle is live", () => {
    const { width } = livePart({ ...screen, width: 5120, height: 3200 });
    expect(width).toBeCloseTo(MOST_LIVE_SIDE);
    expect(isWhollyLive({ ...screen, width: 5120, height: 3200 })).toBe(false);
  });

  it("of any other screen all is live, also a note whose corner is beyond its edge", () => {
    expect(isWhollyLive(screen)).toBe(true);
    const pivots = pivotsOf(screen, undefined);
    expect(zoneOf(pivots, 4000 - 600 - 575, 4000 - 400 - 575)).toBe(0);
    expect(zoneOf(pivots, 4000 + 600 + 255, 4000 + 400 + 255)).toBe(0);
  });
});
