/**
 * The consistency engine. It decides as the oracle does (`ReferenceEngine`, tested pair by pair and round by round), at a cost that
 * follows what is due, moved, or crossed a border, never all pairs.
 *
 * A round takes notes first and judges then. Notes mark pairs; a pair is judged once in a round, if it is marked:
 *   · its planned round has come: after a look that found nothing due, the first round in which its bound can bite (`general.ts`),
 *   · it rested, being equal, and its object was updated: an equal pair costs nothing until then,
 *   · it crossed a border of its view inward, or left the range: found by comparing, for the objects in the rings around each pivot, the
 *     distance now with that of the round before (`borders.ts`),
 *   · what its plan was made with has changed: a speed cap was exceeded, the view changed, the object leapt or changed its set, a send
 *     got lost.
 * Claim: no other pair can be due. For bounds loosen outward, so a pair can become due only under the bound of the zone it was judged in,
 * which the plan covers, or of one farther in, which it can reach only through a border. It can enter or leave the replica only through
 * a border, by appearing or vanishing, or because view or set changed.
 * Why so: docs/decisions/0009-engine-borders.md. The loops over all of that are the kernel's, and threads can share them
 * (docs/decisions/0010-kernel.md); what is here is what happens in which order, and all that is rare.
 */

import { Auditor, pairKey } from "../audit.ts";
import { ViewError } from "../errors.ts";
import type { ObjectId } from "../ids.ts";
import { distanceToPoint, zoneAtPoint } from "../judge.ts";
import { MetricRegistry } from "../metrics.ts";
import type { ConsistencyModel, Decisions, Explanation, ModelOptions, ViewId, ViewOptions } from "../model.ts";
import { checkPivots, type ResolvedView, resolveView } from "../resolve-view.ts";
import type { Pivot, ViewSettings } from "../view.ts";
import type { World, WorldObserver } from "../world.ts";
import { Batches } from "./batches.ts";
import { Bearings } from "./bearing.ts";
import { Bodies } from "./bodies.ts";
import { EngineView, type ViewStores } from "./engine-view.ts";
import { GeneralJudge } from "./general.ts";
import { ABSENT, ENGINE_SHEETS, LEAPT } from "./layout.ts";
import { enlarged, Memory } from "./memory.ts";
import { SpeedCaps } from "./motion.ts";
import { Observers } from "./observers.ts";
import { PairPages } from "./pair-pages.ts";
import { type PairTable, planByte } from "./pair-table.ts";
import { PlainJudge } from "./plain.ts";
import { Questions } from "./questions.ts";
import { Sends } from "./sends.ts";
import type { Shared } from "./shared.ts";
import { SlotList } from "./slot-list.ts";
import { Found, MOST_RUNS, Space } from "./space.ts";
import { ThresholdStore, toleranceOf } from "./thresholds.ts";
import { UpdateCaps } from "./update-caps.ts";
import { UpdateLog } from "./update-log.ts";
import { BorderStore } from "./watch.ts";

/** Rounds. */
const ARRANGED_EVERY = 32;

export class Engine implements ConsistencyModel, WorldObserver {
  readonly audit: Auditor = new Auditor();
  /** Pairs judged in the last round. */
  checks = 0;
  readonly #memory = new Memory();
  readonly #batches: Batches;
  readonly #shared: Shared;
  readonly #space: Space;
  readonly #sends: Sends;
  readonly #general: GeneralJudge;
  readonly #plain: PlainJudge;
  readonly #questions: Questions;
  /** Some object has a third axis. */
  readonly #isDeep: boolean;
  readonly #views: (EngineView | undefined)[] = [];
  readonly #viewsOfSession = new Map<number, EngineView[]>();
  #round = 0;
  /** Views that are judged, in the order in which they are. */
  #order: EngineView[] = [];
  #isUnarranged = false;
  /** Those whose pairs are all judged in this round. */
  readonly #changed: EngineView[] = [];
  #tolerance = Number.POSITIVE_INFINITY;
  /** Some view judges pictures that go on by themselves. */
  #predicts = false;
  /** Some view bounds the updates that may be missed. */
  #countsUpdates = false;
  /** Views for which the grid's cells were last chosen. */
  #fittedFor = 0;

  /** Objects that have a place. */
  readonly #placed = new SlotList(this.#memory);
  /** What happened since the last round. */
  #moved = new SlotList(this.#memory);
  /** The same, of the round before. */
  #movedBefore = new SlotList(this.#memory);
  readonly #updated = new SlotList(this.#memory);
  readonly #arrived = new SlotList(this.#memory);
  /** Objects that may belong to another set, or may be anywhere. */
  readonly #displaced = new SlotList(this.#memory);
  /** Objects for which a plan's assumption broke. */
  readonly #disturbed = new SlotList(this.#memory);
  /** What views take their parts from. */
  readonly #stores: ViewStores;
  readonly #found = new Found(this.#memory);
  #due: Int32Array = new Int32Array(256);
  /** By number of a view: where the kernel finds what it is told of it; 0 = there is no such view. */
  #sheets: Int32Array = this.#memory.ints(64);
  /** Scratch: ids of what a packet brought. */
  #brought: Uint32Array = this.#memory.words(256);

  constructor(world: World, options: ModelOptions) {
    const bodies = new Bodies(world, this.#memory);
    this.#isDeep = world.protocol.objects.some(({ position }) => position.length > 2);
    this.#shared = {
      world,
      options,
      metrics: new MetricRegistry(options.metrics),
      audit: this.audit,
      bodies,
      observers: new Observers(
        this.#memory,
        () => this.#batches.kernel,
        (view) => this.#views[view]?.pairs,
      ),
      log: new UpdateLog(this.#memory),
      speeds: new SpeedCaps(),
      drifts: new SpeedCaps(),
      updates: new UpdateCaps(),
    };
    this.#stores = {
      room: this.#memory,
      pages: new PairPages(this.#memory),
      borders: new BorderStore(this.#memory),
      thresholds: new ThresholdStore(this.#memory, options.roundMs),
      bearings: new Bearings(),
    };
    this.#batches = new Batches(this.#memory, MOST_RUNS, options.crew);
    this.#space = new Space(this.#memory, this.#batches, bodies, this.#placed, this.#isDeep);
    this.#sends = new Sends(this.#shared);
    this.#general = new GeneralJudge(this.#shared, this.#sends);
    this.#plain = new PlainJudge(this.#shared, this.#sends, this.#general, this.#memory);
    this.#questions = new Questions(this.#shared, this.#general, this.#views);
    world.observe(this);
    for (let slot = 0; slot < world.store.slotHigh; slot++) if (world.store.isLive(slot)) this.spawned(slot);
  }

  dispose(): void {
    this.#shared.world.unobserve(this);
    this.#batches.dispose();
  }

  /** Pairs tracked now. */
  get pairCount(): number {
    return this.#views.reduce((sum, view) => sum + (view?.pairs.count ?? 0), 0);
  }

  /** Crossings and views that each thread of the crew has worked on so far: none, until it has started. */
  get doneByCrew(): readonly number[] {
    return this.#batches.doneByCrew;
  }

  // ── views ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Where another model differs from this one is only in what it makes of the settings. */
  protected settingsFor(settings: ViewSettings): ViewSettings {
    return settings;
  }

  addView(settings: ViewSettings, options: ViewOptions = {}): ViewId {
    const free = this.#views.indexOf(undefined);
    const id = free < 0 ? this.#views.length : free;
    const view = new EngineView(id, this.#resolve(settings), options, this.#stores, this.#isDeep);
    this.#views[id] = view;
    this.#publish(id, view.address);
    this.#isUnarranged = true;
    if (view.session !== 0) {
      this.#viewsOfSession.set(view.session, [...(this.#viewsOfSession.get(view.session) ?? []), view]);
    }
    view.setPivots(settings.pivots);
    return id;
  }

  /** Tells the kernel where a view's sheet lies. */
  #publish(id: ViewId, address: number): void {
    if (id >= this.#sheets.length) this.#sheets = enlarged(this.#memory, this.#sheets, id * 2);
    this.#sheets[id] = address;
    this.#memory.engine[ENGINE_SHEETS / 4] = this.#sheets.byteOffset;
  }

  changeView(id: ViewId, settings: ViewSettings): void {
    const view = this.#view(id);
    const resolved = this.#resolve(settings);
    checkPivots(settings.pivots);
    view.change(resolved);
    view.setPivots(settings.pivots);
    for (let pair = 0; pair < view.pairs.high; pair++) {
      if (!view.pairs.isLive(pair)) continue;
      view.pairs.setSet(pair, view.setIndexOf(view.pairs.slotOf(pair)));
      view.pairs.roughen(pair);
    }
  }

  setPivots(view: ViewId, pivots: readonly Pivot[]): void {
    checkPivots(pivots);
    this.#view(view).setPivots(pivots);
  }

  removeView(id: ViewId): void {
    const view = this.#view(id);
    const { store } = this.#shared.world;
    for (const removed of view.removals.keys()) this.audit.caughtUp(pairKey(id, removed), this.#round);
    for (let pair = 0; pair < view.pairs.high; pair++) {
      if (!view.pairs.isLive(pair)) continue;
      this.audit.caughtUp(pairKey(id, store.idAt(view.pairs.slotOf(pair))), this.#round);
      this.#sends.release(view, pair);
    }
    const others = (this.#viewsOfSession.get(view.session) ?? []).filter((other) => other !== view);
    if (others.length > 0) this.#viewsOfSession.set(view.session, others);
    else this.#viewsOfSession.delete(view.session);
    view.dispose();
    this.#views[id] = undefined;
    this.#publish(id, 0);
    this.#isUnarranged = true;
  }

  pause(id: ViewId): void {
    const view = this.#view(id);
    view.paused = true;
    view.recheck = true;
  }

  resume(id: ViewId): void {
    const view = this.#view(id);
    view.paused = false;
    view.recheck = true;
  }

  setBudgeted(view: ViewId, budgeted: boolean): void {
    this.#view(view).setBudgeted(budgeted);
  }

  loosen(view: ViewId, outer: number, inner = 1): void {
    this.#view(view).loosen(outer, inner);
  }

  demand(id: ViewId, object: ObjectId): void {
    const view = this.#view(id);
    const pair = this.#sends.pairOf(view, object);
    if (pair < 0 || view.pairs.heldOf(pair) === ABSENT) return;
    view.demands.add(object);
    view.pairs.plan(pair, this.#round + 1);
  }

  decisions(view: ViewId): Decisions {
    return this.#view(view).decisions;
  }

  // ── what the world tells ───────────────────────────────────────────────────────────────────────────────────────

  spawned(slot: number): void {
    const { bodies, observers, log, speeds, drifts, updates } = this.#shared;
    bodies.add(slot, this.#round + 1);
    observers.reserve(slot);
    log.clear(slot);
    speeds.start(slot, this.#round);
    drifts.start(slot, this.#round);
    updates.start(slot, this.#round);
    if (bodies.isSpatial(slot)) this.#placed.add(slot);
    this.#arrived.add(slot);
  }

  destroyed(slot: number): void {
    const { bodies, observers } = this.#shared;
    observers.each(slot, (id, pair) => {
      const view = this.#views[id]!;
      this.#sends.destroy(view, pair);
      this.#sends.release(view, pair);
    });
    observers.clear(slot);
    bodies.remove(slot);
    for (const list of [
      this.#placed,
      this.#moved,
      this.#movedBefore,
      this.#updated,
      this.#arrived,
      this.#displaced,
      this.#disturbed,
    ])
      list.remove(slot);
  }

  updated(slot: number, writer: number): void {
    const { world, bodies, log, updates } = this.#shared;
    this.#updated.add(slot);
    updates.count(slot);
    log.note(slot, world.version[slot]!, this.#round + 1);
    bodies.noteVersion(slot, this.#round + 1);
    const writers = writer === 0 ? undefined : this.#viewsOfSession.get(writer);
    if (writers !== undefined) for (const view of writers) this.#sends.acceptOwnWrite(view, slot);
  }

  moved(slot: number): void {
    if (this.#shared.bodies.isSpatial(slot)) this.#moved.add(slot);
  }

  reclassified(slot: number): void {
    this.#displaced.add(slot);
  }

  // ── the round ──────────────────────────────────────────────────────────────────────────────────────────────────

  round(round: number): void {
    this.#begin(round);
    this.#noteUpdates();
    this.#noteMoves();
    this.#placePivots();
    this.#noteArrivals();
    this.#noteDisplaced();
    this.#noteDisturbed();
    this.#noteCrossings();
    this.#noteChangedViews();
    this.#judgeMarked();
    this.#settleMoves();
    this.#questions.auditDecided(round);
  }

  #begin(round: number): void {
    this.#round = round;
    this.#sends.beginRound(round);
    this.#plain.locate(round);
    this.#fitSpace();
    this.checks = 0;
  }

  /** Objects are where they are in this round; pivots that lie on one go with it. */
  #placePivots(): void {
    for (const view of this.#views) {
      if (view === undefined) continue;
      if (view.isCarried) view.followed = this.#batches.addPivot(view.watchAddress);
      else view.place(this.#shared.world, this.#round);
    }
    this.#batches.follow();
    this.#arrange();
  }

  /** Neighbours follow one another, since what they look at is the same. Now and then is enough. */
  #arrange(): void {
    if (!this.#isUnarranged && this.#round % ARRANGED_EVERY !== 0) return;
    this.#isUnarranged = false;
    this.#order = this.#views.filter((view) => view !== undefined && !view.questionsOnly) as EngineView[];
    for (const view of this.#order) view.arrange(this.#space.size);
    this.#order.sort(byPlace);
  }

  /** A pair whose object was updated is behind, unless its client wrote the update itself. */
  readonly #wake = (pairs: PairTable, pair: number): void => {
    const isBehind = pairs.heldOf(pair) !== this.#shared.bodies.versionOf(pairs.slotOf(pair));
    if (isBehind && pairs.firstMissOf(pair) < 0) pairs.setFirstMiss(pair, this.#round);
    pairs.plan(pair, this.#round);
  };

  /** Pictures that go on at the old velocity part from the object now. */
  #turned(slot: number): void {
    this.#disturbed.add(slot);
    if (this.#shared.bodies.isSpatial(slot)) this.#moved.add(slot);
  }

  /** Wakes the pairs that rested on an updated object. */
  #noteUpdates(): void {
    const { bodies, observers, updates } = this.#shared;
    for (let i = 0; i < this.#updated.count; i++) {
      const slot = this.#updated.at(i);
      if (updates.exceeds(slot, this.#round) && this.#countsUpdates) this.#disturbed.add(slot);
      bodies.noteUpdate(slot, updates.capOf(slot), updates.busyOf(slot), this.#round);
      if (!this.#moved.has(slot)) bodies.noteError(slot);
      if (observers.restingOn(slot) > 0) observers.wake(slot, this.#wake);
      if (this.#predicts && bodies.noteVelocity(slot, this.#round)) this.#turned(slot);
    }
    this.#updated.clear();
  }

  #noteMoves(): void {
    const { bodies, speeds } = this.#shared;
    for (let i = 0; i < this.#moved.count; i++) {
      const slot = this.#moved.at(i);
      bodies.noteMove(slot);
      if (this.#space.follow(slot)) this.#displaced.add(slot);
      if (speeds.exceeds(slot, bodies.way[slot]!, this.#round)) this.#disturbed.add(slot);
      bodies.noteSpeed(slot, speeds.of(slot));
    }
    if (this.#predicts) this.#noteDrifts();
    this.#space.endMoves(this.#moved, this.#round);
  }

  /** How far objects depart from their own velocity: those that moved, and those that did no more. */
  #noteDrifts(): void {
    const { bodies, drifts, options } = this.#shared;
    const seconds = options.roundMs / 1000;
    const note = (slot: number): void => {
      const drift = bodies.driftOf(slot, seconds, this.#round);
      if (drifts.exceeds(slot, drift, this.#round)) this.#disturbed.add(slot);
      bodies.noteDrift(slot, drifts.of(slot));
    };
    for (let i = 0; i < this.#moved.count; i++) note(this.#moved.at(i));
    for (let i = 0; i < this.#movedBefore.count; i++) {
      if (!this.#moved.has(this.#movedBefore.at(i))) note(this.#movedBefore.at(i));
    }
  }

  /** Objects that are new. */
  #noteArrivals(): void {
    const { bodies, speeds } = this.#shared;
    for (let i = 0; i < this.#arrived.count; i++) {
      const slot = this.#arrived.at(i);
      bodies.noteMove(slot);
      bodies.settle(slot);
      bodies.noteOwner(slot);
      bodies.noteSpeed(slot, speeds.of(slot));
      if (bodies.isSpatial(slot)) {
        this.#space.follow(slot);
        this.#moved.add(slot);
      }
      if (this.#predicts) bodies.noteVelocity(slot, this.#round);
      this.#introduce(slot);
    }
    this.#arrived.clear();
  }

  /** Objects that leapt, or changed their set: whoever has them judges them anew, and whoever should have them gets them. */
  #noteDisplaced(): void {
    const { bodies, observers } = this.#shared;
    for (let i = 0; i < this.#displaced.count; i++) {
      const slot = this.#displaced.at(i);
      bodies.noteOwner(slot);
      observers.each(slot, (view, pair) => this.#views[view]!.pairs.setSet(pair, this.#views[view]!.setIndexOf(slot)));
      this.#disturbed.add(slot);
      this.#introduce(slot);
    }
    this.#displaced.clear();
  }

  /** Every view that should have the object tracks it. */
  #introduce(slot: number): void {
    const spatial = this.#shared.bodies.isSpatial(slot);
    for (const view of this.#views) {
      if (view === undefined || view.questionsOnly) continue;
      if (view.wide || !spatial || this.#isInRange(view, slot)) this.#track(view, slot);
    }
  }

  #noteDisturbed(): void {
    const { observers } = this.#shared;
    for (let i = 0; i < this.#disturbed.count; i++) observers.plan(this.#disturbed.at(i));
    this.#disturbed.clear();
  }

  #noteCrossings(): void {
    this.#changed.length = 0;
    for (const view of this.#order) {
      if (view.recheck || this.#hasLeapt(view)) this.#changed.push(view);
      else this.#space.compare(view);
    }
    this.#space.cross(this.#enter);
  }

  /** Whether its pivot moved farther than rings are made for. */
  #hasLeapt(view: EngineView): boolean {
    return view.followed < 0 ? view.step > this.#space.margin : this.#batches.wayOf(view.followed) === LEAPT;
  }

  /** The object had no pair in this view, and crossed one of its borders. */
  readonly #enter = (view: EngineView, slot: number, pair: number): void => {
    if (pair >= 0) this.#shared.observers.add(slot, view.id, pair);
    else if (this.#isInRange(view, slot)) this.#track(view, slot);
  };

  /** Views that are new or changed, or whose pivot leapt: all their pairs, and what is in reach. */
  #noteChangedViews(): void {
    const { world } = this.#shared;
    for (const view of this.#changed) {
      view.recheck = false;
      for (let pair = 0; pair < view.pairs.high; pair++) {
        if (view.pairs.isLive(pair)) view.pairs.plan(pair, this.#round);
      }
      for (let slot = 0; slot < world.store.slotHigh; slot++) {
        if (!world.store.isLive(slot)) continue;
        if (view.wide || !this.#shared.bodies.isSpatial(slot)) this.#track(view, slot);
      }
      if (view.wide) continue;
      this.#found.count = 0;
      this.#space.around(view, this.#found);
      for (let i = 0; i < this.#found.count; i++) {
        if (this.#isInRange(view, this.#found.slots[i]!)) this.#track(view, this.#found.slots[i]!);
      }
    }
  }

  #judgeMarked(): void {
    for (const view of this.#order) {
      view.briefed = this.#isUnhindered(view) && view.isPlain ? this.#batches.addView(view.address) : -1;
    }
    this.checks += this.#batches.judge();
    for (const view of this.#order) {
      if (view.briefed < 0) this.#judgeOneByOne(view);
      else if (this.#batches.hasLeft(view.briefed) || !view.assumeDelivered) this.#plain.finish(view, this.#round);
      if (view.waitingRemovals > 0) this.#sends.seeToWaiting(view);
    }
  }

  #isUnhindered({ paused, budgeted, outer, demands }: EngineView): boolean {
    return !paused && !budgeted && outer === 1 && demands.size === 0 && this.#shared.options.visible === undefined;
  }

  #judgeOneByOne(view: EngineView): void {
    view.beginDeciding();
    if (this.#due.length < view.pairs.high) this.#due = new Int32Array(view.pairs.high * 2);
    const count = view.pairs.gather(planByte(this.#round), view.sweeps, this.#due);
    view.sweeps = false;
    this.checks += count;
    for (let i = 0; i < count; i++) this.#general.judge(view, this.#due[i]!, this.#round);
  }

  /** What is now will be what was before. */
  #settleMoves(): void {
    this.#batches.kernel.settle(this.#moved.slots.byteOffset, this.#moved.count);
    const spare = this.#movedBefore;
    spare.clear();
    this.#movedBefore = this.#moved;
    this.#moved = spare;
  }

  // ── the fate of sends ──────────────────────────────────────────────────────────────────────────────────────────

  acknowledge(view: ViewId, id: ObjectId, round: number): void {
    this.#sends.acknowledge(this.#view(view), id, round);
  }

  acknowledgeAll(id: ViewId, ids: Uint32Array, count: number, round: number): void {
    const view = this.#view(id);
    const left = view.flights === undefined || this.audit.hasOpen ? count : this.#arrive(view, ids, count, round);
    for (let i = 0; i < left; i++) this.#sends.acknowledge(view, ids[i]! as ObjectId, round);
  }

  /** Has the kernel note what arrived; what it knows nothing of is at the front of `ids` then. */
  #arrive(view: EngineView, ids: Uint32Array, count: number, round: number): number {
    if (count > this.#brought.length) this.#brought = enlarged(this.#memory, this.#brought, count * 2);
    const column = this.#brought;
    for (let i = 0; i < count; i++) column[i] = ids[i]!;
    this.#plain.locate(this.#round);
    const left = this.#batches.kernel.arrive(view.address, column.byteOffset, count, round);
    for (let i = 0; i < left; i++) ids[i] = column[i]!;
    return left;
  }

  lose(view: ViewId, id: ObjectId, round: number): void {
    this.#sends.lose(this.#view(view), id, round);
  }

  withhold(view: ViewId, id: ObjectId): void {
    this.#sends.withhold(this.#view(view), id);
  }

  baseVersion(id: ViewId, object: ObjectId): number {
    const view = this.#view(id);
    return this.#sends.baseVersion(view, this.#sends.pairOf(view, object));
  }

  // ── questions ──────────────────────────────────────────────────────────────────────────────────────────────────

  explain(view: ViewId, id: ObjectId): Explanation | undefined {
    return this.#questions.explain(this.#view(view), id, this.#round);
  }

  zoneAt(view: ViewId, point: readonly number[]): number {
    const { resolved, placed } = this.#view(view);
    return zoneAtPoint(resolved, placed, point);
  }

  distanceTo(view: ViewId, point: readonly number[]): number {
    return distanceToPoint(this.#view(view).placed, point);
  }

  // ── helpers ────────────────────────────────────────────────────────────────────────────────────────────────────

  #resolve(settings: ViewSettings): ResolvedView {
    const { world, metrics } = this.#shared;
    const resolved = resolveView(this.settingsFor(settings), world, metrics);
    const tolerance = Math.min(...resolved.sets.map(toleranceOf));
    if (tolerance < this.#tolerance) this.#noteTighter(tolerance);
    if (!this.#predicts && resolved.sets.some(({ metric }) => metric.velocity !== undefined)) this.#beginPredicting();
    this.#countsUpdates ||= resolved.sets.some(({ sequence }) => sequence.some((bound) => Number.isFinite(bound)));
    return resolved;
  }

  /** Bounds are tighter than any before: what was of no consequence may be now. */
  #noteTighter(tolerance: number): void {
    const { bodies } = this.#shared;
    this.#tolerance = tolerance;
    bodies.tolerance = tolerance;
    for (let i = 0; i < this.#placed.count; i++) bodies.noteError(this.#placed.at(i));
  }

  /** From now on velocities matter; whoever stands still against its own is found in the next round. */
  #beginPredicting(): void {
    this.#predicts = true;
    for (let i = 0; i < this.#placed.count; i++) {
      const slot = this.#placed.at(i);
      this.#shared.bodies.noteVelocity(slot, this.#round);
      this.#movedBefore.add(slot);
    }
  }

  /** Begins to track an object, unless it is tracked, and marks it. */
  #track(view: EngineView, slot: number): void {
    let pair = view.pairs.find(slot);
    if (pair < 0) {
      pair = view.pairs.take(slot, view.setIndexOf(slot));
      this.#shared.observers.add(slot, view.id, pair);
    }
    view.pairs.plan(pair, this.#round);
  }

  /** Whether a spatial object that the view does not have is near enough to be in it. */
  #isInRange(view: EngineView, slot: number): boolean {
    return this.#questions.isInRange(view, view.resolved.sets[view.setIndexOf(slot)]!, slot);
  }

  /** Cells of the grid follow what views look at; they are chosen anew whenever there are twice as many views. */
  #fitSpace(): void {
    let count = 0;
    for (const view of this.#views) if (view !== undefined) count++;
    if (count < this.#fittedFor * 2 && this.#space.size > 0) return;
    this.#fittedFor = count;
    const spans = this.#views.flatMap((view) => (view === undefined || view.span === 0 ? [] : [view.span]));
    this.#space.fit(spans);
  }

  #view(view: ViewId): EngineView {
    const found = this.#views[view];
    if (found === undefined) throw new ViewError("unknown-view", `${view}`, "no such view in this model");
    return found;
  }
}

function byPlace(a: EngineView, b: EngineView): number {
  return a.arrangedAt - b.arrangedAt;
}
