import { describe, expect, it } from "vitest";
import { CENTRE } from "../shared.ts";
import { Camera, LEAST_ZOOM, MOST_ZOOM } from "./camera.ts";

function camera(): Camera {
  return Object.assign(new Camera(), { width: 1000, height: 600 });
}

describe("the camera", () => {
  it("finds the place under a point, and the point over a place", () => {
    const it = camera();
    it.zoom = 2;
    const { x, y } = it.toBoard(700, 100);
    expect([x, y]).toEqual([CENTRE + 100, CENTRE - 100]);
    expect([it.screenX(x), it.screenY(y)]).toEqual([700, 100]);
    expect(it.rectangle).toEqual({ x: CENTRE, y: CENTRE, width: 500, height: 300 });
  });

  it("zooms around a point, within its limits", () => {
    const it = camera();
    const before = it.toBoard(900, 50);
    it.zoomAt(900, 50, 1.5);
    expect(it.toBoard(900, 50).x).toBeCloseTo(before.x);
    expect(it.toBoard(900, 50).y).toBeCloseTo(before.y);
    it.zoomAt(0, 0, 1000);
    expect(it.zoom).toBe(MOST_ZOOM);
    it.zoomAt(0, 0, 1e-6);
    expect(it.zoom).toBe(LEAST_ZOOM);
  });

  it("glides to where it was sent, and stays on the board", () => {
    const it = camera();
    it.glideTo({ x: 1000, y: -500 }, 0.5);
    for (let frame = 0; frame < 120; frame++) it.step(16);
    expect([it.x, it.y, it.zoom]).toEqual([1000, 300, 0.5]);
  });

  it("a hand on the board ends a glide", () => {
    const it = camera();
    it.glideTo({ x: 1000, y: 1000 });
    it.panBy(10, 0);
    it.step(1000);
    expect(it.x).toBe(CENTRE - 10);
  });
});
