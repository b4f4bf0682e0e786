/** Writes a match into a world: a piece is an object as long as it lives, and belongs to the player of its side. */

import type { Entity, World } from "@nearfield/core";
import {
  BUILDING_KINDS,
  Building,
  DOINGS,
  FIRST_BUILDING,
  FLIGHT_HEIGHT,
  HEALTH,
  KIND,
  Ore,
  tagOf,
  UNIT_KINDS,
  Unit,
} from "@nearfield/skirmish";
import type { Match } from "./match.ts";

type UnitEntity = Entity<typeof Unit.shape>;
type BuildingEntity = Entity<typeof Building.shape>;

export class Mirror {
  readonly #match: Match;
  readonly #world: World;
  readonly #ownerOf: (side: number) => number;
  /** By slot of the piece. */
  readonly #handles: number[] = [];
  readonly #units: (UnitEntity | undefined)[] = [];
  readonly #buildings: (BuildingEntity | undefined)[] = [];
  readonly #ore: Entity<typeof Ore.shape>[];

  /** @param ownerOf the number of the player who has a side. */
  constructor(match: Match, world: World, ownerOf: (side: number) => number) {
    const { deposits, terrain } = match.battle.state;
    this.#match = match;
    this.#world = world;
    this.#ownerOf = ownerOf;
    this.#ore = Array.from(deposits.x, (x, patch) => {
      const y = deposits.y[patch]!;
      return world.spawn(Ore, { x, y, z: terrain.heightAt(x, y), amount: deposits.amount[patch]! });
    });
    this.write();
  }

  /** The object of a piece; `undefined` if the slot is empty. */
  objectAt(slot: number): { readonly id: number } | undefined {
    return this.#units[slot] ?? this.#buildings[slot];
  }

  write(): void {
    const { pieces, deposits } = this.#match.battle.state;
    for (let slot = 0; slot < pieces.high; slot++) {
      const handle = pieces.alive[slot] === 1 ? pieces.handleOf(slot) : 0;
      if (this.#handles[slot] !== handle) this.#replace(slot, handle);
      if (handle === 0) continue;
      const unit = this.#units[slot];
      if (unit !== undefined) this.#writeUnit(unit, slot);
      else this.#writeBuilding(this.#buildings[slot]!, slot);
    }
    for (let patch = 0; patch < this.#ore.length; patch++) {
      const amount = Math.floor(deposits.amount[patch]!);
      if (this.#ore[patch]!.amount !== amount) this.#ore[patch]!.amount = amount;
    }
  }

  #replace(slot: number, handle: number): void {
    const before = this.#units[slot] ?? this.#buildings[slot];
    if (before !== undefined) this.#world.destroy(before);
    this.#units[slot] = undefined;
    this.#buildings[slot] = undefined;
    this.#handles[slot] = handle;
    if (handle === 0) return;
    const { pieces } = this.#match.battle.state;
    const side = pieces.side[slot]!;
    const kind = pieces.kind[slot]!;
    const options = { owner: this.#ownerOf(side), tags: [tagOf(side)] };
    if (kind >= FIRST_BUILDING) {
      const values = { kind: BUILDING_KINDS[kind - FIRST_BUILDING]!, side };
      this.#buildings[slot] = this.#world.spawn(Building, values, options);
    } else this.#units[slot] = this.#world.spawn(Unit, { kind: UNIT_KINDS[kind]!, side }, options);
  }

  #writeUnit(unit: UnitEntity, slot: number): void {
    const { pieces, terrain } = this.#match.battle.state;
    const [x, y] = [pieces.x[slot]!, pieces.y[slot]!];
    if (unit.x !== x || unit.y !== y) {
      unit.x = x;
      unit.y = y;
      unit.z = terrain.heightAt(x, y) + (pieces.kind[slot] === KIND.wasp ? FLIGHT_HEIGHT : 0);
    }
    const heading = Math.atan2(pieces.faceY[slot]!, pieces.faceX[slot]!);
    if (unit.heading !== heading) unit.heading = heading;
    const health = percent(pieces.health[slot]! / HEALTH[pieces.kind[slot]!]!);
    if (unit.health !== health) unit.health = health;
    const doing = DOINGS[pieces.doing[slot]!]!;
    if (unit.doing !== doing) unit.doing = doing;
  }

  #writeBuilding(building: BuildingEntity, slot: number): void {
    const { pieces, terrain } = this.#match.battle.state;
    const [x, y] = [pieces.x[slot]!, pieces.y[slot]!];
    if (building.x !== x || building.y !== y) {
      building.x = x;
      building.y = y;
      building.z = terrain.heightAt(x, y);
    }
    const health = percent(pieces.health[slot]! / HEALTH[pieces.kind[slot]!]!);
    if (building.health !== health) building.health = health;
    const built = percent(pieces.built[slot]!);
    if (building.built !== built) building.built = built;
  }
}

function percent(share: number): number {
  return Math.min(100, Math.max(0, Math.ceil(share * 100)));
}
