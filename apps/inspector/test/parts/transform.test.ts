import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  boxOf,
  boxToShow,
  centreOn,
  fit,
  gridStep,
  pan,
  toPicture,
  toWorld,
  zoomAbout,
} from "../../web/map/transform.ts";

const place = fc.double({ min: -5000, max: 5000, noNaN: true });
const transform = fc.record({
  scale: fc.double({ min: 0.01, max: 100, noNaN: true }),
  left: place,
  top: place,
});

describe("between world and picture", () => {
  test("there and back is where it was", () => {
    fc.assert(
      fc.property(transform, place, place, (shown, x, y) => {
        const [backX, backY] = toWorld(shown, ...toPicture(shown, x, y));
        expect(backX).toBeCloseTo(x, 4);
        expect(backY).toBeCloseTo(y, 4);
      }),
    );
  });

  test("a zoom keeps what is under the pointer under it, and keeps its limits", () => {
    fc.assert(
      fc.property(transform, place, place, fc.double({ min: 0.05, max: 20, noNaN: true }), (shown, x, y, factor) => {
        const [worldX, worldY] = toWorld(shown, x, y);
        const zoomed = zoomAbout(shown, x, y, factor, [0.01, 100]);
        const [againX, againY] = toPicture(zoomed, worldX, worldY);
        expect(againX).toBeCloseTo(x, 3);
        expect(againY).toBeCloseTo(y, 3);
        expect(zoomed.scale).toBeGreaterThanOrEqual(0.01);
        expect(zoomed.scale).toBeLessThanOrEqual(100);
      }),
    );
  });

  test("a world that is fitted lies in the picture, in its middle", () => {
    const size = { width: 800, height: 500 };
    const shown = fit({ minX: 0, minY: 0, maxX: 2250, maxY: 1750 }, size);
    const [left, top] = toPicture(shown, 0, 0);
    const [right, bottom] = toPicture(shown, 2250, 1750);
    expect(left).toBeCloseTo(800 - right);
    expect(top).toBeCloseTo(500 - bottom);
    expect(Math.min(left, top)).toBeGreaterThanOrEqual(0);
    expect(toPicture(centreOn(shown, 100, 200, size), 100, 200)).toEqual([400, 250]);
    expect(pan(shown, 5, -3)).toEqual({ ...shown, left: shown.left + 5, top: shown.top - 3 });
  });

  test("a box holds its points and is never without size", () => {
    expect(boxOf([], [])).toBeUndefined();
    expect(boxOf([5], [5])).toEqual({ minX: 0, minY: 0, maxX: 10, maxY: 10 });
    expect(boxOf([0, 100], [3, 50])).toEqual({ minX: 0, minY: 3, maxX: 100, maxY: 50 });
  });

  test("a world is shown whole where objects fill it, and no more than they fill where it is far larger", () => {
    const world = { minX: 0, minY: 0, maxX: 1000, maxY: 1000 };
    const small = { minX: 0, minY: 100, maxX: 400, maxY: 300 };
    expect(boxToShow(world, { ...small, maxX: 900 })).toBe(world);
    expect(boxToShow(world, small)).toEqual({ minX: 0, minY: 60, maxX: 440, maxY: 340 });
    expect(boxToShow(undefined, small)).toBe(small);
    expect(boxToShow(world, undefined)).toBe(world);
  });

  test("grid lines stand at round numbers, wide enough apart", () => {
    expect([gridStep(1, 60), gridStep(0.34, 60), gridStep(20, 60)]).toEqual([100, 200, 5]);
  });
});
