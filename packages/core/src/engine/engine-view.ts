/** One view as the engine keeps it: its compiled settings, its placed pivots with the borders around them, its pairs. It decides nothing. */

import type { ObjectId } from "@nearfield/schema";
import { DepartedSends } from "../account.ts";
import { isSameFrame } from "../camera-frame.ts";
import { DecisionList } from "../decision-list.ts";
import { displacement, type Metric, path, relativeFieldOf, SAMPLE_SIZE } from "../metrics.ts";
import type { DecisionKind, ViewId, ViewOptions } from "../model.ts";
import { aimForGood, isSameCentre, type PlacedPivot, placePivot, replaced } from "../pivots.ts";
import { checkFactors, checkOptions, loosened, type ResolvedSet, type ResolvedView } from "../resolve-view.ts";
import { canRipen, mayRide, Rhythm, ripened } from "../ripe.ts";
import type { Pivot } from "../view.ts";
import type { World } from "../world.ts";
import type { ThresholdStore, Thresholds } from "./judges/thresholds.ts";
import {
  DEFERS,
  GO_ON,
  MIXED,
  STAY,
  VIEW,
  VIEW_BUDGETED,
  VIEW_DEFERRED,
  VIEW_DEFERS,
  VIEW_ENTERS,
  VIEW_LEAVES,
  VIEW_LOOSENED,
  VIEW_NUMBER,
  VIEW_OUT,
  VIEW_OUTER,
  VIEW_PICTURES,
  VIEW_PIVOT_COUNT,
  VIEW_PIVOTS,
  VIEW_RIPE,
  VIEW_SEEN,
  VIEW_SESSION,
  VIEW_SETS,
  VIEW_SILENT,
  VIEW_SWEEPS,
  VIEW_UNEQUAL,
  VIEW_UNSEEN,
  VIEW_WATCH,
  VIEW_WAY,
} from "./memory/layout.ts";
import type { ColumnSource } from "./memory/memory.ts";
import type { PairPages } from "./pairs/pair-pages.ts";
import { PairTable } from "./pairs/pair-table.ts";
import type { Bearings } from "./plans/bearing.ts";
import { Flights } from "./sends/flights.ts";
import { needsList, PivotList } from "./space/pivot-list.ts";
import { type BorderStore, WAY_CAUTION, type Watch } from "./space/watch.ts";
import type { Seen } from "./visibility/seen.ts";

// A constant of this module: see `pair-table.ts`.
const [SWEEPS, DEFERRED, UNSEEN] = [VIEW_SWEEPS / 4, VIEW_DEFERRED / 4, VIEW_UNSEEN / 4];
const [SEEN, OUT] = [VIEW_SEEN / 4, VIEW_OUT / 4];
const WAY = VIEW_WAY / 8;
/** Views within so many rows are arranged by column. */
const ROWS = 4;

export interface Removal {
  readonly kind: DecisionKind;
  /** Round in which it was last decided; −1 while it waits. */
  round: number;
  /** The removal was sent before and got lost. The account has counted the client as behind since then. */
  readonly wasLost: boolean;
  /** Round since which it is withheld; 0 = it is not. */
  readonly since: number;
}

/** The stores from which the views of one engine take their parts, and to which they give them back. */
export interface ViewStores {
  readonly columns: ColumnSource;
  readonly pages: PairPages;
  readonly borders: BorderStore;
  readonly thresholds: ThresholdStore;
  readonly bearings: Bearings;
  /** Length of a round. */
  readonly roundMs: number;
  /** Whether the kernel may begin pairs by itself, without the engine being told. */
  readonly kernelBegins: () => boolean;
}

export class EngineView {
  readonly id: ViewId;
  readonly session: number;
  readonly assumeDelivered: boolean;
  budgeted: boolean;
  /** Updates that fit into bytes which would go unused, and the last round in which something was withheld. For budgeted views. */
  spare = 0;
  shortIn: number = Number.NEGATIVE_INFINITY;
  readonly questionsOnly: boolean;
  readonly decisions: DecisionList;
  readonly removals: Map<ObjectId, Removal> = new Map();
  readonly departed: DepartedSends = new DepartedSends();
  readonly pairs: PairTable;
  /** `undefined` where sends are taken as received. */
  readonly flights: Flights | undefined;
  /** What the kernel is told of it, see `layout.ts`; and the same memory as integers. */
  readonly sheet: Float64Array;
  readonly sheetInts: Int32Array;
  readonly address: number;
  /** Objects that are due whatever their bound, as soon as they are not equal. A send meets the demand; if it gets lost, the demand is back. */
  readonly demands: Set<ObjectId> = new Set();
  /** Removals that wait to be decided. */
  waitingRemovals = 0;
  /** Of those decisions that are not recorded yet, the one that was withheld last. */
  withheldRow = 0;
  /** Its client wrote an object by itself, so that a pair may stand on more than was sent. */
  hasWritten = false;
  /** As stated; it is loosened by `outer` and `inner`. */
  resolved: ResolvedView;
  outer = 1;
  inner = 1;
  #judged: ResolvedView | undefined;
  watches: readonly Watch[] = [];
  /** How many of its pivots are groups. */
  groups = 0;
  /** Its pivots all lie on objects and have no direction that matters, so that the kernel can follow them; where the first one's watch lies. */
  isCarried = false;
  watchAddress = 0;
  /** Number of its first pivot among those that the kernel followed in this round, the others come next; −1 = none of them. */
  followed = -1;
  /** The edition of the space for which the borders of a pivot that is followed have their rings. */
  edition = -1;
  /** What the kernel judges by: as stated, and as loosened, if it is. */
  #thresholds: Thresholds | undefined;
  #loosened: Thresholds | undefined;
  /** The thresholds at which its pairs are ripe, once the kernel has looked for ripe ones. */
  #ripened: Thresholds | undefined;
  /** In which rounds it had something due. */
  readonly rhythm: Rhythm = new Rhythm();
  /** A pair of it can be ripe before it is due. */
  canRipen = false;
  paused = false;
  /** The view has been paused for at least a round, and its old decisions are cleared. */
  passedOver = false;
  /** It sits out the next round, or the one that runs. */
  isOut = false;
  /** The round after the last one that it sat out. */
  outUntil = 0;
  /** Some set's samples build on earlier sends, or did: what becomes of those matters for later ones (`replay.ts`). */
  remembers = false;
  /** Which objects it may know of, as the room's rule says; `undefined`: of all. */
  seen: Seen | undefined = undefined;
  /** All pairs are to be judged in the next round, and objects in reach to be found. */
  recheck = true;
  /** Its pivots are others than in the round before: pairs that are not equal are to be judged in the next round. */
  repivoted = false;
  /** Some set has no range, so every object is tracked. */
  wide = false;
  /** No set has a range, so where the pivots are decides about bounds alone, never about what is in the replica. */
  #isUnranged = false;
  /** Its place among the views: row after row, by its first pivot. A small integer, so that sorting by it allocates nothing. */
  arrangedAt = 0;
  /** Its number among the views that the kernel judges in this round; −1 = it does not. */
  briefed = -1;
  /** Largest range of its sets. */
  reach = 0;
  /** How far the pivot, or a border around one, that moved farthest has come in this round. */
  step = 0;
  /** Some set has several sectors, so the direction of the pivot matters. */
  #hasSectors = false;
  /** All its sets are such as the kernel can judge. */
  #hasPlainSets = false;
  #pivotList: PivotList | undefined;
  /** The kernel has been told what to judge by, and of the pivots as they are. */
  #isBriefed = false;
  #pivots: readonly Pivot[] = [];
  /** It has pivots, and all of them are objects. */
  #areObjects = false;
  #placed: readonly PlacedPivot[] = [];
  readonly #stores: ViewStores;

  /** @param isDeep some object has a third axis. */
  constructor(id: ViewId, resolved: ResolvedView, options: ViewOptions, stores: ViewStores, isDeep: boolean) {
    checkOptions(options);
    stores.bearings.start(id);
    this.id = id;
    this.session = options.session ?? 0;
    this.assumeDelivered = options.assumeDelivered ?? false;
    this.budgeted = options.budgeted ?? false;
    this.questionsOnly = options.questionsOnly ?? false;
    const { columns, pages } = stores;
    this.#stores = stores;
    this.sheet = columns.reals(VIEW / 8);
    this.sheetInts = new Int32Array(this.sheet.buffer, this.sheet.byteOffset, VIEW / 4);
    this.address = this.sheet.byteOffset;
    this.sheetInts[VIEW_SESSION / 4] = this.session;
    this.sheetInts[VIEW_NUMBER / 4] = id;
    this.decisions = new DecisionList(columns, this.sheetInts);
    this.pairs = new PairTable(pages, !this.assumeDelivered, this.sheetInts, (pairs) => this.decisions.reserve(pairs));
    this.flights = this.assumeDelivered ? undefined : new Flights(columns, this.pairs, this.sheetInts);
    this.#publishPressure();
    if (isDeep) this.#deepen();
    this.resolved = resolved;
    this.change(resolved);
  }

  /** Gives the view's memory back. */
  dispose(): void {
    this.pairs.dispose();
    this.flights?.dispose();
    this.decisions.dispose();
    this.#stores.columns.release(this.sheet);
    for (const watch of this.watches) this.#stores.borders.release(watch);
    this.#forgetThresholds();
  }

  change(resolved: ResolvedView): void {
    this.resolved = resolved;
    this.#judged = undefined;
    if (resolved.sets.some(({ metric }) => !isShallow(metric))) this.#deepen();
    if (resolved.sets.some(({ metric }) => isWide(metric))) this.#widen();
    this.remembers ||= resolved.sets.some(({ metric }) => metric.again !== undefined);
    const ranges = resolved.sets.map(({ range }) => range);
    this.wide = ranges.some((range) => range === Number.POSITIVE_INFINITY);
    this.#isUnranged = ranges.every((range) => range === Number.POSITIVE_INFINITY);
    this.reach = this.wide ? 0 : Math.max(...ranges);
    this.#hasPlainSets = resolved.sets.every(isPlainSet);
    this.#hasSectors = resolved.sets.some(({ sectorCount }) => sectorCount > 1);
    this.canRipen = resolved.sets.some(canRipen);
    this.recheck = true;
    this.#watch(false);
  }

  #deepen(): void {
    this.pairs.deepen();
    this.flights?.deepen();
  }

  #widen(): void {
    this.pairs.widen();
    this.flights?.widen();
  }

  /** Whether so many ripe pairs may be sent, as far as bytes and bounds go. */
  mayRide(ripe: number, round: number): boolean {
    if (this.outer > 1) return false;
    return !this.budgeted || mayRide(this.decisions.count + ripe, this.spare, this.shortIn, round);
  }

  setBudgeted(budgeted: boolean): void {
    checkOptions({ budgeted, assumeDelivered: this.assumeDelivered });
    this.budgeted = budgeted;
    if (!budgeted) this.decisions.forgetUrgencies();
    this.#publishPressure();
  }

  /**
   * Pairs that wait unseen are planned by the loosened bounds, so tighter ones have all pairs looked at. A view that begins to be loosened is told of
   * borders crossed outward from then on, and one that no longer is, no more.
   */
  loosen(outer: number, inner: number): void {
    checkFactors(outer, inner);
    const turns = outer > 1 !== this.outer > 1;
    if (outer < this.outer || inner < this.inner) this.sweeps = true;
    this.#judged = undefined;
    this.outer = outer;
    this.inner = inner;
    this.#forgetLoosened();
    this.#publishPressure();
    if (!turns) return;
    this.recheck = true;
    this.#watch(false);
  }

  /** As loosened. Seldom needed: the kernel judges most views, by thresholds that views with the same bounds and factors share. */
  get judged(): ResolvedView {
    this.#judged ??= loosened(this.resolved, this.outer, this.inner, this.#stores.roundMs);
    return this.#judged;
  }

  /** Tells the kernel whether bytes may run short, and what of that it must know before it judges. */
  #publishPressure(): void {
    if (this.budgeted || this.outer > 1) this.pairs.keepWaits();
    this.sheetInts[VIEW_BUDGETED / 4] = this.budgeted ? 1 : 0;
    this.sheet[VIEW_OUTER / 8] = this.outer;
  }

  /** If pivots are points that only moved, this is a move like any other. After any other change pairs are judged anew. */
  setPivots(pivots: readonly Pivot[]): void {
    const onlyMoved =
      pivots.length === this.#pivots.length && pivots.every((pivot, i) => hasOnlyMoved(this.#pivots[i]!, pivot));
    const before = this.#pivots;
    this.#pivots = pivots;
    if (onlyMoved) return;
    this.#areObjects = pivots.length > 0 && pivots.every((pivot) => "object" in pivot);
    const scale = this.#scale;
    this.#placed = replaced(before, this.placed, pivots);
    this.repivoted = true;
    this.#watch(true);
    if (this.#scale !== scale) this.#forgetThresholds();
  }

  /**
   * Whether it is enough, after a leap or a change of pivots, to judge the pairs that have a plan. Every pair that is not equal has one, and an equal
   * pair is never due. Only ranges, sectors and loosened bounds ask for more. Why so: docs/decisions/0032-strategy.md.
   */
  get needsPlannedOnly(): boolean {
    return !this.recheck && this.#isUnranged && !this.#hasSectors && this.outer === 1;
  }

  /** An object is about to be destroyed. The kernel carries pivots without looking where they look, so that is taken over now. */
  pivotGoes(world: World, slot: number): void {
    aimForGood(this.#pivots, this.#placed, world, slot);
  }

  get placed(): readonly PlacedPivot[] {
    if (this.followed >= 0) for (const watch of this.watches) watch.recall();
    return this.#placed;
  }

  /**
   * Whether the kernel knows of each pair how far pivots may come until its bounds can be stricter. Then pivots that move, however far, have only those pairs looked
   * at for which that is used up.
   */
  get goesByLeeway(): boolean {
    return this.needsPlannedOnly && !this.isCarried && this.isPlain && this.#pivotList !== undefined;
  }

  /** Places the pivots for this round. */
  place(world: World, round: number): void {
    this.followed = -1;
    for (let index = 0; index < this.#pivots.length; index++) {
      const pivot = this.#placed[index]!;
      const wasPlaced = pivot.placed;
      placePivot(this.#pivots[index]!, world, pivot);
      if (!wasPlaced && pivot.placed) {
        this.repivoted = true;
        this.#forgetList();
      }
    }
    this.step = 0;
    let way = 0;
    for (const watch of this.watches) {
      watch.follow();
      if (watch.step > this.step) this.step = watch.step;
      if (watch.way > way) way = watch.way;
    }
    this.sheet[WAY] = this.sheet[WAY]! + way * WAY_CAUTION;
    this.#pivotList?.refit();
    if (this.#hasSectors) this.#turn(round);
    else this.#carryOn(world);
  }

  /** Tells the kernel where the first pivot looks. Where there are several, the kernel does not plan by that. */
  #turn(round: number): void {
    const [pivot] = this.#placed;
    if (pivot === undefined) return;
    if (this.#stores.bearings.note(this, pivot, round)) this.sweeps = true;
  }

  /** Leaves the pivots to the kernel from the next round on, if it can follow all of them. */
  #carryOn(world: World): void {
    if (!this.#areObjects) return;
    for (const pivot of this.#pivots) {
      const slot = "object" in pivot ? world.store.liveSlot(pivot.object) : -1;
      if (slot < 0 || !world.isSpatial(slot)) return;
    }
    this.isCarried = true;
    for (const [index, pivot] of this.#pivots.entries()) {
      if ("object" in pivot) this.watches[index]!.carryOn(world.store.liveSlot(pivot.object), pivot.object);
    }
  }

  /** Tells the kernel which objects it may know of. */
  publishSeen(): void {
    this.sheetInts[SEEN] = this.seen?.address ?? 0;
  }

  /** Clears the decisions of the round before. */
  beginDeciding(): void {
    this.decisions.clear();
  }

  /**
   * While bytes are short, much of what is decided next will be withheld. Then the kernel records no decision as sent until it is known which
   * ones are. While bytes are not short, decisions are recorded at once.
   */
  chooseDeferral(): void {
    const isShort = this.budgeted && (this.outer > 1 || this.decisions.withheld > 0);
    this.sheetInts[VIEW_DEFERS / 4] = isShort ? DEFERS : 0;
  }

  /** How many decisions are not recorded yet: the first ones. */
  get deferred(): number {
    return this.sheetInts[DEFERRED]!;
  }

  /** How many of its pairs wait unseen. */
  get unseen(): number {
    return this.sheetInts[UNSEEN]!;
  }

  set unseen(pairs: number) {
    this.sheetInts[UNSEEN] = pairs;
  }

  /** How many rounds in a row it has sat out since it was last served. */
  get roundsOut(): number {
    return this.sheetInts[OUT]!;
  }

  set roundsOut(rounds: number) {
    this.sheetInts[OUT] = rounds;
  }

  /** Most of its pairs are due in every round, so all are judged without a scan for the due ones. */
  get sweeps(): boolean {
    return this.sheetInts[SWEEPS] !== 0;
  }

  set sweeps(sweeps: boolean) {
    this.sheetInts[SWEEPS] = sweeps ? 1 : 0;
  }

  /** @param size height of a row of the grid. */
  arrange(size: number): void {
    const [pivot] = this.placed;
    const row = Math.floor((pivot?.y ?? 0) / (ROWS * size));
    const column = Math.floor((pivot?.x ?? 0) / size);
    this.arrangedAt = ((row & 0x3fff) << 16) | (column & 0xffff);
  }

  /** The longest distance that decides about anything; what the grid is made for. */
  get span(): number {
    let span = this.reach;
    for (const { around, pivot } of this.watches) {
      // Of a group that was never placed it is not known how wide it is.
      if (!pivot.placed) continue;
      for (const { distance } of around.borders) if (distance > span) span = distance;
      // A group's zone can have no width at all. Its border is looked for all the same, in a grid of some size.
      if (span === 0 && around.borders.length > 0) span = 1;
    }
    return span;
  }

  /** Index of the set that an object belongs to. */
  setIndexOf(slot: number): number {
    const { sets } = this.resolved;
    if (sets.length === 1) return 0;
    let index = 0;
    while (!sets[index]!.matches(slot)) index++;
    return index;
  }

  /** Whether the kernel can judge it, as long as nothing is demanded or paused; it knows how, then. */
  get isPlain(): boolean {
    if (!this.#hasPlainSets) return false;
    if (!this.#isBriefed) this.#brief();
    if (this.outer === 1) return true;
    if (this.#loosened === undefined) this.#briefLoosened();
    return this.flights !== undefined;
  }

  /** Tells the kernel what it is to judge by. */
  #brief(): void {
    const { sheetInts: ints } = this;
    const { columns, thresholds } = this.#stores;
    const { sets } = this.resolved;
    this.#isBriefed = true;
    this.#thresholds ??= thresholds.take(sets, this.#scale);
    ints[VIEW_SETS / 4] = this.#thresholds.reals.byteOffset;
    ints[VIEW_PICTURES / 4] = picturesOf(sets);
    if (needsList(sets, this.watches)) {
      this.#pivotList = new PivotList(columns, thresholds, sets, this.watches);
      ints[VIEW_PIVOTS / 4] = this.#pivotList.address;
      ints[VIEW_PIVOT_COUNT / 4] = this.#pivotList.count;
      if (this.#isUnranged && !this.#hasSectors) this.pairs.keepLeeways();
    }
    ints[VIEW_ENTERS / 4] = sets.length === 1 && this.#stores.kernelBegins() ? 1 : 0;
    ints[VIEW_LEAVES / 4] = this.flights === undefined && !this.wide ? 1 : 0;
  }

  #briefLoosened(): void {
    const { thresholds } = this.#stores;
    this.#loosened =
      thresholds.takeLoosened(this.#thresholds!, this.outer, this.inner) ??
      thresholds.loosen(this.#thresholds!, this.outer, this.inner, this.judged.sets, this.#scale);
    this.sheetInts[VIEW_LOOSENED / 4] = this.#loosened.reals.byteOffset;
  }

  /** Tells the kernel to look for pairs that have reached this share of their bound. */
  seekRipe(share: number): void {
    if (this.#ripened === undefined) {
      const sets = this.resolved.sets.map((set) => ripened(set, share));
      this.#ripened = this.#stores.thresholds.take(sets, this.#scale);
    }
    this.sheetInts[VIEW_RIPE / 4] = this.#ripened.reals.byteOffset;
    this.sheetInts[VIEW_SILENT / 4] = this.rhythm.silent;
  }

  /** The share at which pairs are ripe is another from now on. */
  forgetRipe(): void {
    if (this.#ripened !== undefined) this.#stores.thresholds.release(this.#ripened);
    this.#ripened = undefined;
  }

  /** The kernel has looked for ripe pairs; returns how many pairs it found not equal. */
  endRipe(): number {
    this.sheetInts[VIEW_RIPE / 4] = 0;
    return this.sheetInts[VIEW_UNEQUAL / 4]!;
  }

  /** Of the edges in the view's thresholds; where there is a list of pivots, each has edges of its own. */
  get #scale(): number {
    return this.#placed[0]?.scale ?? 1;
  }

  /** Whether the kernel finds the view's pivots in a list. */
  get hasPivotList(): boolean {
    return this.#pivotList !== undefined;
  }

  /**
   * Puts borders around the pivots.
   *
   * @param keeps whether a pivot that was there before keeps its own: sets and bounds are the same.
   */
  #watch(keeps: boolean): void {
    const before = this.watches;
    this.watches = this.placed.map((pivot, index) => {
      const known = keeps ? before.findIndex((watch) => watch.pivot === pivot) : -1;
      if (known >= 0 && this.#countsAlike(known, index)) return before[known]!;
      const counting = this.resolved.sets.filter(({ pivots }) => pivots === undefined || pivots.includes(index));
      return this.#stores.borders.watch(pivot, counting, this.outer > 1);
    });
    for (const watch of before) if (!this.watches.includes(watch)) this.#stores.borders.release(watch);
    this.groups = this.watches.filter(({ around }) => around.elastic).length;
    if (keeps) this.#forgetList();
    else this.#forgetThresholds();
    this.isCarried = false;
    this.followed = -1;
    this.edition = -1;
    this.watchAddress = this.watches[0]?.address ?? 0;
    this.sheetInts[VIEW_WATCH / 4] = this.watchAddress;
  }

  /** Whether a pivot counts for the same sets as pivot `one` and as pivot `other`. */
  #countsAlike(one: number, other: number): boolean {
    if (one === other) return true;
    return this.resolved.sets.every(
      ({ pivots }) => pivots === undefined || pivots.includes(one) === pivots.includes(other),
    );
  }

  /** The kernel is told anew before it judges the view again. */
  #forgetList(): void {
    this.#isBriefed = false;
    this.#pivotList?.dispose();
    this.#pivotList = undefined;
    this.sheetInts[VIEW_ENTERS / 4] = 0;
    this.sheetInts[VIEW_PIVOTS / 4] = 0;
  }

  #forgetThresholds(): void {
    this.#forgetList();
    if (this.#thresholds !== undefined) this.#stores.thresholds.release(this.#thresholds);
    this.#thresholds = undefined;
    this.forgetRipe();
    this.#forgetLoosened();
  }

  #forgetLoosened(): void {
    if (this.#loosened !== undefined) this.#stores.thresholds.release(this.#loosened);
    this.#loosened = undefined;
    this.sheetInts[VIEW_LOOSENED / 4] = 0;
  }
}

/** Whether pictures stay or go on, as the kernel is told. */
function picturesOf(sets: readonly ResolvedSet[]): number {
  if (sets.every(({ metric }) => carriesOn(metric))) return GO_ON;
  return sets.some(({ metric }) => carriesOn(metric)) ? MIXED : STAY;
}

function isPlainSet({ metric }: ResolvedSet): boolean {
  return isShallow(metric) || carriesOn(metric);
}

/** Whether its pictures go on by themselves in the way that the kernel knows. */
function carriesOn({ fadingMs }: Metric): boolean {
  return fadingMs !== undefined;
}

/** Whether two numbers of a sample say it all, in two dimensions. */
function isShallow(metric: Metric): boolean {
  return metric === displacement || metric === path || relativeFieldOf(metric) !== undefined;
}

/** Whether its samples are larger than usual. */
function isWide({ sampleSize = SAMPLE_SIZE }: Metric): boolean {
  return sampleSize > SAMPLE_SIZE;
}

function hasOnlyMoved(before: Pivot, after: Pivot): boolean {
  if (before === after) return true;
  if ((before.scale ?? 1) !== (after.scale ?? 1)) return false;
  if ("camera" in before && "camera" in after) return isSameFrame(before, after);
  return ("point" in before && "point" in after) || isSameCentre(before, after);
}
