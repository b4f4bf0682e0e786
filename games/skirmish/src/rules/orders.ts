/**
 * What players and bots may ask for, and the checks that come first: own pieces only, targets that the side may know of, places inside the map, and enough
 * ore. A refused order changes nothing.
 */

import {
  BUILDINGS,
  type BuildingKind,
  MOST_SIDES,
  NO_SIDE,
  ORDER_UNITS_MOST,
  type OrderName,
  type Refusal,
  TRAINING_MOST,
  type UnitKind,
} from "../state.ts";
import type { BattleState } from "./battle-state.ts";
import { COST, DAMAGE, FIRST_BUILDING, FLIES, KIND, KINDS, RADIUS } from "./kinds.ts";
import { ORDER, type QueuedOrder } from "./order-queues.ts";
import { seemsFree, snapped } from "./placement.ts";
import { needsWork } from "./work.ts";

export interface OrderRequest {
  /** Handles of the units that shall obey. */
  readonly units: readonly number[];
  readonly what: OrderName;
  readonly x: number;
  readonly y: number;
  /** Handle of the piece to attack or repair. */
  readonly target?: number;
  /** Number of the ore patch to gather from. */
  readonly patch?: number;
  readonly building?: BuildingKind;
  readonly queued?: boolean;
}

/** Whether a side may know of a piece: the host answers as it answers its players' clients. */
export type MayKnow = (side: number, slot: number) => boolean;

/** Space between two units that are sent to the same place. */
const GAP = 3;

/** Takes an order for a side, or tells why not. */
export function takeOrder(
  state: BattleState,
  side: number,
  request: OrderRequest,
  mayKnow: MayKnow,
): Refusal | undefined {
  if (state.winner !== NO_SIDE || side >= MOST_SIDES || state.standing[side] !== 1) return "notPlaying";
  const units = ownUnits(state, side, request.units);
  if (units === undefined) return "notYours";
  const { what } = request;
  if (what === "stop" || what === "hold") return stand(state, units, what, request.queued === true);
  const chosen = fitFor(state, units, request);
  if (chosen.length === 0) return "wrongKind";
  const order = readOrder(state, side, request, mayKnow);
  if (typeof order === "string") return order;
  // One builder builds: the nearest.
  const who = what === "build" ? [nearestTo(state, chosen, order.x, order.y)] : chosen;
  if (request.queued === true && who.every((slot) => state.queues.isFull(slot))) return "queueFull";
  give(state, who, order, request.queued === true);
  return undefined;
}

/** Slots of the units that still live; `undefined` if one of them is not the side's own, or none is left. */
function ownUnits({ pieces }: BattleState, side: number, handles: readonly number[]): number[] | undefined {
  if (handles.length > ORDER_UNITS_MOST) return undefined;
  const slots = new Set<number>();
  for (const handle of handles) {
    const slot = pieces.slotOf(handle);
    if (slot < 0) continue;
    if (pieces.side[slot] !== side || pieces.isBuilding(slot)) return undefined;
    slots.add(slot);
  }
  return slots.size === 0 ? undefined : [...slots].sort((a, b) => a - b);
}

/** Those of the units that can do what is asked. */
function fitFor(state: BattleState, units: readonly number[], { what, target = 0 }: OrderRequest): number[] {
  const { pieces } = state;
  if (what === "gather" || what === "build" || what === "repair") {
    return units.filter((slot) => pieces.kind[slot] === KIND.builder);
  }
  if (what !== "attack") return [...units];
  const victim = pieces.slotOf(target);
  return units.filter((slot) => victim < 0 || DAMAGE[pieces.kind[slot]!]![pieces.kind[victim]!]! > 0);
}

/** The order as the queues hold it, or what is wrong with it. */
function readOrder(state: BattleState, side: number, request: OrderRequest, mayKnow: MayKnow): QueuedOrder | Refusal {
  const { pieces, deposits } = state;
  const what = ORDER[request.what];
  switch (request.what) {
    case "gather": {
      const patch = request.patch ?? -1;
      if (!Number.isInteger(patch) || patch < 0 || patch >= deposits.count) return "noTarget";
      const [x, y] = [deposits.x[patch]!, deposits.y[patch]!];
      // That a patch in the fog is used up, the builder finds out when it comes there.
      if (deposits.amount[patch] === 0 && state.vision.sees(side, x, y)) return "noTarget";
      return { what, x, y, goal: state.terrain.tileAt(x, y), target: patch, kind: 0 };
    }
    case "attack":
    case "repair": {
      const slot = pieces.slotOf(request.target ?? 0);
      if (slot < 0 || !mayKnow(side, slot)) return "noTarget";
      const isOwn = pieces.side[slot] === side;
      if (isOwn !== (request.what === "repair") || (isOwn && !needsWork(state, slot))) return "noTarget";
      const [x, y] = [pieces.x[slot]!, pieces.y[slot]!];
      return { what, x, y, goal: state.terrain.tileAt(x, y), target: pieces.handleOf(slot), kind: 0 };
    }
    case "build":
      return readBuild(state, side, request, mayKnow);
    default: {
      const { x, y } = request;
      if (!state.terrain.isInside(x, y)) return "outside";
      const goal = state.ground.nearestOpen(state.terrain.tileAt(x, y), state.ground.tiles);
      return { what, x, y, goal: Math.max(0, goal), target: 0, kind: 0 };
    }
  }
}

function readBuild(
  state: BattleState,
  side: number,
  { building, ...at }: OrderRequest,
  mayKnow: MayKnow,
): QueuedOrder | Refusal {
  if (building === undefined) return "wrongKind";
  if (!state.terrain.isInside(at.x, at.y)) return "outside";
  const { x, y } = snapped(building, at.x, at.y);
  if (!seemsFree(state, side, building, x, y, mayKnow)) return "noRoom";
  if (state.ore[side]! < BUILDINGS[building].cost) return "noOre";
  return { what: ORDER.build, x, y, goal: state.terrain.tileAt(x, y), target: 0, kind: KIND[building] };
}

/** A stop ends everything at once; a hold may wait for its turn. */
function stand(state: BattleState, units: readonly number[], what: "stop" | "hold", isQueued: boolean): undefined {
  for (const slot of units) {
    if (what === "stop" || !isQueued) state.queues.clear(slot);
    if (what === "stop" || state.queues.isFull(slot)) continue;
    const { x, y } = { x: state.pieces.x[slot]!, y: state.pieces.y[slot]! };
    state.queues.add(slot, { what: ORDER.hold, x, y, goal: 0, target: 0, kind: 0 });
  }
}

/** Gives each unit the order with a place of its own around the common one, as far as the way from there is clear. */
function give(state: BattleState, units: readonly number[], order: QueuedOrder, isQueued: boolean): void {
  const { pieces, queues, ground } = state;
  const spreads = order.what === ORDER.move || order.what === ORDER.attackMove || order.what === ORDER.patrol;
  const space = 2 * Math.max(...units.map((slot) => RADIUS[pieces.kind[slot]!]!)) + GAP;
  const edge = Math.ceil(Math.sqrt(units.length));
  for (const [index, slot] of units.entries()) {
    if (!isQueued) queues.clear(slot);
    if (queues.isFull(slot)) continue;
    if (!spreads) {
      queues.add(slot, order);
      continue;
    }
    const x = order.x + ((index % edge) - (edge - 1) / 2) * space;
    const y = order.y + (Math.floor(index / edge) - (edge - 1) / 2) * space;
    const flies = FLIES[pieces.kind[slot]!] === 1;
    const { goal } = order;
    const [fromX, fromY] = [ground.middleX(goal), ground.middleY(goal)];
    const isFree = state.terrain.isInside(x, y) && (flies || ground.isClear(fromX, fromY, x, y));
    if (isFree) queues.add(slot, { ...order, x, y });
    else queues.add(slot, flies ? order : { ...order, x: fromX, y: fromY });
  }
}

function nearestTo({ pieces }: BattleState, units: readonly number[], x: number, y: number): number {
  const square = (slot: number) => {
    const [dx, dy] = [pieces.x[slot]! - x, pieces.y[slot]! - y];
    return dx * dx + dy * dy;
  };
  return units.reduce((best, slot) => (square(slot) < square(best) ? slot : best));
}

/** Puts units into a building's queue and takes their ore; as many of `count` as there is room and ore for, at least one. */
export function takeTraining(
  state: BattleState,
  side: number,
  handle: number,
  kind: UnitKind,
  count: number,
): Refusal | undefined {
  const slot = ownBuilding(state, side, handle);
  if (typeof slot === "string") return slot;
  const { pieces, trainings, ore } = state;
  const { trains } = BUILDINGS[KINDS[pieces.kind[slot]!] as BuildingKind];
  if (!trains.includes(kind) || pieces.built[slot]! < 1) return "wrongKind";
  const cost = COST[KIND[kind]]!;
  for (let made = 0; made < count; made++) {
    const refusal =
      trainings.count[slot]! >= TRAINING_MOST
        ? "queueFull"
        : state.units[side]! >= state.unitsMost
          ? "unitLimit"
          : ore[side]! < cost
            ? "noOre"
            : undefined;
    if (refusal !== undefined) return made === 0 ? refusal : undefined;
    ore[side]! -= cost;
    trainings.add(slot, KIND[kind]);
  }
  return undefined;
}

/** Takes the last unit out of a building's queue and gives its ore back. */
export function takeCancel(state: BattleState, side: number, handle: number): Refusal | undefined {
  const slot = ownBuilding(state, side, handle);
  if (typeof slot === "string") return slot;
  if (state.trainings.count[slot] === 0) return "noTarget";
  state.ore[side]! += COST[state.trainings.takeLast(slot)]!;
  return undefined;
}

export function takeRally(state: BattleState, side: number, handle: number, x: number, y: number): Refusal | undefined {
  const slot = ownBuilding(state, side, handle);
  if (typeof slot === "string") return slot;
  if (!state.terrain.isInside(x, y)) return "outside";
  state.trainings.rallyX[slot] = x;
  state.trainings.rallyY[slot] = y;
  return undefined;
}

function ownBuilding(state: BattleState, side: number, handle: number): number | Refusal {
  const { pieces } = state;
  if (state.winner !== NO_SIDE || state.standing[side] !== 1) return "notPlaying";
  const slot = pieces.slotOf(handle);
  if (slot < 0 || pieces.side[slot] !== side || pieces.kind[slot]! < FIRST_BUILDING) return "notYours";
  return slot;
}
