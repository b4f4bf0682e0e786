/**
 * The ground of a match: heights at the corners of tiles, and which tiles can be walked. Made from a seed, a map name and a number of sides, to the same
 * bits on every machine, so it never travels.
 */

import { FEWEST_SIDES, type MapName, MOST_SIDES, TILE, WATER_HEIGHT } from "../state.ts";
import { Heights } from "./heights.ts";
import { layOut, type OrePatch, type Spot } from "./layout.ts";
import { fairReach } from "./reach.ts";

/** Largest rise of the ground, over the length of a tile, that can be walked. */
const STEEPEST = 9;

export interface TerrainOptions {
  readonly seed: number;
  readonly map: MapName;
  /** 2 to 8. */
  readonly sides: number;
}

export class Terrain {
  readonly map: MapName;
  /** Length of each side, in world units, and in tiles. */
  readonly size: number;
  readonly tiles: number;
  /** One start place for each side. */
  readonly starts: readonly Spot[];
  readonly ore: readonly OrePatch[];
  /** Heights at the corners of tiles, row by row: `tiles + 1` in a row. */
  readonly corners: Float32Array;
  /** By tile: 1 = can be walked, and a way leads there from every start. */
  readonly walkable: Uint8Array;

  constructor({ seed, map, sides }: TerrainOptions) {
    if (!Number.isInteger(sides) || sides < FEWEST_SIDES || sides > MOST_SIDES) {
      throw new RangeError(`sides must be a whole number from ${FEWEST_SIDES} to ${MOST_SIDES}, got ${sides}`);
    }
    const layout = layOut(seed, map, sides);
    this.map = map;
    this.size = layout.size;
    this.tiles = layout.size / TILE;
    this.starts = layout.starts;
    this.ore = layout.ore;
    const across = this.tiles + 1;
    this.corners = new Float32Array(across * across);
    const heights = new Heights(seed, layout);
    for (let row = 0; row < across; row++) {
      for (let column = 0; column < across; column++) {
        this.corners[row * across + column] = heights.at(column * TILE, row * TILE);
      }
    }
    const first = this.tileAt(this.starts[0]!.x, this.starts[0]!.y);
    this.walkable = fairReach({ tiles: this.tiles, sides, first, isLevel: (tile) => this.#isLevel(tile) });
  }

  /** The tile around a point; points outside the map count as on its edge. */
  tileAt(x: number, y: number): number {
    return within(Math.floor(y / TILE), this.tiles) * this.tiles + within(Math.floor(x / TILE), this.tiles);
  }

  isInside(x: number, y: number): boolean {
    return x >= 0 && y >= 0 && x < this.size && y < this.size;
  }

  /** Height of the ground at a point, blended between the corners of its tile; water is as high as its bed. */
  heightAt(x: number, y: number): number {
    const column = within(Math.floor(x / TILE), this.tiles);
    const row = within(Math.floor(y / TILE), this.tiles);
    const across = this.tiles + 1;
    const at = row * across + column;
    const { corners } = this;
    const u = Math.min(1, Math.max(0, x / TILE - column));
    const v = Math.min(1, Math.max(0, y / TILE - row));
    const above = corners[at]! * (1 - u) + corners[at + 1]! * u;
    const below = corners[at + across]! * (1 - u) + corners[at + across + 1]! * u;
    return above * (1 - v) + below * v;
  }

  /** Mean height of a tile. */
  tileHeight(tile: number): number {
    const at = this.#cornerOf(tile);
    const { corners } = this;
    return (corners[at]! + corners[at + 1]! + corners[at + this.tiles + 1]! + corners[at + this.tiles + 2]!) / 4;
  }

  isWater(tile: number): boolean {
    return this.tileHeight(tile) < WATER_HEIGHT;
  }

  #isLevel(tile: number): boolean {
    const at = this.#cornerOf(tile);
    const { corners } = this;
    const [a, b] = [corners[at]!, corners[at + 1]!];
    const [c, d] = [corners[at + this.tiles + 1]!, corners[at + this.tiles + 2]!];
    // The rise in the steepest direction: it is the same however the slope lies on the grid.
    const [riseX, riseY] = [(b + d - a - c) / 2, (c + d - a - b) / 2];
    return !this.isWater(tile) && riseX * riseX + riseY * riseY <= STEEPEST * STEEPEST;
  }

  #cornerOf(tile: number): number {
    const column = tile % this.tiles;
    return ((tile - column) / this.tiles) * (this.tiles + 1) + column;
  }
}

function within(index: number, count: number): number {
  return index > 0 ? Math.min(index, count - 1) : 0;
}
