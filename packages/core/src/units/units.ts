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

/** Its largest group, and the arrangement in which it was last given to a part. */
type Placed = { -readonly [K in keyof Unit]: Unit[K] } & { leader: number; arrangement: number };

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
  readonly #joiner = new CircleJoiner();
  /** Scratch, of the owner at hand: its groups, how many of them were made by hand, and the part that each belongs to. */
  readonly #found: number[] = [];
  #madeByHand = 0;
  readonly #partOf: number[] = [];
  /** By part: its largest group, its unit, the last of its groups that was strung to the others. */
  readonly #leaders: number[] = [];
  readonly #units: (Placed | undefined)[] = [];
  readonly #last: number[] = [];
  #arrangements = 0;

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
    const { count } = this.#grouping.groups;
    if (this.#links.length < count.length) this.#links = grown(this.#links, count.length);
    this.#list(owned);
    const madeByHand = this.#madeByHand;
    this.#joinNearest(Math.max(1, this.#most - madeByHand));
    this.#lead();
    const before = owned.units;
    this.#giveUnits(before);
    this.#link();
    owned.units = inOrderOf(before, this.#units, madeByHand);
    const isSame = before.length === owned.units.length && before.every((unit, index) => unit === owned.units[index]);
    if (!isSame) owned.edition = ++this.#editions;
    owned.isStale = false;
  }

  /** Lists the groups of an owner, those made by hand first. */
  #list({ groups }: Owned): void {
    const { byHand } = this.#grouping.groups;
    const found = this.#found;
    found.length = 0;
    for (const group of groups) if (byHand[group] === 1) found.push(group);
    this.#madeByHand = found.length;
    for (const group of groups) if (byHand[group] === 0) found.push(group);
  }

  /** Parts the groups: one made by hand is a part, and of those that were found the nearest are taken together where there are more than `most`. */
  #joinNearest(most: number): void {
    const [found, joiner, partOf, madeByHand] = [this.#found, this.#joiner, this.#partOf, this.#madeByHand];
    const { x, y, reach } = this.#grouping.groups;
    const others = found.length - madeByHand;
    joiner.ensure(others);
    for (let i = 0; i < others; i++) {
      const group = found[madeByHand + i]!;
      joiner.x[i] = x[group]!;
      joiner.y[i] = y[group]!;
      joiner.radius[i] = reach[group]!;
    }
    joiner.join(others, most);
    let parts = madeByHand;
    for (let i = 0; i < madeByHand; i++) partOf[i] = i;
    for (let i = 0; i < others; i++) {
      const first = joiner.first[i]!;
      partOf[madeByHand + i] = first === i ? parts++ : partOf[madeByHand + first]!;
    }
    this.#leaders.length = parts;
    this.#units.length = parts;
  }

  /** The largest group of a part leads it. */
  #lead(): void {
    const { count } = this.#grouping.groups;
    const leaders = this.#leaders;
    leaders.fill(NONE);
    for (let i = 0; i < this.#found.length; i++) {
      const group = this.#found[i]!;
      const part = this.#partOf[i]!;
      if (leaders[part]! < 0 || count[group]! > count[leaders[part]!]!) leaders[part] = group;
    }
  }

  /**
   * A part has the unit that its leader had. One whose leader had none goes on with a unit that is no more otherwise: to a view, a pivot that moves
   * costs less than one that ends and one that begins.
   */
  #giveUnits(before: readonly Placed[]): void {
    const [units, leaders] = [this.#units, this.#leaders];
    const { changed } = this.#grouping.groups;
    const arrangement = ++this.#arrangements;
    for (let part = 0; part < leaders.length; part++) {
      const known = this.#unitOf[leaders[part]!];
      const isFree = known !== undefined && known.arrangement !== arrangement;
      units[part] = isFree ? known : undefined;
      if (isFree) known.arrangement = arrangement;
    }
    let next = 0;
    for (let part = 0; part < leaders.length; part++) {
      while (next < before.length && before[next]!.arrangement === arrangement) next++;
      const leader = leaders[part]!;
      const unit = units[part] ?? before[next] ?? { count: 0, x: 0, y: 0, z: 0, reach: 0, leader, arrangement };
      unit.arrangement = arrangement;
      unit.leader = leader;
      units[part] = unit;
      changed[leader] = 1;
    }
    for (const unit of before) if (unit.arrangement !== arrangement) unit.count = 0;
  }

  /** Strings the groups of each part together, its leader first. */
  #link(): void {
    const [links, last] = [this.#links, this.#last];
    for (let part = 0; part < this.#leaders.length; part++) last[part] = this.#leaders[part]!;
    for (let i = 0; i < this.#found.length; i++) {
      const group = this.#found[i]!;
      const part = this.#partOf[i]!;
      this.#unitOf[group] = this.#units[part];
      if (group === this.#leaders[part]) continue;
      links[last[part]!] = group;
      last[part] = group;
    }
    for (let part = 0; part < this.#leaders.length; part++) links[last[part]!] = NONE;
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

/** Those made by hand come first. Of the others, those that were there before stay in their order; new ones follow. */
function inOrderOf(before: readonly Placed[], units: readonly (Placed | undefined)[], madeByHand: number): Placed[] {
  const ordered: Placed[] = [];
  for (let part = 0; part < madeByHand; part++) ordered.push(units[part]!);
  for (const unit of before) if (units.indexOf(unit) >= madeByHand) ordered.push(unit);
  for (let part = madeByHand; part < units.length; part++)
    if (!before.includes(units[part]!)) ordered.push(units[part]!);
  return ordered;
}
