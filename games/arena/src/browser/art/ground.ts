/**
 * The level as the page draws it: its size, its walls, and which of their edges can be seen.
 *
 * Walls that touch look like one: `edges` are the parts of their sides that no other wall covers.
 */

import { TILES } from "../../levels.ts";
import type { Terrain } from "../../terrain.ts";

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A part of a wall's side, and the direction away from the wall. */
export interface Edge {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  readonly normalX: number;
  readonly normalY: number;
}

/** What a tile is made of. */
export type Stuff = keyof typeof TILES;
const STUFFS: ReadonlyMap<number, Stuff> = new Map(
  Object.entries(TILES).map(([stuff, tile]) => [tile, stuff as Stuff]),
);

/** Walls nearer than this count as touching, world units. */
const TOUCH = 0.01;

export class Ground {
  readonly width: number;
  readonly height: number;
  readonly walls: readonly Rect[];
  readonly edges: readonly Edge[];
  /** Side of a tile, world units, and what the tile at a column and row is made of. */
  readonly tile: number;
  readonly stuffAt: (column: number, row: number) => Stuff;

  constructor(
    width: number,
    height: number,
    walls: readonly Rect[],
    tile = 10,
    stuffAt: (column: number, row: number) => Stuff = () => "floor",
  ) {
    this.width = width;
    this.height = height;
    this.walls = walls;
    this.edges = walls.flatMap((wall) => seenEdges(wall, walls));
    this.tile = tile;
    this.stuffAt = stuffAt;
  }

  static of(terrain: Terrain): Ground {
    const { walls, layers } = terrain.level;
    const rects = Array.from({ length: walls.count }, (_, wall): Rect => {
      const [x, y, right, bottom] = walls.boundsOf(wall);
      return { x, y, width: right - x, height: bottom - y };
    });
    const tiles = layers[0]?.tiles;
    const stuffAt = (column: number, row: number): Stuff =>
      STUFFS.get(tiles?.[row * terrain.columns + column] ?? 0) ?? "floor";
    return new Ground(terrain.width, terrain.height, rects, terrain.tile, stuffAt);
  }

  /** Whether a point lies within a wall or outside the level. */
  isSolid(x: number, y: number): boolean {
    if (x < 0 || y < 0 || x > this.width || y > this.height) return true;
    return this.walls.some((wall) => x > wall.x && x < wall.x + wall.width && y > wall.y && y < wall.y + wall.height);
  }

  /** How far a line gets before it meets a wall, at most `most`. The direction is a unit vector. */
  reach(x: number, y: number, dx: number, dy: number, most: number): number {
    let reach = most;
    for (const wall of this.walls) reach = Math.min(reach, enters(wall, x, y, dx, dy));
    return Math.max(0, reach);
  }
}

/** Whether an edge lies within so many units of an area. */
export function edgeNear(edge: Edge, area: Rect, margin: number): boolean {
  // The first end of an edge is always its left or upper one.
  return (
    edge.x1 <= area.x + area.width + margin &&
    edge.x2 >= area.x - margin &&
    edge.y1 <= area.y + area.height + margin &&
    edge.y2 >= area.y - margin
  );
}

/** Distance at which a ray enters a rectangle; `Infinity` if it does not. */
function enters(wall: Rect, x: number, y: number, dx: number, dy: number): number {
  const [ax, bx] = [(wall.x - x) / dx, (wall.x + wall.width - x) / dx];
  const [ay, by] = [(wall.y - y) / dy, (wall.y + wall.height - y) / dy];
  const enter = Math.max(Math.min(ax, bx), Math.min(ay, by));
  const leave = Math.min(Math.max(ax, bx), Math.max(ay, by));
  return enter <= leave && leave > 0 ? Math.max(0, enter) : Number.POSITIVE_INFINITY;
}

function seenEdges(wall: Rect, walls: readonly Rect[]): Edge[] {
  const { x, y } = wall;
  const [right, bottom] = [x + wall.width, y + wall.height];
  const level = (at: number, normalY: number): Edge[] =>
    uncovered(x, right, walls, (other) =>
      covers(other.y, other.y + other.height, at, normalY) ? [other.x, other.x + other.width] : undefined,
    ).map(([x1, x2]) => ({ x1, y1: at, x2, y2: at, normalX: 0, normalY }));
  const upright = (at: number, normalX: number): Edge[] =>
    uncovered(y, bottom, walls, (other) =>
      covers(other.x, other.x + other.width, at, normalX) ? [other.y, other.y + other.height] : undefined,
    ).map(([y1, y2]) => ({ x1: at, y1, x2: at, y2, normalX, normalY: 0 }));
  return [...level(y, -1), ...level(bottom, 1), ...upright(x, -1), ...upright(right, 1)];
}

/** Whether a wall from `low` to `high` lies right beyond a side at `at` that faces `normal`. */
function covers(low: number, high: number, at: number, normal: number): boolean {
  return normal > 0 ? low <= at + TOUCH && high > at + TOUCH : high >= at - TOUCH && low < at - TOUCH;
}

/** What is left of a stretch when the stretches that `other` names are taken out. */
function uncovered(
  from: number,
  to: number,
  walls: readonly Rect[],
  other: (wall: Rect) => [number, number] | undefined,
): [number, number][] {
  let left: [number, number][] = [[from, to]];
  for (const wall of walls) {
    const cover = other(wall);
    if (!cover) continue;
    const [low, high] = cover;
    left = left.flatMap(([a, b]): [number, number][] =>
      high <= a + TOUCH || low >= b - TOUCH
        ? [[a, b]]
        : [
            ...(low > a + TOUCH ? [[a, low] as [number, number]] : []),
            ...(high < b - TOUCH ? [[high, b] as [number, number]] : []),
          ],
    );
  }
  return left;
}
