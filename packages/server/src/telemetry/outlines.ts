/**
 * What stands in a world and never moves, for people who look at it from above. A game gives it to its room (`room.outlines`); it changes
 * nothing but pictures. Checked when it is given and bounded when it is told: what is beyond the bound is counted, not drawn.
 */

import { ServerError } from "../errors.ts";
import { rounded } from "./drawn.ts";
import type { LevelTell } from "./feed/map.ts";

/** A `Level` is one. */
export interface Outlines {
  /** Rectangles, as smallest x and y, largest x and y. */
  readonly walls?: {
    readonly count: number;
    boundsOf(wall: number): readonly [minX: number, minY: number, maxX: number, maxY: number];
  };
  /** Lines from point to point: x, y, x, y, … of each. One that ends where it began is filled. */
  readonly lines?: readonly (readonly number[])[];
}

export const MOST_WALLS = 5000;
export const MOST_LINE_POINTS = 20_000;

/** Throws `ServerError("bad-option")`, naming the line. */
export function checkOutlines({ lines = [] }: Outlines): void {
  for (const [index, line] of lines.entries()) {
    if (line.length >= 4 && line.length % 2 === 0 && line.every(Number.isFinite)) continue;
    const rule = "must be x and y of two points or more, all finite";
    throw new ServerError("bad-option", `outlines.lines[${index}]: has ${line.length} numbers, but ${rule}`);
  }
}

/** @param level its number in the room's feed */
export function drawnLevel({ walls, lines = [] }: Outlines, room: string, level: number): LevelTell {
  const tell: LevelTell = { tell: "level", room, level, walls: [], lines: [], leftOut: 0 };
  const count = Math.min(MOST_WALLS, walls?.count ?? 0);
  for (let wall = 0; wall < count; wall++) tell.walls.push(...walls!.boundsOf(wall).map(rounded));
  let points = 0;
  for (const line of lines) {
    points += line.length / 2;
    if (points > MOST_LINE_POINTS) break;
    tell.lines.push(line.map(rounded));
  }
  tell.leftOut = (walls?.count ?? 0) - count + lines.length - tell.lines.length;
  return tell;
}
