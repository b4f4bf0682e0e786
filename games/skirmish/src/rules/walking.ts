/** Which way a unit goes to reach a place: straight on where nothing lies between, else along the flow field of its goal. */

import { AT_GOAL, NO_WAY } from "../paths/flow-field.ts";
import { STRAIGHT } from "../paths/ground.ts";
import type { BattleState } from "./battle-state.ts";
import { FLIES } from "./kinds.ts";

/** Places nearer than this, in x and y together, are walked to straight on, if the way is clear. No unit's own place is farther from its group's goal. */
const DIRECT_REACH = 400;
/** The straight way is looked at again after so many steps; a power of two. */
const LOOK_STEPS = 8;
/** Tiles along the flow field that a unit looks ahead: more make rounder ways. */
const AHEAD = 2;
/** Pieces nearer than this, in x and y together, are walked to by a field that covers their surroundings only. */
const LOCAL_REACH = 400;
/** Goals that move are taken by squares of so many tiles, so that those who chase share their fields. */
const CHASE_TILES = 4;

/** Makes the unit walk towards (x, y) in this step. `goal`: the tile whose field leads there. `isLocal`: it is near by. */
export function headFor(state: BattleState, slot: number, x: number, y: number, goal: number, isLocal = false): void {
  const { pieces, walkers, ground } = state;
  const [fromX, fromY] = [pieces.x[slot]!, pieces.y[slot]!];
  walkers.pace[slot] = 1;
  if (FLIES[pieces.kind[slot]!] === 1) return want(state, slot, x, y);
  const tile = ground.terrain.tileAt(fromX, fromY);
  if (ground.open[tile] === 0) return leaveBlockedTile(state, slot, tile);
  if (((slot + state.step) & (LOOK_STEPS - 1)) === 0 || state.queues.isNew[slot] === 1) {
    const isNear = Math.abs(x - fromX) + Math.abs(y - fromY) < DIRECT_REACH;
    walkers.isDirect[slot] = isNear && ground.isClear(fromX, fromY, x, y) ? 1 : 0;
  }
  if (walkers.isDirect[slot] === 1) return want(state, slot, x, y);
  const field = state.fields.find(goal, walkers.field[slot]!, isLocal);
  walkers.field[slot] = field;
  if (field < 0) return;
  const direction = state.fields.direction(field, tile);
  if (direction === AT_GOAL) return want(state, slot, x, y);
  if (direction === NO_WAY) {
    walkers.stuck[slot]! += 1;
    // A local field may just be too small.
    return isLocal ? want(state, slot, x, y) : undefined;
  }
  const next = ground.neighbour(tile, direction);
  walkers.pace[slot] = STRAIGHT / (STRAIGHT + ground.climb(tile, next));
  const ahead = state.fields.ahead(field, tile, AHEAD);
  want(state, slot, ground.middleX(ahead), ground.middleY(ahead));
}

/** Makes the unit walk towards another piece. */
export function headForPiece(state: BattleState, slot: number, other: number): void {
  const { pieces, terrain } = state;
  const [x, y] = [pieces.x[other]!, pieces.y[other]!];
  const isLocal = Math.abs(x - pieces.x[slot]!) + Math.abs(y - pieces.y[slot]!) < LOCAL_REACH;
  headFor(state, slot, x, y, pieces.isBuilding(other) ? terrain.tileAt(x, y) : chaseGoal(state, x, y), isLocal);
}

/** The tile that stands for a moving goal. */
export function chaseGoal({ ground, terrain }: BattleState, x: number, y: number): number {
  const tile = terrain.tileAt(x, y);
  const column = tile % ground.tiles;
  const row = (tile - column) / ground.tiles;
  const middle = CHASE_TILES >> 1;
  const snapped = (row - (row % CHASE_TILES) + middle) * ground.tiles + column - (column % CHASE_TILES) + middle;
  const open = ground.nearestOpen(snapped);
  return open < 0 ? tile : open;
}

function leaveBlockedTile(state: BattleState, slot: number, tile: number): void {
  const open = state.ground.nearestOpen(tile);
  if (open >= 0) want(state, slot, state.ground.middleX(open), state.ground.middleY(open));
}

function want({ pieces, walkers }: BattleState, slot: number, x: number, y: number): void {
  const [dx, dy] = [x - pieces.x[slot]!, y - pieces.y[slot]!];
  const length = Math.sqrt(dx * dx + dy * dy);
  if (length === 0) return;
  walkers.moves[slot] = 1;
  walkers.wantX[slot] = dx / length;
  walkers.wantY[slot] = dy / length;
}
