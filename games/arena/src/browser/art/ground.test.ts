/** Which edges of walls are seen, and how far a line gets. */

import { describe, expect, it } from "vitest";
import { Ground } from "./ground.ts";

const wall = (x: number, y: number, width: number, height: number) => ({ x, y, width, height });

describe("the ground", () => {
  it("shows all four sides of a wall by itself", () => {
    const { edges } = new Ground(100, 100, [wall(10, 20, 30, 40)]);
    expect(edges.length).toBe(4);
    expect(edges).toContainEqual({ x1: 10, y1: 60, x2: 40, y2: 60, normalX: 0, normalY: 1 });
  });

  it("shows no seam between walls that touch, and what a smaller one leaves of a side", () => {
    const { edges } = new Ground(100, 100, [wall(0, 0, 20, 60), wall(20, 20, 20, 20)]);
    expect(edges.filter((edge) => edge.x1 === 20 && edge.normalX === -1)).toEqual([]);
    expect(edges.filter((edge) => edge.x1 === 20 && edge.normalX === 1)).toEqual([
      { x1: 20, y1: 0, x2: 20, y2: 20, normalX: 1, normalY: 0 },
      { x1: 20, y1: 40, x2: 20, y2: 60, normalX: 1, normalY: 0 },
    ]);
  });

  it("ends a line at the nearest wall, also along an axis, and nowhere else", () => {
    const ground = new Ground(100, 100, [wall(50, 40, 10, 20), wall(80, 0, 10, 100)]);
    expect(ground.reach(10, 50, 1, 0, 200)).toBe(40);
    expect(ground.reach(10, 70, 1, 0, 200)).toBe(70);
    expect(ground.reach(10, 50, -1, 0, 200)).toBe(200);
    expect(ground.reach(10, 50, 0, 1, 30)).toBe(30);
  });

  it("knows what is solid, the outside included", () => {
    const ground = new Ground(100, 100, [wall(50, 40, 10, 20)]);
    expect([ground.isSolid(55, 50), ground.isSolid(45, 50), ground.isSolid(-1, 50)]).toEqual([true, false, true]);
  });
});
