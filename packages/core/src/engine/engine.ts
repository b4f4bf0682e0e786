/**
 * The consistency engine. It decides as the oracle does (`ReferenceEngine`, tested pair by pair and round by round), at a cost that
 * follows what is due, moved, or crossed a border, never all pairs.
 *
 * A round: placePivots → noteUpdates → noteMoves → checkDisturbed → checkArrivals → checkViews → checkPlanned → decideRemovals → audit.
 * All notes are taken before the first check, since a check plans with what they say. A pair is checked when
 *   · its planned round has come (`horizon.ts` proves that no pair can become due, enter or leave before that),
 *   · it was equal and its object was updated: an equal pair rests on its object and costs nothing, and one that is not equal is
 *     planned already, so an update touches only those pairs that the next send made equal: that cost is paid by sends,
 *   · a plan's assumption broke: a speed cap was exceeded, the view changed, the object changed its set, a send got lost,
 *   · the grid reports that the object entered a cell the view's range reaches.
 * Where sets have no `range` all objects are tracked; with a `visible` rule all tracked pairs are checked in every round.
 * Why so: docs/decisions/0003-engine-plans.md.
 */

import { Auditor, pairKey } from "../audit.ts";
import { ViewError } from "../errors.ts";
import { type ObjectId, slotOf } from "../ids.ts";
import {
  cellOf,
  creationUrgency,
  distanceToPoint,
  divergenceOf,
  dueCause,
  inRange,
  isEqual,
  nearest,
  type PairState,
  updateUrgency,
  zoneAtPoint,
} from "../judge.ts";
import { MetricRegistry, SAMPLE_SIZE } from "../metrics.ts";
import {
  Cause,
  type ConsistencyModel,
  DecisionKind,
  type Decisions,
  type Divergence,
  type Explanation,
  type ModelOptions,
  type ViewId,
  type ViewOptions,
} from "../model.ts";
import { grown } from "../object-store.ts";
import { type PlacedPivot, pivotRadius } from "../pivots.ts";
import {
  checkOptions,
  checkPivots,
  type ResolvedSet,
  type ResolvedView,
  resolveView,
  VIEW_CAPACITY,
} from "../resolve-view.ts";
import type { Pivot, ViewSettings } from "../view.ts";
import type { World, WorldObserver } from "../world.ts";
import { ByView } from "./by-view.ts";
import { EngineView } from "./engine-view.ts";
import { Flights } from "./flights.ts";
import { nextDue, nextEntry, nextExit, type Outlook } from "./horizon.ts";
import { InterestGrid } from "./interest-grid.ts";
import { SpeedCaps } from "./motion.ts";
import { PairPool } from "./pair-pool.ts";
import { SlotList } from "./slot-list.ts";
import { Wheel } from "./wheel.ts";

const NEVER = Number.POSITIVE_INFINITY;
const UNBOUNDED = Number.POSITIVE_INFINITY;
const DEFAULT_AUDIT_SAMPLE = 64;

export class Engine implements ConsistencyModel, WorldObserver {
  readonly audit: Auditor = new Auditor();
  /** Pairs judged in the last round. */
  checks = 0;
  readonly #world: World;
  readonly #options: ModelOptions;
  readonly #views: (EngineView | undefined)[] = [];
  readonly #viewsOfSession = new Map<number, EngineView[]>();
  readonly #pairs = new PairPool();
  readonly #flights = new Flights(this.#pairs);
  readonly #wheel = new Wheel();
  readonly #byView = new ByView();
  readonly #interest: InterestGrid;
  readonly #metrics: MetricRegistry;
  #round = 0;
  #auditAt = 0;

  /** What happened since the last round. */
  readonly #moved = new SlotList();
  readonly #updated = new SlotList();
  readonly #arrived = new SlotList();
  /** Objects for which a plan's assumption broke: all their pairs are to be judged. */
  readonly #disturbed = new SlotList();

  /** Columns by slot. */
  readonly #objectSpeed = new SpeedCaps();
  readonly #pivotSpeed = new SpeedCaps();
  #travelled: Float64Array = new Float64Array(64);
  #updateCap: Uint16Array = new Uint16Array(64).fill(1);
  #updatesNow: Uint16Array = new Uint16Array(64);
  /** Last round in which the position changed in wire form, the spawning included. */
  #movedIn: Int32Array = new Int32Array(64);

  /** Scratch of `check`: nothing is allocated for a pair. */
  readonly #outlook: Outlook;
  readonly #counting: PlacedPivot[] = [];
  #sector = 0;
  readonly #stated: Divergence = { time: 0, sequence: 0, value: 0 };
  readonly #loose: Divergence = { time: 0, sequence: 0, value: 0 };
  readonly #divergence: Divergence = { time: 0, sequence: 0, value: 0 };

  constructor(world: World, options: ModelOptions) {
    this.#world = world;
    this.#options = options;
    this.#metrics = new MetricRegistry(options.metrics);
    this.#interest = new InterestGrid(world, (view, slot) => this.#check(this.#track(view, slot)));
    this.#outlook = {
      round: 0,
      roundMs: options.roundMs,
      objectSpeed: 0,
      pivotSpeed: 0,
      zone: 0,
      nearest: 0,
      pivots: this.#counting,
      distances: new Float64Array(VIEW_CAPACITY.pivots),
      pivotCount: 0,
      since: 0,
      missed: 0,
      updateCap: 1,
      value: 0,
    };
    world.observe(this);
    for (let slot = 0; slot < world.store.slotHigh; slot++) if (world.store.isLive(slot)) this.spawned(slot);
  }

  dispose(): void {
    this.#world.unobserve(this);
  }

  /** Pairs tracked now. */
  get pairCount(): number {
    return this.#pairs.count;
  }

  // ── views ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Where another model differs from this one is only in what it makes of the settings. */
  protected settingsFor(settings: ViewSettings): ViewSettings {
    return settings;
  }

  addView(settings: ViewSettings, options: ViewOptions = {}): ViewId {
    const free = this.#views.indexOf(undefined);
    const id = free < 0 ? this.#views.length : free;
    const view = new EngineView(id, this.#resolve(settings), options);
    this.#views[id] = view;
    this.#pivotSpeed.start(id, this.#round);
    if (view.session !== 0) {
      this.#viewsOfSession.set(view.session, [...(this.#viewsOfSession.get(view.session) ?? []), view]);
    }
    view.setPivots(settings.pivots);
    return id;
  }

  changeView(view: ViewId, settings: ViewSettings): void {
    this.#view(view).change(this.#resolve(settings));
    this.setPivots(view, settings.pivots);
  }

  setPivots(view: ViewId, pivots: readonly Pivot[]): void {
    checkPivots(pivots);
    this.#view(view).setPivots(pivots);
  }

  removeView(id: ViewId): void {
    const view = this.#view(id);
    for (const removed of view.removals.keys()) this.audit.caughtUp(pairKey(id, removed), this.#round);
    this.#interest.unsubscribe(view);
    for (let pair = this.#pairs.firstOfView(id); pair >= 0; ) {
      const next = this.#pairs.nextOfView(pair);
      this.audit.caughtUp(pairKey(id, this.#world.store.idAt(this.#pairs.slot[pair]!)), this.#round);
      this.#release(pair);
      pair = next;
    }
    const others = (this.#viewsOfSession.get(view.session) ?? []).filter((other) => other !== view);
    if (others.length > 0) this.#viewsOfSession.set(view.session, others);
    else this.#viewsOfSession.delete(view.session);
    this.#views[id] = undefined;
  }

  pause(view: ViewId): void {
    this.#view(view).paused = true;
  }

  resume(id: ViewId): void {
    const view = this.#view(id);
    view.paused = view.questionsOnly;
    view.recheck = true;
  }

  setBudgeted(id: ViewId, budgeted: boolean): void {
    const view = this.#view(id);
    checkOptions({ budgeted, assumeDelivered: view.assumeDelivered });
    view.budgeted = budgeted;
  }

  loosen(view: ViewId, outer: number, inner = 1): void {
    this.#view(view).loosen(outer, inner);
  }

  demand(view: ViewId, id: ObjectId): void {
    const pair = this.#pairOf(view, id);
    if (pair < 0 || this.#pairs.present[pair] === 0) return;
    this.#pairs.demanded[pair] = 1;
    this.#plan(pair, this.#round + 1);
  }

  decisions(view: ViewId): Decisions {
    return this.#view(view).decisions;
  }

  // ── what the world tells ───────────────────────────────────────────────────────────────────────────────────────

  spawned(slot: number): void {
    while (slot >= this.#travelled.length) this.#growSlots();
    this.#objectSpeed.start(slot, this.#round);
    this.#travelled[slot] = 0;
    this.#updateCap[slot] = 1;
    this.#updatesNow[slot] = 0;
    this.#movedIn[slot] = this.#round + 1;
    this.#arrived.add(slot);
  }

  destroyed(slot: number): void {
    const id = this.#world.store.idAt(slot);
    for (let pair = this.#pairs.firstOfSlot(slot); pair >= 0; ) {
      const next = this.#pairs.nextOfSlot(pair);
      if (this.#pairs.present[pair] === 1) {
        const view = this.#views[this.#pairs.view[pair]!]!;
        this.#await(view, id, DecisionKind.destroy);
        this.#depart(view, pair, id, this.#round + 1);
      }
      this.#release(pair);
      pair = next;
    }
    this.#interest.remove(slot);
    for (const list of [this.#moved, this.#updated, this.#arrived, this.#disturbed]) list.remove(slot);
  }

  updated(slot: number, writer: number): void {
    this.#updated.add(slot);
    this.#updatesNow[slot] = this.#updatesNow[slot]! + 1;
    if (this.#world.movedVersion[slot] === this.#world.version[slot]) this.#movedIn[slot] = this.#round + 1;
    const writers = writer === 0 ? undefined : this.#viewsOfSession.get(writer);
    if (writers !== undefined) for (const view of writers) this.#acceptOwnWrite(view, slot);
  }

  /** A client whose picture was exact before its own write is exact after it. */
  #acceptOwnWrite(view: EngineView, slot: number): void {
    const pairs = this.#pairs;
    const pair = pairs.find(view.id, slot);
    const version = this.#world.version[slot]!;
    if (pair < 0 || pairs.present[pair] === 0 || pairs.sentVersion[pair] !== version - 1) return;
    this.#flights.missSince(pair, this.#round + 1);
    this.#sample(pair, this.#setOf(view, slot), this.#round + 1, true);
    pairs.sentVersion[pair] = version;
  }

  moved(slot: number): void {
    this.#moved.add(slot);
  }

  reclassified(slot: number): void {
    this.#disturbed.add(slot);
  }

  // ── the round ──────────────────────────────────────────────────────────────────────────────────────────────────

  round(round: number): void {
    this.#round = round;
    this.#outlook.round = round;
    this.checks = 0;
    this.#placePivots();
    this.#noteUpdates();
    this.#noteMoves();
    this.#checkDisturbed();
    this.#checkArrivals();
    this.#checkViews();
    this.#checkPlanned();
    this.#decideRemovals();
    this.#auditDecided();
  }

  #placePivots(): void {
    for (const view of this.#views) {
      if (view === undefined) continue;
      view.decisions.clear();
      view.fresh.clear();
      const step = view.place(this.#world);
      if (this.#pivotSpeed.exceeds(view.id, step, this.#round)) view.recheck = true;
    }
  }

  /** Wakes the pairs that rested on an updated object. */
  #noteUpdates(): void {
    const pairs = this.#pairs;
    for (let i = 0; i < this.#updated.count; i++) {
      const slot = this.#updated.at(i);
      for (let pair = pairs.firstResting(slot); pair >= 0; ) {
        const next = pairs.nextResting(pair);
        if (pairs.sentVersion[pair] !== this.#world.version[slot]) {
          pairs.wake(pair);
          pairs.firstMiss[pair] = this.#round;
          this.#plan(pair, this.#round);
        }
        pair = next;
      }
      const updates = this.#updatesNow[slot]!;
      this.#updatesNow[slot] = 0;
      if (updates <= this.#updateCap[slot]!) continue;
      this.#updateCap[slot] = updates;
      this.#disturbed.add(slot);
    }
    this.#updated.clear();
  }

  #noteMoves(): void {
    for (let i = 0; i < this.#moved.count; i++) {
      const slot = this.#moved.at(i);
      const step = this.#world.travelled[slot]! - this.#travelled[slot]!;
      this.#travelled[slot] = this.#world.travelled[slot]!;
      if (this.#objectSpeed.exceeds(slot, step, this.#round)) this.#disturbed.add(slot);
    }
  }

  /** Objects for which a plan's assumption broke. */
  #checkDisturbed(): void {
    for (let i = 0; i < this.#disturbed.count; i++) {
      for (let pair = this.#pairs.firstOfSlot(this.#disturbed.at(i)); pair >= 0; ) {
        const next = this.#pairs.nextOfSlot(pair);
        this.#check(pair);
        pair = next;
      }
    }
    this.#disturbed.clear();
  }

  /** Objects that are new, or new in a cell of the grid. */
  #checkArrivals(): void {
    for (let i = 0; i < this.#arrived.count; i++) {
      const slot = this.#arrived.at(i);
      const everywhere = !this.#world.isSpatial(slot);
      for (const view of this.#views) {
        if (view !== undefined && (view.wide || everywhere)) this.#check(this.#track(view.id, slot));
      }
      this.#moved.add(slot);
    }
    this.#arrived.clear();
    for (let i = 0; i < this.#moved.count; i++) {
      if (this.#world.isSpatial(this.#moved.at(i))) this.#interest.place(this.#moved.at(i));
    }
    this.#moved.clear();
  }

  #checkViews(): void {
    for (const view of this.#views) {
      if (view === undefined) continue;
      this.#interest.subscribe(view);
      if (view.paused) continue;
      if (!view.recheck) continue;
      view.recheck = false;
      if (view.untracked) this.#trackEverywhere(view);
      for (let pair = this.#pairs.firstOfView(view.id); pair >= 0; ) {
        const next = this.#pairs.nextOfView(pair);
        this.#check(pair);
        pair = next;
      }
    }
  }

  /** Tracks what the grid does not report to this view. */
  #trackEverywhere(view: EngineView): void {
    view.untracked = false;
    const { store } = this.#world;
    for (let slot = 0; slot < store.slotHigh; slot++) {
      if (store.isLive(slot) && (view.wide || !this.#world.isSpatial(slot))) this.#track(view.id, slot);
    }
  }

  #checkPlanned(): void {
    const pairs = this.#pairs;
    const planned = this.#wheel.bucket(this.#round);
    const sorted = this.#byView.sort(planned, pairs.view, this.#views.length);
    for (let i = 0; i < sorted.length; i++) {
      const pair = sorted[i]!;
      if (pairs.nextCheck[pair] === this.#round) this.#check(pair);
    }
    this.#wheel.clear(this.#round);
  }

  // ── one pair ───────────────────────────────────────────────────────────────────────────────────────────────────

  #check(pair: number): void {
    const pairs = this.#pairs;
    if (pairs.checked[pair] === this.#round) return;
    const view = this.#views[pairs.view[pair]!]!;
    if (view.paused) return;
    pairs.checked[pair] = this.#round;
    this.checks++;
    const slot = pairs.slot[pair]!;
    const set = this.#setOf(view, slot);
    const spatial = this.#world.isSpatial(slot);
    this.#measure(view, set, slot, spatial);
    const present = pairs.present[pair] === 1;
    const exists = this.#isVisible(view, slot) && (!spatial || inRange(set, this.#outlook.nearest, present));
    if (!exists) {
      if (present) this.#leave(view, pair, slot);
      this.#planAbsent(view, set, pair, slot, spatial);
      return;
    }
    if (!present || pairs.sentVersion[pair] === 0) this.#send(view, set, pair, DecisionKind.create, Cause.creation);
    else if (!this.#isEqual(view, set, pair, slot, spatial)) {
      const cause = this.#causeToSend(view, set, this.#loose, pair, slot, spatial);
      if (cause >= 0) this.#send(view, set, pair, DecisionKind.update, cause as Cause);
      else if (view.outer > 1) this.#countIfDue(view, set, pair, slot, spatial);
    }
    this.#planPresent(view, set, pair, slot, spatial);
  }

  /** The newest version was sent and, where the metric judges a picture that goes on by itself, that picture rests. */
  #isEqual(view: EngineView, set: ResolvedSet, pair: number, slot: number, spatial: boolean): boolean {
    if (this.#pairs.sentVersion[pair] !== this.#world.version[slot]) return false;
    return set.metric.carriesOn === undefined || !spatial || this.#isOwn(view, slot) || !this.#goesOn(set, pair);
  }

  #goesOn({ metric, metricId }: ResolvedSet, pair: number): boolean {
    if (metric.carriesOn === undefined) return false;
    return this.#pairs.metric[pair] !== metricId || metric.carriesOn(this.#pairs.sample, pair * SAMPLE_SIZE);
  }

  /** Distances, cell and bound of an object for a view, into the scratch. The same arithmetic as `cellOf`, without its allocations. */
  #measure(view: EngineView, set: ResolvedSet, slot: number, spatial: boolean): void {
    const outlook = this.#outlook;
    const counting = this.#counting;
    outlook.objectSpeed = this.#objectSpeed.cap[slot]!;
    outlook.pivotSpeed = this.#pivotSpeed.cap[view.id]!;
    outlook.nearest = UNBOUNDED;
    outlook.pivotCount = 0;
    outlook.zone = spatial ? set.zoneCount - 1 : 0;
    this.#sector = set.sectorCount - 1;
    if (!spatial) return;
    const x = this.#world.x[slot]!;
    const y = this.#world.y[slot]!;
    const z = this.#world.z[slot]!;
    unbind(this.#stated);
    unbind(this.#loose);
    const count = set.pivots === undefined ? view.placed.length : set.pivots.length;
    for (let i = 0; i < count; i++) {
      const pivot = view.placed[set.pivots === undefined ? i : set.pivots[i]!];
      if (pivot === undefined || !pivot.placed) continue;
      const dx = x - pivot.x;
      const dy = y - pivot.y;
      const dz = z - pivot.z;
      const euclid = Math.sqrt(dx * dx + dy * dy + dz * dz);
      const d = set.shape === "square" ? Math.max(Math.abs(dx), Math.abs(dy), Math.abs(dz)) : euclid;
      counting[outlook.pivotCount] = pivot;
      outlook.distances[outlook.pivotCount++] = d;
      if (d < outlook.nearest) outlook.nearest = d;
      let zone = 0;
      while (zone < set.radii.length && d > pivotRadius(pivot, zone, set.radii[zone]!)) zone++;
      let sector = 0;
      if (set.sectorCount > 1 && euclid > 0 && (pivot.dirX !== 0 || pivot.dirY !== 0 || pivot.dirZ !== 0)) {
        const along = dx * pivot.dirX + dy * pivot.dirY + dz * pivot.dirZ;
        while (sector < set.cosHalf.length && along < euclid * set.cosHalf[sector]!) sector++;
      }
      this.#tighten(view, set, zone, sector);
    }
    if (outlook.pivotCount === 0) this.#tighten(view, set, set.zoneCount - 1, 0);
  }

  #tighten(view: EngineView, set: ResolvedSet, zone: number, sector: number): void {
    const cell = zone * set.sectorCount + sector;
    const outlook = this.#outlook;
    if (zone < outlook.zone || (zone === outlook.zone && sector < this.#sector)) {
      outlook.zone = zone;
      this.#sector = sector;
    }
    tighten(this.#stated, set, cell, 1);
    tighten(this.#loose, set, cell, zone === 0 ? view.inner : view.outer);
  }

  /** Why an unequal pair is due in this round by that bound, stated or loosened; −1 if it is not. */
  #causeToSend(
    view: EngineView,
    set: ResolvedSet,
    bound: Divergence,
    pair: number,
    slot: number,
    spatial: boolean,
  ): Cause | -1 {
    if (!spatial || this.#isOwn(view, slot)) return Cause.change;
    if (this.#pairs.demanded[pair] === 1) return Cause.demand;
    this.#measureDivergence(set, pair, slot);
    return dueCause(set, bound, this.#divergence, this.#options.roundMs);
  }

  #measureDivergence(set: ResolvedSet, pair: number, slot: number): void {
    const pairs = this.#pairs;
    const outlook = this.#outlook;
    const { roundMs } = this.#options;
    const lastSend = pairs.lastSend[pair]!;
    if (set.clock === "refresh") outlook.since = lastSend;
    else outlook.since = this.#goesOn(set, pair) ? lastSend + 1 : pairs.firstMiss[pair]!;
    outlook.missed = this.#world.version[slot]! - pairs.sentVersion[pair]!;
    outlook.updateCap = this.#updateCap[slot]!;
    outlook.value = UNBOUNDED;
    if (pairs.metric[pair] === set.metricId) {
      const elapsedMs = (this.#round - lastSend) * roundMs;
      outlook.value = set.metric.divergence(this.#world, slot, pairs.sample, pair * SAMPLE_SIZE, elapsedMs);
    }
    this.#divergence.time = (this.#round - outlook.since) * roundMs;
    this.#divergence.sequence = outlook.missed;
    this.#divergence.value = outlook.value;
  }

  /** A pair that is not sent and has reached its stated bound is a shortfall. */
  #countIfDue(view: EngineView, set: ResolvedSet, pair: number, slot: number, spatial: boolean): void {
    const cause = this.#causeToSend(view, set, this.#stated, pair, slot, spatial);
    if (cause < 0) return;
    const key = pairKey(view.id, this.#world.store.idAt(slot));
    this.audit.short(key, this.#outlook.zone, cause as Cause, this.#round);
  }

  #send(view: EngineView, set: ResolvedSet, pair: number, kind: DecisionKind, cause: Cause): void {
    const pairs = this.#pairs;
    const slot = pairs.slot[pair]!;
    const id = this.#world.store.idAt(slot);
    const zone = this.#outlook.zone;
    const settles = set.metric.carriesOn !== undefined && this.#movedIn[slot] !== this.#round;
    if (view.assumeDelivered) this.#flights.settle(pair);
    else if (pairs.sentVersion[pair] !== 0) this.#flights.missSince(pair, pairs.firstMiss[pair]!);
    this.#sample(pair, set, this.#round, settles);
    if (view.budgeted && pairs.present[pair] === 0 && !view.removals.has(id)) view.fresh.add(id);
    pairs.present[pair] = 1;
    pairs.demanded[pair] = 0;
    pairs.sentVersion[pair] = this.#world.version[slot]!;
    pairs.lastSend[pair] = this.#round;
    if (!view.assumeDelivered) this.#flights.depart(pair, zone, cause);
    if (view.removals.size > 0) this.#forgetRemoval(view, id);
    view.decisions.push(id, kind, cause, zone, view.budgeted ? this.#urgency(view, slot, kind, cause) : 0, settles);
  }

  #urgency(view: EngineView, slot: number, kind: DecisionKind, cause: Cause): number {
    const onChange = !this.#world.isSpatial(slot) || this.#isOwn(view, slot);
    if (onChange || cause === Cause.demand) return Number.POSITIVE_INFINITY;
    const { zone, nearest: distance } = this.#outlook;
    if (kind === DecisionKind.update) return updateUrgency(zone, this.#stated, this.#divergence);
    return creationUrgency(zone, distance, zone === 0 ? view.inner : view.outer);
  }

  /** Takes the metric's sample on top of the one that the pair stood on, if that was of the same metric. */
  #sample(pair: number, { metric, metricId }: ResolvedSet, round: number, settles: boolean): void {
    const pairs = this.#pairs;
    const at = pair * SAMPLE_SIZE;
    const stoodOnOwn = pairs.sentVersion[pair] !== 0 && pairs.metric[pair] === metricId;
    if (!stoodOnOwn) pairs.sample.fill(0, at, at + SAMPLE_SIZE);
    const sinceMs = stoodOnOwn ? (round - pairs.lastSend[pair]!) * this.#options.roundMs : 0;
    pairs.metric[pair] = metricId;
    metric.sample(this.#world, pairs.slot[pair]!, pairs.sample, at, sinceMs, settles);
  }

  // ── plans ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** A pair rests on its object while it has the newest version; if its picture goes on by itself, it is planned as well. */
  #planPresent(view: EngineView, set: ResolvedSet, pair: number, slot: number, spatial: boolean): void {
    if (this.#pairs.sentVersion[pair] === this.#world.version[slot]) this.#pairs.rest(pair);
    const equal = this.#isEqual(view, set, pair, slot, spatial);
    if (!equal && this.#pairs.lastSend[pair] === this.#round) this.#measureDivergence(set, pair, slot);
    let next = this.#options.visible === undefined ? NEVER : this.#round + 1;
    if (spatial && set.range !== UNBOUNDED) next = Math.min(next, nextExit(set, this.#outlook));
    if (spatial && !equal) next = Math.min(next, nextDue(set, this.#outlook));
    this.#plan(pair, next);
  }

  #planAbsent(view: EngineView, set: ResolvedSet, pair: number, slot: number, spatial: boolean): void {
    const reported = spatial && !view.wide;
    if (reported && !view.cells.has(this.#interest.cellKeyOf(slot))) {
      this.#release(pair);
      return;
    }
    const next = this.#options.visible === undefined ? nextEntry(set, this.#outlook) : this.#round + 1;
    this.#plan(pair, next);
  }

  #plan(pair: number, round: number): void {
    if (round === NEVER) {
      this.#pairs.nextCheck[pair] = -1;
      return;
    }
    const within = Math.min(round, this.#wheel.horizon(this.#round));
    if (this.#pairs.nextCheck[pair] === within) return;
    this.#pairs.nextCheck[pair] = within;
    this.#wheel.add(within, pair);
  }

  // ── leaving ────────────────────────────────────────────────────────────────────────────────────────────────────

  #leave(view: EngineView, pair: number, slot: number): void {
    this.#pairs.wake(pair);
    this.#pairs.present[pair] = 0;
    const id = this.#world.store.idAt(slot);
    this.#depart(view, pair, id, this.#round);
    this.#pairs.forgetSends(pair);
    this.#flights.forget(pair);
    this.#decideRemoval(view, id, DecisionKind.leave);
  }

  /** Sends that are still on their way when the pair ceases to be. */
  #depart(view: EngineView, pair: number, id: ObjectId, until: number): void {
    if (this.#pairs.flightHead[pair]! < 0) return;
    this.#flights.eachInFlight(pair, (round, zone, cause) => view.departed.add(id, round, zone, cause, until));
  }

  #decideRemovals(): void {
    for (const view of this.#views) {
      if (view === undefined || view.paused || view.waitingRemovals === 0) continue;
      for (const [id, removal] of view.removals) {
        if (removal.round < 0) this.#decideRemoval(view, id, removal.kind);
      }
      view.waitingRemovals = 0;
    }
  }

  #decideRemoval(view: EngineView, id: ObjectId, kind: DecisionKind): void {
    if (view.assumeDelivered) view.removals.delete(id);
    else view.removals.set(id, { kind, round: this.#round });
    view.decisions.push(id, kind, Cause.removal, 0, view.budgeted ? Number.POSITIVE_INFINITY : 0, false);
  }

  /** The removal is to be decided (again) in the next round. */
  #await(view: EngineView, id: ObjectId, kind: DecisionKind): void {
    if (view.removals.get(id)?.round !== -1) view.waitingRemovals++;
    view.removals.set(id, { kind, round: -1 });
  }

  #forgetRemoval(view: EngineView, id: ObjectId): void {
    if (view.removals.get(id)?.round === -1) view.waitingRemovals--;
    view.removals.delete(id);
  }

  // ── the fate of sends ──────────────────────────────────────────────────────────────────────────────────────────

  acknowledge(viewId: ViewId, id: ObjectId, round: number): void {
    const view = this.#view(viewId);
    if (view.removals.size > 0 && view.removals.get(id)?.round === round) {
      view.removals.delete(id);
      this.audit.caughtUp(pairKey(viewId, id), round);
      return;
    }
    const pair = this.#pairOf(viewId, id);
    const flight = pair < 0 ? -1 : this.#flights.find(pair, round);
    if (flight < 0) return view.departed.acknowledge(id, round);
    this.#flights.arrive(pair, flight);
    this.audit.caughtUp(pairKey(viewId, id), round);
  }

  lose(viewId: ViewId, id: ObjectId, round: number): void {
    const view = this.#view(viewId);
    const removal = view.removals.get(id);
    if (removal?.round === round) {
      this.#await(view, id, removal.kind);
      this.audit.lost(pairKey(viewId, id), 0, Cause.removal, round);
      return;
    }
    const pair = this.#pairOf(viewId, id);
    const flight = pair < 0 ? -1 : this.#flights.find(pair, round);
    if (flight < 0) return view.departed.lose(id, round, this.audit);
    this.audit.lost(pairKey(viewId, id), this.#flights.zone[flight]!, this.#flights.cause[flight]! as Cause, round);
    const base = this.#pairs.base[pair]!;
    if (base >= 0) this.audit.caughtUp(pairKey(viewId, id), this.#flights.round[base]!);
    if (!this.#flights.lose(pair, flight)) return;
    this.#pairs.wake(pair);
    this.#plan(pair, this.#round + 1);
  }

  withhold(viewId: ViewId, id: ObjectId): void {
    const view = this.#view(viewId);
    const key = pairKey(viewId, id);
    const removal = view.removals.get(id);
    if (removal?.round === this.#round) {
      this.#await(view, id, removal.kind);
      view.decisions.withheld += 1;
      this.audit.short(key, 0, Cause.removal, this.#round);
      return;
    }
    const pair = this.#pairOf(viewId, id);
    const flight = pair < 0 ? -1 : this.#flights.find(pair, this.#round);
    if (flight < 0) return;
    view.decisions.withheld += 1;
    const cause = this.#flights.cause[flight]! as Cause;
    this.audit.short(key, this.#flights.zone[flight]!, cause, this.#round);
    this.#flights.lose(pair, flight);
    this.#pairs.demanded[pair] = cause === Cause.demand ? 1 : 0;
    if (view.fresh.has(id)) {
      this.#pairs.present[pair] = 0;
      this.#pairs.forgetSends(pair);
    }
    this.#pairs.wake(pair);
    this.#plan(pair, this.#round + 1);
  }

  baseVersion(view: ViewId, id: ObjectId): number {
    const pair = this.#pairOf(view, id);
    const base = pair < 0 ? -1 : this.#pairs.base[pair]!;
    return base < 0 ? 0 : this.#flights.version[base]!;
  }

  // ── questions ──────────────────────────────────────────────────────────────────────────────────────────────────

  explain(viewId: ViewId, id: ObjectId): Explanation | undefined {
    const view = this.#view(viewId);
    const slot = this.#world.store.liveSlot(id);
    if (slot < 0) return undefined;
    const world = this.#world;
    const set = this.#setOf(view, slot);
    const spatial = world.isSpatial(slot);
    const own = this.#isOwn(view, slot);
    const cell = cellOf(set, view.placed, world.x[slot]!, world.y[slot]!, world.z[slot]!);
    const state = this.#stateOf(this.#pairs.find(viewId, slot));
    return {
      id,
      present: state.present,
      zone: spatial ? cell.zone : 0,
      sector: spatial ? cell.sector : 0,
      bound: spatial && !own ? cell.bound : { time: 0, sequence: 0, value: 0 },
      divergence: divergenceOf(set, world, slot, state, this.#round, this.#options.roundMs),
      equal: isEqual(set, world, slot, state, !spatial || own),
      lastSend: state.lastSend,
      sentVersion: state.sentVersion,
      version: world.version[slot]!,
    };
  }

  zoneAt(view: ViewId, point: readonly number[]): number {
    const { resolved, placed } = this.#view(view);
    return zoneAtPoint(resolved, placed, point);
  }

  distanceTo(view: ViewId, point: readonly number[]): number {
    return distanceToPoint(this.#view(view).placed, point);
  }

  // ── audit ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Judges a few pairs anew by the model page's own functions, whatever was planned for them. */
  #auditDecided(): void {
    for (const view of this.#views) {
      if (view?.paused === true && !view.questionsOnly) this.#countPaused(view);
    }
    const sample = Math.min(this.#options.auditSample ?? DEFAULT_AUDIT_SAMPLE, this.#pairs.high);
    for (let i = 0; i < sample; i++) {
      this.#auditAt = this.#auditAt + 1 < this.#pairs.high ? this.#auditAt + 1 : 0;
      if (this.#pairs.view[this.#auditAt]! >= 0) this.#auditPair(this.#auditAt);
    }
  }

  #auditPair(pair: number): void {
    const view = this.#views[this.#pairs.view[pair]!]!;
    if (view.paused) return;
    this.audit.examined++;
    const slot = this.#pairs.slot[pair]!;
    const set = this.#setOf(view, slot);
    const explanation = this.explain(view.id, this.#world.store.idAt(slot))!;
    const { present, zone, divergence } = explanation;
    const bound = view.outer > 1 ? this.#loosenedBound(view, slot, explanation) : explanation.bound;
    if (this.#shouldExist(view, set, slot, present) !== present) {
      this.audit.overBound(zone, present ? Cause.removal : Cause.creation);
      return;
    }
    if (!present || explanation.equal || explanation.lastSend === this.#round) return;
    const cause =
      explanation.sentVersion === 0 ? Cause.creation : dueCause(set, bound, divergence, this.#options.roundMs);
    if (cause >= 0) this.audit.overBound(zone, cause as Cause);
  }

  #loosenedBound(view: EngineView, slot: number, { bound }: Explanation): Readonly<Divergence> {
    const { x, y, z } = this.#world;
    if (!this.#world.isSpatial(slot) || this.#isOwn(view, slot)) return bound;
    const set = view.judged.sets.find((candidate) => candidate.matches(slot))!;
    return cellOf(set, view.placed, x[slot]!, y[slot]!, z[slot]!).bound;
  }

  /** Nothing is sent to a paused view: whatever is due, to be created or to be removed is a shortfall. */
  #countPaused(view: EngineView): void {
    const { store } = this.#world;
    for (let slot = 0; slot < store.slotHigh; slot++) if (store.isLive(slot)) this.#countPausedPair(view, slot);
    if (view.waitingRemovals === 0) return;
    for (const [id, { round }] of view.removals) {
      if (round < 0) this.audit.short(pairKey(view.id, id), 0, Cause.removal, this.#round);
    }
  }

  #countPausedPair(view: EngineView, slot: number): void {
    const pair = this.#pairs.find(view.id, slot);
    const present = pair >= 0 && this.#pairs.present[pair] === 1;
    const set = this.#setOf(view, slot);
    const spatial = this.#world.isSpatial(slot);
    const key = pairKey(view.id, this.#world.store.idAt(slot));
    this.#measure(view, set, slot, spatial);
    if (!(this.#isVisible(view, slot) && (!spatial || inRange(set, this.#outlook.nearest, present)))) {
      if (present) this.audit.short(key, 0, Cause.removal, this.#round);
    } else if (!present || this.#pairs.sentVersion[pair] === 0) {
      this.audit.short(key, this.#outlook.zone, Cause.creation, this.#round);
    } else if (!this.#isEqual(view, set, pair, slot, spatial)) this.#countIfDue(view, set, pair, slot, spatial);
  }

  #shouldExist(view: EngineView, set: ResolvedSet, slot: number, present: boolean): boolean {
    if (!this.#isVisible(view, slot)) return false;
    const { x, y, z } = this.#world;
    return (
      !this.#world.isSpatial(slot) || inRange(set, nearest(set, view.placed, x[slot]!, y[slot]!, z[slot]!), present)
    );
  }

  // ── helpers ────────────────────────────────────────────────────────────────────────────────────────────────────

  #stateOf(pair: number): PairState & { present: boolean } {
    const pairs = this.#pairs;
    if (pair < 0) {
      return {
        present: false,
        sentVersion: 0,
        lastSend: -1,
        firstMiss: -1,
        metric: "",
        sample: new Float64Array(SAMPLE_SIZE),
      };
    }
    return {
      present: pairs.present[pair] === 1,
      sentVersion: pairs.sentVersion[pair]!,
      lastSend: pairs.lastSend[pair]!,
      firstMiss: pairs.firstMiss[pair]!,
      metric: this.#metrics.nameOf(pairs.metric[pair]!),
      sample: pairs.sample.slice(pair * SAMPLE_SIZE, (pair + 1) * SAMPLE_SIZE),
    };
  }

  #resolve(settings: ViewSettings): ResolvedView {
    return resolveView(this.settingsFor(settings), this.#world, this.#metrics);
  }

  #setOf(view: EngineView, slot: number): ResolvedSet {
    const { sets } = view.resolved;
    let index = 0;
    while (!sets[index]!.matches(slot)) index++;
    return sets[index]!;
  }

  #isOwn(view: EngineView, slot: number): boolean {
    return view.session !== 0 && this.#world.store.owner[slot] === view.session;
  }

  #isVisible(view: EngineView, slot: number): boolean {
    const { visible } = this.#options;
    return visible === undefined || visible(view.id, this.#world.store.entityAt(slot));
  }

  #track(view: ViewId, slot: number): number {
    const known = this.#pairs.find(view, slot);
    return known >= 0 ? known : this.#pairs.take(view, slot);
  }

  #pairOf(view: ViewId, id: ObjectId): number {
    return this.#world.store.liveSlot(id) < 0 ? -1 : this.#pairs.find(view, slotOf(id));
  }

  #release(pair: number): void {
    this.#flights.forget(pair);
    this.#pairs.free(pair);
  }

  #growSlots(): void {
    const length = this.#travelled.length * 2;
    this.#travelled = grown(new Float64Array(length), this.#travelled);
    this.#updateCap = grown(new Uint16Array(length).fill(1), this.#updateCap);
    this.#updatesNow = grown(new Uint16Array(length), this.#updatesNow);
    this.#movedIn = grown(new Int32Array(length), this.#movedIn);
  }

  #view(view: ViewId): EngineView {
    const found = this.#views[view];
    if (found === undefined) throw new ViewError("unknown-view", `${view}`, "no such view in this model");
    return found;
  }
}

function unbind(bound: Divergence): void {
  bound.time = UNBOUNDED;
  bound.sequence = UNBOUNDED;
  bound.value = UNBOUNDED;
}

function tighten(bound: Divergence, set: ResolvedSet, cell: number, factor: number): void {
  const time = set.time[cell]! * factor;
  const sequence = set.sequence[cell]! * factor;
  const value = set.value[cell]! * factor;
  if (time < bound.time) bound.time = time;
  if (sequence < bound.sequence) bound.sequence = sequence;
  if (value < bound.value) bound.value = value;
}
