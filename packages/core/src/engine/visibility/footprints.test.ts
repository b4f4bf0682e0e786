import { expect, test } from "vitest";
import { VisionGrid } from "../../vision-grid.ts";
import { Footprints } from "./footprints.ts";

const SIZE = 300;
const SLOT = 0;

/** Whether what is kept of a cell is what the grid says. */
function isRight(footprints: Footprints, grid: VisionGrid, cell: number, sight: number): boolean {
  footprints.find(cell, Float64Array.of(sight), SLOT);
  const { cells, from, to } = footprints;
  const right = grid.inSight(cell, sight);
  return to - from === right.length && right.every((each, i) => each === cells[from + i]);
}

function newGrid(): VisionGrid {
  return new VisionGrid({ area: { min: [0, 0], max: [SIZE, SIZE] }, cell: 1 });
}

test("lists are those of the grid when they are found again, also once old ones were forgotten", () => {
  const grid = newGrid();
  const footprints = new Footprints(grid);
  const middle = (SIZE / 2) * SIZE;
  // 11,000 cells each: 500 of them are more than the four million numbers that are kept.
  const wrong: number[] = [];
  for (let i = 0; i < 500; i++) {
    const cell = middle + 70 + (i % 150) + SIZE * Math.floor(i / 150);
    if (!isRight(footprints, grid, cell, 60)) wrong.push(i);
    if (i % 50 === 0 && !isRight(footprints, grid, middle + 70, 60)) wrong.push(i);
  }
  expect(wrong).toEqual([]);
});

test("a list that is longer than a chunk is kept whole, and so are those after it", () => {
  const grid = newGrid();
  const footprints = new Footprints(grid);
  for (const sight of [3, 500, 4, 500, 3]) {
    expect(isRight(footprints, grid, 1234, sight), `sight ${sight}`).toBe(true);
    expect(isRight(footprints, grid, 77, sight), `sight ${sight}`).toBe(true);
  }
});
