/**
 * Everything that a match consists of, in columns. The files beside this one each move a part of it; `battle.ts` says in which order. Nothing here knows a
 * clock, a socket or an object on the wire.
 */

import { Crowd } from "../paths/crowd.ts";
import { FieldCache } from "../paths/field-cache.ts";
import { Ground } from "../paths/ground.ts";
import {
  BUILDINGS,
  BUILDINGS_MOST,
  type BuildingKind,
  NO_SIDE,
  type Refusal,
  START_ORE,
  UNITS_MOST,
} from "../state.ts";
import type { Terrain } from "../terrain/terrain.ts";
import { Deposits } from "./deposits.ts";
import { isBuildingKind, KINDS } from "./kinds.ts";
import { OrderQueues } from "./order-queues.ts";
import { Pieces } from "./pieces.ts";
import { Trainings } from "./trainings.ts";
import { SideVision } from "./vision.ts";
import { Walkers } from "./walkers.ts";

/** What happened in a step, for those who tell the players. Emptied when the next step begins. */
export interface Happenings {
  /** Handles of new pieces, and of those that are gone. */
  readonly born: number[];
  readonly gone: number[];
  /** `side`: whose piece was destroyed; `NO_SIDE` for a shell. */
  readonly blasts: { readonly x: number; readonly y: number; readonly size: number; readonly side: number }[];
  readonly alarms: { readonly side: number; readonly x: number; readonly y: number }[];
  /** Orders that were taken, and turned out to be impossible later. */
  readonly refusals: { readonly side: number; readonly reason: Refusal }[];
}

export interface BattleOptions {
  readonly terrain: Terrain;
  /** Most units of a side. Default: 250. Memory follows it: about 250 bytes for each. */
  readonly unitsMost?: number;
}

export class BattleState {
  readonly terrain: Terrain;
  readonly sides: number;
  readonly unitsMost: number;
  readonly ground: Ground;
  readonly fields: FieldCache;
  readonly crowd: Crowd;
  readonly vision: SideVision;
  readonly pieces: Pieces;
  readonly queues: OrderQueues;
  readonly walkers: Walkers;
  readonly deposits: Deposits;
  readonly trainings: Trainings;

  // By side
  readonly ore: Float64Array;
  readonly units: Uint32Array;
  readonly buildings: Uint32Array;
  readonly standing: Uint8Array;
  /** Step of the last alarm of each side. */
  readonly alarmedAt: Int32Array;

  step = 0;
  /** Side that has won; `NO_SIDE` until then. */
  winner: number = NO_SIDE;
  readonly happenings: Happenings = { born: [], gone: [], blasts: [], alarms: [], refusals: [] };
  /** Slots that were hurt in this step, some of them more than once. */
  readonly hurtSlots: number[] = [];

  constructor({ terrain, unitsMost = UNITS_MOST }: BattleOptions) {
    const sides = terrain.starts.length;
    const capacity = sides * (unitsMost + BUILDINGS_MOST);
    this.terrain = terrain;
    this.sides = sides;
    this.unitsMost = unitsMost;
    this.ground = new Ground(terrain);
    this.fields = new FieldCache(this.ground);
    this.crowd = new Crowd(terrain.size, capacity);
    this.vision = new SideVision(terrain.size);
    this.pieces = new Pieces(capacity);
    this.queues = new OrderQueues(capacity);
    this.walkers = new Walkers(capacity);
    this.deposits = new Deposits(terrain.ore);
    this.trainings = new Trainings(capacity);
    this.ore = new Float64Array(sides).fill(START_ORE);
    this.units = new Uint32Array(sides);
    this.buildings = new Uint32Array(sides);
    this.standing = new Uint8Array(sides).fill(1);
    this.alarmedAt = new Int32Array(sides).fill(-1000);
  }

  /** A new piece, whole and finished. Buildings stand on the tiles around their place. */
  add(kind: number, side: number, x: number, y: number): number {
    const slot = this.pieces.add(kind, side, x, y);
    this.queues.clear(slot);
    this.walkers.reset(slot);
    if (isBuildingKind(kind)) {
      this.buildings[side]! += 1;
      this.trainings.reset(slot, x, y);
      this.ground.occupy(this.footprintOf(slot), slot);
    } else this.units[side]! += 1;
    this.happenings.born.push(this.pieces.handleOf(slot));
    return slot;
  }

  remove(slot: number): void {
    const { pieces } = this;
    const side = pieces.side[slot]!;
    if (pieces.isBuilding(slot)) {
      this.buildings[side]! -= 1;
      this.ground.release(this.footprintOf(slot));
    } else this.units[side]! -= 1;
    this.happenings.gone.push(pieces.handleOf(slot));
    pieces.remove(slot);
  }

  footprintOf(slot: number): number[] {
    const { pieces } = this;
    const { tiles } = BUILDINGS[KINDS[pieces.kind[slot]!] as BuildingKind];
    return this.ground.footprint(pieces.x[slot]!, pieces.y[slot]!, tiles) ?? [];
  }

  /** Whether a side sees the place where a piece stands, or owns the piece. */
  seesPiece(side: number, slot: number): boolean {
    const { pieces } = this;
    return pieces.side[slot] === side || this.vision.sees(side, pieces.x[slot]!, pieces.y[slot]!);
  }
}
