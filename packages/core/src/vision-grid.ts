/** The grid of a teams' vision, and who sees whom on it: plain functions of cells. */

import { ViewError } from "./errors.ts";
import type { TeamVisionSettings } from "./visibility.ts";

/** More cells than this a grid cannot have. */
const MOST_CELLS = 1 << 22;

export class VisionGrid {
  readonly columns: number;
  readonly rows: number;
  readonly #minX: number;
  readonly #minY: number;
  readonly #cell: number;
  /** By cell: 1 = nobody sees through it. Without walls, none. */
  readonly #walls: Uint8Array | undefined;

  /** Throws `ViewError("bad-number")` for an area without cells, or with more than four million. */
  constructor({ area, cell, blocks }: Pick<TeamVisionSettings<never>, "area" | "cell" | "blocks">) {
    checkArea(area, cell);
    this.#cell = cell;
    this.#minX = area.min[0];
    this.#minY = area.min[1];
    this.columns = Math.ceil((area.max[0] - area.min[0]) / cell);
    this.rows = Math.ceil((area.max[1] - area.min[1]) / cell);
    if (blocks === undefined) return;
    this.#walls = new Uint8Array(this.columns * this.rows);
    for (let at = 0; at < this.#walls.length; at++) {
      const column = at % this.columns;
      const row = (at - column) / this.columns;
      this.#walls[at] = blocks(this.#minX + (column + 0.5) * cell, this.#minY + (row + 0.5) * cell) ? 1 : 0;
    }
  }

  get count(): number {
    return this.columns * this.rows;
  }

  /** The cell in which the object of a slot lies, or the nearest one. */
  cellOf({ x, y }: { readonly x: Float64Array; readonly y: Float64Array }, slot: number): number {
    const column = Math.floor((x[slot]! - this.#minX) / this.#cell);
    const row = Math.floor((y[slot]! - this.#minY) / this.#cell);
    return within(row, this.rows) * this.columns + within(column, this.columns);
  }

  /** Whether who stands in one cell and sees so far sees the other: their middles are no farther apart, and no wall lies between them. */
  isInSight(from: number, to: number, sight: number): boolean {
    const dx = (to % this.columns) - (from % this.columns);
    const dy = Math.floor(to / this.columns) - Math.floor(from / this.columns);
    const reach = sight / this.#cell;
    return dx * dx + dy * dy <= reach * reach && this.#isClear(from, dx, dy);
  }

  /** How many whole cells a sight spans, and no more than the grid has. */
  cellsWithin(sight: number): number {
    return Math.min(Math.floor(sight / this.#cell), Math.max(this.columns, this.rows));
  }

  /** All cells that are in sight from a cell. */
  inSight(from: number, sight: number): Int32Array {
    const reach = this.cellsWithin(sight);
    const column = from % this.columns;
    const row = (from - column) / this.columns;
    const cells: number[] = [];
    for (let y = Math.max(0, row - reach); y <= Math.min(this.rows - 1, row + reach); y++) {
      for (let x = Math.max(0, column - reach); x <= Math.min(this.columns - 1, column + reach); x++) {
        const to = y * this.columns + x;
        if (this.isInSight(from, to, sight)) cells.push(to);
      }
    }
    return Int32Array.from(cells);
  }

  /** Walks from cell to cell along the straight line between the middles; neither end counts. */
  #isClear(from: number, dx: number, dy: number): boolean {
    const walls = this.#walls;
    if (walls === undefined) return true;
    const steps = Math.max(Math.abs(dx), Math.abs(dy));
    for (let step = 1; step < steps; step++) {
      const x = Math.floor((2 * dx * step + steps) / (2 * steps));
      const y = Math.floor((2 * dy * step + steps) / (2 * steps));
      if (walls[from + y * this.columns + x] === 1) return false;
    }
    return true;
  }
}

function checkArea({ min, max }: TeamVisionSettings<never>["area"], cell: number): void {
  const cells = Math.ceil((max[0] - min[0]) / cell) * Math.ceil((max[1] - min[1]) / cell);
  const isArea = max[0] > min[0] && max[1] > min[1] && cell > 0;
  if (isArea && cells <= MOST_CELLS) return;
  const text = `has ${isArea ? cells : "no"} cells of ${cell}, but must have 1 to ${MOST_CELLS}`;
  throw new ViewError("bad-number", "visible.teams.area", text);
}

function within(index: number, count: number): number {
  return index > 0 ? Math.min(index, count - 1) : 0;
}
