import { describe, expect, it } from "vitest";
import type { Overlay } from "../picture.ts";
import { zoneOf } from "./zone-art.ts";

const overlay: Overlay = {
  rise: 1,
  camera: { at: [100, 100], size: [200, 100], rotation: Math.PI / 2 },
  coefficients: [2, 4],
  groups: [{ x: 1000, y: 1000, radius: 50 }],
  groupFactors: [2, 3],
};

describe("the zone in which a place is drawn", () => {
  it("follows the camera's turned rectangle", () => {
    expect(zoneOf(overlay, 100, 199)).toBe(0);
    expect(zoneOf(overlay, 151, 100)).toBe(1);
    expect(zoneOf(overlay, 100, 301)).toBe(2);
    expect(zoneOf(overlay, 100, 900)).toBe(3);
  });

  it("is the strictest of camera and groups", () => {
    expect(zoneOf(overlay, 1000, 1049)).toBe(0);
    expect(zoneOf(overlay, 1000, 1099)).toBe(1);
    expect(zoneOf(overlay, 1149, 1000)).toBe(2);
  });
});
