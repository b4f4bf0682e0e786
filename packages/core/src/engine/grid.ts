/**
 * A grid over the first two axes that tells which views must begin to track an object: views subscribe to the cells their range
 * reaches, objects lie in one cell each. Only crossings cost anything. A third axis is left to the distance test: the cells hold a
 * superset of what is near.
 */

import { grown } from "../object-store.ts";

export class Cell {
  readonly slots: number[] = [];
  readonly views: number[] = [];
}

/** Cells from (left, top) to (right, bottom), inclusive. */
export interface CellRect {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Cell coordinates are folded into one number; beyond this they are held at the edge. */
const EDGE = 2 ** 25;

export class Grid {
  readonly size: number;
  readonly #cells = new Map<number, Cell>();
  #cellOf: Float64Array = new Float64Array(64).fill(Number.NaN);
  #indexInCell: Int32Array = new Int32Array(64);

  /** @param size edge of a cell, world units. */
  constructor(size: number) {
    this.size = size;
  }

  cell(key: number): Cell | undefined {
    return this.#cells.get(key);
  }

  cellKeyOf(slot: number): number {
    return this.#cellOf[slot] ?? Number.NaN;
  }

  /** Puts the object where it is now; the cell if it entered another one. */
  place(slot: number, x: number, y: number): Cell | undefined {
    while (slot >= this.#cellOf.length) this.#grow();
    const key = keyOf(this.#coordinate(x), this.#coordinate(y));
    if (this.#cellOf[slot] === key) return undefined;
    this.remove(slot);
    const cell = this.#cellAt(key);
    this.#cellOf[slot] = key;
    this.#indexInCell[slot] = cell.slots.length;
    cell.slots.push(slot);
    return cell;
  }

  remove(slot: number): void {
    const key = this.cellKeyOf(slot);
    if (Number.isNaN(key)) return;
    const cell = this.#cells.get(key)!;
    const index = this.#indexInCell[slot]!;
    const last = cell.slots.pop()!;
    if (last !== slot) {
      cell.slots[index] = last;
      this.#indexInCell[last] = index;
    }
    this.#cellOf[slot] = Number.NaN;
    this.#dropIfEmpty(key, cell);
  }

  rectAround(x: number, y: number, reach: number): CellRect {
    return {
      left: this.#coordinate(x - reach),
      top: this.#coordinate(y - reach),
      right: this.#coordinate(x + reach),
      bottom: this.#coordinate(y + reach),
    };
  }

  isRectAround(rect: CellRect, x: number, y: number, reach: number): boolean {
    return (
      rect.left === this.#coordinate(x - reach) &&
      rect.top === this.#coordinate(y - reach) &&
      rect.right === this.#coordinate(x + reach) &&
      rect.bottom === this.#coordinate(y + reach)
    );
  }

  *keysIn(rect: CellRect): IterableIterator<number> {
    for (let cx = rect.left; cx <= rect.right; cx++) {
      for (let cy = rect.top; cy <= rect.bottom; cy++) yield keyOf(cx, cy);
    }
  }

  subscribe(key: number, view: number): Cell {
    const cell = this.#cellAt(key);
    cell.views.push(view);
    return cell;
  }

  unsubscribe(key: number, view: number): void {
    const cell = this.#cells.get(key)!;
    cell.views.splice(cell.views.indexOf(view), 1);
    this.#dropIfEmpty(key, cell);
  }

  #coordinate(position: number): number {
    return Math.max(-EDGE, Math.min(EDGE, Math.floor(position / this.size)));
  }

  #cellAt(key: number): Cell {
    let cell = this.#cells.get(key);
    if (cell === undefined) {
      cell = new Cell();
      this.#cells.set(key, cell);
    }
    return cell;
  }

  #dropIfEmpty(key: number, cell: Cell): void {
    if (cell.slots.length === 0 && cell.views.length === 0) this.#cells.delete(key);
  }

  #grow(): void {
    const length = this.#cellOf.length * 2;
    this.#cellOf = grown(new Float64Array(length).fill(Number.NaN), this.#cellOf);
    this.#indexInCell = grown(new Int32Array(length), this.#indexInCell);
  }
}

function keyOf(cx: number, cy: number): number {
  return (cx + EDGE) * (2 * EDGE + 1) + (cy + EDGE);
}
