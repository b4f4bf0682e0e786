/** What builders do: dig and deliver ore, build and repair. Called while such an order is in force; it makes the builder walk where it must. */

import {
  BUILDINGS,
  BUILDINGS_MOST,
  type BuildingKind,
  CARGO,
  DIG_MS,
  DOINGS,
  FOUNDATION_HEALTH,
  NEXT_PATCH_REACH,
  REPAIR_COST,
  REPAIR_SPEED,
  type Refusal,
  STEP_MS,
  WORK_REACH,
} from "../state.ts";
import type { BattleState } from "./battle-state.ts";
import { COST, FIRST_BUILDING, HEALTH, KIND, KINDS, MAKE_STEPS, RADIUS } from "./kinds.ts";
import { ORDER } from "./order-queues.ts";
import { canPlace, snapped } from "./placement.ts";
import { headFor, headForPiece } from "./walking.ts";

const DIG_STEPS: number = DIG_MS / STEP_MS;
const GATHERING = DOINGS.indexOf("gathering");
const CARRYING = DOINGS.indexOf("carrying");
const BUILDING = DOINGS.indexOf("building");
const REPAIRING = DOINGS.indexOf("repairing");

export function gather(state: BattleState, slot: number): void {
  const { pieces, deposits, queues } = state;
  if (pieces.cargo[slot]! >= CARGO) return deliver(state, slot);
  let patch = queues.target(slot);
  if (deposits.amount[patch] === 0) {
    patch = deposits.nearest(deposits.x[patch]!, deposits.y[patch]!, NEXT_PATCH_REACH);
    if (patch < 0) return pieces.cargo[slot]! > 0 ? deliver(state, slot) : queues.finish(slot);
    queues.setTarget(slot, patch);
  }
  const [x, y] = [deposits.x[patch]!, deposits.y[patch]!];
  if (!isNear(state, slot, x, y, 0)) {
    pieces.digging[slot] = 0;
    return headFor(state, slot, x, y, state.terrain.tileAt(x, y));
  }
  pieces.doing[slot] = GATHERING;
  pieces.face(slot, x, y);
  pieces.digging[slot]! += 1;
  if (pieces.digging[slot]! < DIG_STEPS) return;
  const dug = Math.min(CARGO - pieces.cargo[slot]!, deposits.amount[patch]!);
  deposits.amount[patch]! -= dug;
  pieces.cargo[slot]! += dug;
  pieces.digging[slot] = 0;
}

function deliver(state: BattleState, slot: number): void {
  const { pieces } = state;
  const store = nearestStore(state, slot);
  if (store < 0) return;
  pieces.doing[slot] = CARRYING;
  if (!isNear(state, slot, pieces.x[store]!, pieces.y[store]!, RADIUS[pieces.kind[store]!]!)) {
    return headForPiece(state, slot, store);
  }
  state.ore[pieces.side[slot]!]! += pieces.cargo[slot]!;
  pieces.cargo[slot] = 0;
}

/** The nearest finished building of the side that takes ore; −1: none. */
function nearestStore({ pieces }: BattleState, slot: number): number {
  let best = -1;
  for (let other = 0; other < pieces.high; other++) {
    const kind = pieces.kind[other]!;
    if (pieces.alive[other] === 0 || kind < FIRST_BUILDING || pieces.side[other] !== pieces.side[slot]) continue;
    if (!BUILDINGS[KINDS[kind] as BuildingKind].takesOre || pieces.built[other]! < 1) continue;
    if (best < 0 || pieces.distance(slot, other) < pieces.distance(slot, best)) best = other;
  }
  return best;
}

/** First to the place, then the foundation, then the work: from there on the order is one to repair. */
export function build(state: BattleState, slot: number): void {
  const { pieces, queues } = state;
  const site = pieces.slotOf(queues.target(slot));
  if (site >= 0) return repair(state, slot);
  const kind = queues.kind(slot);
  const [x, y] = [queues.x(slot), queues.y(slot)];
  if (!isNear(state, slot, x, y, RADIUS[kind]!)) return headFor(state, slot, x, y, queues.goal(slot));
  const refusal = lay(state, slot, kind, x, y);
  if (refusal === undefined) return;
  state.happenings.refusals.push({ side: pieces.side[slot]!, reason: refusal });
  queues.finish(slot);
}

/** Lays the foundation; tells why that cannot be. */
function lay(state: BattleState, slot: number, kind: number, atX: number, atY: number): Refusal | undefined {
  const { pieces, queues, ore } = state;
  const side = pieces.side[slot]!;
  const name = KINDS[kind] as BuildingKind;
  const { x, y } = snapped(name, atX, atY);
  if (!canPlace(state, name, x, y, () => true)) return "noRoom";
  if (state.buildings[side]! >= BUILDINGS_MOST) return "unitLimit";
  if (ore[side]! < COST[kind]!) return "noOre";
  ore[side]! -= COST[kind]!;
  const site = state.add(kind, side, x, y);
  pieces.built[site] = 0;
  pieces.health[site] = HEALTH[kind]! * FOUNDATION_HEALTH;
  queues.setTarget(slot, pieces.handleOf(site));
  return undefined;
}

/** Builds on where a building is not finished, repairs where it is. */
export function repair(state: BattleState, slot: number): void {
  const { pieces, queues } = state;
  const target = pieces.slotOf(queues.target(slot));
  if (target < 0 || !needsWork(state, target)) return finishWork(state, slot, target);
  const kind = pieces.kind[target]!;
  if (!isNear(state, slot, pieces.x[target]!, pieces.y[target]!, RADIUS[kind]!)) {
    return headForPiece(state, slot, target);
  }
  pieces.face(slot, pieces.x[target]!, pieces.y[target]!);
  const most = HEALTH[kind]!;
  if (pieces.built[target]! < 1) {
    const share = 1 / MAKE_STEPS[kind]!;
    pieces.doing[slot] = BUILDING;
    pieces.built[target] = Math.min(1, pieces.built[target]! + share);
    pieces.health[target] = Math.min(most, pieces.health[target]! + most * (1 - FOUNDATION_HEALTH) * share);
    return;
  }
  const share = REPAIR_SPEED / MAKE_STEPS[kind]!;
  const price = COST[kind]! * REPAIR_COST * share;
  const side = pieces.side[slot]!;
  if (state.ore[side]! < price) return;
  state.ore[side]! -= price;
  pieces.doing[slot] = REPAIRING;
  pieces.health[target] = Math.min(most, pieces.health[target]! + most * share);
}

/** Whether a piece is unfinished or damaged. */
export function needsWork({ pieces }: BattleState, slot: number): boolean {
  return pieces.built[slot]! < 1 || pieces.health[slot]! < HEALTH[pieces.kind[slot]!]!;
}

/** Who has built something that takes ore, and has nothing else to do, begins to bring ore. */
function finishWork(state: BattleState, slot: number, target: number): void {
  const { pieces, queues, deposits } = state;
  queues.finish(slot);
  if (target < 0 || queues.count[slot]! > 0) return;
  const kind = pieces.kind[target]!;
  if (kind !== KIND.refinery && kind !== KIND.base) return;
  const patch = deposits.nearest(pieces.x[target]!, pieces.y[target]!, NEXT_PATCH_REACH);
  if (patch >= 0) addGather(state, slot, patch);
}

export function addGather({ queues, deposits, terrain }: BattleState, slot: number, patch: number): void {
  const [x, y] = [deposits.x[patch]!, deposits.y[patch]!];
  queues.add(slot, { what: ORDER.gather, x, y, goal: terrain.tileAt(x, y), target: patch, kind: 0 });
}

/** Buildings are square: near is near to an edge. */
function isNear({ pieces }: BattleState, slot: number, x: number, y: number, half: number): boolean {
  const dx = Math.max(0, Math.abs(pieces.x[slot]! - x) - half);
  const dy = Math.max(0, Math.abs(pieces.y[slot]! - y) - half);
  const reach = WORK_REACH + RADIUS[pieces.kind[slot]!]!;
  return dx * dx + dy * dy <= reach * reach;
}
