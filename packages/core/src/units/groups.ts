/**
 * The groups and their members: who is in which, and the sums from which a group's centre and heading follow. Sums are kept up to date by
 * differences. They are sums of integers (positions in wire form, headings in whole parts), so they stay exact.
 */

import { grown } from "@nearfield/schema/internal";
import type { World } from "../world.ts";

const NONE = -1;
/** A heading is a unit vector in these parts. */
const HEADING_PARTS = 2 ** 20;
const AXES = 3;
const NO_LINKS = new Int32Array(0);

export class Groups {
  /** By slot: the group (−1: none), the next and the previous member, position in wire form as the sums have it, heading (0, 0: none). */
  group: Int32Array = new Int32Array(0);
  next: Int32Array = new Int32Array(0);
  #previous: Int32Array = new Int32Array(0);
  #wire: Float64Array = new Float64Array(0);
  headingX: Int32Array = new Int32Array(0);
  headingY: Int32Array = new Int32Array(0);

  /** By group: members, the first one, owner, heading (sum of the members'), whether a member changed in this round, whether made by hand. */
  count: Int32Array = new Int32Array(0);
  first: Int32Array = new Int32Array(0);
  owner: Int32Array = new Int32Array(0);
  sumX: Float64Array = new Float64Array(0);
  sumY: Float64Array = new Float64Array(0);
  changed: Uint8Array = new Uint8Array(0);
  byHand: Uint8Array = new Uint8Array(0);
  /** The group that took over the members of one that ended in this round; −1: none. */
  heir: Int32Array = new Int32Array(0);
  /** Place as of the last `place`. */
  x: Float64Array = new Float64Array(0);
  y: Float64Array = new Float64Array(0);
  z: Float64Array = new Float64Array(0);
  reach: Float64Array = new Float64Array(0);
  /** By group and type: members, sum of their positions on each axis. */
  #ofType: Int32Array = new Int32Array(0);
  #sums: Float64Array = new Float64Array(0);

  readonly #world: World;
  readonly #types: number;
  /** Numbers of groups that ended in earlier rounds. Those that ended in this round are not taken before `endRound`. */
  readonly #free: number[] = [];
  /** Groups that began and that ended since the last `endRound`. */
  readonly begun: number[] = [];
  readonly ended: number[] = [];
  #high = 0;
  /** Scratch of `findCentre`. */
  readonly #centre: [number, number, number] = [0, 0, 0];

  constructor(world: World) {
    this.#world = world;
    this.#types = world.store.tables.length;
  }

  ensure(capacity: number): void {
    const before = this.group.length;
    if (capacity <= before) return;
    this.group = grown(this.group, capacity).fill(NONE, before);
    this.next = grown(this.next, capacity);
    this.#previous = grown(this.#previous, capacity);
    this.#wire = grown(this.#wire, capacity, AXES);
    this.headingX = grown(this.headingX, capacity);
    this.headingY = grown(this.headingY, capacity);
  }

  begin(owner: number, byHand = false): number {
    const group = this.#free.pop() ?? this.#high++;
    if (group >= this.count.length) this.#grow(Math.max(64, group * 2));
    this.count[group] = 0;
    this.first[group] = NONE;
    this.owner[group] = owner;
    this.sumX[group] = 0;
    this.sumY[group] = 0;
    this.changed[group] = 1;
    this.byHand[group] = byHand ? 1 : 0;
    this.heir[group] = NONE;
    this.begun.push(group);
    return group;
  }

  end(group: number, heir: number): void {
    this.heir[group] = heir;
    this.ended.push(group);
  }

  endRound(): void {
    while (this.ended.length > 0) this.#free.push(this.ended.pop()!);
    this.begun.length = 0;
  }

  /** Whoever has the members of a group now; −1: nobody. */
  readonly heirOf = (group: number): number => {
    let at = group;
    while (at >= 0 && this.count[at] === 0) at = this.heir[at]!;
    return at;
  };

  /** A new object joins a group; its sums take it in. */
  enter(slot: number, group: number): void {
    this.#readWire(slot);
    this.headingX[slot] = 0;
    this.headingY[slot] = 0;
    this.#link(slot, group);
  }

  leave(slot: number): void {
    this.#unlink(slot);
    this.group[slot] = NONE;
  }

  move(slot: number, to: number): void {
    this.#unlink(slot);
    this.#link(slot, to);
  }

  /** Takes over where an object is now. */
  refreshPlace(slot: number): void {
    const { store } = this.#world;
    const table = store.typeIndex[slot]!;
    const { position } = store.tables[table]!.type;
    const row = store.row[slot]!;
    const group = this.group[slot]!;
    this.changed[group] = 1;
    for (let axis = 0; axis < position.length; axis++) {
      const wire = this.#world.wireNumbers(table, position[axis]!)[row]!;
      const sum = (group * this.#types + table) * AXES + axis;
      this.#sums[sum] = this.#sums[sum]! + wire - this.#wire[slot * AXES + axis]!;
      this.#wire[slot * AXES + axis] = wire;
    }
  }

  /** Gives an object a heading, of any length; none if it is 0. */
  turn(slot: number, dx: number, dy: number): void {
    const length = Math.sqrt(dx * dx + dy * dy);
    const x = length > 0 ? Math.round((dx / length) * HEADING_PARTS) : 0;
    const y = length > 0 ? Math.round((dy / length) * HEADING_PARTS) : 0;
    const group = this.group[slot]!;
    this.sumX[group] = this.sumX[group]! + x - this.headingX[slot]!;
    this.sumY[group] = this.sumY[group]! + y - this.headingY[slot]!;
    this.headingX[slot] = x;
    this.headingY[slot] = y;
  }

  /** Writes the centre of a group and the distance of its farthest member. The same numbers as a group pivot on these members has. */
  place(group: number): void {
    const centre = this.findCentre(group, NO_LINKS);
    this.x[group] = centre[0];
    this.y[group] = centre[1];
    this.z[group] = centre[2];
    this.reach[group] = Math.sqrt(this.farthestSquare(group, centre[0], centre[1], centre[2]));
  }

  /** The mean place of the members of a group and of those that follow it in `links`. What is returned holds until the next call. */
  findCentre(group: number, links: Int32Array): readonly [x: number, y: number, z: number] {
    const centre = this.#centre;
    let living = 0;
    for (let at = group; at >= 0; at = links[at] ?? NONE) living += this.count[at]!;
    const { tables } = this.#world.store;
    for (let axis = 0; axis < AXES; axis++) centre[axis] = 0;
    for (let table = 0; table < this.#types; table++) {
      let ofType = 0;
      for (let at = group; at >= 0; at = links[at] ?? NONE) ofType += this.#ofType[at * this.#types + table]!;
      if (ofType === 0) continue;
      const { fields, position } = tables[table]!.type;
      for (let axis = 0; axis < position.length; axis++) {
        let sum = 0;
        for (let at = group; at >= 0; at = links[at] ?? NONE)
          sum += this.#sums[(at * this.#types + table) * AXES + axis]!;
        const { field } = fields[position[axis]!]!;
        if (field.numeric) centre[axis]! += (ofType / living) * field.dequantizeNumber(sum / ofType);
      }
    }
    return centre;
  }

  farthestSquare(group: number, fromX: number, fromY: number, fromZ: number): number {
    const { x, y, z } = this.#world;
    let square = 0;
    for (let slot = this.first[group]!; slot >= 0; slot = this.next[slot]!) {
      const dx = x[slot]! - fromX;
      const dy = y[slot]! - fromY;
      const dz = z[slot]! - fromZ;
      const apart = dx * dx + dy * dy + dz * dz;
      if (apart > square) square = apart;
    }
    return square;
  }

  #readWire(slot: number): void {
    const { store } = this.#world;
    const table = store.typeIndex[slot]!;
    const { position } = store.tables[table]!.type;
    for (let axis = 0; axis < position.length; axis++) {
      this.#wire[slot * AXES + axis] = this.#world.wireNumbers(table, position[axis]!)[store.row[slot]!]!;
    }
  }

  #link(slot: number, group: number): void {
    const head = this.first[group]!;
    this.group[slot] = group;
    this.next[slot] = head;
    this.#previous[slot] = NONE;
    if (head >= 0) this.#previous[head] = slot;
    this.first[group] = slot;
    this.#add(slot, group, 1);
  }

  #unlink(slot: number): void {
    const group = this.group[slot]!;
    const before = this.#previous[slot]!;
    const after = this.next[slot]!;
    if (before >= 0) this.next[before] = after;
    else this.first[group] = after;
    if (after >= 0) this.#previous[after] = before;
    this.#add(slot, group, -1);
  }

  #add(slot: number, group: number, sign: 1 | -1): void {
    const { store } = this.#world;
    const table = store.typeIndex[slot]!;
    const at = group * this.#types + table;
    this.count[group] = this.count[group]! + sign;
    this.changed[group] = 1;
    this.sumX[group] = this.sumX[group]! + sign * this.headingX[slot]!;
    this.sumY[group] = this.sumY[group]! + sign * this.headingY[slot]!;
    this.#ofType[at] = this.#ofType[at]! + sign;
    const axes = store.tables[table]!.type.position.length;
    for (let axis = 0; axis < axes; axis++) {
      this.#sums[at * AXES + axis] = this.#sums[at * AXES + axis]! + sign * this.#wire[slot * AXES + axis]!;
    }
  }

  #grow(capacity: number): void {
    this.count = grown(this.count, capacity);
    this.first = grown(this.first, capacity);
    this.owner = grown(this.owner, capacity);
    this.sumX = grown(this.sumX, capacity);
    this.sumY = grown(this.sumY, capacity);
    this.changed = grown(this.changed, capacity);
    this.byHand = grown(this.byHand, capacity);
    this.heir = grown(this.heir, capacity);
    this.x = grown(this.x, capacity);
    this.y = grown(this.y, capacity);
    this.z = grown(this.z, capacity);
    this.reach = grown(this.reach, capacity);
    this.#ofType = grown(this.#ofType, capacity, this.#types);
    this.#sums = grown(this.#sums, capacity, this.#types * AXES);
  }
}
