/** The board itself: a dark ground with a grid of dots, and its edge. */

import { BOARD_SIDE } from "../../shared.ts";
import type { Camera } from "../camera.ts";
import { DOTS, EDGE, GROUND } from "../palette.ts";

/** Dots are so far apart, units; and on the screen at least so far, CSS pixels. */
const SPACING = 32;
const LEAST_PIXELS = 18;

export function drawGround(context: CanvasRenderingContext2D, camera: Camera): void {
  context.fillStyle = "#070a15";
  context.fillRect(0, 0, camera.width, camera.height);
  const [left, top] = [camera.screenX(0), camera.screenY(0)];
  const side = BOARD_SIDE * camera.zoom;
  context.fillStyle = GROUND;
  context.fillRect(left, top, side, side);
  drawDots(context, camera);
  context.strokeStyle = EDGE;
  context.lineWidth = 2;
  context.strokeRect(left, top, side, side);
}

function drawDots(context: CanvasRenderingContext2D, camera: Camera): void {
  let spacing = SPACING;
  while (spacing * camera.zoom < LEAST_PIXELS) spacing *= 2;
  const { x, y, width, height } = camera.rectangle;
  const from = (value: number): number => Math.max(0, Math.ceil(value / spacing) * spacing);
  const to = (value: number): number => Math.min(BOARD_SIDE, value);
  const size = Math.max(1, Math.min(2, camera.zoom * 1.6));
  context.fillStyle = DOTS;
  for (let column = from(x - width / 2); column <= to(x + width / 2); column += spacing)
    for (let row = from(y - height / 2); row <= to(y + height / 2); row += spacing)
      context.fillRect(camera.screenX(column) - size / 2, camera.screenY(row) - size / 2, size, size);
}
