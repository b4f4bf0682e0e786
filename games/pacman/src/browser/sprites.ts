/** Players, ghosts, dots and pellets. Each function draws one thing around (0, 0) in units of a tile; the caller has moved and scaled the context. */

import { DX, DY, type Heading } from "../maze.ts";
import { BLINKING, DOT, FRIGHTENED, GHOST_COLOURS } from "../palette.ts";
import type { GhostKind } from "../state.ts";

/** Side of a prepared glow, pixels. */
const GLOW_SIDE = 96;

/** Soft light behind a thing. Prepared once per colour: a shadow drawn every frame costs more than all else together. */
export class Glow {
  readonly #pictures = new Map<string, HTMLCanvasElement>();

  /** Draws light around (0, 0), reaching `radius` tiles. */
  draw(context: CanvasRenderingContext2D, colour: string, radius: number): void {
    context.drawImage(this.#picture(colour), -radius, -radius, 2 * radius, 2 * radius);
  }

  #picture(colour: string): HTMLCanvasElement {
    const kept = this.#pictures.get(colour);
    if (kept) return kept;
    const picture = document.createElement("canvas");
    picture.width = picture.height = GLOW_SIDE;
    const context = picture.getContext("2d")!;
    const light = context.createRadialGradient(
      GLOW_SIDE / 2,
      GLOW_SIDE / 2,
      0,
      GLOW_SIDE / 2,
      GLOW_SIDE / 2,
      GLOW_SIDE / 2,
    );
    light.addColorStop(0, colour);
    light.addColorStop(0.5, `color-mix(in srgb, ${colour} 38%, transparent)`);
    light.addColorStop(1, `color-mix(in srgb, ${colour} 0%, transparent)`);
    context.fillStyle = light;
    context.fillRect(0, 0, GLOW_SIDE, GLOW_SIDE);
    this.#pictures.set(colour, picture);
    return picture;
  }
}

const TURN: readonly [number, number, number, number] = [-Math.PI / 2, 0, Math.PI / 2, Math.PI];

export interface PacLook {
  readonly colour: string;
  readonly heading: Heading;
  /** 0 shut – 1 wide open. */
  readonly mouth: number;
  readonly powered: boolean;
  /** Seconds, for pulses. */
  readonly beat: number;
}

export function drawPac(context: CanvasRenderingContext2D, look: PacLook, glow: Glow): void {
  const radius = look.powered ? 0.6 + 0.03 * Math.sin(look.beat * 14) : 0.54;
  if (look.powered) drawAura(context, look.colour, radius, look.beat);
  const opening = 0.06 + 0.72 * look.mouth;
  const turn = TURN[look.heading];
  glow.draw(context, look.colour, 1.6 * radius);
  context.fillStyle = bodyOf(context, look.colour, radius);
  context.beginPath();
  context.moveTo(-0.12 * DX[look.heading] * radius, -0.12 * DY[look.heading] * radius);
  context.arc(0, 0, radius, turn + opening, turn - opening + 2 * Math.PI);
  context.closePath();
  context.fill();
  drawEye(context, look.heading, radius);
}

function bodyOf(context: CanvasRenderingContext2D, colour: string, radius: number): CanvasGradient {
  const body = context.createRadialGradient(-0.2 * radius, -0.3 * radius, 0.1 * radius, 0, 0, radius);
  body.addColorStop(0, "#fffbe6");
  body.addColorStop(0.35, colour);
  body.addColorStop(1, colour);
  return body;
}

function drawEye(context: CanvasRenderingContext2D, heading: Heading, radius: number): void {
  const sideways = heading === 1 || heading === 3;
  const x = sideways ? 0.12 * DX[heading] : 0.55;
  const y = sideways ? -0.52 : 0.05 * DY[heading];
  context.fillStyle = "#1a1420";
  context.beginPath();
  context.arc(x * radius, y * radius, 0.13 * radius, 0, 2 * Math.PI);
  context.fill();
}

function drawAura(context: CanvasRenderingContext2D, colour: string, radius: number, beat: number): void {
  const alpha = context.globalAlpha;
  context.strokeStyle = colour;
  context.lineWidth = 0.05;
  for (let ring = 0; ring < 2; ring++) {
    const phase = (beat * 1.6 + ring / 2) % 1;
    context.globalAlpha = alpha * (1 - phase) * 0.8;
    context.beginPath();
    context.arc(0, 0, radius + phase * 0.5, 0, 2 * Math.PI);
    context.stroke();
  }
  context.globalAlpha = alpha;
}

/** The arcade's end: the mouth opens until nothing is left. `progress` 0–1. */
export function drawDyingPac(context: CanvasRenderingContext2D, colour: string, progress: number): void {
  const opening = Math.PI * Math.min(1, progress * 1.15);
  if (opening >= Math.PI) return;
  context.fillStyle = bodyOf(context, colour, 0.54);
  context.beginPath();
  context.moveTo(0, 0.2 * progress);
  context.arc(0, 0, 0.54, -Math.PI / 2 + opening, -Math.PI / 2 - opening + 2 * Math.PI);
  context.closePath();
  context.fill();
}

export interface GhostLook {
  readonly kind: GhostKind;
  readonly mood: "pen" | "calm" | "frightened" | "blinking" | "eyes";
  readonly heading: Heading;
  /** Seconds, for the skirt. */
  readonly beat: number;
}

export function drawGhost(context: CanvasRenderingContext2D, look: GhostLook, glow: Glow): void {
  if (look.mood === "eyes") {
    drawGhostEyes(context, look.heading);
    return;
  }
  const scared = look.mood === "frightened" || look.mood === "blinking";
  const flash = look.mood === "blinking" && look.beat % 0.4 < 0.2;
  const colour = scared ? (flash ? BLINKING : FRIGHTENED) : GHOST_COLOURS[look.kind];
  glow.draw(context, colour, 0.95);
  context.fillStyle = colour;
  drawShroud(context, look.beat);
  context.fillStyle = "rgb(255 255 255 / 0.18)";
  context.beginPath();
  context.ellipse(-0.17, -0.38, 0.17, 0.09, -0.5, 0, 2 * Math.PI);
  context.fill();
  if (scared) drawScaredFace(context, flash ? "#ff4b5c" : "#ffd9b8");
  else drawGhostEyes(context, look.heading);
}

function drawShroud(context: CanvasRenderingContext2D, beat: number): void {
  const [half, foot] = [0.52, 0.54];
  context.beginPath();
  context.arc(0, -0.04, half, Math.PI, 0);
  context.lineTo(half, foot - 0.1);
  const waves = 3;
  const sway = Math.sin(beat * 11) * 0.05;
  for (let wave = 0; wave < waves; wave++) {
    const from = half - (2 * half * wave) / waves;
    const to = half - (2 * half * (wave + 1)) / waves;
    context.quadraticCurveTo(from - half / waves / 2, foot + 0.12 + sway, (from + to) / 2, foot - 0.08 - sway);
    context.quadraticCurveTo(
      to + half / waves / 2,
      foot - 0.2 + sway,
      to,
      foot - 0.02 + sway * (wave % 2 === 0 ? 1 : -1),
    );
  }
  context.closePath();
  context.fill();
}

function drawGhostEyes(context: CanvasRenderingContext2D, heading: Heading): void {
  for (const side of [-1, 1]) {
    const [x, y] = [side * 0.2 + DX[heading] * 0.06, -0.12 + DY[heading] * 0.06];
    context.fillStyle = "#fff";
    context.beginPath();
    context.ellipse(x, y, 0.15, 0.19, 0, 0, 2 * Math.PI);
    context.fill();
    context.fillStyle = "#1c2cd8";
    context.beginPath();
    context.arc(x + DX[heading] * 0.07, y + DY[heading] * 0.1, 0.085, 0, 2 * Math.PI);
    context.fill();
  }
}

function drawScaredFace(context: CanvasRenderingContext2D, colour: string): void {
  context.fillStyle = colour;
  for (const side of [-1, 1]) {
    context.beginPath();
    context.arc(side * 0.18, -0.14, 0.075, 0, 2 * Math.PI);
    context.fill();
  }
  context.strokeStyle = colour;
  context.lineWidth = 0.06;
  context.lineJoin = "round";
  context.beginPath();
  context.moveTo(-0.3, 0.22);
  for (let tooth = 1; tooth <= 6; tooth++) context.lineTo(-0.3 + tooth * 0.1, tooth % 2 === 1 ? 0.12 : 0.22);
  context.stroke();
}

/** A dot as a picture of `side` pixels: hundreds are drawn every frame, and copying is cheaper than filling circles. */
export function dotPicture(side: number): HTMLCanvasElement {
  const picture = document.createElement("canvas");
  picture.width = picture.height = side;
  const context = picture.getContext("2d")!;
  context.fillStyle = DOT;
  context.beginPath();
  context.arc(side / 2, side / 2, side / 2 - 0.5, 0, 2 * Math.PI);
  context.fill();
  return picture;
}

/** Tiles across a dot. */
export const DOT_SIZE = 0.22;

export function drawPellet(context: CanvasRenderingContext2D, x: number, y: number, beat: number, glow: Glow): void {
  const radius = 0.3 + 0.05 * Math.sin(beat * 6);
  context.save();
  context.translate(x, y);
  glow.draw(context, DOT, 2.1 * radius);
  context.restore();
  context.fillStyle = DOT;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}
