/** Draws the fixed things of a world. Bounded: what is beyond the bound is counted, not drawn. */

import type { Outlines } from "@nearfield/server/internal";
import { rounded } from "./drawn.ts";
import type { LevelTell } from "./feed/map.ts";

const MOST_WALLS = 5000;
const MOST_LINE_POINTS = 20_000;

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
