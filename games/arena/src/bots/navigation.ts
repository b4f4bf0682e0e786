/**
 * Ways through a level, computed once and shared by all bots. An avatar can stand on every corner of a tile that has no wall at it; each such corner
 * is joined to its eight neighbours. A field holds the distance from every corner to one goal, so a bot finds its way by comparing neighbours. Fields
 * are computed when first needed, and kept.
 *
 * Claim: whoever walks straight from one free corner to a free neighbour touches no wall. A free corner has no solid tile at it, so walls
 * keep a tile's side (10) away from it, and a tile's half diagonal (7.07) from the way to a diagonal neighbour; an avatar's radius is 6.
 */

import type { LevelName } from "../levels.ts";
import type { Spot } from "../state.ts";
import type { Terrain } from "../terrain.ts";

/** Steps of 5 along a side and 7 across: about 1 to the root of 2. */
const SIDE_STEP = 5;
const CROSS_STEP = 7;
export const UNREACHED = 0xffff;

/** Side of a square of `fieldNear`, world units; squares in a row, more than any level has. */
const SQUARE = 80;
const SQUARES = 1000;

/** A field: steps to its goal, by corner. */
export type Field = Uint16Array;

export class Navigation {
  readonly terrain: Terrain;
  /** Corners across. */
  readonly columns: number;
  readonly rows: number;
  readonly #free: Uint8Array;
  readonly #fields = new Map<number, Field>();
  readonly #squares = new Map<number, Field>();
  /** From a corner to its eight neighbours, and what the step costs. */
  readonly #steps: readonly (readonly [offset: number, cost: number])[];

  constructor(terrain: Terrain) {
    this.terrain = terrain;
    this.columns = terrain.columns + 1;
    this.rows = terrain.rows + 1;
    this.#free = this.#freeCorners();
    const { columns } = this;
    this.#steps = [
      [1, SIDE_STEP],
      [-1, SIDE_STEP],
      [columns, SIDE_STEP],
      [-columns, SIDE_STEP],
      [columns + 1, CROSS_STEP],
      [columns - 1, CROSS_STEP],
      [-columns + 1, CROSS_STEP],
      [-columns - 1, CROSS_STEP],
    ];
  }

  /** The free corner nearest to a place, by rings; −1 where there is none close by. */
  cornerAt(x: number, y: number): number {
    const { tile } = this.terrain;
    const column = Math.round(x / tile);
    const row = Math.round(y / tile);
    if (this.#isFree(column, row)) return row * this.columns + column;
    let best = -1;
    let bestDistance = Number.POSITIVE_INFINITY;
    for (let dy = -2; dy <= 2; dy++) {
      for (let dx = -2; dx <= 2; dx++) {
        if (!this.#isFree(column + dx, row + dy)) continue;
        const [awayX, awayY] = [(column + dx) * tile - x, (row + dy) * tile - y];
        const distance = awayX * awayX + awayY * awayY;
        if (distance >= bestDistance) continue;
        best = (row + dy) * this.columns + column + dx;
        bestDistance = distance;
      }
    }
    return best;
  }

  xOf(corner: number): number {
    return (corner % this.columns) * this.terrain.tile;
  }

  yOf(corner: number): number {
    return Math.floor(corner / this.columns) * this.terrain.tile;
  }

  /** The way to a place; undefined where nobody can stand near it. */
  fieldTo({ x, y }: Spot): Field | undefined {
    const goal = this.cornerAt(x, y);
    if (goal < 0) return undefined;
    const known = this.#fields.get(goal);
    if (known !== undefined) return known;
    const field = this.#flood(goal);
    this.#fields.set(goal, field);
    return field;
  }

  /** The way to about a place: fields are shared by all places of a square, so that there are never too many. */
  fieldNear({ x, y }: Spot): Field | undefined {
    const square = Math.floor(y / SQUARE) * SQUARES + Math.floor(x / SQUARE);
    const known = this.#squares.get(square);
    if (known !== undefined) return known;
    const field = this.fieldTo({ x, y });
    if (field !== undefined) this.#squares.set(square, field);
    return field;
  }

  /** World units to the goal, by the way; `Infinity` where there is none. */
  wayLeft(field: Field, x: number, y: number): number {
    const corner = this.cornerAt(x, y);
    const steps = corner < 0 ? UNREACHED : field[corner]!;
    return steps === UNREACHED ? Number.POSITIVE_INFINITY : (steps * this.terrain.tile) / SIDE_STEP;
  }

  /** The corner that lies so many steps further along the way; the goal itself at its end. */
  ahead(field: Field, corner: number, steps: number): number {
    let at = corner;
    for (let step = 0; step < steps; step++) {
      let best = at;
      for (const [offset] of this.#steps) if (field[at + offset]! < field[best]!) best = at + offset;
      if (best === at) return at;
      at = best;
    }
    return at;
  }

  #isFree(column: number, row: number): boolean {
    return (
      column > 0 &&
      row > 0 &&
      column < this.columns - 1 &&
      row < this.rows - 1 &&
      this.#free[row * this.columns + column] === 1
    );
  }

  #freeCorners(): Uint8Array {
    const { terrain, columns, rows } = this;
    const free = new Uint8Array(columns * rows);
    for (let row = 1; row < rows - 1; row++) {
      for (let column = 1; column < columns - 1; column++) {
        const isBlocked =
          terrain.isSolid(column - 1, row - 1) ||
          terrain.isSolid(column, row - 1) ||
          terrain.isSolid(column - 1, row) ||
          terrain.isSolid(column, row);
        if (!isBlocked) free[row * columns + column] = 1;
      }
    }
    return free;
  }

  /** Shortest ways from the goal outward. Costs are small whole numbers, so a ring of buckets is all the queue there is. */
  #flood(goal: number): Field {
    const field = new Uint16Array(this.columns * this.rows).fill(UNREACHED);
    const buckets: number[][] = Array.from({ length: CROSS_STEP + 1 }, () => []);
    field[goal] = 0;
    buckets[0]!.push(goal);
    for (let distance = 0, waiting = 1; waiting > 0; distance++) {
      const bucket = buckets[distance % buckets.length]!;
      waiting -= bucket.length;
      for (const corner of bucket) {
        if (field[corner] !== distance) continue;
        for (const [offset, cost] of this.#steps) {
          const next = corner + offset;
          if (this.#free[next] === 0 || field[next]! <= distance + cost) continue;
          field[next] = distance + cost;
          buckets[(distance + cost) % buckets.length]!.push(next);
          waiting += 1;
        }
      }
      bucket.length = 0;
    }
    return field;
  }
}

/** The navigation of every level that was asked for. Make one for a process and give it to all bots. */
export class Atlas {
  readonly #terrainOf: (name: LevelName) => Terrain;
  readonly #known = new Map<LevelName, Navigation>();

  constructor(terrainOf: (name: LevelName) => Terrain) {
    this.#terrainOf = terrainOf;
  }

  of(name: LevelName): Navigation {
    let navigation = this.#known.get(name);
    if (navigation === undefined) {
      navigation = new Navigation(this.#terrainOf(name));
      this.#known.set(name, navigation);
    }
    return navigation;
  }
}
