/** How heroes, bolts and beasts move and meet: pure functions of one or two objects, so that it does not matter which server steps them. */

import { COUNTRY } from "./shared.ts";

export interface Placed {
  x: number;
  y: number;
}

export interface Moving extends Placed {
  vx: number;
  vy: number;
}

export interface Flying extends Moving {
  readonly fromX: number;
  readonly fromY: number;
}

/** Units per second. */
export const HERO_SPEED = 170;
export const BOLT_SPEED = 520;
export const BEAST_SPEED = 105;
/** How far a bolt flies. */
export const BOLT_FLIGHT = 420;
export const HERO_RADIUS = 14;
export const BEAST_RADIUS = 16;
export const GOLD_RADIUS = 26;
/** Where a bolt begins, from the middle of the hero: so far that it never strikes whoever shot it. */
export const MUZZLE = 2 * HERO_RADIUS;
export const HERO_HEALTH = 100;
export const BEAST_HEALTH = 40;
export const BOLT_HARM = 20;
export const BITE_HARM = 6;
export const FULL_STICK = 127;
/** Rounds: between two shots, until a felled hero rises, between two thoughts of a beast. */
export const RELOAD_ROUNDS = 5;
export const DOWN_ROUNDS = 60;
export const THINK_ROUNDS = 20;
const EDGE = 20;

/** Sets the velocity that a hero wants. */
export function steer(hero: Moving, moveX: number, moveY: number): void {
  const length = Math.max(FULL_STICK, Math.sqrt(moveX * moveX + moveY * moveY));
  hero.vx = (moveX / length) * HERO_SPEED;
  hero.vy = (moveY / length) * HERO_SPEED;
}

/** One step; whoever comes to the end of the country stops there. */
export function move(thing: Moving, dtMs: number): void {
  const x = clamped(thing.x + (thing.vx * dtMs) / 1000);
  const y = clamped(thing.y + (thing.vy * dtMs) / 1000);
  thing.x = x;
  thing.y = y;
}

export function isAtEdge({ x, y }: Placed): boolean {
  return Math.min(x, y) <= EDGE || Math.max(x, y) >= COUNTRY - EDGE;
}

function clamped(value: number): number {
  return Math.max(EDGE, Math.min(COUNTRY - EDGE, value));
}

export function distance(a: Placed, b: Placed): number {
  const [dx, dy] = [a.x - b.x, a.y - b.y];
  return Math.sqrt(dx * dx + dy * dy);
}

/**
 * Whether a bolt has come so near to a target in its last two steps. Two, since the step before this one may have been taken by another server, which
 * does not judge targets that it does not own. Not farther back than where the bolt began.
 */
export function strikes(bolt: Flying, target: Placed, radius: number, dtMs: number): boolean {
  const flown = distance(bolt, { x: bolt.fromX, y: bolt.fromY });
  const speed = Math.sqrt(bolt.vx * bolt.vx + bolt.vy * bolt.vy);
  if (speed === 0) return distance(bolt, target) <= radius;
  const back = Math.min(flown, (2 * speed * dtMs) / 1000);
  const [unitX, unitY] = [-bolt.vx / speed, -bolt.vy / speed];
  const along = (target.x - bolt.x) * unitX + (target.y - bolt.y) * unitY;
  const at = Math.max(0, Math.min(back, along));
  return distance(target, { x: bolt.x + at * unitX, y: bolt.y + at * unitY }) <= radius;
}
