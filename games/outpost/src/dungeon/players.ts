/**
 * What one player does to itself in a step: it runs, dashes, fires, lies felled, wakes, leaves. Nothing here reads or writes what is another's or nobody's, so
 * a player who met nobody can be advanced alone.
 */

import { HEADING_X, HEADING_Y, Key, stickOf } from "./input.ts";
import type { Layout } from "./layout.ts";
import { EXIT_RADIUS, LEAVE_STEPS, LOOT_KINDS, PLAYER, SHOT } from "./numbers.ts";
import { type DungeonColumns, Fate } from "./state.ts";
import { isNear, walk } from "./walking.ts";

/** Where player p stands at first, and where it wakes: a ring around the middle of the first room. */
export function placeAtStart(at: DungeonColumns, layout: Layout, player: number): void {
  const turn = (player * 37) & 255;
  at.x[player] = layout.start.x + HEADING_X[turn]! * (24 + (player % 3) * 14);
  at.y[player] = layout.start.y + HEADING_Y[turn]! * (24 + (player % 3) * 14);
  at.vx[player] = 0;
  at.vy[player] = 0;
  at.health[player] = PLAYER.health;
  at.fate[player] = Fate.fighting;
  at.safe[player] = PLAYER.safeSteps;
  at.dash[player] = 0;
  at.leaving[player] = 0;
}

export function stepPlayer(at: DungeonColumns, layout: Layout, player: number, input: Uint8Array): void {
  flyShots(at, layout, player);
  if (at.fate[player] === Fate.out) return;
  if (at.fate[player] === Fate.down) {
    if (at.wakes[player]! > 0) at.wakes[player]!--;
    else wake(at, layout, player);
    return;
  }
  if (at.safe[player]! > 0) at.safe[player]!--;
  if (at.reload[player]! > 0) at.reload[player]!--;
  if (at.dashPause[player]! > 0) at.dashPause[player]!--;
  at.heading[player] = input[2]!;
  run(at, layout, player, input);
  const keys = input[3]!;
  if (keys & Key.fire && at.reload[player] === 0) fire(at, player);
  leave(at, layout, player, (keys & Key.use) !== 0);
}

/** A felled player keeps half of what it carries. */
function wake(at: DungeonColumns, layout: Layout, player: number): void {
  placeAtStart(at, layout, player);
  for (let kind = 0; kind < LOOT_KINDS.length; kind++) {
    const row = player * LOOT_KINDS.length + kind;
    at.loot[row] = at.loot[row]! >> 1;
  }
}

function run(at: DungeonColumns, layout: Layout, player: number, input: Uint8Array): void {
  let x = stickOf(input[0]!);
  let y = stickOf(input[1]!);
  const length = Math.sqrt(x * x + y * y);
  if (length > 1) {
    x /= length;
    y /= length;
  }
  if (at.dash[player]! > 0) at.dash[player]!--;
  else if (input[3]! & Key.dash && at.dashPause[player] === 0 && length > 0.2) {
    at.dash[player] = PLAYER.dashSteps;
    at.dashPause[player] = PLAYER.dashPause;
    at.vx[player] = (x / Math.min(1, length)) * PLAYER.dashSpeed;
    at.vy[player] = (y / Math.min(1, length)) * PLAYER.dashSpeed;
  }
  if (at.dash[player] === 0) {
    at.vx[player]! += (x * PLAYER.speed - at.vx[player]!) * PLAYER.grip;
    at.vy[player]! += (y * PLAYER.speed - at.vy[player]!) * PLAYER.grip;
  }
  walk(layout, at, player, PLAYER.radius);
}

function fire(at: DungeonColumns, player: number): void {
  for (let row = player * SHOT.each; row < (player + 1) * SHOT.each; row++) {
    if (at.shotLife[row]! > 0) continue;
    const dx = HEADING_X[at.heading[player]!]!;
    const dy = HEADING_Y[at.heading[player]!]!;
    at.shotX[row] = at.x[player]! + dx * PLAYER.radius;
    at.shotY[row] = at.y[player]! + dy * PLAYER.radius;
    at.shotVx[row] = dx * SHOT.speed;
    at.shotVy[row] = dy * SHOT.speed;
    at.shotLife[row] = SHOT.life;
    at.reload[player] = SHOT.reload;
    at.safe[player] = 0;
    return;
  }
}

function flyShots(at: DungeonColumns, layout: Layout, player: number): void {
  for (let row = player * SHOT.each; row < (player + 1) * SHOT.each; row++) {
    if (at.shotLife[row] === 0) continue;
    at.shotX[row]! += at.shotVx[row]!;
    at.shotY[row]! += at.shotVy[row]!;
    at.shotLife[row]!--;
    if (layout.isWall(at.shotX[row]!, at.shotY[row]!)) at.shotLife[row] = 0;
  }
}

/** Both ends of the way are exits; who holds the key there for a while is out. */
function leave(at: DungeonColumns, { start, exit }: Layout, player: number, uses: boolean): void {
  const x = at.x[player]!;
  const y = at.y[player]!;
  const isAtExit = isNear(x, y, exit.x, exit.y, EXIT_RADIUS) || isNear(x, y, start.x, start.y, EXIT_RADIUS);
  if (!uses || !isAtExit) at.leaving[player] = 0;
  else if (++at.leaving[player]! >= LEAVE_STEPS) at.fate[player] = Fate.out;
}
