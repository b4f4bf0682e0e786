/**
 * Which tiles can be walked now: those of the terrain, less those under buildings. Every change raises `version`, so that who remembers ways knows when
 * they are old.
 */

import { TILE } from "../state.ts";
import type { Terrain } from "../terrain/terrain.ts";

/** Cost of a straight and of a diagonal step between tiles of the same height. */
export const STRAIGHT = 10;
const DIAGONAL = 14;
/** What each unit of height that a step climbs adds to its cost. */
const CLIMB = 1;
/** Most that a climb can add. */
const MOST_CLIMB = 24;
/** No step between two tiles costs more. */
export const MOST_STEP_COST: number = DIAGONAL + MOST_CLIMB;

/** Steps to the eight neighbours, by direction: four straight ones, then four diagonal ones. The opposite of direction d is d ^ 1. */
const STEP_X = Int8Array.of(1, -1, 0, 0, 1, -1, 1, -1);
const STEP_Y = Int8Array.of(0, 0, 1, -1, 1, -1, -1, 1);

export class Ground {
  readonly terrain: Terrain;
  readonly tiles: number;
  /** By tile: 1 = can be walked. */
  readonly open: Uint8Array;
  /** By tile: which building stands on it, as a slot + 1; 0 = none. */
  readonly occupant: Uint32Array;
  /** By tile, in whole units. */
  readonly #heights: Uint8Array;
  /** What leads from a tile to its neighbour in each direction. */
  readonly offsets: Int32Array;
  version = 1;

  constructor(terrain: Terrain) {
    this.terrain = terrain;
    this.tiles = terrain.tiles;
    this.open = terrain.walkable.slice();
    this.#closeBorder();
    this.offsets = Int32Array.from(STEP_X, (step, direction) => step + STEP_Y[direction]! * this.tiles);
    this.occupant = new Uint32Array(this.open.length);
    this.#heights = Uint8Array.from(this.open, (_, tile) => Math.round(terrain.tileHeight(tile)));
  }

  middleX(tile: number): number {
    return ((tile % this.tiles) + 0.5) * TILE;
  }

  middleY(tile: number): number {
    return (Math.floor(tile / this.tiles) + 0.5) * TILE;
  }

  isOpenAt(x: number, y: number): boolean {
    return this.open[this.terrain.tileAt(x, y)] === 1;
  }

  /** Cost of the step from one tile to its neighbour. */
  stepCost(from: number, to: number, direction: number): number {
    return (direction < 4 ? STRAIGHT : DIAGONAL) + this.climb(from, to);
  }

  /** What the rise between two tiles adds to the cost of a step; downhill nothing. */
  climb(from: number, to: number): number {
    return Math.min(MOST_CLIMB, Math.max(0, this.#heights[to]! - this.#heights[from]!) * CLIMB);
  }

  /** The neighbour of an open tile in a direction. */
  neighbour(tile: number, direction: number): number {
    return tile + this.offsets[direction]!;
  }

  /** Nobody walks on the outermost tiles, so an open tile has eight neighbours, and searches need not look for the map's edge. */
  #closeBorder(): void {
    const last = this.tiles - 1;
    for (let at = 0; at < this.tiles; at++) {
      for (const tile of [at, last * this.tiles + at, at * this.tiles, at * this.tiles + last]) this.open[tile] = 0;
    }
  }

  /** Whether nothing cuts the corners of a diagonal step. */
  isCornerFree(tile: number, direction: number): boolean {
    if (direction < 4) return true;
    return this.open[tile + STEP_X[direction]!] === 1 && this.open[tile + STEP_Y[direction]! * this.tiles] === 1;
  }

  /** Tiles under a building of so many tiles along each edge, with (x, y) in its middle; `undefined` where it would reach the map's border. */
  footprint(x: number, y: number, edge: number): number[] | undefined {
    const left = Math.round(x / TILE - edge / 2);
    const top = Math.round(y / TILE - edge / 2);
    if (left < 1 || top < 1 || left + edge >= this.tiles || top + edge >= this.tiles) return undefined;
    const found: number[] = [];
    for (let row = top; row < top + edge; row++) {
      for (let column = left; column < left + edge; column++) found.push(row * this.tiles + column);
    }
    return found;
  }

  occupy(footprint: readonly number[], building: number): void {
    for (const tile of footprint) {
      this.open[tile] = 0;
      this.occupant[tile] = building + 1;
    }
    this.version += 1;
  }

  release(footprint: readonly number[]): void {
    for (const tile of footprint) {
      this.open[tile] = this.terrain.walkable[tile]!;
      this.occupant[tile] = 0;
    }
    this.version += 1;
  }

  /** The open tile that is nearest to a tile, looked for ring by ring; −1 if none is within reach. */
  nearestOpen(tile: number, mostRings = 24): number {
    if (this.open[tile] === 1) return tile;
    const column = tile % this.tiles;
    const row = (tile - column) / this.tiles;
    for (let ring = 1; ring <= mostRings; ring++) {
      const found = this.#nearestOnRing(column, row, ring);
      if (found >= 0) return found;
    }
    return -1;
  }

  #nearestOnRing(column: number, row: number, ring: number): number {
    let best = -1;
    let bestSquare = Number.POSITIVE_INFINITY;
    for (let dy = -ring; dy <= ring; dy++) {
      const step = Math.abs(dy) === ring ? 1 : 2 * ring;
      for (let dx = -ring; dx <= ring; dx += step) {
        const [x, y] = [column + dx, row + dy];
        if (x < 0 || y < 0 || x >= this.tiles || y >= this.tiles) continue;
        const square = dx * dx + dy * dy;
        if (square >= bestSquare || this.open[y * this.tiles + x] !== 1) continue;
        best = y * this.tiles + x;
        bestSquare = square;
      }
    }
    return best;
  }

  /** Whether a straight walk leads over open tiles only. Looked at every half tile. */
  isClear(fromX: number, fromY: number, toX: number, toY: number): boolean {
    const [dx, dy] = [toX - fromX, toY - fromY];
    const steps = Math.ceil(Math.sqrt(dx * dx + dy * dy) / (TILE / 2));
    for (let step = 1; step <= steps; step++) {
      if (!this.isOpenAt(fromX + (dx * step) / steps, fromY + (dy * step) / steps)) return false;
    }
    return true;
  }
}
