/**
 * What a bot knows: its own pieces, the enemies that its side sees at the moment, and the enemy buildings that it has seen before. A bot reads the state of the
 * match through this file only. The terrain is known to all players: where ore lies and where sides start.
 */

import type { BattleState } from "../rules/battle-state.ts";
import { FIRST_BUILDING } from "../rules/kinds.ts";
import type { MayKnow } from "../rules/orders.ts";
import type { Spot } from "../terrain/layout.ts";

/** A piece as a bot sees it. */
export interface Sighting extends Spot {
  readonly handle: number;
  readonly kind: number;
}

export interface OwnPiece extends Sighting {
  readonly health: number;
  /** 1 = finished. */
  readonly built: number;
  /** Whether it has no order and no unit in the making. */
  readonly isFree: boolean;
}

export class Eyes {
  readonly side: number;
  readonly #state: BattleState;
  readonly #mayKnow: MayKnow;
  units: OwnPiece[] = [];
  buildings: OwnPiece[] = [];
  /** Enemies in sight now. */
  enemies: Sighting[] = [];
  /** Enemy buildings as they were last seen, by handle. */
  readonly remembered = new Map<number, Sighting>();

  constructor(state: BattleState, side: number, mayKnow: MayKnow) {
    this.#state = state;
    this.side = side;
    this.#mayKnow = mayKnow;
  }

  get ore(): number {
    return this.#state.ore[this.side]!;
  }

  get starts(): readonly Spot[] {
    return this.#state.terrain.starts;
  }

  get otherStarts(): readonly Spot[] {
    return this.starts.filter((_, side) => side !== this.side);
  }

  get home(): Spot {
    return this.starts[this.side]!;
  }

  get size(): number {
    return this.#state.terrain.size;
  }

  /** Where ore lies, by the map. */
  get patches(): readonly Spot[] {
    return this.#state.terrain.ore;
  }

  look(): void {
    const { pieces, queues, trainings } = this.#state;
    this.units = [];
    this.buildings = [];
    this.enemies = [];
    for (let slot = 0; slot < pieces.high; slot++) {
      if (pieces.alive[slot] === 0) continue;
      const [x, y, kind] = [pieces.x[slot]!, pieces.y[slot]!, pieces.kind[slot]!];
      const handle = pieces.handleOf(slot);
      if (pieces.side[slot] !== this.side) {
        if (this.#mayKnow(this.side, slot)) this.#meet({ handle, kind, x, y });
        continue;
      }
      const isBuilding = kind >= FIRST_BUILDING;
      const isFree = isBuilding ? trainings.count[slot] === 0 : queues.count[slot] === 0;
      const own = { handle, kind, x, y, health: pieces.health[slot]!, built: pieces.built[slot]!, isFree };
      (isBuilding ? this.buildings : this.units).push(own);
    }
    this.#forget();
  }

  ofKind(kind: number): OwnPiece[] {
    return (kind >= FIRST_BUILDING ? this.buildings : this.units).filter((piece) => piece.kind === kind);
  }

  sees({ x, y }: Spot): boolean {
    return this.#state.vision.sees(this.side, x, y);
  }

  hasSeen({ x, y }: Spot): boolean {
    return this.#state.vision.hasSeen(this.side, x, y);
  }

  /** Whether ore is left, as far as the side knows: what it does not see counts as untouched. */
  hasOre(patch: number): boolean {
    return !this.sees(this.patches[patch]!) || this.#state.deposits.amount[patch]! > 0;
  }

  /** The order in force of an own unit, as a number of `ORDER`; `undefined`: none. */
  orderOf(handle: number): number | undefined {
    const slot = this.#state.pieces.slotOf(handle);
    return slot < 0 || this.#state.queues.count[slot] === 0 ? undefined : this.#state.queues.what(slot);
  }

  #meet(sighting: Sighting): void {
    this.enemies.push(sighting);
    if (sighting.kind >= FIRST_BUILDING) this.remembered.set(sighting.handle, sighting);
  }

  /** A building whose place is seen, and that is not there, is gone. */
  #forget(): void {
    const inSight = new Set(this.enemies.map(({ handle }) => handle));
    for (const [handle, building] of this.remembered) {
      if (this.sees(building) && !inSight.has(handle)) this.remembered.delete(handle);
    }
  }
}

export function distance(a: Spot, b: Spot): number {
  return Math.sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

/** The one that is nearest to a spot; `undefined` of none. */
export function nearest<S extends Spot>(spots: Iterable<S>, to: Spot): S | undefined {
  let best: S | undefined;
  for (const spot of spots) if (best === undefined || distance(spot, to) < distance(best, to)) best = spot;
  return best;
}
