/**
 * Groups each owner's objects by distance and heading, with hysteresis (R §3.1). Stands between the world's columns and `units.ts`, which makes
 * units of the groups.
 *
 * The rule. Two groups whose nearest members are within `join` of each other become one, if their headings agree within `turn`. A member leaves
 * if its heading differs from the group's by more than `partTurn`, or if no path of steps of at most `part` over members leads from it to the
 * rest. A group's heading is that of the sum of its members' headings; an object that stands has none, and who has none agrees with all.
 *
 * The cost follows what moved. A group is held together by a tree whose edges are at most `part` long. Only edges of objects that moved can have
 * become too long, and only objects that moved or changed their group can have come near another group.
 */

import { grown } from "@nearfield/schema/internal";
import type { World } from "../world.ts";
import { CellGrid, MIXED } from "./cell-grid.ts";
import { Contacts } from "./contacts.ts";
import { Forest } from "./forest.ts";
import { Groups } from "./groups.ts";
import { SlotBits } from "./slot-bits.ts";
import type { ResolvedUnits } from "./unit-settings.ts";

const NONE = -1;
/** Who moves less than this share of `join` in a round stands. */
const STANDING = 1e-3;

export class Grouping {
  readonly groups: Groups;
  readonly #world: World;
  readonly #join: number;
  readonly #part: number;
  readonly #agreeing: number;
  readonly #staying: number;
  readonly #rings: number;
  readonly #forest = new Forest();
  readonly #grid: CellGrid;
  readonly #contacts = new Contacts();
  readonly #every: number;
  /** By turn: objects that were written since the last turn, or that moved in it. */
  readonly #written: readonly SlotBits[];
  /** By slot: the turn of its owner. */
  #turn: Uint32Array = new Uint32Array(0);
  /** Objects that may have come near another group. */
  readonly #newcomers = new SlotBits();
  /** The cells around which, in this round, there is nobody but one group. */
  readonly #surroundings = new Surroundings();
  /** By slot: the yaw from which its heading was last made, if it goes by its orientation. */
  #yaw: Float64Array = new Float64Array(0);
  /** Place of each object in the round before. */
  #beforeX: Float64Array = new Float64Array(0);
  #beforeY: Float64Array = new Float64Array(0);
  /** Scratch: slots to go through; members that leave. */
  #list: Int32Array = new Int32Array(0);
  #leaving: Int32Array = new Int32Array(0);
  /** Roots of trees that were cut off and may hang together with the rest of their group in another way. */
  #loose: Int32Array = new Int32Array(64);
  #looseCount = 0;
  /** By slot: the tree in which it was last found, by number. */
  #seen: Uint32Array = new Uint32Array(0);
  #search = 0;
  /** By bucket of the grid: the last search that found nobody of the group outside the marked tree in it. */
  #exhausted: Uint32Array = new Uint32Array(0);

  constructor(world: World, { join, part, turn, partTurn, every }: ResolvedUnits) {
    this.#world = world;
    this.#every = every;
    this.#written = Array.from({ length: every }, () => new SlotBits());
    this.groups = new Groups(world);
    this.#join = join;
    this.#part = part;
    this.#agreeing = cosine(turn);
    this.#staying = cosine(partTurn);
    this.#rings = Math.ceil(part / join);
    this.#grid = new CellGrid(join);
  }

  // ── objects come and go ────────────────────────────────────────────────────────────────────────────────────────

  add(slot: number, owner: number): void {
    this.#ensure();
    this.groups.enter(slot, this.groups.begin(owner));
    this.#beforeX[slot] = this.#world.x[slot]!;
    this.#beforeY[slot] = this.#world.y[slot]!;
    this.#yaw[slot] = Number.NaN;
    this.#turn[slot] = owner % this.#every;
    this.#put(slot);
    this.#write(slot);
  }

  /** The object leaves the groups; nothing happens if it is in none. */
  remove(slot: number): void {
    if (!this.has(slot)) return;
    const group = this.groups.group[slot]!;
    this.#takeOut(slot);
    this.groups.leave(slot);
    if (this.groups.count[group] === 0) this.groups.end(group, NONE);
    this.#written[this.#turn[slot]!]!.delete(slot);
    this.#newcomers.delete(slot);
  }

  has(slot: number): boolean {
    return slot < this.groups.group.length && this.groups.group[slot]! >= 0;
  }

  /** Something of the object was written: it may have moved or turned. */
  touch(slot: number): void {
    if (this.has(slot)) this.#write(slot);
  }

  #write(slot: number): void {
    this.#written[this.#turn[slot]!]!.add(slot);
  }

  /** Makes one group of these objects of one owner. It stays as it is until the objects are released or gone. */
  groupByHand(slots: readonly number[], owner: number): void {
    if (slots.length === 0) return;
    const group = this.groups.begin(owner, true);
    for (const slot of slots) this.#transfer(slot, group);
  }

  /** The object is grouped by distance and heading again. */
  release(slot: number): void {
    if (this.groups.byHand[this.groups.group[slot]!] === 0) return;
    this.#transfer(slot, this.groups.begin(this.#ownerOf(slot)));
    this.#put(slot);
    this.#newcomers.add(slot);
  }

  #transfer(slot: number, to: number): void {
    const from = this.groups.group[slot]!;
    this.#takeOut(slot);
    this.groups.move(slot, to);
    if (this.groups.count[from] === 0) this.groups.end(from, NONE);
  }

  #put(slot: number): void {
    const group = this.groups.group[slot]!;
    this.#grid.place(slot, this.groups.owner[group]!, group, this.#world.x[slot]!, this.#world.y[slot]!);
  }

  /** Out of the grid and of its tree. */
  #takeOut(slot: number): void {
    this.#grid.remove(slot);
    this.#isolate(slot);
  }

  #ensure(): void {
    const { capacity } = this.#world.store;
    if (capacity <= this.#list.length) return;
    this.groups.ensure(capacity);
    this.#forest.ensure(capacity);
    for (const written of this.#written) written.ensure(capacity);
    this.#newcomers.ensure(capacity);
    this.#turn = grown(this.#turn, capacity);
    this.#beforeX = grown(this.#beforeX, capacity);
    this.#beforeY = grown(this.#beforeY, capacity);
    this.#yaw = grown(this.#yaw, capacity);
    this.#seen = grown(this.#seen, capacity);
    this.#list = new Int32Array(capacity);
    this.#leaving = new Int32Array(capacity);
    this.#grid.ensure(capacity, () => {
      const { group, byHand } = this.groups;
      for (let slot = 0; slot < group.length; slot++) {
        if (group[slot]! >= 0 && byHand[group[slot]!] === 0) this.#put(slot);
      }
    });
  }

  // ── the round ──────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Groups anew what was written since the last round. `groups.endRound` is left to the caller, who reads first what began and ended.
   *
   * @param turn whose turn it is: that of owners whose number leaves this rest when it is divided by `every`.
   * @param recruiting owners who do not wait for their turn.
   */
  round(turn: number, recruiting: ReadonlySet<number>): void {
    const moved = this.#takeMoves(turn, recruiting);
    this.#partByHeading(moved);
    this.#cutLongEdges(moved);
    for (let i = 0; i < this.#looseCount; i++) this.#reconnect(this.#loose[i]!);
    this.#looseCount = 0;
    this.#joinNewcomers();
    this.#joinContacts();
  }

  /** Takes over places and headings of what moved, and of what moved last time and stands now. Returns how many these are. */
  #takeMoves(turn: number, recruiting: ReadonlySet<number>): number {
    const list = this.#list;
    let count = this.#written[turn]!.take(list, 0);
    if (recruiting.size > 0) count = this.#takeRecruiting(turn, recruiting, count);
    for (let i = 0; i < count; i++) this.#takeMove(list[i]!);
    return count;
  }

  /** Adds what was written of owners whose turn it is not, and who do not wait. */
  #takeRecruiting(turn: number, recruiting: ReadonlySet<number>, count: number): number {
    const list = this.#list;
    let end = count;
    for (let other = 0; other < this.#every; other++) {
      if (other === turn) continue;
      const written = this.#written[other]!;
      const taken = written.take(list, end);
      for (let from = end, to = end + taken; from < to; from++) {
        const slot = list[from]!;
        if (recruiting.has(this.#ownerOf(slot))) list[end++] = slot;
        else written.add(slot);
      }
    }
    return end;
  }

  #takeMove(slot: number): void {
    const { groups } = this;
    const { x, y, velX, velY, store } = this.#world;
    const dx = x[slot]! - this.#beforeX[slot]!;
    const dy = y[slot]! - this.#beforeY[slot]!;
    const hasMoved = dx * dx + dy * dy > (STANDING * this.#join) ** 2;
    this.#beforeX[slot] = x[slot]!;
    this.#beforeY[slot] = y[slot]!;
    groups.refreshPlace(slot);
    const { type, values } = store.tables[store.typeIndex[slot]!]!;
    const { velocity, orientation } = type;
    if (velocity.length > 0) groups.turn(slot, velX[slot]!, velY[slot]!);
    else if (!hasMoved) {
      groups.turn(slot, 0, 0);
      this.#yaw[slot] = Number.NaN;
    } else if (orientation.length > 0) {
      const yaw = values.numbers(orientation[0]!)[store.row[slot]!]!;
      if (yaw !== this.#yaw[slot]) groups.turn(slot, Math.cos(yaw), Math.sin(yaw));
      this.#yaw[slot] = yaw;
    } else groups.turn(slot, dx, dy);
    // It is looked at once more, in the next turn: it may stand then.
    if (hasMoved) this.#write(slot);
    if (groups.byHand[groups.group[slot]!] === 1) return;
    this.#newcomers.add(slot);
    this.#put(slot);
  }

  // ── parting ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** All are compared with the headings that the groups had before anybody left, so the order does not matter. */
  #partByHeading(moved: number): void {
    const { group, byHand, count, headingX, headingY, sumX, sumY } = this.groups;
    let leaving = 0;
    for (let i = 0; i < moved; i++) {
      const slot = this.#list[i]!;
      const own = group[slot]!;
      if (count[own] === 1 || byHand[own] === 1) continue;
      if (agree(headingX[slot]!, headingY[slot]!, sumX[own]!, sumY[own]!, this.#staying)) continue;
      this.#leaving[leaving++] = slot;
    }
    for (let i = 0; i < leaving; i++) {
      const slot = this.#leaving[i]!;
      if (this.groups.count[this.groups.group[slot]!] === 1) continue;
      this.#isolate(slot);
      this.#regroup(slot, this.groups.begin(this.#ownerOf(slot)));
    }
  }

  #cutLongEdges(moved: number): void {
    const { parent, firstChild, nextSibling } = this.#forest;
    for (let i = 0; i < moved; i++) {
      const slot = this.#list[i]!;
      if (parent[slot]! >= 0 && !this.#isWithin(slot, parent[slot]!, this.#part)) this.#loosen(slot);
      for (let child = firstChild[slot]!; child >= 0; ) {
        const next = nextSibling[child]!;
        if (!this.#isWithin(slot, child, this.#part)) this.#loosen(child);
        child = next;
      }
    }
  }

  /** Cuts all edges of an object. */
  #isolate(slot: number): void {
    const { firstChild } = this.#forest;
    this.#forest.cut(slot);
    while (firstChild[slot]! >= 0) this.#loosen(firstChild[slot]!);
  }

  #loosen(slot: number): void {
    this.#forest.cut(slot);
    if (this.#looseCount === this.#loose.length) this.#loose = grown(this.#loose, this.#looseCount * 2);
    this.#loose[this.#looseCount++] = slot;
  }

  /** Hangs a tree that was cut off on another member of its group that is near enough. If there is none, the group splits. */
  #reconnect(root: number): void {
    const own = this.has(root) ? this.groups.group[root]! : NONE;
    if (own < 0 || this.#forest.parent[root]! >= 0) return;
    const size = this.#markTree(root);
    if (size === this.groups.count[own]) return;
    if (this.#exhausted.length < this.#grid.heads.length) this.#exhausted = new Uint32Array(this.#grid.heads.length);
    for (let node = root; node >= 0; node = this.#forest.following(node, root)) {
      const near = this.#nearestOutside(node, own);
      if (near < 0) continue;
      this.#forest.reroot(node);
      this.#forest.attach(node, near);
      return;
    }
    this.#split(own, size);
  }

  #markTree(root: number): number {
    this.#search += 1;
    let size = 0;
    for (let node = root; node >= 0; node = this.#forest.following(node, root)) {
      this.#seen[node] = this.#search;
      size++;
    }
    return size;
  }

  /** The nearest member of the group that is not in the marked tree; −1: none is near enough. */
  #nearestOutside(slot: number, own: number): number {
    const { x, y } = this.#world;
    const { group } = this.groups;
    const { heads, next, groups } = this.#grid;
    const owner = this.groups.owner[own]!;
    const column = this.#grid.cellAt(x[slot]!);
    const row = this.#grid.cellAt(y[slot]!);
    let nearest = NONE;
    let least = this.#part * this.#part;
    for (let r = row - this.#rings; r <= row + this.#rings; r++) {
      for (let c = column - this.#rings; c <= column + this.#rings; c++) {
        const bucket = this.#grid.bucketOf(owner, c, r);
        if (this.#exhausted[bucket] === this.#search || (groups[bucket] !== own && groups[bucket] !== MIXED)) continue;
        let isExhausted = true;
        for (let other = heads[bucket]!; other >= 0; other = next[other]!) {
          if (group[other] !== own || this.#seen[other] === this.#search) continue;
          isExhausted = false;
          const square = this.#squareApart(slot, other);
          if (square > least || (square === least && nearest >= 0 && nearest < other)) continue;
          least = square;
          nearest = other;
        }
        if (isExhausted) this.#exhausted[bucket] = this.#search;
      }
    }
    return nearest;
  }

  /** The marked tree parts from the rest. The smaller of the two becomes a group of its own, so that most members stay where they are. */
  #split(own: number, size: number): void {
    const fresh = this.groups.begin(this.groups.owner[own]!);
    const { first, next, count } = this.groups;
    const movesTree = size * 2 <= count[own]!;
    for (let slot = first[own]!; slot >= 0; ) {
      const following = next[slot]!;
      if ((this.#seen[slot] === this.#search) === movesTree) {
        this.#regroup(slot, fresh);
        this.#newcomers.add(slot);
      }
      slot = following;
    }
  }

  // ── joining ────────────────────────────────────────────────────────────────────────────────────────────────────

  #joinNewcomers(): void {
    this.#surroundings.begin(this.#grid.heads.length);
    const count = this.#newcomers.take(this.#list, 0);
    for (let i = 0; i < count; i++) {
      const slot = this.#list[i]!;
      for (let near = this.#nearestAgreeing(slot); near >= 0; near = this.#nearestAgreeing(slot))
        this.#merge(slot, near);
    }
  }

  /** The nearest object of another group that agrees with this one's. Groups that are near and do not agree are noted. */
  #nearestAgreeing(slot: number): number {
    const { x, y } = this.#world;
    const { group, owner, sumX, sumY } = this.groups;
    const { heads, next, groups } = this.#grid;
    const own = group[slot]!;
    const atX = x[slot]!;
    const atY = y[slot]!;
    const column = this.#grid.cellAt(atX);
    const row = this.#grid.cellAt(atY);
    const home = this.#grid.bucketOf(owner[own]!, column, row);
    if (this.#surroundings.areOf(own, home, column, row)) return NONE;
    const near = this.#join * this.#join;
    let nearest = NONE;
    let least = near;
    let isAmongOwn = true;
    // Objects that lie together are mostly of one group, so the last answer is mostly the next one.
    let lastGroup = NONE;
    let doesAgree = false;
    for (let r = row - 1; r <= row + 1; r++) {
      for (let c = column - 1; c <= column + 1; c++) {
        const bucket = this.#grid.bucketOf(owner[own]!, c, r);
        if (groups[bucket] === own || heads[bucket]! < 0) continue;
        let isMixed = false;
        for (let other = heads[bucket]!; other >= 0; other = next[other]!) {
          const theirs = group[other]!;
          if (theirs === own) continue;
          isMixed = true;
          const dx = atX - x[other]!;
          const dy = atY - y[other]!;
          const square = dx * dx + dy * dy;
          if (square > near || owner[theirs] !== owner[own]) continue;
          if (theirs !== lastGroup) {
            lastGroup = theirs;
            doesAgree = agree(sumX[own]!, sumY[own]!, sumX[theirs]!, sumY[theirs]!, this.#agreeing);
            if (!doesAgree) this.#contacts.add(own, theirs);
          }
          if (!doesAgree) continue;
          if (square < least || nearest < 0 || (square === least && other < nearest)) {
            least = square;
            nearest = other;
          }
        }
        if (!isMixed) groups[bucket] = own;
        else isAmongOwn = false;
      }
    }
    if (isAmongOwn) this.#surroundings.note(own, home, column, row);
    return nearest;
  }

  /** Groups that are near each other and agree by now. Every merge changes a heading, so this goes on until there is nothing left to merge. */
  #joinContacts(): void {
    let isDone = this.#contacts.count === 0;
    while (!isDone) {
      isDone = true;
      if (this.groups.ended.length > 0 || this.#contacts.hasDropped) this.#contacts.renew(this.groups.heirOf);
      for (let i = 0; i < this.#contacts.count; i++) {
        const a = this.groups.heirOf(this.#contacts.low[i]!);
        const b = this.groups.heirOf(this.#contacts.high[i]!);
        if (a === b || !this.#doAgree(a, b)) continue;
        if (this.#joinIfNear(a, b)) isDone = false;
        else this.#contacts.drop(i);
      }
    }
  }

  #doAgree(a: number, b: number): boolean {
    const { sumX, sumY } = this.groups;
    return agree(sumX[a]!, sumY[a]!, sumX[b]!, sumY[b]!, this.#agreeing);
  }

  #joinIfNear(a: number, b: number): boolean {
    const { count, first, next } = this.groups;
    const smaller = count[a]! < count[b]! ? a : b;
    const larger = smaller === a ? b : a;
    for (let slot = first[smaller]!; slot >= 0; slot = next[slot]!) {
      const near = this.#touching(slot, larger);
      if (near < 0) continue;
      this.#merge(slot, near);
      return true;
    }
    return false;
  }

  /** The first member found of a group within `join` of an object. */
  #touching(slot: number, group: number): number {
    const owner = this.groups.owner[group]!;
    const column = this.#grid.cellAt(this.#world.x[slot]!);
    const row = this.#grid.cellAt(this.#world.y[slot]!);
    for (let r = row - 1; r <= row + 1; r++) {
      for (let c = column - 1; c <= column + 1; c++) {
        const bucket = this.#grid.bucketOf(owner, c, r);
        if (this.#grid.groups[bucket] !== group && this.#grid.groups[bucket] !== MIXED) continue;
        for (let other = this.#grid.heads[bucket]!; other >= 0; other = this.#grid.next[other]!) {
          if (this.groups.group[other] === group && this.#isWithin(slot, other, this.#join)) return other;
        }
      }
    }
    return NONE;
  }

  /** Makes one group of the groups of two objects that are near each other; the larger one goes on. */
  #merge(a: number, b: number): void {
    const { group, count, first } = this.groups;
    const keepsA =
      count[group[a]!]! > count[group[b]!]! || (count[group[a]!]! === count[group[b]!]! && group[a]! < group[b]!);
    const stays = keepsA ? a : b;
    const goes = keepsA ? b : a;
    const kept = group[stays]!;
    const gone = group[goes]!;
    this.#forest.reroot(goes);
    this.#forest.attach(goes, stays);
    while (first[gone]! >= 0) this.#regroup(first[gone]!, kept);
    this.groups.end(gone, kept);
  }

  #regroup(slot: number, group: number): void {
    this.groups.move(slot, group);
    this.#grid.regroup(slot, group);
  }

  #ownerOf(slot: number): number {
    return this.groups.owner[this.groups.group[slot]!]!;
  }

  #isWithin(a: number, b: number, distance: number): boolean {
    return this.#squareApart(a, b) <= distance * distance;
  }

  #squareApart(a: number, b: number): number {
    const { x, y } = this.#world;
    const dx = x[a]! - x[b]!;
    const dy = y[a]! - y[b]!;
    return dx * dx + dy * dy;
  }
}

/**
 * Around which cells there is nobody but one group, as found in this round. Objects in the same cell then need not look around. While groups join, nobody moves, and
 * who is alone with its group stays so until the group is part of another one.
 */
class Surroundings {
  /** By bucket of the cell: round in which it was found, group, column, row. */
  #found: Int32Array = new Int32Array(0);
  #round = 0;

  begin(buckets: number): void {
    this.#round += 1;
    if (this.#found.length < buckets * 4) this.#found = new Int32Array(buckets * 4);
  }

  areOf(group: number, bucket: number, column: number, row: number): boolean {
    const found = this.#found;
    const at = bucket * 4;
    return found[at] === this.#round && found[at + 1] === group && found[at + 2] === column && found[at + 3] === row;
  }

  note(group: number, bucket: number, column: number, row: number): void {
    const at = bucket * 4;
    this.#found[at] = this.#round;
    this.#found[at + 1] = group;
    this.#found[at + 2] = column;
    this.#found[at + 3] = row;
  }
}

/** Whether two headings, of any length, differ by at most the angle of this cosine. One of length 0 agrees with all. */
function agree(ax: number, ay: number, bx: number, by: number, least: number): boolean {
  const lengths = (ax * ax + ay * ay) * (bx * bx + by * by);
  return lengths === 0 || ax * bx + ay * by >= least * Math.sqrt(lengths);
}

/** A little below the cosine, since headings are rounded. */
function cosine(degrees: number): number {
  return Math.cos((degrees * Math.PI) / 180) - 1e-9;
}
