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

/**
 * Whether a room with this world can have such units. Throws `ViewError`.
 *
 * @param ownPivots pivots that a player's view may have beside those of its units.
 */
export function checkUnitsIn(world: World, settings: UnitSettings, ownPivots: number): ResolvedUnits {
  const resolved = resolveUnits(settings);
  const { types, most } = resolved;
  for (const name of types ?? []) {
    if (!world.store.tables.some(({ type }) => type.name === name && type.position.length > 0))
      throw new ViewError("unknown-match", "units.types", `no object type ${name} with a position is in the protocol`);
  }
  if (most + ownPivots > VIEW_CAPACITY.pivots) {
    const text = `with the ${ownPivots} other pivots of view and viewLimits a view has at most ${VIEW_CAPACITY.pivots}, is ${most}`;
    throw new ViewError("bad-number", "units.most", text);
  }
  return resolved;
}

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
    this.#settings = checkUnitsIn(world, settings, ownPivots);
    const { types } = this.#settings;
    const { store } = world;
    this.#isGrouped = store.tables.map(({ type }) => type.position.length > 0 && (types?.includes(type.name) ?? true));
    this.#units = new Units(world, this.#settings);
    for (let slot = 0; slot < store.slotHigh; slot++) if (store.isLive(slot)) this.spawned(slot);
    world.observe(this);
  }

  /** Makes the units anew by other settings. Units made by hand stay, as many as the new settings allow. The old units are not to be used any more. */
  renewed(settings: UnitSettings, ownPivots: number): RoomUnits {
    const renewed = new RoomUnits(this.#world, settings, ownPivots);
    for (const { owner, slots } of this.#units.madeByHand().values()) {
      const kept = slots.filter((slot) => renewed.#units.has(slot));
      if (kept.length > 0 && renewed.#mayMake(owner, kept)) renewed.#units.groupByHand(kept, owner);
    }
    this.close();
    return renewed;
  }

  /** There are no units any more. */
  close(): void {
    this.#world.unobserve(this);
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

  /** Makes one unit of exactly these objects of a player, from the next round on. Throws where `tryGroup` refuses. */
  group(player: Player, objects: Iterable<{ readonly id: ObjectId }>): void {
    const list = [...objects];
    this.#must(player, list);
    if (this.tryGroup(player, list) === undefined) return;
    throw new ServerError("bad-option", `group: player ${player.nickname} has ${this.#settings.most} units at most`);
  }

  /** The same, as a client may ask for it. Returns why not: an object has no units ("invalid"), or the player has too many ("quota"). */
  tryGroup(player: Player, objects: Iterable<{ readonly id: ObjectId }>): "invalid" | "quota" | undefined {
    const slots = this.#slotsOf(player, objects);
    if (slots === undefined) return "invalid";
    const distinct = [...new Set(slots)];
    if (!this.#mayMake(player.id, distinct)) return "quota";
    this.#units.groupByHand(distinct, player.id);
    return undefined;
  }

  /** Whether an owner may have one more unit made by hand, of these objects. One unit is left for the objects that are in none. */
  #mayMake(owner: number, slots: readonly number[]): boolean {
    return this.#units.handMadeWithout(slots, owner) + 1 < this.#settings.most;
  }

  /** These objects of a player are grouped by distance and heading again. */
  ungroup(player: Player, objects: Iterable<{ readonly id: ObjectId }>): void {
    const list = [...objects];
    this.#must(player, list);
    this.tryUngroup(player, list);
  }

  tryUngroup(player: Player, objects: Iterable<{ readonly id: ObjectId }>): "invalid" | undefined {
    const slots = this.#slotsOf(player, objects);
    if (slots === undefined) return "invalid";
    for (const slot of slots) this.#units.release(slot);
    return undefined;
  }

  /** Throws for an object that is not the player's, or has no units. */
  #must(player: Player, objects: Iterable<{ readonly id: ObjectId }>): void {
    for (const { id } of objects) {
      if (this.#slotsOf(player, [{ id }]) !== undefined) continue;
      throw new ServerError("bad-option", `object ${id} is not an object of player ${player.nickname} that has units`);
    }
  }

  #slotsOf(player: Player, objects: Iterable<{ readonly id: ObjectId }>): number[] | undefined {
    const { store } = this.#world;
    const slots = Array.from(objects, ({ id }) => store.liveSlot(id));
    const isOwn = (slot: number): boolean => slot >= 0 && store.owner[slot] === player.id && this.#units.has(slot);
    return slots.every(isOwn) ? slots : undefined;
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
