/** What buildings do by themselves: bases dig a little ore, and all make the units in their queues. A finished unit steps out and goes to the rally point. */

import { BASE_ORE_MS, STEP_MS, TILE } from "../state.ts";
import type { BattleState } from "./battle-state.ts";
import { FIRST_BUILDING, FLIES, KIND, MAKE_STEPS, RADIUS } from "./kinds.ts";
import { ORDER } from "./order-queues.ts";
import { addGather } from "./work.ts";

/** A rally point this near to ore sends builders to dig. */
const RALLY_ORE_REACH = 3 * TILE;

const BASE_ORE_STEPS: number = BASE_ORE_MS / STEP_MS;

export function train(state: BattleState): void {
  const { pieces, trainings } = state;
  const isOreTime = state.step % BASE_ORE_STEPS === 0;
  for (let slot = 0; slot < pieces.high; slot++) {
    if (pieces.alive[slot] === 0 || pieces.kind[slot]! < FIRST_BUILDING) continue;
    if (isOreTime && pieces.kind[slot] === KIND.base && pieces.built[slot] === 1) state.ore[pieces.side[slot]!]! += 1;
    if (trainings.count[slot] === 0) continue;
    const kind = trainings.first(slot);
    if (trainings.steps[slot]! < MAKE_STEPS[kind]!) trainings.steps[slot]! += 1;
    // At the limit of units, the finished one waits inside.
    const isReady = trainings.steps[slot]! >= MAKE_STEPS[kind]!;
    if (!isReady || state.units[pieces.side[slot]!]! >= state.unitsMost) continue;
    trainings.takeFirst(slot);
    stepOut(state, slot, kind);
  }
}

function stepOut(state: BattleState, building: number, kind: number): void {
  const { pieces, trainings, ground, terrain, queues, deposits } = state;
  const [rallyX, rallyY] = [trainings.rallyX[building]!, trainings.rallyY[building]!];
  const [x, y] = [pieces.x[building]!, pieces.y[building]!];
  const hasRally = rallyX !== Math.fround(x) || rallyY !== Math.fround(y);
  // On the side that looks to the rally point; without one, below.
  const [dx, dy] = hasRally ? [rallyX - x, rallyY - y] : [0, 1];
  const length = Math.sqrt(dx * dx + dy * dy);
  const out = RADIUS[pieces.kind[building]!]! + TILE / 2;
  const tile = terrain.tileAt(x + (dx / length) * out, y + (dy / length) * out);
  const open = FLIES[kind] === 1 ? tile : Math.max(0, ground.nearestOpen(tile));
  const slot = state.add(kind, pieces.side[building]!, ground.middleX(open), ground.middleY(open));
  const patch = kind === KIND.builder ? deposits.nearest(rallyX, rallyY, RALLY_ORE_REACH) : -1;
  if (patch >= 0) return addGather(state, slot, patch);
  if (!hasRally) return;
  const goal = ground.nearestOpen(terrain.tileAt(rallyX, rallyY));
  if (goal >= 0) queues.add(slot, { what: ORDER.attackMove, x: rallyX, y: rallyY, goal, target: 0, kind: 0 });
}
