/**
 * A level to walk on: its walls as a grid of solid tiles, its places, and how an avatar moves among them. Server, page and bots each make one of the
 * same Tiled map, so that the step function comes to the same result everywhere: sums, products and square roots only.
 *
 * Invariant: after `slide` a circle that began free of walls is free of walls, to a thousandth of a unit.
 */

import { Level, type LevelObject, type WallHit } from "@nearfield/simulation";
import { LEVEL_NAMES, LEVEL_OBJECTS, type LevelName } from "./levels.ts";
import { ITEM_KINDS, type ItemKind, type Spot } from "./state.ts";

export interface ItemSpot extends Spot {
  readonly kind: ItemKind;
}

/** A place where people like to be; `weight` says how much, 1 is usual. */
export interface Interest extends Spot {
  readonly weight: number;
}

/** Longest way in one go: less than a tile, so that nothing jumps over a wall. */
const STRIDE = 4;
/** What of a wall is not felt. */
const TOLERANCE = 0.001;

export class Terrain {
  readonly name: LevelName;
  readonly level: Level;
  /** World units. */
  readonly width: number;
  readonly height: number;
  readonly tile: number;
  readonly columns: number;
  readonly rows: number;
  /** 1 where a tile is solid, row by row. */
  readonly solid: Uint8Array;
  readonly spawns: readonly Spot[];
  readonly items: readonly ItemSpot[];
  readonly interests: readonly Interest[];
  /** Where the last cast ended; casts write it and allocate nothing. */
  readonly #hit: WallHit = { distance: 0, normalX: 0, normalY: 0, wall: -1 };

  /** @param source the text of a `.tmj`, or what `JSON.parse` made of it. Throws `LevelError`. */
  constructor(source: unknown) {
    const level = Level.fromTiled(source);
    this.level = level;
    this.name = nameOf(level);
    this.width = level.width;
    this.height = level.height;
    this.tile = level.tileWidth;
    this.columns = level.width / level.tileWidth;
    this.rows = level.height / level.tileHeight;
    this.solid = solidTiles(level, this.columns * this.rows);
    this.spawns = level.objectsOf(LEVEL_OBJECTS.spawn).map(spotOf);
    this.items = level.objectsOf(LEVEL_OBJECTS.item).map((at) => ({ ...spotOf(at), kind: kindOf(at) }));
    this.interests = level.objectsOf(LEVEL_OBJECTS.interest).map((at) => ({ ...spotOf(at), weight: weightOf(at) }));
  }

  /** Whether there is wall at a tile; beyond the map there is. */
  isSolid(column: number, row: number): boolean {
    if (column < 0 || row < 0 || column >= this.columns || row >= this.rows) return true;
    return this.solid[row * this.columns + column] === 1;
  }

  /** Whether a circle touches no wall. */
  isFree(x: number, y: number, radius: number): boolean {
    const { tile } = this;
    for (let row = Math.floor((y - radius) / tile); row <= Math.floor((y + radius) / tile); row++) {
      for (let column = Math.floor((x - radius) / tile); column <= Math.floor((x + radius) / tile); column++) {
        if (!this.isSolid(column, row)) continue;
        const dx = x - within(x, column * tile, (column + 1) * tile);
        const dy = y - within(y, row * tile, (row + 1) * tile);
        if (dx * dx + dy * dy < radius * radius) return false;
      }
    }
    return true;
  }

  /** Moves a circle by (dx, dy); where walls are in its way, it slides along them. */
  slide(body: { x: number; y: number }, dx: number, dy: number, radius: number): void {
    const way = Math.sqrt(dx * dx + dy * dy);
    const strides = Math.max(1, Math.ceil(way / STRIDE));
    for (let stride = 0; stride < strides; stride++) {
      const { x, y } = body;
      body.x = x + dx / strides;
      body.y = y + dy / strides;
      if (this.isFree(body.x, body.y, radius)) continue;
      this.#pushOut(body, radius);
      // Between two corners there may be no place to be pushed to.
      if (this.isFree(body.x, body.y, radius - TOLERANCE) || !this.isFree(x, y, radius - TOLERANCE)) continue;
      body.x = x;
      body.y = y;
      return;
    }
  }

  /** How far a shot gets, at most `reach`. `dx`, `dy` is a unit vector. */
  reachOf(x: number, y: number, dx: number, dy: number, reach: number): number {
    return this.level.walls.cast(x, y, 0, dx, dy, reach, this.#hit) ? this.#hit.distance : reach;
  }

  /** Whether nothing solid stands between two points; with a radius, whether such a body could go straight from one to the other. */
  sees(fromX: number, fromY: number, toX: number, toY: number, radius = 0): boolean {
    const dx = toX - fromX;
    const dy = toY - fromY;
    const way = Math.sqrt(dx * dx + dy * dy);
    return way < 1 || !this.level.walls.cast(fromX, fromY, radius, dx / way, dy / way, way, this.#hit);
  }

  /** Faces first, then corners: a corner between two tiles of one straight wall must not be felt. */
  #pushOut(body: { x: number; y: number }, radius: number): void {
    const { tile } = this;
    for (let pass = 0; pass < 2; pass++) {
      const lastRow = Math.floor((body.y + radius) / tile);
      const lastColumn = Math.floor((body.x + radius) / tile);
      for (let row = Math.floor((body.y - radius) / tile); row <= lastRow; row++) {
        for (let column = Math.floor((body.x - radius) / tile); column <= lastColumn; column++) {
          if (this.isSolid(column, row)) this.#pushFrom(body, radius, column, row, pass === 1);
        }
      }
    }
  }

  #pushFrom(body: { x: number; y: number }, radius: number, column: number, row: number, corner: boolean): void {
    const { tile } = this;
    const dx = body.x - within(body.x, column * tile, (column + 1) * tile);
    const dy = body.y - within(body.y, row * tile, (row + 1) * tile);
    if (dx !== 0 && dy !== 0) {
      const distance = Math.sqrt(dx * dx + dy * dy);
      if (!corner || distance >= radius) return;
      body.x += (dx / distance) * (radius - distance);
      body.y += (dy / distance) * (radius - distance);
    } else if (corner) return;
    else if (dx === 0 && dy === 0) this.#leaveTile(body, radius, column, row);
    else if (dx !== 0 && Math.abs(dx) < radius) body.x += Math.sign(dx) * radius - dx;
    else if (dy !== 0 && Math.abs(dy) < radius) body.y += Math.sign(dy) * radius - dy;
  }

  /** The centre is in the wall, which a stride cannot do from outside: out by the nearest open side. */
  #leaveTile(body: { x: number; y: number }, radius: number, column: number, row: number): void {
    const { tile } = this;
    const left = body.x - column * tile;
    const top = body.y - row * tile;
    const ways: readonly (readonly [number, number, number])[] = [
      [left, -1, 0],
      [tile - left, 1, 0],
      [top, 0, -1],
      [tile - top, 0, 1],
    ];
    let best: (typeof ways)[number] | undefined;
    for (const way of ways) {
      if (!this.isSolid(column + way[1], row + way[2]) && (best === undefined || way[0] < best[0])) best = way;
    }
    if (best === undefined) return;
    body.x += best[1] * (best[0] + radius);
    body.y += best[2] * (best[0] + radius);
  }
}

function within(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}

function solidTiles(level: Level, count: number): Uint8Array {
  const solid = new Uint8Array(count);
  for (const { tiles } of level.layers) {
    for (let at = 0; at < count; at++) if (level.tileProperties(tiles[at]!).get("solid") === true) solid[at] = 1;
  }
  return solid;
}

function nameOf(level: Level): LevelName {
  const name = level.properties.get("name");
  const known = LEVEL_NAMES.find((candidate) => candidate === name);
  if (known === undefined) throw new RangeError(`the level's name is ${name}, but must be one of ${LEVEL_NAMES}`);
  return known;
}

function spotOf({ x, y }: LevelObject): Spot {
  return { x, y };
}

function kindOf({ id, name }: LevelObject): ItemKind {
  const kind = ITEM_KINDS.find((candidate) => candidate === name);
  if (kind === undefined) throw new RangeError(`item ${id} is called "${name}", but must be one of ${ITEM_KINDS}`);
  return kind;
}

function weightOf({ properties }: LevelObject): number {
  const weight = properties.get("weight");
  return typeof weight === "number" && weight > 0 ? weight : 1;
}
