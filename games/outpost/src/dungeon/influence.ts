/**
 * Spheres of influence (H6). Players cannot touch each other; they meet through what belongs to nobody: monsters, venom, things on the ground. So everybody who
 * can touch such a thing in the next step stands in one common circle, far from all places. Who touches nothing has a point of its own, and is corrected alone.
 *
 * If one player alone stands in the common circle, nobody meets it there, and yet its late input changes what all share. Its circle then holds everybody.
 */

import { LOST_AT, MOST_MONSTERS, MOST_PICKUPS, PICKUP, PLAYER, SHOT, SIGHT, VENOM } from "./numbers.ts";
import { type DungeonColumns, Fate } from "./state.ts";
import { isNear } from "./walking.ts";

/** The common circle: no place of the dungeon is near it. */
const COMMON = -1e6;
/** Farther than the largest monster is wide and goes in a step. */
const MARGIN = 48;
/** A step's way at most. */
const STRIDE = PLAYER.dashSpeed;

export function writeSpheres(at: DungeonColumns, players: number, into: Float64Array): void {
  let common = 0;
  let only = -1;
  for (let player = 0; player < players; player++) {
    const touches = touchesShared(at, player);
    into[player * 3] = touches ? COMMON : at.x[player]!;
    into[player * 3 + 1] = touches ? COMMON : at.y[player]!;
    into[player * 3 + 2] = touches ? 1 : 0;
    if (!touches) continue;
    common++;
    only = player;
  }
  if (common === 1) into[only * 3 + 2] = Number.POSITIVE_INFINITY;
}

function touchesShared(at: DungeonColumns, player: number): boolean {
  const isFighting = at.fate[player] === Fate.fighting;
  return shotsNearMonsters(at, player) || (isFighting && (monstersNear(at, player) || thingsNear(at, player)));
}

function monstersNear(at: DungeonColumns, player: number): boolean {
  const x = at.x[player]!;
  const y = at.y[player]!;
  for (let monster = 0; monster < MOST_MONSTERS; monster++) {
    if (at.kind[monster] === 0) continue;
    const reach = at.target[monster] === player ? LOST_AT + MARGIN : SIGHT + MARGIN;
    if (at.target[monster] === player || isNear(x, y, at.monsterX[monster]!, at.monsterY[monster]!, reach)) return true;
  }
  return false;
}

function shotsNearMonsters(at: DungeonColumns, player: number): boolean {
  for (let row = player * SHOT.each; row < (player + 1) * SHOT.each; row++) {
    if (at.shotLife[row] === 0) continue;
    for (let monster = 0; monster < MOST_MONSTERS; monster++) {
      if (at.kind[monster] === 0) continue;
      if (isNear(at.shotX[row]!, at.shotY[row]!, at.monsterX[monster]!, at.monsterY[monster]!, SHOT.speed + MARGIN))
        return true;
    }
  }
  return false;
}

function thingsNear(at: DungeonColumns, player: number): boolean {
  const x = at.x[player]!;
  const y = at.y[player]!;
  const near = PLAYER.radius + STRIDE;
  for (let row = 0; row < MOST_PICKUPS; row++)
    if (at.pickup[row] !== 0 && isNear(x, y, at.pickupX[row]!, at.pickupY[row]!, near + PICKUP.radius)) return true;
  for (let row = 0; row < VENOM.most; row++)
    if (at.venomLife[row] !== 0 && isNear(x, y, at.venomX[row]!, at.venomY[row]!, near + VENOM.radius + VENOM.speed))
      return true;
  return false;
}
