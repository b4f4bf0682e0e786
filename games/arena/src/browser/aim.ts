/** Computes where the player looks, from mouse, stick or touch; at whom a shot is aimed; and a little help for players who aim with a stick. Pure. */

import { AVATAR_RADIUS, RIFLE } from "../state.ts";
import type { Terrain } from "../terrain.ts";
import { around } from "./art/view-art.ts";
import type { Intent } from "./input/intent.ts";

/** Sticks are coarse: within this angle and distance they look at the nearest opponent in sight. */
const HELP_ANGLE = 0.14;
const HELP_REACH = 380;

export interface Aimed {
  readonly x: number;
  readonly y: number;
}

/** Radians. `own` is the avatar's middle on the screen, CSS pixels. */
export function headingOf(intent: Intent, ownX: number, ownY: number, last: number): number {
  const isPointed = intent.aim === "pointer";
  const dx = isPointed ? intent.aimX - ownX : intent.aimX;
  const dy = isPointed ? intent.aimY - ownY : intent.aimY;
  return Math.hypot(dx, dy) < 0.01 ? last : Math.atan2(dy, dx);
}

/** The heading, drawn to an opponent that is nearly aimed at and can be seen. */
export function helped<T extends Aimed>(
  heading: number,
  own: Aimed,
  opponents: readonly T[],
  terrain: Terrain,
): number {
  let best = HELP_ANGLE;
  let result = heading;
  for (const { x, y } of opponents) {
    const distance = Math.hypot(x - own.x, y - own.y);
    if (distance > HELP_REACH || distance < 1) continue;
    const direction = Math.atan2(y - own.y, x - own.x);
    const off = Math.abs(around(direction - heading));
    if (off >= best || !terrain.sees(own.x, own.y, x, y)) continue;
    best = off;
    result = direction;
  }
  return result;
}

export interface ShotLine<T> {
  readonly toX: number;
  readonly toY: number;
  /** The first opponent on the way; undefined if there is none before the first wall. */
  readonly target: T | undefined;
}

/** What a shot would meet, as it is on the screen now. */
export function shotLine<T extends Aimed>(
  own: Aimed,
  heading: number,
  opponents: readonly T[],
  terrain: Terrain,
): ShotLine<T> {
  const dx = Math.cos(heading);
  const dy = Math.sin(heading);
  let reach = terrain.reachOf(own.x, own.y, dx, dy, RIFLE.reach);
  let target: T | undefined;
  for (const opponent of opponents) {
    const ox = opponent.x - own.x;
    const oy = opponent.y - own.y;
    const along = ox * dx + oy * dy;
    const beside = Math.abs(ox * dy - oy * dx);
    if (along <= 0 || beside >= AVATAR_RADIUS) continue;
    const at = along - Math.sqrt(AVATAR_RADIUS ** 2 - beside ** 2);
    if (at >= reach) continue;
    reach = Math.max(0, at);
    target = opponent;
  }
  return { toX: own.x + dx * reach, toY: own.y + dy * reach, target };
}

/** The opponent nearest to the line of sight. The claim names this opponent, even if the line misses it. */
export function nearestToLine<T extends Aimed>(own: Aimed, heading: number, opponents: readonly T[]): T | undefined {
  let best = 40;
  let nearest: T | undefined;
  const dx = Math.cos(heading);
  const dy = Math.sin(heading);
  for (const opponent of opponents) {
    const ox = opponent.x - own.x;
    const oy = opponent.y - own.y;
    const along = ox * dx + oy * dy;
    const beside = Math.abs(ox * dy - oy * dx);
    if (along <= 0 || along > RIFLE.reach || beside >= best) continue;
    best = beside;
    nearest = opponent;
  }
  return nearest;
}
