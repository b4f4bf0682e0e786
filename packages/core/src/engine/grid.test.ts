import { describe, expect, test } from "vitest";
import { Grid } from "./grid.ts";

describe("grid", () => {
  test("reports a cell only when an object enters it", () => {
    const grid = new Grid(10);
    const first = grid.place(0, 5, 5);
    expect(first?.slots).toEqual([0]);
    expect(grid.place(0, 9.9, 0)).toBeUndefined();
    expect(grid.place(0, 10, 0)?.slots).toEqual([0]);
    expect(first?.slots).toEqual([]);
  });

  test("negative places have cells of their own; absurd ones lie at the edge", () => {
    const grid = new Grid(10);
    grid.place(0, -0.1, 0);
    grid.place(1, 0.1, 0);
    expect(grid.cellKeyOf(0)).not.toBe(grid.cellKeyOf(1));
    grid.place(2, 1e300, 0);
    grid.place(3, 1e200, 0);
    expect(grid.cellKeyOf(2)).toBe(grid.cellKeyOf(3));
  });

  test("an object that is removed leaves the others where they are", () => {
    const grid = new Grid(10);
    for (let slot = 0; slot < 100; slot++) grid.place(slot, 1, 1);
    const key = grid.cellKeyOf(0);
    grid.remove(0);
    grid.remove(0);
    grid.remove(99);
    expect(grid.cellKeyOf(0)).toBeNaN();
    expect(new Set(grid.cell(key)!.slots)).toEqual(new Set(Array.from({ length: 98 }, (_, i) => i + 1)));
  });

  test("a rectangle names every cell it touches", () => {
    const grid = new Grid(10);
    const rect = grid.rectAround(5, 5, 10);
    expect(rect).toEqual({ left: -1, top: -1, right: 1, bottom: 1 });
    const keys = new Set(grid.keysIn(rect));
    expect(keys.size).toBe(9);
    grid.place(0, -5, 15);
    expect(keys.has(grid.cellKeyOf(0))).toBe(true);
  });

  test("cells without objects or views are dropped", () => {
    const grid = new Grid(10);
    grid.place(0, 5, 5);
    const key = grid.cellKeyOf(0);
    grid.subscribe(key, 7);
    grid.remove(0);
    expect(grid.cell(key)?.views).toEqual([7]);
    grid.unsubscribe(key, 7);
    expect(grid.cell(key)).toBeUndefined();
  });
});
