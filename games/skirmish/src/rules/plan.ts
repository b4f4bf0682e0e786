/** What each unit does in this step, by the order in force: it walks, aims or works. Shots themselves are in `combat.ts`, moves in `movement.ts`. */

import { DOINGS } from "../state.ts";
import type { BattleState } from "./battle-state.ts";
import { DAMAGE, FIRST_BUILDING, NEAREST, RADIUS, RANGE, SPEED } from "./kinds.ts";
import { NO_ORDER, ORDER } from "./order-queues.ts";
import { alertOf, isInRange, watch } from "./targeting.ts";
import { chaseGoal, headFor, headForPiece } from "./walking.ts";
import { build, gather, repair } from "./work.ts";

const IDLE = DOINGS.indexOf("idle");
const MOVING = DOINGS.indexOf("moving");
const FIGHTING = DOINGS.indexOf("fighting");
/** A unit that is stuck this near to its place for so many steps has arrived: others stand there. In a large crowd it may be farther off, and waits longer. */
const CROWDED_REACH = 72;
const CROWDED_STEPS = 12;
const MASSED_REACH = 256;
const MASSED_STEPS = 40;
/** A unit is at its place when it comes as near as so many of its steps: it does not turn on the spot, and could run circles around a point. */
const NEAR_STEPS = 1.5;
/** Who gets no nearer to an enemy for so long leaves it alone and goes on. */
const OUT_OF_REACH_STEPS = 40;
/** Who is stuck for so long gives up, wherever it is. */
const LOST_STEPS = 240;
/** How far idle units go from their post after an enemy, and from where on they walk back. */
const LEASH = 140;
const AT_POST = 40;

export function planUnits(state: BattleState): void {
  const { pieces, walkers, queues } = state;
  for (let slot = 0; slot < pieces.high; slot++) {
    if (pieces.alive[slot] === 0 || pieces.kind[slot]! >= FIRST_BUILDING) continue;
    walkers.moves[slot] = 0;
    pieces.doing[slot] = IDLE;
    const isNew = queues.isNew[slot] === 1;
    if (isNew) begin(state, slot);
    const before = queues.changes[slot];
    follow(state, slot);
    // Unless the order ended in this very step and the next one begins.
    if (isNew && before === queues.changes[slot]) queues.isNew[slot] = 0;
    if (walkers.moves[slot] === 1 && pieces.doing[slot] === IDLE) pieces.doing[slot] = MOVING;
  }
}

/** The order has just come into force. */
function begin({ pieces, walkers }: BattleState, slot: number): void {
  pieces.postX[slot] = pieces.x[slot]!;
  pieces.postY[slot] = pieces.y[slot]!;
  pieces.target[slot] = 0;
  walkers.stuck[slot] = 0;
}

function follow(state: BattleState, slot: number): void {
  switch (state.queues.what(slot)) {
    case NO_ORDER:
      return guard(state, slot);
    case ORDER.move:
      return walk(state, slot);
    case ORDER.attackMove:
      return engage(state, slot) ? undefined : walk(state, slot);
    case ORDER.patrol:
      return engage(state, slot) ? undefined : patrol(state, slot);
    case ORDER.attack:
      return attack(state, slot);
    case ORDER.hold:
      return hold(state, slot);
    case ORDER.gather:
      return gather(state, slot);
    case ORDER.build:
      return build(state, slot);
    case ORDER.repair:
      return repair(state, slot);
    default:
      return state.queues.finish(slot);
  }
}

/** Idle: fights what comes near, then goes back. */
function guard(state: BattleState, slot: number): void {
  const { pieces } = state;
  if (RANGE[pieces.kind[slot]!] === 0) return;
  const [dx, dy] = [pieces.x[slot]! - pieces.postX[slot]!, pieces.y[slot]! - pieces.postY[slot]!];
  const square = dx * dx + dy * dy;
  if (square < LEASH * LEASH && engage(state, slot)) return;
  if (square <= AT_POST * AT_POST) return;
  const [x, y] = [pieces.postX[slot]!, pieces.postY[slot]!];
  if (state.walkers.stuck[slot]! > LOST_STEPS) begin(state, slot);
  else headFor(state, slot, x, y, chaseGoal(state, x, y), true);
}

/** Fights an enemy in sight, if there is one that it can come near to. */
function engage(state: BattleState, slot: number): boolean {
  if (RANGE[state.pieces.kind[slot]!] === 0) return false;
  const target = watch(state, slot, alertOf(state, slot));
  if (target < 0) return false;
  if (state.walkers.stuck[slot]! > OUT_OF_REACH_STEPS && !isInRange(state, slot, target)) return false;
  fightWith(state, slot, target);
  return true;
}

/** Goes into range and stays there; the weapon does the rest. */
function fightWith(state: BattleState, slot: number, target: number): void {
  const { pieces } = state;
  pieces.target[slot] = pieces.handleOf(target);
  if (isInRange(state, slot, target)) {
    pieces.doing[slot] = FIGHTING;
    pieces.face(slot, pieces.x[target]!, pieces.y[target]!);
    return;
  }
  const isTooNear = pieces.distance(slot, target) - RADIUS[pieces.kind[target]!]! < NEAREST[pieces.kind[slot]!]!;
  if (isTooNear) backOff(state, slot, target);
  else headForPiece(state, slot, target);
}

function backOff(state: BattleState, slot: number, from: number): void {
  const { pieces, terrain } = state;
  const x = 2 * pieces.x[slot]! - pieces.x[from]!;
  const y = 2 * pieces.y[slot]! - pieces.y[from]!;
  if (terrain.isInside(x, y)) headFor(state, slot, x, y, chaseGoal(state, x, y), true);
}

function walk(state: BattleState, slot: number): void {
  if (hasArrived(state, slot)) state.queues.finish(slot);
  else headFor(state, slot, state.queues.x(slot), state.queues.y(slot), state.queues.goal(slot));
}

/** At one end, turns to the other. */
function patrol(state: BattleState, slot: number): void {
  const { pieces, queues, terrain, ground } = state;
  if (!hasArrived(state, slot)) {
    return headFor(state, slot, queues.x(slot), queues.y(slot), queues.goal(slot));
  }
  const [x, y] = [pieces.postX[slot]!, pieces.postY[slot]!];
  begin(state, slot);
  queues.setPlace(slot, x, y, Math.max(0, ground.nearestOpen(terrain.tileAt(x, y))));
}

function hasArrived({ pieces, queues, walkers }: BattleState, slot: number): boolean {
  const [dx, dy] = [pieces.x[slot]! - queues.x(slot), pieces.y[slot]! - queues.y(slot)];
  const square = dx * dx + dy * dy;
  const near = NEAR_STEPS * SPEED[pieces.kind[slot]!]!;
  if (square <= near * near) return true;
  const stuck = walkers.stuck[slot]!;
  if (stuck > CROWDED_STEPS && square < CROWDED_REACH * CROWDED_REACH) return true;
  return stuck > LOST_STEPS || (stuck > MASSED_STEPS && square < MASSED_REACH * MASSED_REACH);
}

/** While the target is seen, after it; when it is lost, to where it was seen last. */
function attack(state: BattleState, slot: number): void {
  const { pieces, queues } = state;
  const target = pieces.slotOf(queues.target(slot));
  if (target < 0 || DAMAGE[pieces.kind[slot]!]![pieces.kind[target]!] === 0) return state.queues.finish(slot);
  if (!state.seesPiece(pieces.side[slot]!, target)) {
    pieces.target[slot] = 0;
    return walk(state, slot);
  }
  const [x, y] = [pieces.x[target]!, pieces.y[target]!];
  queues.setPlace(slot, x, y, chaseGoal(state, x, y));
  fightWith(state, slot, target);
  if (state.walkers.stuck[slot]! > LOST_STEPS) state.queues.finish(slot);
}

/** Shoots at what comes into range, and does not move. */
function hold(state: BattleState, slot: number): void {
  const { pieces } = state;
  const range = RANGE[pieces.kind[slot]!]!;
  const target = range === 0 ? -1 : watch(state, slot, range);
  if (target < 0) return;
  pieces.doing[slot] = FIGHTING;
  pieces.face(slot, pieces.x[target]!, pieces.y[target]!);
}
