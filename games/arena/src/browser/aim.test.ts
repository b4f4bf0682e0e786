/** Looking, shooting and being helped, on a level with one wall. */

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Terrain } from "../terrain.ts";
import { headingOf, helped, nearestToLine, shotLine } from "./aim.ts";
import { noIntent } from "./input/intent.ts";

const terrain = new Terrain(readFileSync(new URL("../../levels/cell.tmj", import.meta.url), "utf8"));
const own = { x: 30, y: 30 };

describe("aiming", () => {
  it("looks at the pointer, or along the stick, and keeps its heading where neither says anything", () => {
    expect(headingOf({ ...noIntent(), aimX: 100, aimY: 200 }, 100, 100, 0)).toBeCloseTo(Math.PI / 2, 9);
    expect(headingOf({ ...noIntent(), aim: "stick", aimX: -1, aimY: 0 }, 500, 500, 0)).toBeCloseTo(Math.PI, 9);
    expect(headingOf({ ...noIntent(), aim: "stick" }, 500, 500, 1.25)).toBe(1.25);
  });

  it("meets the first opponent on the way, and none behind it or beside it", () => {
    const near = { x: 60, y: 32 };
    const far = { x: 90, y: 30 };
    const beside = { x: 60, y: 50 };
    const line = shotLine(own, 0, [far, beside, near], terrain);
    expect(line.target).toBe(near);
    expect(line.toX).toBeLessThan(60);
    expect(shotLine(own, Math.PI, [near], terrain).target).toBeUndefined();
  });

  it("ends at a wall", () => {
    const line = shotLine(own, Math.PI, [], terrain);
    expect(line.toX).toBeGreaterThan(0);
    expect(line.toX).toBeLessThan(30);
  });

  it("names the opponent nearest to the line even if it misses", () => {
    const beside = { x: 60, y: 45 };
    expect(nearestToLine(own, 0, [beside, { x: 60, y: 60 }])).toBe(beside);
    expect(nearestToLine(own, Math.PI, [beside])).toBeUndefined();
  });

  it("helps a stick by a few degrees, not around a corner", () => {
    const opponent = { x: 60, y: 33 };
    expect(helped(0, own, [opponent], terrain)).toBeCloseTo(Math.atan2(3, 30), 9);
    expect(helped(1, own, [opponent], terrain)).toBe(1);
  });
});
