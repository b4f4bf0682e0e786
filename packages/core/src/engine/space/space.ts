/**
 * Objects and pivots in space. For each view it finds the objects that crossed a border of one of its pivots in this round. The cost: for a pivot that moved, all
 * objects in its rings; for a pivot that stood still, only those of them that moved.
 * Why so: docs/decisions/0009-engine-borders.md.
 */

import { extentOf, type Frame } from "../../camera-frame.ts";
import type { EngineView } from "../engine-view.ts";
import type { Batches } from "../memory/batches.ts";
import { EACH_ITS_OWN, ENGINE_MARGIN, ENGINE_STEP, ENGINE_WAY, MOVED, SLENDER, WATCH_Z } from "../memory/layout.ts";
import { type ColumnSource, enlarged, type Memory } from "../memory/memory.ts";
import type { SlotList } from "../memory/slot-list.ts";
import { type Bodies, REALS, Real } from "../objects/bodies.ts";
import { Band, Rings, TurnedBand } from "./borders.ts";
import { Snapshot } from "./snapshot.ts";
import { type Border, type Borders, WAY_CAUTION } from "./watch.ts";

/** Cells per reach of the view in the middle: fewer have larger rings, more have emptier ones. */
const CELLS_PER_REACH = 8;
/** A border that spans more cells than this has no rings: all objects are compared. */
const MOST_CELLS_PER_BORDER = 64;
/** Of a cell's edge, what object and pivot may move in a round; doubled while too many move farther. */
const LEAST_MARGIN = 1 / 8;
const MOST_MARGIN = 4;
/** Rounds after which a group that kept its size is expected to go on so. */
const STEADY = 8;
/** A ring has no more strips than four for each of its rows. */
export const MOST_RUNS: number = 8 * (2 * (MOST_CELLS_PER_BORDER + 8 * MOST_MARGIN) + 8);

/** Spare places at the end of the list of found slots: the kernel writes a slot before it knows whether it counts. */
const SPARE = 2;

/** Slots, in the order found; they may repeat. */
export class Found {
  count = 0;
  slots: Int32Array;
  readonly #columns: ColumnSource;

  constructor(columns: ColumnSource) {
    this.#columns = columns;
    this.slots = columns.ints(256);
  }

  /** Room for so many more, for a writer that fills `slots` itself. */
  reserve(more: number): void {
    const needed = this.count + more;
    if (needed > this.slots.length) this.slots = enlarged(this.#columns, this.slots, 2 * needed);
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
  /** Grows whenever rings must be made anew: another size of cells, margin or depth. */
  #edition = 0;
  #leaps = 0;
  /** Square of the way of the object that moved farthest in this round, not counting those that leapt. */
  #farthest = 0;
  readonly #memory: Memory;
  readonly #batches: Batches;
  /** Views by number of the crossing, in this round. */
  readonly #crossing: EngineView[] = [];
  /** The largest number of borders that any one pivot has, and how many rows and columns a ring reaches at most. */
  #mostBorders = 0;
  #mostRows = 0;
  #mostColumns = 0;

  constructor(memory: Memory, batches: Batches, bodies: Bodies, live: SlotList, isDeep: boolean) {
    this.#memory = memory;
    this.#batches = batches;
    this.#bodies = bodies;
    this.#live = live;
    this.#moved = live;
    this.#isDeep = isDeep;
    this.#all = new Snapshot(memory, batches.kernel, bodies, isDeep);
    this.#movers = new Snapshot(memory, batches.kernel, bodies, isDeep);
  }

  /** Chooses the cells by what the views look at. */
  fit(spans: readonly number[]): void {
    const middle = [...spans].sort((a, b) => a - b)[spans.length >> 1] ?? 0;
    const size = middle / CELLS_PER_REACH;
    if (!(size > 0) || size === Number.POSITIVE_INFINITY) return;
    if (size <= this.#size * 2 && size >= this.#size / 2) return;
    this.#size = size;
    this.#margin = size * LEAST_MARGIN;
    this.#edition++;
  }

  get size(): number {
    return this.#size;
  }

  get margin(): number {
    return this.#margin;
  }

  /** Whether a pivot of the view moved farther than rings are made for. */
  outruns({ step }: EngineView): boolean {
    return step > this.#margin;
  }

  /** The object moved in this round, or is new. True if it leapt: it moved farther than rings are made for. */
  follow(slot: number): boolean {
    if (this.#isDeep) this.#deepen(this.#bodies.reals, slot * REALS + Real.z);
    this.#bodies.measureStep(slot);
    const square = this.#bodies.stepSquare[0]!;
    const leapt = !(square <= this.#margin * this.#margin);
    if (leapt) this.#leaps++;
    else if (square > this.#farthest) this.#farthest = square;
    return leapt;
  }

  /** All moves of this round are noted. The margin is widened where more objects leap than views could look at one by one. */
  endMoves(moved: SlotList, round: number): void {
    this.#moved = moved;
    this.#round = round;
    if (this.#leaps > 16 + this.#moved.count / 64 && this.#margin < this.#size * MOST_MARGIN) {
      this.#margin *= 2;
      this.#edition++;
    }
    this.#leaps = 0;
    const { engineReals } = this.#memory;
    engineReals[ENGINE_STEP / 8] = Math.sqrt(this.#farthest);
    engineReals[ENGINE_WAY / 8]! += engineReals[ENGINE_STEP / 8]! * WAY_CAUTION;
    engineReals[ENGINE_MARGIN / 8] = this.#margin;
    this.#farthest = 0;
  }

  /** Takes a height into account, of an object or of a pivot: `reals[at]`. Rings must cover the whole spread of heights. */
  #deepen(reals: Float64Array, at: number): void {
    const z = reals[at]!;
    if (z >= this.#low && z <= this.#high) return;
    this.#low = Math.min(this.#low, z);
    this.#high = Math.max(this.#high, z);
    const spread = this.#high - this.#low;
    if (spread <= this.#depth) return;
    this.#depth = spread * 2;
    this.#edition++;
  }

  #snapshotOf(everything: boolean): Snapshot {
    const snapshot = everything ? this.#all : this.#movers;
    const list = everything ? this.#live : this.#moved;
    if (snapshot.round !== this.#round) snapshot.take(list.slots, list.count, this.#size, this.#round);
    return snapshot;
  }

  /** The borders of this view are to be compared in this round. */
  compare(view: EngineView): void {
    if (view.followed < 0) this.#compareAll(view);
    else {
      if (view.edition !== this.#edition) for (const { around } of view.watches) this.#equip(around);
      view.edition = this.#edition;
      if (view.watches.length > 1) this.#compareFollowed(view);
      // The kernel finds the one pivot of a view with a list by its address, too.
      else this.#add(view, view.watchAddress, this.#hasMoved(view.followed));
    }
  }

  #compareFollowed(view: EngineView): void {
    const { watches, followed } = view;
    if (!view.hasPivotList) {
      for (let i = 0; i < watches.length; i++) this.#add(view, watches[i]!.address, this.#hasMoved(followed + i));
      return;
    }
    const moved = this.#hasMoved(followed);
    for (let i = 1; i < watches.length; i++) {
      if (this.#hasMoved(followed + i) === moved) continue;
      this.#compareEach(view);
      return;
    }
    // The sheets of the pivots stay untouched: to fetch them would take longer than all else here.
    this.#addAll(view, this.#snapshotOf(moved).address);
  }

  /** Some pivots of the view moved, others did not. */
  #compareEach(view: EngineView): void {
    const { watches, followed } = view;
    for (let i = 0; i < watches.length; i++)
      watches[i]!.setSnapshot(this.#snapshotOf(this.#hasMoved(followed + i)).address);
    this.#addAll(view, EACH_ITS_OWN);
  }

  #hasMoved(followed: number): boolean {
    return this.#batches.wayOf(followed) === MOVED;
  }

  #compareAll(view: EngineView): void {
    const inList = view.hasPivotList;
    for (let i = 0; i < view.watches.length; i++) {
      const watch = view.watches[i]!;
      if (!watch.pivot.placed) continue;
      this.#deepen(watch.sheet, WATCH_Z / 8);
      this.#equip(watch.around);
      if (inList) watch.setSnapshot(this.#snapshotOf(watch.moved).address);
      else this.#add(view, watch.address, watch.moved);
    }
    if (inList) this.#addAll(view, EACH_ITS_OWN);
  }

  /** One crossing for all pivots of a view that has a list: the kernel finds them there. */
  #addAll(view: EngineView, snapshot: number): void {
    this.#crossing[this.#batches.addCrossing(view.address, 0, snapshot)] = view;
  }

  #add(view: EngineView, watch: number, moved: boolean): void {
    const number = this.#batches.addCrossing(view.address, watch, this.#snapshotOf(moved).address);
    this.#crossing[number] = view;
  }

  /**
   * Marks the pairs that crossed a border in this round, and tells of other objects that did, of some perhaps twice: either the kernel has
   * made a pair already, or it is −1 and to be seen whether there should be one.
   */
  cross(tell: (view: EngineView, slot: number, pair: number) => void): void {
    this.#tell = tell;
    const meetings = Math.max(this.#meetingsIn(this.#all), this.#meetingsIn(this.#movers));
    this.#batches.cross(meetings * this.#mostBorders + SPARE, this.#found);
  }

  /** How often a ring meets objects of a snapshot at most: where it reaches around the torus, its rows lie on each other, and so do the two strips of a row. */
  #meetingsIn({ count, shift, rowShift }: Snapshot): number {
    const rows = Math.ceil((2 * this.#mostRows + 1) / 2 ** rowShift);
    return count * rows * (2 * this.#mostColumns < 2 ** shift ? 1 : 2);
  }

  #tell: (view: EngineView, slot: number, pair: number) => void = () => {};
  readonly #found = (crossing: number, slot: number, pair: number): void => {
    this.#tell(this.#crossing[crossing]!, slot, pair);
  };

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

  /** Makes the rings of borders, if they have none for the present cells, margin and depth. */
  #equip(around: Borders): void {
    if (around.edition === this.#edition && around.isFitted) return;
    this.#mostBorders = Math.max(this.#mostBorders, around.borders.length);
    // The borders of a group that grows or shrinks move apart, so each has rings of its own.
    const isSteady = !around.elastic || around.steadyFor >= STEADY;
    const isNew = around.edition !== this.#edition || around.isBanded !== isSteady;
    around.edition = this.#edition;
    around.isFitted = isSteady;
    around.isBanded = isSteady;
    const { borders } = around;
    if (isNew) for (const border of borders) border.play = this.#playFor(around, border);
    for (let first = 0, band = 1; first < borders.length; first += band) {
      const border = borders[first]!;
      band = isSteady ? this.#bandAt(around, first) : 1;
      const play = this.#playFor(around, border);
      if (!isNew && Math.abs(border.distance - border.madeFor) <= border.play && play >= border.play) continue;
      border.madeFor = border.distance;
      border.play = play;
      around.equip(first, band, this.#ringsFor(borders.slice(first, first + band), around.frame));
    }
  }

  /** How far a border may move before its rings are made anew. One that moves has wide rings, which hold more objects to compare. */
  #playFor({ elastic, steadyFor }: Borders, { zone, distance }: Border): number {
    if (!elastic || zone < 0 || steadyFor >= STEADY) return 0;
    return Math.max(this.#margin, distance / 8);
  }

  /** How many borders from this one on lie so close together that one ring around all of them is cheaper than one for each. */
  #bandAt({ borders, frame }: Borders, first: number): number {
    let next = first + 1;
    while (next < borders.length && this.#isClose(borders[next - 1]!, borders[next]!, frame)) next++;
    return next - first;
  }

  /** Those around a group need not lie in the order of their distances: its zones grow, its range does not. */
  #isClose(one: Border, next: Border, frame: Frame | undefined): boolean {
    if (one.shape !== next.shape || this.#isTooLong(one, frame) || this.#isTooLong(next, frame)) return false;
    const [from, to] = this.#reachOf(one);
    const [nextFrom, nextTo] = this.#reachOf(next);
    return Math.max(nextFrom - to, from - nextTo) <= this.#size;
  }

  #isTooLong({ shape, distance }: Border, frame: Frame | undefined): boolean {
    const extent = shape === "framed" ? Math.max(...extentOf(frame!)) : 1;
    return distance * extent > this.#size * MOST_CELLS_PER_BORDER;
  }

  /** For a band of borders, or a single one; `undefined` where it is too long for any. */
  #ringsFor(band: readonly Border[], frame: Frame | undefined): Rings | undefined {
    const { shape } = band[0]!;
    if (this.#isTooLong(band[0]!, frame)) return undefined;
    const reaches = band.map((border) => this.#reachOf(border));
    const nearest = Math.min(...reaches.map(([from]) => from));
    const farthest = Math.max(...reaches.map(([, to]) => to));
    const region =
      shape === "framed" ? new TurnedBand(frame!, nearest, farthest) : new Band(shape, nearest, farthest, this.#depth);
    const rings = new Rings(this.#memory, region, this.#size);
    this.#mostRows = Math.max(this.#mostRows, rings.rows);
    this.#mostColumns = Math.max(this.#mostColumns, rings.columns);
    return rings;
  }

  /** The distances now between which whoever has crossed a border lies. */
  #reachOf({ distance, outward, play }: Border): [number, number] {
    const way = 2 * this.#margin + 2 * play;
    return [distance - (outward ? play : way), distance + (outward ? way : play)];
  }
}
