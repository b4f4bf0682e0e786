/**
 * The units of a room's players: groups of each player's own objects, which become pivots of its view without a byte on the wire. Observes the
 * world, so it notices every object that comes, goes or changes hands. docs/guide/views.md.
 */

import { type Pivot, ViewError, type World } from "@nearfield/core";
import {
  type ResolvedUnits,
  resolveUnits,
  type Unit,
  type UnitSettings,
  Units,
  unitPivot,
  VIEW_CAPACITY,
  type WorldObserver,
} from "@nearfield/core/internal";
import type { ObjectId } from "@nearfield/schema";
import { ServerError } from "../errors.ts";
import { type Player, takeUnits } from "../session/player.ts";

const NO_PIVOTS: readonly Pivot[] = [];

export class RoomUnits implements WorldObserver {
  readonly #world: World;
  readonly #settings: ResolvedUnits;
  readonly #units: Units;
  /** By type: whether its objects are grouped. */
  readonly #isGrouped: readonly boolean[];
  readonly #pivotOf = new WeakMap<Unit, Pivot>();
  /** By player: the edition of its units that its view has. */
  readonly #editions = new WeakMap<Player, number>();

  /** @param ownPivots pivots that a player's view may have beside those of its units. */
  constructor(world: World, settings: UnitSettings, ownPivots: number) {
    this.#world = world;
    this.#settings = resolveUnits(settings);
    const { types, most } = this.#settings;
    const { tables } = world.store;
    for (const name of types ?? []) {
      if (!tables.some(({ type }) => type.name === name && type.position.length > 0))
        throw new ViewError(
          "unknown-match",
          "units.types",
          `no object type ${name} with a position is in the protocol`,
        );
    }
    if (most + ownPivots > VIEW_CAPACITY.pivots) {
      const text = `with the ${ownPivots} other pivots of view and viewLimits a view has at most ${VIEW_CAPACITY.pivots}, is ${most}`;
      throw new ViewError("bad-number", "units.most", text);
    }
    this.#isGrouped = tables.map(({ type }) => type.position.length > 0 && (types?.includes(type.name) ?? true));
    this.#units = new Units(world, this.#settings);
    world.observe(this);
  }

  /** Most pivots that a player's view may have beside those of its units. */
  get roomForOthers(): number {
    return VIEW_CAPACITY.pivots - this.#settings.most;
  }

  /** Brings all units up to date and hands each player whose units are others now its new pivots. */
  round(players: Iterable<Player>): void {
    this.#units.round();
    for (const player of players) {
      const edition = this.#units.edition(player.id);
      if (edition === (this.#editions.get(player) ?? 0)) continue;
      this.#editions.set(player, edition);
      takeUnits(player, this.#pivotsOf(player.id));
    }
  }

  /** Makes one unit of exactly these objects of a player, from the next round on. */
  group(player: Player, objects: Iterable<{ readonly id: ObjectId }>): void {
    const slots = [...new Set(this.#slotsOf(player, objects))];
    if (this.#units.madeByHand(player.id) + 1 >= this.#settings.most) {
      throw new ServerError("bad-option", `group: player ${player.nickname} has ${this.#settings.most} units at most`);
    }
    this.#units.groupByHand(slots, player.id);
  }

  /** These objects of a player are grouped by distance and heading again. */
  ungroup(player: Player, objects: Iterable<{ readonly id: ObjectId }>): void {
    for (const slot of this.#slotsOf(player, objects)) this.#units.release(slot);
  }

  #slotsOf(player: Player, objects: Iterable<{ readonly id: ObjectId }>): number[] {
    return Array.from(objects, ({ id }) => {
      const slot = this.#world.store.liveSlot(id);
      if (slot >= 0 && this.#world.store.owner[slot] === player.id && this.#units.has(slot)) return slot;
      throw new ServerError("bad-option", `object ${id} is not an object of player ${player.nickname} that has units`);
    });
  }

  #pivotsOf(owner: number): readonly Pivot[] {
    const units = this.#units.of(owner);
    return units.length === 0 ? NO_PIVOTS : units.map((unit) => this.#pivot(unit));
  }

  /** The same unit has the same pivot, so that a view knows it again. */
  #pivot(unit: Unit): Pivot {
    const known = this.#pivotOf.get(unit);
    if (known !== undefined) return known;
    const pivot = unitPivot(unit, this.#settings.margin, this.#settings.coefficients);
    this.#pivotOf.set(unit, pivot);
    return pivot;
  }

  // ── the world ──────────────────────────────────────────────────────────────────────────────────────────────────

  spawned(slot: number): void {
    const owner = this.#world.store.owner[slot]!;
    if (owner !== 0 && this.#isGrouped[this.#world.store.typeIndex[slot]!]) this.#units.add(slot, owner);
  }

  destroyed(slot: number): void {
    this.#units.remove(slot);
  }

  /** It may have changed hands. */
  reclassified(slot: number): void {
    const owner = this.#world.store.owner[slot]!;
    if (this.#units.ownerOf(slot) === owner) return;
    this.#units.remove(slot);
    this.spawned(slot);
  }

  moved(slot: number): void {
    this.#units.touch(slot);
  }

  /** A velocity is not part of a place, so its changes are only told here. */
  updated(slot: number): void {
    if (this.#world.store.tableAt(slot).type.velocity.length > 0) this.#units.touch(slot);
  }
}
