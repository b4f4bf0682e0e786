/**
 * The consistency engine. It makes the same decisions as the oracle (`ReferenceEngine`; tests compare them pair by pair and round by round).
 * Its cost grows with the pairs that are due, whose object moved, or that crossed a border. It does not grow with the number of all pairs.
 *
 * A round first marks pairs, then judges each marked pair once. A pair is marked if
 *   · its planned round has come. A look that finds nothing due plans the first round in which the bound can be reached (`plans/deadline.ts`).
 *   · it rested and its object was updated. A pair rests while the client has the newest state; a resting pair costs nothing.
 *   · it crossed a border of its view inward, or left the range; where bounds are loosened, if it crossed one outward, too. The engine compares
 *     the distance now with the distance a round ago, for the objects in the rings around each pivot (`space/borders.ts`). Or, in a view with a
 *     list of pivots: all that these and the object may come, until it can have crossed one, is used up (`kernel/leeway.ts`).
 *   · something that its plan relied on has changed: a cap was exceeded (`plans/motion.ts`, `plans/bearing.ts`), the view changed, the object
 *     leapt or changed its set, a send got lost.
 *
 * Claim: no other pair can be due. Bounds only loosen outward. So a pair can become due in three ways only: under the bound of the zone in which it
 * was judged, which the plan covers; under the bound of a zone farther in, which it enters through a border; or under the bound of a stricter
 * sector, which the plan covers too. An object enters or leaves the replica only through a border, when it appears or vanishes, or when view or set change.
 * Nor can any other pair that waits because its bound is loosened have to be counted otherwise than before (`kernel/unseen.ts`).
 * Why so: docs/decisions/0009-engine-borders.md. The kernel runs the loops over pairs and objects, and threads can share them
 * (docs/decisions/0010-kernel.md). This file says what happens in which order. README.md draws the parts.
 */

import type { ObjectId } from "@nearfield/schema";
import { Account } from "../account.ts";
import { distanceToPoint, zoneAtPoint } from "../judge.ts";
import { awaitsWrites, MetricRegistry, relativeFieldOf } from "../metrics.ts";
import {
  type Cause,
  type ConsistencyModel,
  type Decisions,
  type Explanation,
  MOST_ROUNDS_OUT,
  type ModelOptions,
  type ViewId,
  type ViewOptions,
} from "../model.ts";
import { type ResolvedView, resolveView } from "../resolve-view.ts";
import { ripenessOf } from "../ripe.ts";
import type { Pivot, ViewSettings } from "../view.ts";
import { checkPivots } from "../view-rules.ts";
import type { Visibility, VisibilityChange } from "../visibility.ts";
import type { World } from "../world.ts";
import type { EngineContext } from "./engine-context.ts";
import { EngineView, type ViewStores } from "./engine-view.ts";
import { GeneralJudge } from "./judges/general.ts";
import { PlainJudge } from "./judges/plain.ts";
import { Questions } from "./judges/questions.ts";
import { RipePairs } from "./judges/ripe-pairs.ts";
import { Spans } from "./judges/spans.ts";
import { ThresholdStore, toleranceOf } from "./judges/thresholds.ts";
import { Batches } from "./memory/batches.ts";
import { ABSENT, FARTHEST_PLAN, LEAPT, MOVED } from "./memory/layout.ts";
import { enlarged, Memory } from "./memory/memory.ts";
import { Notes } from "./notes.ts";
import { Bodies } from "./objects/bodies.ts";
import { FieldValues } from "./objects/field-values.ts";
import { UpdateLog } from "./objects/update-log.ts";
import { Observers } from "./pairs/observers.ts";
import { PairPages } from "./pairs/pair-pages.ts";
import { Tracking } from "./pairs/tracking.ts";
import { UnseenWaits } from "./pairs/unseen-waits.ts";
import { Bearings } from "./plans/bearing.ts";
import { SpeedCaps } from "./plans/motion.ts";
import { UpdateCaps } from "./plans/update-caps.ts";
import { Deferred } from "./sends/deferred.ts";
import { Sends } from "./sends/sends.ts";
import { MOST_RUNS, Space } from "./space/space.ts";
import { BorderStore } from "./space/watch.ts";
import { Views } from "./views.ts";
import { PredicateRule } from "./visibility/predicate-rule.ts";
import type { VisibilityRule } from "./visibility/rule.ts";
import { TeamRule } from "./visibility/team-rule.ts";

/** Rounds. */
const FITTED_EVERY = 64;
/**
 * To find the borders that a view's objects crossed takes as long as to judge so many pairs, even if nothing moved. Rings around a group are made anew when it
 * grows or shrinks, so it takes that long for each group.
 */
const SOON_JUDGED = 256;
/** So many objects are sorted into the grid and compared with borders in the time of a look at one pair. */
const COMPARED_FOR_A_LOOK = 8;

export class Engine implements ConsistencyModel {
  readonly account: Account = new Account({
    isShort: (view, id, round) => this.#isShort(view, id, round),
    settle: () => this.#tellShortfalls(),
    measureSpells: () => this.#measureSpells(),
  });
  /** Pairs judged in the last round. */
  checks = 0;
  readonly #memory = new Memory();
  readonly #views = new Views(this.#memory);
  readonly #batches: Batches;
  readonly #context: EngineContext;
  readonly #notes: Notes;
  readonly #space: Space;
  readonly #tracking: Tracking;
  readonly #sends: Sends;
  readonly #general: GeneralJudge;
  readonly #plain: PlainJudge;
  readonly #ripe: RipePairs;
  readonly #deferred: Deferred;
  readonly #questions: Questions;
  /** The stores from which views take their memory, borders and thresholds. */
  readonly #stores: ViewStores;
  /** Some object type has a third axis. */
  readonly #isDeep: boolean;
  #round = 0;
  /** Views whose pairs are all judged in this round. */
  readonly #changed: EngineView[] = [];
  /** Views for which the grid's cells were last chosen. */
  #fittedFor = 0;
  /** Scratch: numbers of the pairs that are due; ids of the objects that a packet brought. */
  #due: Int32Array = new Int32Array(256);
  #brought: Uint32Array = this.#memory.words(256);

  constructor(world: World, options: ModelOptions) {
    const bodies = new Bodies(world, this.#memory);
    this.#isDeep = world.protocol.objects.some(({ position }) => position.length > 2);
    this.#context = {
      world,
      options,
      metrics: new MetricRegistry(options.metrics),
      account: this.account,
      unseen: new UnseenWaits(this.account),
      bodies,
      fields: new FieldValues(world, this.#memory),
      observers: new Observers(
        this.#memory,
        () => this.#batches.kernel,
        (view) => this.#views.all[view]?.pairs,
      ),
      log: new UpdateLog(this.#memory),
      speeds: new SpeedCaps(),
      drifts: new SpeedCaps(),
      updates: new UpdateCaps(),
      spans: new Spans(options.roundMs),
      visibility: undefined,
    };
    this.#stores = {
      columns: this.#memory,
      pages: new PairPages(this.#memory),
      borders: new BorderStore(this.#memory),
      thresholds: new ThresholdStore(this.#memory, options.roundMs),
      bearings: new Bearings(),
      roundMs: options.roundMs,
      kernelBegins: () => this.#context.visibility?.knowsAll ?? true,
    };
    this.#batches = new Batches(this.#memory, MOST_RUNS, options.crew);
    this.#sends = new Sends(this.#context);
    this.#general = new GeneralJudge(this.#context, this.#sends);
    this.#plain = new PlainJudge(this.#context, this.#sends, this.#general, this.#memory, this.#batches.kernel);
    this.#ripe = new RipePairs(ripenessOf(options.ripe), this.#batches, this.#plain, this.#general);
    this.#deferred = new Deferred(this.#batches, this.#plain);
    this.#notes = new Notes(this.#context, this.#views, this.#sends, this.#deferred, this.#memory);
    this.#space = new Space(this.#memory, this.#batches, bodies, this.#notes.placed, this.#isDeep);
    this.#questions = new Questions(this.#context);
    this.#context.visibility = this.#ruleFor(options.visible);
    this.#tracking = new Tracking(this.#context, this.#views, this.#space, this.#memory);
    world.observe(this.#notes);
    for (let slot = 0; slot < world.store.slotHigh; slot++) if (world.store.isLive(slot)) this.#notes.spawned(slot);
  }

  dispose(): void {
    this.#context.world.unobserve(this.#notes);
    this.#batches.dispose();
  }

  /** Pairs tracked now. */
  get pairCount(): number {
    return this.#views.all.reduce((sum, view) => sum + (view?.pairs.count ?? 0), 0);
  }

  /** Crossings and views that each thread of the crew has worked on so far: none, until it has started. */
  get doneByCrew(): readonly number[] {
    return this.#batches.doneByCrew;
  }

  // ── views ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The baselines override this: they differ from the engine only in the settings that they judge by. */
  protected settingsFor(settings: ViewSettings): ViewSettings {
    return settings;
  }

  addView(settings: ViewSettings, options: ViewOptions = {}): ViewId {
    const view = new EngineView(this.#views.nextId, this.#resolve(settings), options, this.#stores, this.#isDeep);
    this.#views.add(view);
    view.setPivots(settings.pivots);
    return view.id;
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
    for (let pair = 0; pair < view.pairs.high; pair++) if (view.pairs.isLive(pair)) this.#sends.release(view, pair);
    this.account.forget(id, this.#round);
    this.#context.visibility?.forget(view);
    this.#views.remove(view);
    view.dispose();
  }

  pause(id: ViewId): void {
    const view = this.#view(id);
    view.paused = true;
    this.#context.unseen.surfaceAll(view, this.#round + 1);
    view.isOut = false;
    view.roundsOut = 0;
  }

  resume(id: ViewId): void {
    const view = this.#view(id);
    view.paused = false;
    view.passedOver = false;
    view.recheck = true;
  }

  sitOut(id: ViewId): void {
    const view = this.#views.of(id);
    view.isOut = !view.paused && view.roundsOut < MOST_ROUNDS_OUT;
  }

  setBudgeted(view: ViewId, budgeted: boolean): void {
    this.#view(view).setBudgeted(budgeted);
  }

  setSpare(view: ViewId, updates: number): void {
    this.#view(view).spare = updates;
  }

  setRipe(share: number): void {
    this.#ripe.setShare(ripenessOf(share));
    for (const view of this.#views.order) view.forgetRipe();
  }

  loosen(view: ViewId, outer: number, inner = 1): void {
    this.#view(view).loosen(outer, inner);
  }

  visibilityChanged(change: VisibilityChange): void {
    const { visibility, world } = this.#context;
    if ("view" in change) visibility?.viewChanged(this.#view(change.view));
    else {
      const slot = world.store.liveSlot(change.object);
      if (slot >= 0) visibility?.objectChanged(slot);
    }
  }

  demand(id: ViewId, object: ObjectId): void {
    const view = this.#view(id);
    const pair = this.#sends.pairOf(view, object);
    if (pair < 0 || view.pairs.heldOf(pair) === ABSENT) return;
    view.demands.add(object);
    view.pairs.plan(pair, this.#round + 1);
  }

  decisions(view: ViewId): Decisions {
    return this.#views.of(view).decisions;
  }

  // ── the round ──────────────────────────────────────────────────────────────────────────────────────────────────

  round(round: number): void {
    this.#deferred.recordAll();
    this.#begin(round);
    if (this.account.hasSpells) this.account.goOn(this.#isOut, round);
    this.#notes.takeUpdates();
    this.#notes.takeMoves(this.#space);
    this.#placePivots();
    this.#notes.takeArrivals(this.#space, this.#tracking);
    this.#notes.takeDisplaced(this.#tracking);
    this.#notes.takeDisturbed();
    this.#findCrossings();
    this.#renewChanged();
    this.#context.visibility?.settle(round);
    this.#judgeMarked();
    this.checks += this.#ripe.send(this.#views.order, round);
    this.#notes.end(this.#batches.kernel.settle);
    this.#endTurns();
  }

  #begin(round: number): void {
    this.#round = round;
    this.#notes.begin(round);
    this.#sends.beginRound(round);
    this.#plain.locate(round);
    this.#fitSpace();
    this.checks = 0;
  }

  /** Chooses the size of the grid's cells by how far views look. Chooses anew whenever the number of views has doubled, and now and then: groups grow, and cameras zoom. */
  #fitSpace(): void {
    const { count } = this.#views;
    if (count < this.#fittedFor * 2 && this.#space.size > 0 && this.#round % FITTED_EVERY !== 0) return;
    this.#fittedFor = count;
    this.#space.fit(this.#views.all.flatMap((view) => (view === undefined || view.span === 0 ? [] : [view.span])));
  }

  /** Moves the pivots to where they are in this round. A pivot that lies on an object goes with the object. */
  #placePivots(): void {
    for (const view of this.#views.all) {
      if (view === undefined) continue;
      if (view.isCarried) this.#follow(view);
      else view.place(this.#context.world, this.#round);
    }
    this.#batches.follow();
    this.#views.arrange(this.#round, this.#space.size);
  }

  #follow(view: EngineView): void {
    view.followed = this.#batches.addPivot(view.watchAddress);
    for (let i = 1; i < view.watches.length; i++) this.#batches.addPivot(view.watches[i]!.address);
  }

  #findCrossings(): void {
    this.#changed.length = 0;
    for (const view of this.#views.order) {
      if (view.paused) continue;
      if (view.recheck || view.repivoted || this.#hasLeapt(view)) this.#renewOrAwait(view);
      else if (view.goesByLeeway) this.#lookNear(view);
      else if (!this.#isSoonJudged(view)) this.#space.compare(view);
      else if (view.isOut || this.#hasMoved(view)) this.#renewOrAwait(view);
      else this.#batches.kernel.lookMoved(view.address);
    }
    this.#space.cross(this.#enter);
  }

  /** While a view sits out, nothing of it is looked at. Ways go on being summed up, so leeway that was used up meanwhile is noticed when the view is served again. */
  #lookNear(view: EngineView): void {
    if (!view.isOut) this.#batches.kernel.lookNear(view.address);
  }

  /** A view that sits out is judged anew when it is served again. */
  #renewOrAwait(view: EngineView): void {
    if (view.isOut) view.repivoted = true;
    else this.#changed.push(view);
  }

  /** Whether it costs less to judge all pairs that have a plan than to compare objects with the borders around the view's pivots. */
  #isSoonJudged(view: EngineView): boolean {
    if (!view.needsPlannedOnly || view.watches.length === 0) return false;
    const planned = this.#batches.kernel.countPlanned(view.address);
    // Who is judged outside of the kernel may have a metric of the game's, which is not asked without need.
    if (planned <= SOON_JUDGED * Math.max(1, view.groups) && view.isPlain) return true;
    return planned * COMPARED_FOR_A_LOOK <= this.#notes.placed.count && this.#hasMoved(view);
  }

  #hasMoved(view: EngineView): boolean {
    for (let i = 0; i < view.watches.length; i++) {
      const hasMoved = view.followed < 0 ? view.watches[i]!.moved : this.#batches.wayOf(view.followed + i) === MOVED;
      if (hasMoved) return true;
    }
    return false;
  }

  /** Whether a pivot of the view moved farther in this round than the rings allow for. */
  #hasLeapt(view: EngineView): boolean {
    if (view.followed < 0) return this.#space.outruns(view) && !view.goesByLeeway;
    for (let i = 0; i < view.watches.length; i++) if (this.#batches.wayOf(view.followed + i) === LEAPT) return true;
    return false;
  }

  readonly #enter = (view: EngineView, slot: number, pair: number): void => {
    this.#tracking.enter(view, slot, pair, this.#round);
  };

  #renewChanged(): void {
    for (const view of this.#changed) {
      if (view.needsPlannedOnly) this.#batches.kernel.lookNow(view.address);
      else {
        this.#context.visibility?.renew(view);
        this.#tracking.renew(view, this.#round);
      }
      view.recheck = false;
      view.repivoted = false;
    }
  }

  #judgeMarked(): void {
    for (const view of this.#views.order) {
      view.briefed = this.#isUnhindered(view) && view.isPlain ? this.#batches.addView(view.address) : -1;
      if (view.briefed < 0) {
        this.#batches.kernel.awaken(view.address);
        continue;
      }
      view.chooseDeferral();
      view.flights?.makeRoom();
    }
    this.checks += this.#batches.judge();
    for (const view of this.#views.order) {
      if (view.paused) {
        this.#passOver(view);
        continue;
      }
      if (view.isOut) {
        view.beginDeciding();
        continue;
      }
      if (view.briefed < 0) this.#judgeOneByOne(view);
      else if (this.#batches.hasLeft(view.briefed) || !view.assumeDelivered) this.#plain.finish(view, this.#round);
      if (view.deferred > 0) this.#deferred.add(view, this.#round);
      if (view.waitingRemovals > 0) this.#sends.decideWaiting(view);
      this.account.late(view.decisions, view.roundsOut);
    }
    this.#batches.tellShortfalls(this.account, this.#context.unseen);
    this.#context.unseen.countRound();
  }

  /** A paused view is not judged. Its first misses are noted before the update log forgets them; paused views take turns with that. */
  #passOver(view: EngineView): void {
    if (!view.passedOver) view.beginDeciding();
    view.passedOver = true;
    if ((this.#round + view.id) % (FARTHEST_PLAN / 2) !== 0) return;
    const { pairs } = view;
    for (let pair = 0; pair < pairs.high; pair++) {
      const held = pairs.isLive(pair) ? pairs.heldOf(pair) : ABSENT;
      if (held > 0 && held !== this.#context.world.version[pairs.slotOf(pair)])
        this.#sends.noteMiss(view, pair, FARTHEST_PLAN);
    }
  }

  #isUnhindered({ paused, isOut, demands }: EngineView): boolean {
    return !paused && !isOut && demands.size === 0;
  }

  readonly #isOut = (view: ViewId): boolean => this.#views.all[view]?.isOut === true;

  /** Counts the rounds that views have sat out. */
  #endTurns(): void {
    for (const view of this.#views.order) {
      view.roundsOut = view.isOut ? view.roundsOut + 1 : 0;
      if (view.isOut) view.outUntil = this.#round + 1;
      view.isOut = false;
    }
  }

  #judgeOneByOne(view: EngineView): void {
    view.beginDeciding();
    if (this.#due.length < view.pairs.high) this.#due = new Int32Array(view.pairs.high * 2);
    const count = view.pairs.gather(this.#round - view.roundsOut, this.#round, view.sweeps, this.#due);
    view.sweeps = false;
    this.checks += count;
    for (let i = 0; i < count; i++) this.#general.judge(view, this.#due[i]!, this.#round);
  }

  // ── the fate of sends ──────────────────────────────────────────────────────────────────────────────────────────

  acknowledge(view: ViewId, id: ObjectId, round: number): void {
    this.#sends.acknowledge(this.#view(view), id, round);
  }

  acknowledgeAll(id: ViewId, ids: Uint32Array, count: number, round: number): void {
    const view = this.#view(id);
    const isSimple = view.flights !== undefined && !view.remembers && !this.account.hasOpen;
    const left = isSimple ? this.#arrive(view, ids, count, round) : count;
    for (let i = 0; i < left; i++) this.#sends.acknowledge(view, ids[i]! as ObjectId, round);
  }

  /** Has the kernel note the sends that arrived. Ids of which the kernel knows no send are moved to the front of `ids`; returns how many. */
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
    this.#sends.withhold(this.#views.of(view), id);
  }

  withholdAll(view: ViewId, rows: Int32Array, count: number): void {
    this.#sends.withholdAll(this.#views.of(view), rows, count);
  }

  baseVersion(id: ViewId, object: ObjectId): number {
    const view = this.#views.of(id);
    return this.#sends.baseVersion(view, this.#sends.pairOf(view, object));
  }

  lastCause(id: ViewId, object: ObjectId): Cause | undefined {
    const view = this.#view(id);
    return this.#sends.lastCause(view, this.#sends.pairOf(view, object));
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

  /** Whether the pair was over its bound in that round and not sent. */
  #isShort(id: ViewId, object: ObjectId, round: number): boolean {
    if (this.#views.all[id] === undefined) return false;
    const view = this.#view(id);
    const pair = this.#sends.pairOf(view, object);
    if (pair < 0) return false;
    return (view.pairs.isUnseen(pair) ? this.#round : view.pairs.lastWaitOf(pair)) === round;
  }

  #tellShortfalls(): void {
    this.#deferred.recordAll();
    this.#batches.tellShortfalls(this.account, this.#context.unseen);
    for (const view of this.#views.order) {
      if (view.roundsOut > 0) this.#context.unseen.countOut(view, this.#round + 1);
    }
  }

  #measureSpells(): void {
    for (const view of this.#views.all) if (view !== undefined) this.#context.unseen.measure(view, this.#round + 1);
  }

  #resolve(settings: ViewSettings): ResolvedView {
    const { world, metrics } = this.#context;
    const resolved = resolveView(this.settingsFor(settings), world, metrics);
    const { sets } = resolved;
    const countsUpdates = sets.some(({ sequence }) => sequence.some((bound) => Number.isFinite(bound)));
    this.#notes.heedBounds(Math.min(...sets.map(toleranceOf)), countsUpdates);
    if (sets.some(({ metric }) => metric.velocity !== undefined)) this.#notes.heedVelocities();
    for (const { metric, metricId } of sets) {
      if (awaitsWrites(metric)) this.#notes.heedWrites();
      const field = relativeFieldOf(metric);
      if (field !== undefined) this.#context.fields.heed(metricId, field, this.#round);
    }
    return resolved;
  }

  #ruleFor(visible: Visibility<ViewId> | undefined): VisibilityRule | undefined {
    if (visible === undefined) return undefined;
    if (typeof visible === "function") {
      return new PredicateRule(visible, false, this.#context, this.#views, this.#memory);
    }
    if ("whenChanged" in visible) {
      return new PredicateRule(visible.whenChanged, true, this.#context, this.#views, this.#memory);
    }
    return new TeamRule(visible.teams, this.#context, this.#views, this.#memory, this.#batches.kernel);
  }

  /** The view, with all that was decided for it recorded. */
  #view(id: ViewId): EngineView {
    const view = this.#views.of(id);
    this.#deferred.record(view);
    return view;
  }
}
