/** Strokes that several painters of small pictures use. */

import { DARK } from "./sheet.ts";

export type Context = CanvasRenderingContext2D;

/** A closed shape: x y x y … */
export function shape(context: Context, ...points: readonly number[]): void {
  context.beginPath();
  for (let at = 0; at < points.length; at += 2) context.lineTo(points[at]!, points[at + 1]!);
  context.closePath();
}

/** The same shape twice, above and below the middle line: what units have on both sides. */
export function both(paint: (side: 1 | -1) => void): void {
  paint(1);
  paint(-1);
}

export function disc(context: Context, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
}

export function slab(context: Context, x: number, y: number, width: number, height: number, corner = 0): void {
  context.beginPath();
  context.roundRect(x, y, width, height, corner);
}

/** Fills the current shape; a dark line around it sets it off from the ground. */
export function fill(context: Context, colour: string | CanvasGradient, outline = 0.13): void {
  if (outline > 0) {
    context.strokeStyle = DARK;
    context.lineWidth = outline * 2;
    context.stroke();
  }
  context.fillStyle = colour;
  context.fill();
}

export function line(context: Context, colour: string, width: number, ...points: readonly number[]): void {
  context.beginPath();
  for (let at = 0; at < points.length; at += 2) context.lineTo(points[at]!, points[at + 1]!);
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
}

/** Darker towards the edge: round things. */
export function dome(
  context: Context,
  x: number,
  y: number,
  radius: number,
  light: string,
  shade: string,
): CanvasGradient {
  const gradient = context.createRadialGradient(x - radius * 0.3, y - radius * 0.3, 0, x, y, radius);
  gradient.addColorStop(0, light);
  gradient.addColorStop(1, shade);
  return gradient;
}

/** Lighter on one hand: the ridge of a body that looks along +x. */
export function ridge(context: Context, half: number, light: string, shade: string): CanvasGradient {
  const gradient = context.createLinearGradient(0, -half, 0, half);
  gradient.addColorStop(0, shade);
  gradient.addColorStop(0.5, light);
  gradient.addColorStop(1, shade);
  return gradient;
}
