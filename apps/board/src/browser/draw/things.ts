/** Strokes and notes. The context is scaled to board units. */

import { GROUND, INK, ON_PAPER, PAPER } from "../palette.ts";
import type { ShownNote, ShownStroke } from "../thing.ts";
import { fontOf, type Lines, PADDING } from "./lay-out.ts";

/** Radius of a note's corners, as a share of its side. */
const CORNER = 0.03;

export function drawStroke(context: CanvasRenderingContext2D, stroke: ShownStroke): void {
  context.save();
  context.translate(stroke.x, stroke.y);
  context.strokeStyle = INK[stroke.colour] ?? INK[0];
  context.lineWidth = stroke.width;
  context.stroke(stroke.path);
  context.restore();
}

/** @param alpha how pale it is; paper hides what lies below it all the same. */
export function drawNote(context: CanvasRenderingContext2D, note: ShownNote, alpha: number): void {
  const { x, y, width, lines, colour } = note;
  if (note.plain) {
    context.globalAlpha = alpha;
    drawPlain(context, x, y, lines, colour);
    context.globalAlpha = 1;
    return;
  }
  drawPaper(context, x, y, width, lines, colour);
  if (alpha === 1) return;
  context.globalAlpha = 1 - alpha;
  context.fillStyle = GROUND;
  context.beginPath();
  context.roundRect(x, y, width, width, width * CORNER);
  context.fill();
  context.globalAlpha = 1;
}

export function drawPaper(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  side: number,
  lines: Lines,
  colour: number,
): void {
  const radius = side * CORNER;
  context.save();
  context.translate(x, y);
  context.fillStyle = "rgb(0 0 0 / 0.28)";
  context.beginPath();
  context.roundRect(side * 0.01, side * 0.025, side, side, radius);
  context.fill();
  context.fillStyle = PAPER[colour] ?? PAPER[1];
  context.beginPath();
  context.roundRect(0, 0, side, side, radius);
  context.fill();
  // The upper edge, where it sticks, is a little darker.
  context.fillStyle = "rgb(20 24 60 / 0.06)";
  context.fillRect(0, 0, side, side * 0.05);
  context.fillStyle = ON_PAPER;
  write(context, lines, side * PADDING, side * PADDING);
  context.restore();
}

export function drawPlain(context: CanvasRenderingContext2D, x: number, y: number, lines: Lines, colour: number): void {
  context.save();
  context.translate(x, y);
  context.fillStyle = INK[colour] ?? INK[0];
  write(context, lines, 0, 0);
  context.restore();
}

function write(
  context: CanvasRenderingContext2D,
  { lines, fontSize, lineHeight }: Lines,
  left: number,
  top: number,
): void {
  context.font = fontOf(fontSize);
  context.textBaseline = "middle";
  for (const [row, line] of lines.entries()) context.fillText(line, left, top + (row + 0.5) * lineHeight);
}
