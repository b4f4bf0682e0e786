/** The sight: crosshair, the line the weapon would shoot along, and the marks that tell of hits given and taken. In CSS pixels. */

import { fade, HURT } from "./palette.ts";

const BEAM = "#ff5f6d";
const BEAM_END: string = fade(BEAM, 0.8);
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
  const near = 6 + spread * 7;
  const far = near + 7;
  context.lineCap = "round";
  context.beginPath();
  context.moveTo(x + near, y);
  context.lineTo(x + far, y);
  context.moveTo(x - near, y);
  context.lineTo(x - far, y);
  context.moveTo(x, y + near);
  context.lineTo(x, y + far);
  context.moveTo(x, y - near);
  context.lineTo(x, y - far);
  context.lineWidth = 4;
  context.strokeStyle = "rgb(0 0 0 / 0.55)";
  context.stroke();
  context.lineWidth = 2;
  context.strokeStyle = "rgb(235 245 255 / 0.95)";
  context.stroke();
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
  if (wounds.length === 0) return;
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
export class AimBeam {
  /** Along +x, of length 1. */
  readonly #light: CanvasGradient;

  constructor(context: CanvasRenderingContext2D) {
    this.#light = context.createLinearGradient(0, 0, 1, 0);
    this.#light.addColorStop(0, fade(BEAM, 0));
    this.#light.addColorStop(0.15, fade(BEAM, 0.5));
    this.#light.addColorStop(1, fade(BEAM, 0.12));
  }

  /** In CSS pixels, of which one is `ratio` device pixels; the context is turned and set back. The direction is a unit vector. */
  draw(
    context: CanvasRenderingContext2D,
    ratio: number,
    x: number,
    y: number,
    dx: number,
    dy: number,
    length: number,
    strength: number,
  ): void {
    const [along, across] = [ratio * length, ratio * 1.4];
    context.globalAlpha = strength;
    context.fillStyle = this.#light;
    context.setTransform(along * dx, along * dy, -across * dy, across * dx, ratio * x, ratio * y);
    context.fillRect(0, -0.5, 1, 1);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = BEAM_END;
    context.beginPath();
    context.arc(x + dx * length, y + dy * length, 2.2, 0, 2 * Math.PI);
    context.fill();
    context.globalAlpha = 1;
  }
}
