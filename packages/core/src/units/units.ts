/**
 * The units of every owner: its groups, or where there are more than a view may have pivots, the nearest groups taken together. Each unit has a
 * place that is kept up to date, so that a pivot on it costs a view nothing but reading it.
 */

import { grown } from "@nearfield/schema/internal";
import type { World } from "../world.ts";
import { CircleJoiner } from "./fewer.ts";
import { Grouping } from "./grouping.ts";
import type { ResolvedUnits } from "./unit-settings.ts";

const NONE = -1;
const NO_UNITS: readonly Unit[] = [];

/** A group of one owner's objects, as a pivot sees it. */
export interface Unit {
  /** Members; 0 once the unit is no more: its place then stays, until other groups go on with the unit. */
  readonly count: number;
  /** Mean place of the members. */
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** Distance of the farthest member from there. */
  readonly reach: number;
}

type Placed = { -readonly [K in keyof Unit]: Unit[K] } & { leader: number };

interface Owned {
  readonly groups: Set<number>;
  units: Placed[];
  edition: number;
  isStale: boolean;
}

export class Units {
  readonly #grouping: Grouping;
  readonly #most: number;
  readonly #every: number;
  #round = 0;
  /** Owners who got objects since the last round: they do not wait for their turn. */
  readonly #recruiting = new Set<number>();
  readonly #owners = new Map<number, Owned>();
  /** By group: the next group of the same unit; the unit. */
  #links: Int32Array = new Int32Array(0);
  readonly #unitOf: (Placed | undefined)[] = [];
  #editions = 0;
  /** Scratch: the groups of an owner that were not made by hand. */
  readonly #found: number[] = [];
  readonly #joiner = new CircleJoiner();

  constructor(world: World, settings: ResolvedUnits) {
    this.#grouping = new Grouping(world, settings);
    this.#most = settings.most;
    this.#every = settings.every;
  }

  /** The units of an owner, those made by hand first. */
  of(owner: number): readonly Unit[] {
    return this.#owners.get(owner)?.units ?? NO_UNITS;
  }

  /** Another number whenever the list of an owner's units has changed. Members may come and go without that. */
  edition(owner: number): number {
    return this.#owners.get(owner)?.edition ?? 0;
  }

  /** The slots of the members of a unit. For tests and inspection: it allocates. */
  membersOf(unit: Unit): number[] {
    const { first, next } = this.#grouping.groups;
    const members: number[] = [];
    for (let group = (unit as Placed).leader; group >= 0; group = this.#links[group]!) {
      for (let slot = first[group]!; slot >= 0; slot = next[slot]!) members.push(slot);
    }
    return members.sort((a, b) => a - b);
  }

  add(slot: number, owner: number): void {
    this.#recruiting.add(owner);
    this.#grouping.add(slot, owner);
  }

  remove(slot: number): void {
    this.#grouping.remove(slot);
  }

  has(slot: number): boolean {
    return this.#grouping.has(slot);
  }

  /** Who owns the object; 0 if it is in no group. */
  ownerOf(slot: number): number {
    const { group, owner } = this.#grouping.groups;
    return this.has(slot) ? owner[group[slot]!]! : 0;
  }

  touch(slot: number): void {
    this.#grouping.touch(slot);
  }

  /** The units made by hand, by their number: their owner and the slots of their members. It looks at every object and allocates. */
  madeByHand(): Map<number, { readonly owner: number; readonly slots: number[] }> {
    const { group, byHand, owner } = this.#grouping.groups;
    const made = new Map<number, { owner: number; slots: number[] }>();
    for (let slot = 0; slot < group.length; slot++) {
      const own = group[slot]!;
      if (own < 0 || byHand[own] === 0) continue;
      const known = made.get(own);
      if (known === undefined) made.set(own, { owner: owner[own]!, slots: [slot] });
      else known.slots.push(slot);
    }
    return made;
  }

  /** How many units made by hand an owner has left when these objects leave theirs. */
  handMadeWithout(slots: readonly number[], owner: number): number {
    const { group, byHand, count, owner: ownerOf, begun } = this.#grouping.groups;
    const leaving = new Map<number, number>();
    for (const slot of slots) leaving.set(group[slot]!, (leaving.get(group[slot]!) ?? 0) + 1);
    const known = this.#owners.get(owner)?.groups ?? new Set<number>();
    const fresh = begun.filter((each) => ownerOf[each] === owner && !known.has(each));
    const isLeft = (each: number): boolean => byHand[each] === 1 && count[each]! > (leaving.get(each) ?? 0);
    return [...known, ...fresh].filter(isLeft).length;
  }

  /** One unit of exactly these objects, from the next round on. They must be in groups of this owner. */
  groupByHand(slots: readonly number[], owner: number): void {
    this.#grouping.groupByHand(slots, owner);
  }

  release(slot: number): void {
    this.#grouping.release(slot);
  }

  /** Brings groups, units and their places up to date, of owners whose turn it is. What began or ended without a turn is arranged at once. */
  round(): void {
    this.#round += 1;
    this.#grouping.round(this.#turn, this.#recruiting);
    const { groups } = this.#grouping;
    for (let i = 0; i < groups.begun.length; i++) this.#begin(groups.begun[i]!);
    for (let i = 0; i < groups.ended.length; i++) this.#end(groups.ended[i]!);
    groups.endRound();
    for (const [owner, owned] of this.#owners) {
      if (!owned.isStale && owner % this.#every !== this.#turn && !this.#recruiting.has(owner)) continue;
      this.#placeGroups(owned);
      if (owned.isStale) this.#arrange(owned);
      this.#placeUnits(owned);
      if (owned.groups.size === 0) this.#owners.delete(owner);
    }
    this.#recruiting.clear();
  }

  /** The owners whose number leaves this rest when it is divided by `every` have their turn in this round. */
  get #turn(): number {
    return (this.#every - (this.#round % this.#every)) % this.#every;
  }

  #begin(group: number): void {
    const { groups } = this.#grouping;
    if (groups.count[group] === 0) return;
    const owned = this.#ownedBy(groups.owner[group]!);
    owned.groups.add(group);
    owned.isStale = true;
    this.#unitOf[group] = undefined;
  }

  #end(group: number): void {
    const owned = this.#owners.get(this.#grouping.groups.owner[group]!);
    if (owned?.groups.delete(group) === true) owned.isStale = true;
  }

  #ownedBy(owner: number): Owned {
    const known = this.#owners.get(owner);
    if (known !== undefined) return known;
    const owned: Owned = { groups: new Set(), units: [], edition: 0, isStale: true };
    this.#owners.set(owner, owned);
    return owned;
  }

  #placeGroups({ groups }: Owned): void {
    const all = this.#grouping.groups;
    for (const group of groups) if (all.changed[group] === 1) all.place(group);
  }

  // ── which groups make a unit ───────────────────────────────────────────────────────────────────────────────────

  #arrange(owned: Owned): void {
    const { byHand, count } = this.#grouping.groups;
    if (this.#links.length < count.length) this.#links = grown(this.#links, count.length);
    const found = this.#found;
    const parts: number[][] = [];
    found.length = 0;
    for (const group of owned.groups) {
      if (byHand[group] === 1) parts.push([group]);
      else found.push(group);
    }
    const madeByHand = parts.length;
    this.#joinNearest(parts, Math.max(1, this.#most - madeByHand));
    const before = owned.units;
    owned.units = this.#unite(parts, before, madeByHand);
    const isSame = before.length === owned.units.length && before.every((unit, index) => unit === owned.units[index]);
    if (!isSame) owned.edition = ++this.#editions;
    owned.isStale = false;
  }

  /** Adds the groups that were found to `parts`, the nearest of them taken together where there are more than `most`. */
  #joinNearest(parts: number[][], most: number): void {
    const [found, joiner] = [this.#found, this.#joiner];
    const { x, y, reach } = this.#grouping.groups;
    joiner.ensure(found.length);
    for (let i = 0; i < found.length; i++) {
      joiner.x[i] = x[found[i]!]!;
      joiner.y[i] = y[found[i]!]!;
      joiner.radius[i] = reach[found[i]!]!;
    }
    joiner.join(found.length, most);
    const joined = new Map<number, number[]>();
    for (let i = 0; i < found.length; i++) {
      const first = joiner.first[i]!;
      if (first === i) joined.set(i, [found[i]!]);
      else joined.get(first)!.push(found[i]!);
    }
    parts.push(...joined.values());
  }

  /**
   * The units of these parts, those made by hand first. A part has the unit that its largest group had. A part whose largest group had none goes on
   * with a unit that is no more otherwise: to a view, a pivot that moves costs less than one that ends and one that begins.
   */
  #unite(parts: readonly (readonly number[])[], before: readonly Placed[], madeByHand: number): Placed[] {
    const { count, changed } = this.#grouping.groups;
    const leaders = parts.map((groups) =>
      groups.reduce((best, group) => (count[group]! > count[best]! ? group : best)),
    );
    const known = leaders.map((leader) => this.#unitOf[leader]);
    const taken = new Set(known);
    const spare = before.filter((unit) => !taken.has(unit));
    const units = leaders.map((leader, part): Placed => {
      const unit = known[part];
      if (unit !== undefined && known.indexOf(unit) === part) return unit;
      return spare.shift() ?? { count: 0, x: 0, y: 0, z: 0, reach: 0, leader };
    });
    for (const [part, unit] of units.entries()) {
      unit.leader = leaders[part]!;
      changed[unit.leader] = 1;
      this.#link(unit, parts[part]!);
    }
    for (const unit of spare) unit.count = 0;
    return [...units.slice(0, madeByHand), ...inOrderOf(before, units.slice(madeByHand))];
  }

  #link(unit: Placed, groups: readonly number[]): void {
    let last = unit.leader;
    for (const group of groups) {
      this.#unitOf[group] = unit;
      if (group === unit.leader) continue;
      this.#links[last] = group;
      last = group;
    }
    this.#links[last] = NONE;
  }

  // ── where units are ────────────────────────────────────────────────────────────────────────────────────────────

  #placeUnits({ units }: Owned): void {
    const { changed } = this.#grouping.groups;
    for (let i = 0; i < units.length; i++) {
      const unit = units[i]!;
      let isChanged = false;
      for (let group = unit.leader; group >= 0; group = this.#links[group]!) {
        if (changed[group] === 1) isChanged = true;
        changed[group] = 0;
      }
      if (isChanged) this.#place(unit);
    }
  }

  #place(unit: Placed): void {
    const { groups } = this.#grouping;
    const { leader } = unit;
    if (this.#links[leader] === NONE) {
      unit.count = groups.count[leader]!;
      unit.x = groups.x[leader]!;
      unit.y = groups.y[leader]!;
      unit.z = groups.z[leader]!;
      unit.reach = groups.reach[leader]!;
      return;
    }
    unit.count = 0;
    const centre = groups.findCentre(leader, this.#links);
    unit.x = centre[0];
    unit.y = centre[1];
    unit.z = centre[2];
    let square = 0;
    for (let group = leader; group >= 0; group = this.#links[group]!) {
      unit.count += groups.count[group]!;
      square = Math.max(square, groups.farthestSquare(group, unit.x, unit.y, unit.z));
    }
    unit.reach = Math.sqrt(square);
  }
}

/** Units that were there before stay in their order; new ones follow. */
function inOrderOf(before: readonly Placed[], units: readonly Placed[]): Placed[] {
  return [...before.filter((unit) => units.includes(unit)), ...units.filter((unit) => !before.includes(unit))];
}
