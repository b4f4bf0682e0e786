/** Who sees which cell: how far, around walls, and at the edges of the grid. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { VisionGrid } from "./vision-grid.ts";

const area = { min: [-50, 0], max: [50, 60] } as const;

function at(grid: VisionGrid, x: number, y: number): number {
  return grid.cellOf({ x: Float64Array.of(x), y: Float64Array.of(y) }, 0);
}

describe("a grid of vision", () => {
  it("has a cell for every place; what lies outside counts as in the nearest one", () => {
    const grid = new VisionGrid({ area, cell: 10 });
    expect([grid.columns, grid.rows, grid.count]).toEqual([10, 6, 60]);
    expect([at(grid, -50, 0), at(grid, -40.001, 9.999), at(grid, 49.9, 59.9)]).toEqual([0, 0, 59]);
    expect([at(grid, -900, -1), at(grid, 50, 60), at(grid, 0, 1e9), at(grid, Number.NaN, 5)]).toEqual([0, 59, 55, 0]);
  });

  it("sees from middle to middle, no farther than the sight", () => {
    const grid = new VisionGrid({ area, cell: 10 });
    const from = at(grid, 5, 35);
    const count = (sight: number): number => grid.inSight(from, sight).length;
    expect([0.1, 9.9, 10, 14.1, 14.2, 20].map(count)).toEqual([1, 1, 5, 5, 9, 13]);
    expect(grid.isInSight(from, at(grid, 15, 45), 14.1)).toBe(false);
  });

  it("sees a wall, and nothing behind it", () => {
    const grid = new VisionGrid({ area, cell: 10, blocks: (x, y) => x > 10 && x < 20 && y < 40 });
    const from = at(grid, 5, 15);
    const sees = (x: number, y: number): boolean => grid.isInSight(from, at(grid, x, y), 100);
    expect([sees(15, 15), sees(25, 15), sees(45, 5), sees(-45, 15), sees(5, 55), sees(25, 55)]).toEqual([
      true,
      false,
      false,
      true,
      true,
      false,
    ]);
  });

  it("lists exactly the cells that are in sight", () => {
    const walls = fc.nat({ max: 5 });
    fc.assert(
      fc.property(fc.nat({ max: 59 }), fc.double({ min: 0.1, max: 80, noNaN: true }), walls, (from, sight, wall) => {
        const blocks = (x: number, y: number): boolean => (Math.floor(x / 10) * 3 + Math.floor(y / 10)) % 6 === wall;
        const grid = new VisionGrid({ area, cell: 10, blocks });
        const expected = Array.from({ length: 60 }, (_, to) => to).filter((to) => grid.isInSight(from, to, sight));
        expect([...grid.inSight(from, sight)]).toEqual(expected);
        expect(expected).toContain(from);
      }),
    );
  });

  it("is refused without cells, or with too many", () => {
    expect(() => new VisionGrid({ area, cell: 0 })).toThrow(/no cells of 0/);
    expect(() => new VisionGrid({ area: { min: [0, 0], max: [0, 5] }, cell: 1 })).toThrow(/no cells/);
    expect(() => new VisionGrid({ area, cell: 1e-4 })).toThrow(/6\d* cells/);
  });
});
