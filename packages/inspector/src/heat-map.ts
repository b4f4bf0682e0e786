/**
 * Where the objects of one type have been: how often each cell of a grid was occupied. Bounded to 64 × 64 cells, whatever the world's size.
 * If positions have no limits, the grid starts around the origin. When an object leaves it, the cells grow to twice their size, and the
 * counts are kept.
 */

import type { World } from "@nearfield/core";
import { extentOf } from "./extent.ts";
import type { HeatTell } from "./feed/map.ts";

const MOST_CELLS = 64;
const FIRST_REACH = 64;
/** The grid grows no further than this. Objects that are farther away count at the edge. */
const MOST_REACH = 2 ** 40;
/** If more objects than this were counted since a page was told, it is told everything. */
const LEAST_LAST = 1024;
/** Where so many are kept, the older half goes: a page that was told of late is not told everything. */
const MOST_LAST: number = 2 * LEAST_LAST;

export class HeatMap {
  readonly #typeIndex: number;
  readonly #columns: number;
  readonly #rows: number;
  readonly #hasEnds: boolean;
  #x: [number, number];
  #y: [number, number];
  #counts: Uint32Array;
  /** The largest of the counts: to look for it in all cells takes longer than all else of a whole text. */
  #most = 0;
  #samples = 0;
  /** The last cells in which an object was counted; and how many were counted before those. */
  readonly #last: number[] = [];
  #before = 0;

  constructor(world: World, typeIndex: number) {
    this.#typeIndex = typeIndex;
    const [x, y] = extentOf(world.store.tables[typeIndex]!.type);
    this.#hasEnds = isRange(x) && isRange(y);
    this.#x = this.#hasEnds ? x! : [-FIRST_REACH, FIRST_REACH];
    this.#y = this.#hasEnds ? y! : [-FIRST_REACH, FIRST_REACH];
    const [width, height] = [this.#x[1] - this.#x[0], this.#y[1] - this.#y[0]];
    const cell = Math.max(width, height) / MOST_CELLS;
    this.#columns = Math.max(1, Math.round(width / cell));
    this.#rows = Math.max(1, Math.round(height / cell));
    this.#counts = new Uint32Array(this.#columns * this.#rows);
  }

  /** Ends one sample of the world: all objects of the type have been counted. */
  endSample(): void {
    this.#samples += 1;
  }

  clear(): void {
    this.#counts.fill(0);
    this.#most = 0;
    this.#samples = 0;
    this.#tellWhole();
  }

  /** Grows with every object that is counted. */
  get counted(): number {
    return this.#before + this.#last.length;
  }

  /**
   * The heat map as text: whole, or only the cells in which objects were counted since.
   *
   * @param told `counted` when the page was last told; −1: it was told nothing yet.
   */
  text(room: string, told: number): string {
    if (told < this.#before) return JSON.stringify(this.tell(room));
    const cells = JSON.stringify(this.#last.slice(told - this.#before));
    return `{"tell":"heat","room":${JSON.stringify(room)},"samples":${this.#samples},"cells":${cells}}`;
  }

  tell(room: string): HeatTell {
    return {
      tell: "heat",
      room,
      type: this.#typeIndex,
      columns: this.#columns,
      rows: this.#rows,
      x: [...this.#x],
      y: [...this.#y],
      counts: [...this.#counts],
      samples: this.#samples,
      most: this.#most,
    };
  }

  /** Counts an object of the type at this place. */
  count(x: number, y: number): void {
    while (!this.#hasEnds && this.#x[1] < MOST_REACH && Math.max(Math.abs(x), Math.abs(y)) > this.#x[1]) this.#grow();
    const column = cellOf(x, this.#x, this.#columns);
    const row = cellOf(y, this.#y, this.#rows);
    const cell = row * this.#columns + column;
    const count = this.#counts[cell]! + 1;
    this.#counts[cell] = count;
    if (count > this.#most) this.#most = count;
    if (this.#last.length === MOST_LAST) {
      this.#last.splice(0, LEAST_LAST);
      this.#before += LEAST_LAST;
    }
    this.#last.push(cell);
  }

  /** Doubles the reach in each direction: four cells become one, in the middle of the new grid. */
  #grow(): void {
    const counts = new Uint32Array(this.#counts.length);
    for (let row = 0; row < this.#rows; row++) {
      for (let column = 0; column < this.#columns; column++) {
        const to = (this.#rows / 4 + (row >> 1)) * this.#columns + this.#columns / 4 + (column >> 1);
        counts[to]! += this.#counts[row * this.#columns + column]!;
        this.#most = Math.max(this.#most, counts[to]!);
      }
    }
    this.#counts = counts;
    this.#x = [2 * this.#x[0], 2 * this.#x[1]];
    this.#y = [2 * this.#y[0], 2 * this.#y[1]];
    this.#tellWhole();
  }

  /** Whoever was told before is told everything the next time. */
  #tellWhole(): void {
    this.#before += this.#last.length + 1;
    this.#last.length = 0;
  }
}

function isRange(range: [number, number] | null | undefined): boolean {
  return range !== null && range !== undefined && range[1] > range[0];
}

function cellOf(at: number, [least, most]: readonly [number, number], cells: number): number {
  return Math.min(cells - 1, Math.max(0, Math.floor(((at - least) / (most - least)) * cells)));
}
