/** One particle: its record, and how it looks at each age. Many are drawn in each frame, so drawing one allocates nothing. */

import type { Camera } from "../camera.ts";
import { fade, SHOT } from "./palette.ts";
import type { Pen } from "./pen.ts";
import { finished, newPicture, type Picture } from "./picture.ts";

/** World units by which a blow may push what lies beside the screen into sight. */
const SHAKEN = 30;

/** How a particle is drawn: soft dots, a ring that grows, or a streak along its flight. */
type Kind = "light" | "smoke" | "ring" | "streak" | "beam";

export interface Particle {
  alive: boolean;
  kind: Kind;
  picture: Picture;
  bornMs: number;
  lifeMs: number;
  x: number;
  y: number;
  vx: number;
  vy: number;
  /** Size at birth and at the end, world units; a beam's length and thickness. */
  from: number;
  to: number;
  strength: number;
}

/** Nothing is drawn of what is not on the screen. The pen may be left turned. */
export function drawParticle(pen: Pen, camera: Camera, particle: Particle, nowMs: number): void {
  if (particle.kind === "beam") drawBeam(pen, camera, particle, nowMs);
  else if (particle.kind === "streak") drawStreak(pen, camera, particle, nowMs);
  else drawPuff(pen, camera, particle, nowMs);
}

function progressOf({ bornMs, lifeMs }: Particle, nowMs: number): number {
  return Math.max(0, (nowMs - bornMs) / lifeMs);
}

/** Soft dots and rings, which slow down as they go. */
function drawPuff(pen: Pen, camera: Camera, particle: Particle, nowMs: number): void {
  const { context } = pen;
  const { from, to, lifeMs } = particle;
  const progress = progressOf(particle, nowMs);
  const size = from + (to - from) * progress;
  const seconds = ((1 - Math.exp(-3 * progress)) * lifeMs) / 3000;
  const x = particle.x + particle.vx * seconds;
  const y = particle.y + particle.vy * seconds;
  if (!camera.sees(x, y, size / 2 + SHAKEN)) return;
  const opacity = particle.strength * (1 - progress);
  context.globalAlpha = particle.kind === "smoke" ? opacity * Math.min(1, progress * 6) : opacity;
  pen.level();
  context.drawImage(particle.picture, x - size / 2, y - size / 2, size, size);
}

/** A spark that is drawn out along its flight. */
function drawStreak(pen: Pen, camera: Camera, particle: Particle, nowMs: number): void {
  const { context } = pen;
  const { x, y, vx, vy, from, to } = particle;
  const progress = progressOf(particle, nowMs);
  const size = from + (to - from) * progress;
  const speed = Math.sqrt(vx * vx + vy * vy) || 1;
  const cos = vx / speed;
  const sin = vy / speed;
  const way = ((1 - (1 - progress) * (1 - progress)) * speed * particle.lifeMs) / 1600;
  if (!camera.sees(x + cos * way, y + sin * way, size * 3.5 + SHAKEN)) return;
  context.globalAlpha = particle.strength * (1 - progress);
  pen.turn(x + cos * way, y + sin * way, cos, sin);
  context.drawImage(particle.picture, -size * 3.5, -size, size * 7, 2 * size);
}

/** The way of a bullet: its velocity is the way itself. */
function drawBeam(pen: Pen, camera: Camera, particle: Particle, nowMs: number): void {
  const { context } = pen;
  const { x, y, vx, vy, from, to } = particle;
  const progress = progressOf(particle, nowMs);
  const size = from + (to - from) * progress;
  const length = Math.sqrt(vx * vx + vy * vy) || 1;
  if (!camera.sees(x + vx / 2, y + vy / 2, length / 2 + SHAKEN)) return;
  context.globalAlpha = particle.strength * (1 - progress);
  pen.turn(x, y, vx / length, vy / length);
  context.drawImage(particle.picture, 0, -size, length, 2 * size);
}

export function paintBeam(): Picture {
  const context = newPicture(128, 16);
  const along = context.createLinearGradient(0, 0, 128, 0);
  along.addColorStop(0, fade(SHOT, 0));
  along.addColorStop(0.25, fade(SHOT, 0.35));
  along.addColorStop(1, fade(SHOT, 1));
  for (const [half, strength] of [
    [8, 0.16],
    [4, 0.35],
    [1.6, 1],
  ] as const) {
    context.globalAlpha = strength;
    context.fillStyle = along;
    context.fillRect(0, 8 - half, 128, 2 * half);
  }
  return finished(context);
}

export function paintRing(colour: string): Picture {
  const context = newPicture(128);
  const light = context.createRadialGradient(64, 64, 30, 64, 64, 63);
  light.addColorStop(0, fade(colour, 0));
  light.addColorStop(0.75, fade(colour, 0.35));
  light.addColorStop(0.9, colour);
  light.addColorStop(1, fade(colour, 0));
  context.fillStyle = light;
  context.fillRect(0, 0, 128, 128);
  return finished(context);
}
