/** How an avatar walks in the town: the step that its owner's page runs at once, and the server when the command has arrived. It slides along what stands in the way. */

import { HOUSES, ROUND_WALLS, TOWN_HEIGHT, TOWN_WIDTH } from "./plan.ts";

export const AVATAR_RADIUS = 7;
/** Units per second, and units per second² to get there. */
export const WALK_SPEED = 118;
const ACCELERATION = 900;
export const FULL_STICK = 127;

export interface Walker {
  x: number;
  y: number;
  vx: number;
  vy: number;
  heading: number;
}

export interface WalkWish {
  readonly moveX: number;
  readonly moveY: number;
  readonly heading: number;
}

export function walkInTown(walker: Walker, { moveX, moveY, heading }: WalkWish, dtMs: number): void {
  const seconds = dtMs / 1000;
  const length = Math.max(FULL_STICK, Math.sqrt(moveX * moveX + moveY * moveY));
  const wantX = (moveX / length) * WALK_SPEED;
  const wantY = (moveY / length) * WALK_SPEED;
  const dx = wantX - walker.vx;
  const dy = wantY - walker.vy;
  const distance = Math.sqrt(dx * dx + dy * dy);
  const share = distance <= ACCELERATION * seconds ? 1 : (ACCELERATION * seconds) / distance;
  walker.vx += dx * share;
  walker.vy += dy * share;
  walker.heading = heading;
  walker.x += walker.vx * seconds;
  walker.y += walker.vy * seconds;
  for (const house of HOUSES) pushOutOfHouse(walker, house);
  for (const { x, y, radius } of ROUND_WALLS) pushOutOfCircle(walker, x, y, radius + AVATAR_RADIUS);
  walker.x = Math.max(24, Math.min(TOWN_WIDTH - 24, walker.x));
  walker.y = Math.max(24, Math.min(TOWN_HEIGHT - 24, walker.y));
}

function pushOutOfCircle(walker: Walker, x: number, y: number, radius: number): void {
  const dx = walker.x - x;
  const dy = walker.y - y;
  const square = dx * dx + dy * dy;
  if (square >= radius * radius) return;
  const distance = Math.sqrt(square) || 1;
  walker.x = x + (dx / distance) * radius;
  walker.y = y + (dy / distance) * radius;
}

/** Out by the nearest side. */
function pushOutOfHouse(walker: Walker, house: { x: number; y: number; width: number; height: number }): void {
  const left = walker.x - (house.x - AVATAR_RADIUS);
  const right = house.x + house.width + AVATAR_RADIUS - walker.x;
  const up = walker.y - (house.y - AVATAR_RADIUS);
  const down = house.y + house.height + AVATAR_RADIUS - walker.y;
  const least = Math.min(left, right, up, down);
  if (least <= 0) return;
  if (least === left) walker.x -= left;
  else if (least === right) walker.x += right;
  else if (least === up) walker.y -= up;
  else walker.y += down;
}
