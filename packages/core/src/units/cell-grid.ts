/**
 * Finds the objects of one owner near a place. Objects lie in square cells; cells share buckets by hash, so who asks compares distances. A bucket
 * whose objects are all of one group says so: mostly that is all one needs to know of it.
 */

import { grown } from "@nearfield/schema/internal";

const NONE = -1;
const FEWEST_BUCKETS = 256;
/** In place of a group: the objects of the bucket may be of several. */
export const MIXED = -2;

export class CellGrid {
  readonly size: number;
  /** By slot: the next object in the same bucket. */
  next: Int32Array = new Int32Array(0);
  #previous: Int32Array = new Int32Array(0);
  #bucket: Int32Array = new Int32Array(0);
  /** By bucket: its first object (−1: none); the group of all its objects, or `MIXED`. */
  heads: Int32Array = new Int32Array(FEWEST_BUCKETS).fill(NONE);
  groups: Int32Array = new Int32Array(FEWEST_BUCKETS).fill(MIXED);
  #mask = FEWEST_BUCKETS - 1;

  constructor(size: number) {
    this.size = size;
  }

  /** Makes room for slots below `capacity`. There are at least as many buckets as slots, so every object is put in anew by `put`. */
  ensure(capacity: number, put: () => void): void {
    const before = this.next.length;
    if (capacity <= before) return;
    this.next = grown(this.next, capacity);
    this.#previous = grown(this.#previous, capacity);
    this.#bucket = grown(this.#bucket, capacity).fill(NONE, before);
    if (capacity <= this.heads.length) return;
    let buckets = this.heads.length;
    while (buckets < capacity) buckets *= 2;
    this.heads = new Int32Array(buckets).fill(NONE);
    this.groups = new Int32Array(buckets).fill(MIXED);
    this.#mask = buckets - 1;
    this.#bucket.fill(NONE);
    put();
  }

  cellAt(place: number): number {
    return Math.floor(place / this.size);
  }

  /** Puts an object of that group where it is now. */
  place(slot: number, owner: number, group: number, x: number, y: number): void {
    const bucket = this.bucketOf(owner, this.cellAt(x), this.cellAt(y));
    if (bucket === this.#bucket[slot]) return;
    this.remove(slot);
    const head = this.heads[bucket]!;
    if (head < 0) this.groups[bucket] = group;
    else if (this.groups[bucket] !== group) this.groups[bucket] = MIXED;
    this.#bucket[slot] = bucket;
    this.next[slot] = head;
    this.#previous[slot] = NONE;
    if (head >= 0) this.#previous[head] = slot;
    this.heads[bucket] = slot;
  }

  /** An object is in another group now. */
  regroup(slot: number, group: number): void {
    const bucket = this.#bucket[slot]!;
    if (bucket < 0) return;
    const isAlone = this.heads[bucket] === slot && this.next[slot]! < 0;
    if (isAlone) this.groups[bucket] = group;
    else if (this.groups[bucket] !== group) this.groups[bucket] = MIXED;
  }

  remove(slot: number): void {
    const bucket = this.#bucket[slot]!;
    if (bucket < 0) return;
    const before = this.#previous[slot]!;
    const after = this.next[slot]!;
    if (before >= 0) this.next[before] = after;
    else this.heads[bucket] = after;
    if (after >= 0) this.#previous[after] = before;
    this.#bucket[slot] = NONE;
  }

  /** The bucket of a cell, for one owner's objects. */
  bucketOf(owner: number, column: number, row: number): number {
    const mixed = Math.imul(column, 0x9e3779b1) ^ Math.imul(row, 0x85ebca6b) ^ Math.imul(owner, 0xc2b2ae35);
    return (mixed ^ (mixed >>> 15)) & this.#mask;
  }
}
