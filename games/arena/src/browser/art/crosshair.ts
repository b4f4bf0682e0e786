/** The sight: crosshair, the line the weapon would shoot along, and the marks that tell of hits given and taken. In CSS pixels. */

import { fade, HURT } from "./palette.ts";

const MARK_MS = 260;
const WOUND_MS = 900;

export interface Mark {
  readonly atMs: number;
  readonly killed: boolean;
}

/** A hit taken: the direction it came from, on the screen. */
export interface Wound {
  readonly atMs: number;
  readonly angle: number;
}

export function drawCrosshair(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  spread: number,
  mark: Mark | undefined,
  nowMs: number,
): void {
  const gap = 6 + spread * 7;
  context.lineCap = "round";
  for (const [width, colour] of [
    [4, "rgb(0 0 0 / 0.55)"],
    [2, "rgb(235 245 255 / 0.95)"],
  ] as const) {
    context.lineWidth = width;
    context.strokeStyle = colour;
    context.beginPath();
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ] as const) {
      context.moveTo(x + dx * gap, y + dy * gap);
      context.lineTo(x + dx * (gap + 7), y + dy * (gap + 7));
    }
    context.stroke();
  }
  context.fillStyle = "rgb(235 245 255 / 0.95)";
  context.fillRect(x - 1, y - 1, 2, 2);
  const left = mark ? 1 - (nowMs - mark.atMs) / MARK_MS : 0;
  if (left > 0) drawMark(context, x, y, left, mark!.killed);
}

function drawMark(context: CanvasRenderingContext2D, x: number, y: number, left: number, killed: boolean): void {
  const [inner, outer] = [9 + (1 - left) * 6, 19 + (1 - left) * 8];
  context.globalAlpha = left;
  context.lineWidth = killed ? 4 : 2.5;
  context.strokeStyle = killed ? HURT : "#ffffff";
  context.beginPath();
  for (const [dx, dy] of [
    [0.7, 0.7],
    [-0.7, 0.7],
    [0.7, -0.7],
    [-0.7, -0.7],
  ] as const) {
    context.moveTo(x + dx * inner, y + dy * inner);
    context.lineTo(x + dx * outer, y + dy * outer);
  }
  context.stroke();
  context.globalAlpha = 1;
}

/** Arcs around the own avatar that point to where hits came from. */
export function drawWounds(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  wounds: readonly Wound[],
  nowMs: number,
): void {
  context.lineCap = "round";
  for (const { atMs, angle } of wounds) {
    const left = 1 - (nowMs - atMs) / WOUND_MS;
    if (left <= 0) continue;
    context.strokeStyle = fade(HURT, left * 0.9);
    context.lineWidth = 6 * left + 2;
    context.beginPath();
    context.arc(x, y, 62, angle - 0.32, angle + 0.32);
    context.stroke();
  }
}

/** Where the weapon points: a thin beam that ends at the first wall. */
export function drawBeam(
  context: CanvasRenderingContext2D,
  from: readonly [number, number],
  to: readonly [number, number],
  colour: string,
  strength: number,
): void {
  const beam = context.createLinearGradient(from[0], from[1], to[0], to[1]);
  beam.addColorStop(0, fade(colour, 0));
  beam.addColorStop(0.15, fade(colour, 0.5 * strength));
  beam.addColorStop(1, fade(colour, 0.12 * strength));
  context.strokeStyle = beam;
  context.lineWidth = 1.4;
  context.beginPath();
  context.moveTo(from[0], from[1]);
  context.lineTo(to[0], to[1]);
  context.stroke();
  context.fillStyle = fade(colour, 0.8 * strength);
  context.beginPath();
  context.arc(to[0], to[1], 2.2, 0, 2 * Math.PI);
  context.fill();
}
