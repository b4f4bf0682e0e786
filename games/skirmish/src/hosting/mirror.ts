/**
 * Keeps replicated objects level with the pieces of a battle. `level` walks over the columns of the battle once and writes the fields that changed; where
 * nothing changed it writes nothing and allocates nothing. Objects know no handles and the battle knows no ids: this file has both.
 */

import type { Entity, World } from "@nearfield/core";
import type { ObjectId } from "@nearfield/schema";
import { exact } from "@nearfield/simulation";
import type { Battle } from "../rules/battle.ts";
import type { BattleState } from "../rules/battle-state.ts";
import { FIRST_BUILDING, FLIES, HEALTH, KINDS, MAKE_STEPS, NO_KIND } from "../rules/kinds.ts";
import { Building, Ore, Purse, Unit, Works } from "../shared.ts";
import { BUILDINGS, type BuildingKind, DOINGS, FLIGHT_HEIGHT, type UnitKind } from "../state.ts";
import { tagOf } from "../views.ts";

type UnitEntity = Entity<typeof Unit.shape>;
type BuildingEntity = Entity<typeof Building.shape>;
type WorksEntity = Entity<typeof Works.shape>;
type OreEntity = Entity<typeof Ore.shape>;
type PurseEntity = Entity<typeof Purse.shape>;

/** The fields of pieces as they were last written, by slot. */
class Written {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly faceX: Float32Array;
  readonly faceY: Float32Array;
  readonly health: Uint8Array;
  readonly built: Uint8Array;
  readonly doing: Uint8Array;
  readonly training: Uint8Array;
  readonly progress: Uint8Array;
  /** The kinds in the queue, as one number. */
  readonly waiting: Uint32Array;
  readonly rallyX: Float32Array;
  readonly rallyY: Float32Array;

  constructor(capacity: number) {
    this.x = new Float64Array(capacity);
    this.y = new Float64Array(capacity);
    this.faceX = new Float32Array(capacity);
    this.faceY = new Float32Array(capacity);
    this.health = new Uint8Array(capacity);
    this.built = new Uint8Array(capacity);
    this.doing = new Uint8Array(capacity);
    this.training = new Uint8Array(capacity);
    this.progress = new Uint8Array(capacity);
    this.waiting = new Uint32Array(capacity);
    this.rallyX = new Float32Array(capacity);
    this.rallyY = new Float32Array(capacity);
  }
}

export class Mirror {
  readonly #world: World;
  readonly #state: BattleState;
  /** Session number of each side's player; 0 = a bot's. */
  readonly #owners: Uint32Array;
  readonly #written: Written;
  /** By slot: handle of the piece that the objects below show; 0 = none. */
  readonly #handles: Uint32Array;
  readonly #units: (UnitEntity | undefined)[] = [];
  readonly #buildings: (BuildingEntity | undefined)[] = [];
  readonly #works: (WorksEntity | undefined)[] = [];
  readonly #ore: (OreEntity | undefined)[];
  readonly #oreAmounts: Uint32Array;
  readonly #purses: readonly PurseEntity[];
  /** Handles of pieces, and numbers of ore patches, by the id of the object. */
  readonly #handleById = new Map<ObjectId, number>();
  readonly #patchById = new Map<ObjectId, number>();
  /** Slots below this were in use at the last call of `level`. */
  #high = 0;

  /** @param owners session number of each side's player; 0 = a bot's. */
  constructor(world: World, { state }: Battle, owners: readonly number[]) {
    const { capacity } = state.pieces;
    const { deposits, terrain, unitsMost } = state;
    this.#world = world;
    this.#state = state;
    this.#owners = Uint32Array.from(owners);
    this.#written = new Written(capacity);
    this.#handles = new Uint32Array(capacity);
    this.#oreAmounts = Uint32Array.from(deposits.amount);
    this.#ore = Array.from(this.#oreAmounts, (amount, patch) => {
      const [x, y] = [deposits.x[patch]!, deposits.y[patch]!];
      const ore = world.spawn(Ore, { x, y, z: terrain.heightAt(x, y), amount });
      this.#patchById.set(ore.id, patch);
      return ore;
    });
    this.#purses = owners.map((_, side) => world.spawn(Purse, { side, unitsMost }));
    this.level();
  }

  /** Handle of the piece that an object shows; 0: none. */
  handleOf(id: ObjectId | undefined): number {
    return (id !== undefined && this.#handleById.get(id)) || 0;
  }

  /** Number of the ore patch that an object shows; −1: none. */
  patchOf(id: ObjectId | undefined): number {
    return id === undefined ? -1 : (this.#patchById.get(id) ?? -1);
  }

  /** The object that shows the piece in a slot. */
  objectAt(slot: number): { readonly id: ObjectId } | undefined {
    return this.#units[slot] ?? this.#buildings[slot];
  }

  /** The pieces of a side belong to another session from now on. */
  give(side: number, owner: number): void {
    this.#owners[side] = owner;
    for (let slot = 0; slot < this.#high; slot++) {
      const piece = this.#units[slot] ?? this.#buildings[slot];
      if (piece !== undefined && piece.side === side) this.#world.setOwner(piece, owner);
    }
  }

  /** Takes all objects out of the world. */
  clear(): void {
    for (let slot = 0; slot < this.#high; slot++) this.#remove(slot);
    for (const object of [...this.#ore, ...this.#purses]) if (object !== undefined) this.#world.destroy(object);
  }

  /** Makes the objects say what the battle says now. */
  level(): void {
    const { pieces } = this.#state;
    this.#high = pieces.high;
    for (let slot = 0; slot < this.#high; slot++) {
      const handle = pieces.alive[slot] === 1 ? pieces.handleOf(slot) : 0;
      if (handle !== this.#handles[slot]) this.#exchange(slot, handle);
      else if (handle === 0) continue;
      else if (pieces.kind[slot]! < FIRST_BUILDING) this.#writeUnit(slot);
      else this.#writeBuilding(slot);
    }
    this.#levelOre();
    this.#purses.forEach(this.#levelPurse);
  }

  // ── pieces that come and go ────────────────────────────────────────────────────────────────────────────────────

  #exchange(slot: number, handle: number): void {
    if (this.#handles[slot] !== 0) this.#remove(slot);
    if (handle === 0) return;
    const { pieces } = this.#state;
    const kind = pieces.kind[slot]!;
    this.#handles[slot] = handle;
    const id = kind < FIRST_BUILDING ? this.#addUnit(slot, kind) : this.#addBuilding(slot, kind);
    this.#handleById.set(id, handle);
  }

  #remove(slot: number): void {
    const piece = this.#units[slot] ?? this.#buildings[slot];
    if (piece === undefined) return;
    this.#handleById.delete(piece.id);
    this.#world.destroy(piece);
    const works = this.#works[slot];
    if (works !== undefined) this.#world.destroy(works);
    this.#handles[slot] = 0;
    this.#units[slot] = undefined;
    this.#buildings[slot] = undefined;
    this.#works[slot] = undefined;
  }

  #addUnit(slot: number, kind: number): ObjectId {
    const { pieces } = this.#state;
    const written = this.#written;
    const [x, y, side] = [pieces.x[slot]!, pieces.y[slot]!, pieces.side[slot]!];
    written.x[slot] = x;
    written.y[slot] = y;
    written.faceX[slot] = pieces.faceX[slot]!;
    written.faceY[slot] = pieces.faceY[slot]!;
    written.health[slot] = this.#healthOf(slot);
    written.doing[slot] = pieces.doing[slot]!;
    const unit = this.#world.spawn(
      Unit,
      {
        x,
        y,
        z: this.#heightOf(slot),
        heading: exact.directionOf(pieces.faceX[slot]!, pieces.faceY[slot]!),
        kind: KINDS[kind] as UnitKind,
        side,
        health: written.health[slot]!,
        doing: DOINGS[pieces.doing[slot]!]!,
      },
      { owner: this.#owners[side]!, tags: [tagOf(side)] },
    );
    this.#units[slot] = unit;
    return unit.id;
  }

  #addBuilding(slot: number, kind: number): ObjectId {
    const { pieces, trainings } = this.#state;
    const written = this.#written;
    const [x, y, side] = [pieces.x[slot]!, pieces.y[slot]!, pieces.side[slot]!];
    const name = KINDS[kind] as BuildingKind;
    written.health[slot] = this.#healthOf(slot);
    written.built[slot] = this.#builtOf(slot);
    const building = this.#world.spawn(
      Building,
      {
        x,
        y,
        z: this.#heightOf(slot),
        kind: name,
        side,
        health: written.health[slot]!,
        built: written.built[slot]!,
      },
      { owner: this.#owners[side]! },
    );
    this.#buildings[slot] = building;
    if (BUILDINGS[name].trains.length === 0) return building.id;
    written.training[slot] = NO_KIND;
    written.progress[slot] = 0;
    written.waiting[slot] = 0;
    const rallyX = trainings.rallyX[slot]!;
    const rallyY = trainings.rallyY[slot]!;
    written.rallyX[slot] = rallyX;
    written.rallyY[slot] = rallyY;
    this.#works[slot] = this.#world.spawn(Works, { side, x, y, rallyX, rallyY });
    this.#writeWorks(slot, this.#works[slot]);
    return building.id;
  }

  // ── fields that changed ────────────────────────────────────────────────────────────────────────────────────────

  #writeUnit(slot: number): void {
    const { pieces } = this.#state;
    const written = this.#written;
    const unit = this.#units[slot]!;
    const x = pieces.x[slot]!;
    const y = pieces.y[slot]!;
    if (x !== written.x[slot] || y !== written.y[slot]) {
      written.x[slot] = x;
      written.y[slot] = y;
      unit.x = x;
      unit.y = y;
      unit.z = this.#heightOf(slot);
    }
    const faceX = pieces.faceX[slot]!;
    const faceY = pieces.faceY[slot]!;
    if (faceX !== written.faceX[slot] || faceY !== written.faceY[slot]) {
      written.faceX[slot] = faceX;
      written.faceY[slot] = faceY;
      unit.heading = exact.directionOf(faceX, faceY);
    }
    const health = this.#healthOf(slot);
    if (health !== written.health[slot]) {
      written.health[slot] = health;
      unit.health = health;
    }
    const doing = pieces.doing[slot]!;
    if (doing === written.doing[slot]) return;
    written.doing[slot] = doing;
    unit.doing = DOINGS[doing]!;
  }

  #writeBuilding(slot: number): void {
    const written = this.#written;
    const building = this.#buildings[slot]!;
    const health = this.#healthOf(slot);
    if (health !== written.health[slot]) {
      written.health[slot] = health;
      building.health = health;
    }
    const built = this.#builtOf(slot);
    if (built !== written.built[slot]) {
      written.built[slot] = built;
      building.built = built;
    }
    const works = this.#works[slot];
    if (works !== undefined) this.#writeWorks(slot, works);
  }

  #writeWorks(slot: number, works: WorksEntity): void {
    const { trainings } = this.#state;
    const written = this.#written;
    const training = trainings.first(slot);
    if (training !== written.training[slot]) {
      written.training[slot] = training;
      works.training = training === NO_KIND ? "none" : (KINDS[training] as UnitKind);
    }
    const progress = training === NO_KIND ? 0 : Math.floor((100 * trainings.steps[slot]!) / MAKE_STEPS[training]!);
    if (progress !== written.progress[slot]) {
      written.progress[slot] = progress;
      works.progress = progress;
    }
    const waiting = this.#waitingIn(slot);
    if (waiting !== written.waiting[slot]) {
      written.waiting[slot] = waiting;
      const behind = Math.max(0, trainings.count[slot]! - 1);
      works.waiting = Array.from({ length: behind }, (_, at) => KINDS[trainings.at(slot, at + 1)] as UnitKind);
    }
    const rallyX = trainings.rallyX[slot]!;
    const rallyY = trainings.rallyY[slot]!;
    if (rallyX === written.rallyX[slot] && rallyY === written.rallyY[slot]) return;
    written.rallyX[slot] = rallyX;
    written.rallyY[slot] = rallyY;
    works.rallyX = rallyX;
    works.rallyY = rallyY;
  }

  /** The kinds behind the one in the making, four bits each. */
  #waitingIn(slot: number): number {
    const { trainings } = this.#state;
    let kinds = 0;
    for (let at = 1; at < trainings.count[slot]!; at++) kinds = (kinds << 4) | (trainings.at(slot, at) + 1);
    return kinds >>> 0;
  }

  /** A patch that is used up is gone. */
  #levelOre(): void {
    const { amount } = this.#state.deposits;
    for (let patch = 0; patch < amount.length; patch++) {
      const left = amount[patch]!;
      if (left === this.#oreAmounts[patch]) continue;
      this.#oreAmounts[patch] = left;
      const ore = this.#ore[patch]!;
      if (left > 0) {
        ore.amount = left;
        continue;
      }
      this.#patchById.delete(ore.id);
      this.#world.destroy(ore);
      this.#ore[patch] = undefined;
    }
  }

  readonly #levelPurse = (purse: PurseEntity, side: number): void => {
    const ore = Math.floor(this.#state.ore[side]!);
    const units = this.#state.units[side]!;
    if (purse.ore !== ore) purse.ore = ore;
    if (purse.units !== units) purse.units = units;
  };

  // ── fields as objects have them ────────────────────────────────────────────────────────────────────────────────

  #heightOf(slot: number): number {
    const { pieces, terrain } = this.#state;
    const ground = terrain.heightAt(pieces.x[slot]!, pieces.y[slot]!);
    return FLIES[pieces.kind[slot]!] === 1 ? ground + FLIGHT_HEIGHT : ground;
  }

  /** Percent; who lives has at least 1. */
  #healthOf(slot: number): number {
    const { pieces } = this.#state;
    return Math.max(1, Math.min(100, Math.round((100 * pieces.health[slot]!) / HEALTH[pieces.kind[slot]!]!)));
  }

  /** Percent; 100 only when it is finished. */
  #builtOf(slot: number): number {
    return Math.floor(100 * this.#state.pieces.built[slot]!);
  }
}
