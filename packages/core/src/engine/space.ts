/**
 * Objects and pivots in space: tells, view by view, which objects have crossed a border of one of its pivots in this round. Cost: the
 * objects in the rings of pivots that moved, and for the others those that moved themselves.
 * Why so: docs/decisions/0009-engine-borders.md.
 */

import { grown } from "../object-store.ts";
import type { Shape } from "../view.ts";
import { type Bodies, REALS, Real } from "./bodies.ts";
import { Rings, SUBCELLS } from "./borders.ts";
import type { EngineView } from "./engine-view.ts";
import type { SlotList } from "./slot-list.ts";
import { HEIGHT, PLACE, SLENDER, Snapshot } from "./snapshot.ts";
import type { Watch, WatchedBorder } from "./watch.ts";

/** Cells per reach of the view in the middle: fewer have larger rings, more have emptier ones. */
const CELLS_PER_REACH = 8;
/** A border that spans more cells than this has no rings: all objects are compared. */
const MOST_CELLS_PER_BORDER = 64;
/** Of a cell's edge, what object and pivot may move in a round; doubled while too many move farther. */
const LEAST_MARGIN = 1 / 8;
const MOST_MARGIN = 4;
/** Rings are shared by the views that have the same borders; the store of them is emptied when it has grown to this. */
const MOST_RINGS = 4096;
/** A ring has no more strips than four for each of its rows. */
const MOST_RUNS: number = 8 * (2 * (MOST_CELLS_PER_BORDER + 8 * MOST_MARGIN) + 8);
// A constant of this module: see `plain.ts`.
const STRIDE = PLACE;
/** Numbers per strip of a ring. */
const STRIP = 3;

/** Slots, in the order found; they may repeat. */
export class Found {
  count = 0;
  slots: Int32Array = new Int32Array(256);

  /** Room for so many more, for a writer that fills `slots` itself. */
  reserve(more: number): void {
    if (this.count + more > this.slots.length) {
      this.slots = grown(new Int32Array(2 * (this.count + more)), this.slots);
    }
  }

  push(slot: number): void {
    this.reserve(1);
    this.slots[this.count++] = slot;
  }
}

export class Space {
  readonly #bodies: Bodies;
  readonly #isDeep: boolean;
  /** All objects that have a place, and those of them that moved in this round. */
  readonly #live: SlotList;
  #moved: SlotList;
  readonly #all: Snapshot;
  readonly #movers: Snapshot;
  #round = 0;
  /** Height of a row of the grid; 0 as long as no view has a border, and nothing is ever looked for. */
  #size = 0;
  /** What object and pivot may each move in a round, else they have leapt. */
  #margin: number = Number.POSITIVE_INFINITY;
  #depth = 0;
  #low = Number.POSITIVE_INFINITY;
  #high = Number.NEGATIVE_INFINITY;
  readonly #rings = new Map<string, Rings>();
  /** Grows when what rings were made for no longer holds. */
  #edition = 0;
  #leaps = 0;
  /** Scratch: runs of objects in a snapshot. */
  readonly #from = new Int32Array(MOST_RUNS);
  readonly #to = new Int32Array(MOST_RUNS);

  constructor(bodies: Bodies, live: SlotList, isDeep: boolean) {
    this.#bodies = bodies;
    this.#live = live;
    this.#moved = live;
    this.#isDeep = isDeep;
    this.#all = new Snapshot(bodies, isDeep);
    this.#movers = new Snapshot(bodies, isDeep);
  }

  /** Chooses the cells by what the views look at. */
  fit(spans: readonly number[]): void {
    const middle = [...spans].sort((a, b) => a - b)[spans.length >> 1] ?? 0;
    const size = middle / CELLS_PER_REACH;
    if (!(size > 0) || size === Number.POSITIVE_INFINITY) return;
    if (size <= this.#size * 2 && size >= this.#size / 2) return;
    this.#size = size;
    this.#margin = size * LEAST_MARGIN;
    this.#renew();
  }

  get size(): number {
    return this.#size;
  }

  get margin(): number {
    return this.#margin;
  }

  /** The object moved in this round, or is new. True if it leapt: it moved farther than rings are made for. */
  follow(slot: number): boolean {
    if (this.#isDeep) this.#deepen(this.#bodies.reals[slot * REALS + Real.z]!);
    const leapt = !(this.#bodies.stepSquare(slot) <= this.#margin * this.#margin);
    if (leapt) this.#leaps++;
    return leapt;
  }

  /** All moves of this round are noted. The margin is widened where more objects leap than views could look at one by one. */
  endMoves(moved: SlotList, round: number): void {
    this.#moved = moved;
    this.#round = round;
    if (this.#leaps > 16 + this.#moved.count / 64 && this.#margin < this.#size * MOST_MARGIN) {
      this.#margin *= 2;
      this.#renew();
    }
    this.#leaps = 0;
  }

  /** Heights of pivots count as well as those of objects. */
  #deepen(z: number): void {
    if (z >= this.#low && z <= this.#high) return;
    this.#low = Math.min(this.#low, z);
    this.#high = Math.max(this.#high, z);
    const spread = this.#high - this.#low;
    if (spread <= this.#depth) return;
    this.#depth = spread * 2;
    this.#renew();
  }

  #renew(): void {
    this.#rings.clear();
    this.#edition++;
  }

  #snapshotOf(everything: boolean): Snapshot {
    const snapshot = everything ? this.#all : this.#movers;
    const list = everything ? this.#live : this.#moved;
    if (snapshot.round !== this.#round) snapshot.take(list.slots, list.count, this.#size, this.#round);
    return snapshot;
  }

  /** Slots of the objects that crossed a border of this view in this round; where all its pairs are judged anyway, of those that entered. */
  crossings(view: EngineView, found: Found): void {
    for (const watch of view.watches) {
      if (!watch.pivot.placed) continue;
      this.#deepen(watch.pivot.z);
      const snapshot = this.#snapshotOf(watch.moved);
      for (const border of watch.borders) {
        if (view.sweeps && !border.isEntry) continue;
        this.#equip(border);
        if (border.rings === undefined) {
          this.#from[0] = 0;
          this.#to[0] = snapshot.count;
          found.reserve(snapshot.count);
          this.#compare(watch, border, snapshot, 1, found);
        } else this.#compareRing(watch, border, border.rings, snapshot, found);
      }
    }
  }

  /** Slots of all objects within `reach` of a pivot of the view, and of some that are not. */
  around(view: EngineView, found: Found): void {
    const snapshot = this.#snapshotOf(true);
    const { slots } = snapshot;
    for (const { pivot } of view.watches) {
      if (!pivot.placed) continue;
      const first = Math.floor(((pivot.x - view.reach) * (1 << SLENDER)) / this.#size) - 1;
      const last = Math.floor(((pivot.x + view.reach) * (1 << SLENDER)) / this.#size) + 1;
      const top = Math.floor((pivot.y - view.reach) / this.#size);
      const rows = Math.floor((pivot.y + view.reach) / this.#size) - top + 1;
      for (let row = 0; row < Math.min(rows, 1 << snapshot.rowShift); row++) {
        this.#eachRun(snapshot, top + row, first, last, (from, to) => {
          for (let i = from; i < to; i++) found.push(slots[i]!);
        });
      }
    }
  }

  #eachRun(
    snapshot: Snapshot,
    row: number,
    first: number,
    last: number,
    run: (from: number, to: number) => void,
  ): void {
    const { starts, shift, rowShift } = snapshot;
    const mask = (1 << shift) - 1;
    const base = (row & ((1 << rowShift) - 1)) << shift;
    const a = first & mask;
    const b = last & mask;
    if (last - first >= mask) run(starts[base]!, starts[base + mask + 1]!);
    else if (a <= b) run(starts[base + a]!, starts[base + b + 1]!);
    else {
      run(starts[base + a]!, starts[base + mask + 1]!);
      run(starts[base]!, starts[base + b + 1]!);
    }
  }

  /** Gives the border its rings, if what they were made for has changed. */
  #equip(border: WatchedBorder): void {
    const isCurrent = border.edition === this.#edition && Math.abs(border.distance - border.madeFor) <= border.play;
    if (isCurrent) return;
    border.edition = this.#edition;
    border.madeFor = border.distance;
    border.play = border.elastic ? Math.max(this.#margin, border.distance / 8) : 0;
    border.rings = undefined;
    if (border.distance > this.#size * MOST_CELLS_PER_BORDER) return;
    const way = 2 * this.#margin + 2 * border.play;
    const nearest = border.outward ? border.distance : border.distance - way;
    const farthest = border.distance + (border.outward ? way : border.play);
    const key = `${border.shape} ${nearest} ${farthest}`;
    let rings = this.#rings.get(key);
    if (rings === undefined) {
      rings = new Rings(border.shape, nearest, farthest, this.#size, this.#depth);
      if (this.#rings.size >= MOST_RINGS) this.#rings.clear();
      this.#rings.set(key, rings);
    }
    border.rings = rings;
  }

  /** Strip by strip. A strip that runs over the edge of the torus is two. */
  #compareRing(watch: Watch, border: WatchedBorder, rings: Rings, snapshot: Snapshot, found: Found): void {
    const { starts, shift, rowShift } = snapshot;
    const { x, y } = watch.pivot;
    const size = this.#size;
    const cx = Math.floor((x * (1 << SLENDER)) / size);
    const cy = Math.floor(y / size);
    const ring = rings.at(Math.min(SUBCELLS - 1, Math.floor((y / size - cy) * SUBCELLS)));
    const mask = (1 << shift) - 1;
    const rowMask = (1 << rowShift) - 1;
    let runs = 0;
    let objects = 0;
    const from = this.#from;
    const to = this.#to;
    for (let i = 0; i < ring.length; i += STRIP) {
      const base = ((cy + ring[i]!) & rowMask) << shift;
      const first = cx + ring[i + 1]!;
      const last = cx + ring[i + 2]!;
      const isRow = last - first >= mask;
      const a = base + (isRow ? 0 : first & mask);
      const b = base + (isRow ? mask : last & mask);
      const begin = starts[a]!;
      const end = starts[a <= b ? b + 1 : base + mask + 1]!;
      from[runs] = begin;
      to[runs] = end;
      if (end > begin) runs++;
      objects += end - begin;
      if (a <= b) continue;
      from[runs] = starts[base]!;
      to[runs++] = starts[b + 1]!;
      objects += starts[b + 1]! - starts[base]!;
    }
    found.reserve(objects);
    this.#compare(watch, border, snapshot, runs, found);
  }

  /** Those among the objects of the first `runs` runs that are beyond the border now and were not before, or the other way round. */
  #compare(watch: Watch, border: WatchedBorder, snapshot: Snapshot, runs: number, found: Found): void {
    if (this.#isDeep) this.#compareDeep(watch, border, snapshot, runs, found);
    else if (border.shape === "round") this.#compareRound(watch, border, snapshot, runs, found);
    else this.#compareSquare(watch, border, snapshot, runs, found);
  }

  /** Without a branch that depends on which side an object is on: those cannot be foreseen. Whoever lies on the border is found too. */
  #compareRound(
    watch: Watch,
    { outward, before, now }: WatchedBorder,
    { places, slots }: Snapshot,
    runs: number,
    found: Found,
  ): void {
    const { x, y } = watch.pivot;
    const { beforeX, beforeY } = watch;
    const from = this.#from;
    const to = this.#to;
    const out = found.slots;
    let count = found.count;
    for (let run = 0; run < runs; run++) {
      const end = to[run]!;
      for (let i = from[run]!; i < end; i++) {
        const at = i * STRIDE;
        const nowX = places[at]! - x;
        const nowY = places[at + 1]! - y;
        const oldX = places[at + 2]! - beforeX;
        const oldY = places[at + 3]! - beforeY;
        const beyond = nowX * nowX + nowY * nowY - now;
        const wasBeyond = oldX * oldX + oldY * oldY - before;
        if (beyond * wasBeyond <= 0 && beyond > 0 === outward) out[count++] = slots[i]!;
      }
    }
    found.count = count;
  }

  #compareSquare(
    watch: Watch,
    { outward, before, now }: WatchedBorder,
    { places, slots }: Snapshot,
    runs: number,
    found: Found,
  ): void {
    const { x, y } = watch.pivot;
    const { beforeX, beforeY } = watch;
    for (let run = 0; run < runs; run++)
      for (let i = this.#from[run]!; i < this.#to[run]!; i++) {
        const at = i * STRIDE;
        const apart = Math.max(Math.abs(places[at]! - x), Math.abs(places[at + 1]! - y));
        if (apart > now !== outward) continue;
        const earlier = Math.max(Math.abs(places[at + 2]! - beforeX), Math.abs(places[at + 3]! - beforeY));
        if (earlier > before !== outward) found.push(slots[i]!);
      }
  }

  #compareDeep(
    watch: Watch,
    { outward, before, now, shape }: WatchedBorder,
    { places, heights, slots }: Snapshot,
    runs: number,
    found: Found,
  ): void {
    const { x, y, z } = watch.pivot;
    const { beforeX, beforeY, beforeZ } = watch;
    for (let run = 0; run < runs; run++)
      for (let i = this.#from[run]!; i < this.#to[run]!; i++) {
        const at = i * STRIDE;
        if (apart(shape, places[at]! - x, places[at + 1]! - y, heights[i * HEIGHT]! - z) > now !== outward) continue;
        const oldX = places[at + 2]! - beforeX;
        const oldY = places[at + 3]! - beforeY;
        if (apart(shape, oldX, oldY, heights[i * HEIGHT + 1]! - beforeZ) > before !== outward) found.push(slots[i]!);
      }
  }
}

/** In the unit in which a border is given: squares where it is round. */
function apart(shape: Shape, dx: number, dy: number, dz: number): number {
  return shape === "round" ? dx * dx + dy * dy + dz * dz : Math.max(Math.abs(dx), Math.abs(dy), Math.abs(dz));
}
