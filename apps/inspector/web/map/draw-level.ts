/** Draws what stands in the world and never moves: walls and lines, beneath everything else. */

import type { LevelTell } from "../feed-types.ts";
import type { Transform } from "./transform.ts";

const WALL = "#1d2750";
const EDGE = "#3b4a8c";

export function drawLevel(paint: CanvasRenderingContext2D, { walls, lines }: LevelTell, transform: Transform): void {
  const { scale, left, top } = transform;
  paint.fillStyle = WALL;
  paint.strokeStyle = EDGE;
  paint.lineWidth = 1;
  paint.beginPath();
  for (let at = 0; at + 3 < walls.length; at += 4) {
    const [x, y] = [walls[at]! * scale + left, walls[at + 1]! * scale + top];
    // Whole pixels at least, or thin walls vanish when the whole world is in sight.
    paint.rect(
      x,
      y,
      Math.max(1, (walls[at + 2]! - walls[at]!) * scale),
      Math.max(1, (walls[at + 3]! - walls[at + 1]!) * scale),
    );
  }
  paint.fill();
  if (scale > 0.5) paint.stroke();
  for (const line of lines) {
    paint.beginPath();
    for (let at = 0; at + 1 < line.length; at += 2) paint.lineTo(line[at]! * scale + left, line[at + 1]! * scale + top);
    const isClosed = line[0] === line.at(-2) && line[1] === line.at(-1);
    if (isClosed) paint.fill();
    paint.stroke();
  }
}
