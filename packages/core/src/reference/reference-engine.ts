/**
 * The oracle: the model page by brute force. Every round it judges every object for every view with the functions of `judge.ts` and
 * keeps the whole history of what was sent, in plain objects. Written to be read; `Engine` must decide exactly as it does.
 *
 * A round: place pivots → for every view and object: existence, set, cell, divergence, due → record what is sent.
 */

import type { ObjectId } from "@nearfield/schema";
import { Account, DepartedSends, pairKey } from "../account.ts";
import { DecisionList } from "../decision-list.ts";
import { ViewError } from "../errors.ts";
import {
  type Cell,
  cellOf,
  distanceToPoint,
  divergenceOf,
  dueCause,
  inRange,
  isEqual,
  matchSet,
  nearest,
  type PairState,
  zoneAtPoint,
} from "../judge.ts";
import { LARGEST_SAMPLE, type Metric, MetricRegistry } from "../metrics.ts";
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
import { aimForGood, type PlacedPivot, placePivot, replaced } from "../pivots.ts";
import { checkOptions, checkPivots, loosened, type ResolvedView, resolveView } from "../resolve-view.ts";
import { creationUrgency, hasWaitedEnough, updateUrgency } from "../urgency.ts";
import type { Pivot, ViewSettings } from "../view.ts";
import type { World, WorldObserver } from "../world.ts";

/** One send whose fate is not known, or the last one that arrived. */
interface Send {
  readonly round: number;
  readonly version: number;
  readonly metric: Metric;
  sample: Float64Array;
  readonly settles: boolean;
  readonly zone: number;
  cause: Cause;
}

interface Pair extends PairState {
  /** In the replica, as decided. With `sentVersion` 0 the client must be sent the whole object (again). */
  present: boolean;
  demanded: boolean;
  inFlight: Send[];
  base: Send | undefined;
}

interface Removal {
  readonly kind: DecisionKind;
  /** Round in which it was last decided; −1 while it waits. */
  round: number;
  /** Told before and lost: the auditor counts the client as behind already. */
  wasLost: boolean;
  /** Round since which it is withheld; 0 = it is not. */
  since: number;
}

/** A pair that is over its bound and not sent: since which round, and up to which. */
interface Wait {
  since: number;
  until: number;
}

interface View {
  readonly id: ViewId;
  options: ViewOptions;
  /** As stated, and as loosened: what is due is decided by the latter. */
  resolved: ResolvedView;
  judged: ResolvedView;
  outer: number;
  inner: number;
  pivots: readonly Pivot[];
  placed: PlacedPivot[];
  paused: boolean;
  readonly pairs: Map<ObjectId, Pair>;
  readonly removals: Map<ObjectId, Removal>;
  readonly waits: Map<ObjectId, Wait>;
  readonly departed: DepartedSends;
  /** Objects created in this round of which the client had nothing before, and was not being told to remove anything. */
  readonly fresh: Set<ObjectId>;
  readonly decisions: DecisionList;
}

const STRICTEST: Divergence = { time: 0, sequence: 0, value: 0 };

export class ReferenceEngine implements ConsistencyModel, WorldObserver {
  readonly account: Account = new Account();
  readonly #world: World;
  readonly #options: ModelOptions;
  readonly #metrics: MetricRegistry;
  readonly #views: (View | undefined)[] = [];
  /** Per object, the round in which each version was made: `history.get(id)[version]`. */
  readonly #history = new Map<ObjectId, number[]>();
  /** Per object, the last round in which its position changed in wire form, its spawning included. */
  readonly #movedIn = new Map<ObjectId, number>();
  #round = 0;

  constructor(world: World, options: ModelOptions) {
    this.#world = world;
    this.#options = options;
    this.#metrics = new MetricRegistry(options.metrics);
    world.observe(this);
    for (const slot of this.#slots()) this.spawned(slot);
  }

  dispose(): void {
    this.#world.unobserve(this);
  }

  // ── views ──────────────────────────────────────────────────────────────────────────────────────────────────────

  addView(settings: ViewSettings, options: ViewOptions = {}): ViewId {
    const free = this.#views.indexOf(undefined);
    const id = free < 0 ? this.#views.length : free;
    const resolved = resolveView(settings, this.#world, this.#metrics);
    checkOptions(options);
    const decisions = new DecisionList();
    this.#views[id] = {
      id,
      options,
      resolved,
      judged: resolved,
      outer: 1,
      inner: 1,
      pivots: [],
      placed: [],
      paused: false,
      pairs: new Map(),
      removals: new Map(),
      waits: new Map(),
      departed: new DepartedSends(),
      fresh: new Set(),
      decisions,
    };
    this.setPivots(id, settings.pivots);
    return id;
  }

  changeView(view: ViewId, settings: ViewSettings): void {
    const changed = this.#view(view);
    changed.resolved = resolveView(settings, this.#world, this.#metrics);
    changed.judged = loosened(changed.resolved, changed.outer, changed.inner, this.#options.roundMs);
    this.setPivots(view, settings.pivots);
  }

  setPivots(view: ViewId, pivots: readonly Pivot[]): void {
    checkPivots(pivots);
    const changed = this.#view(view);
    changed.placed = replaced(changed.pivots, changed.placed, pivots);
    changed.pivots = pivots;
  }

  removeView(view: ViewId): void {
    this.#views[this.#view(view).id] = undefined;
    this.account.forget(view, this.#round);
  }

  pause(view: ViewId): void {
    this.#view(view).paused = true;
  }

  resume(view: ViewId): void {
    this.#view(view).paused = false;
  }

  setBudgeted(view: ViewId, budgeted: boolean): void {
    const changed = this.#view(view);
    checkOptions({ ...changed.options, budgeted });
    changed.options = { ...changed.options, budgeted };
  }

  loosen(view: ViewId, outer: number, inner = 1): void {
    const changed = this.#view(view);
    changed.judged = loosened(changed.resolved, outer, inner, this.#options.roundMs);
    changed.outer = outer;
    changed.inner = inner;
  }

  demand(view: ViewId, id: ObjectId): void {
    const pair = this.#view(view).pairs.get(id);
    if (pair?.present === true) pair.demanded = true;
  }

  decisions(view: ViewId): Decisions {
    return this.#view(view).decisions;
  }

  // ── what the world tells ───────────────────────────────────────────────────────────────────────────────────────

  spawned(slot: number): void {
    const id = this.#world.store.idAt(slot);
    this.#history.set(id, []);
    this.#movedIn.set(id, this.#round + 1);
  }

  destroyed(slot: number): void {
    const id = this.#world.store.idAt(slot);
    this.#history.delete(id);
    this.#movedIn.delete(id);
    for (const view of this.#eachView()) {
      view.waits.delete(id);
      aimForGood(view.pivots, view.placed, this.#world, slot);
      const isHeld = view.pairs.get(id)?.present === true;
      if (isHeld) view.removals.set(id, { kind: DecisionKind.destroy, round: -1, wasLost: false, since: 0 });
      this.#forget(view, id, this.#round + 1);
    }
  }

  updated(slot: number, writer: number): void {
    const id = this.#world.store.idAt(slot);
    const version = this.#world.version[slot]!;
    this.#history.get(id)![version] = this.#round + 1;
    if (this.#world.movedVersion[slot] === version) this.#movedIn.set(id, this.#round + 1);
    if (writer === 0) return;
    for (const view of this.#eachView()) {
      const pair = view.pairs.get(id);
      if (view.options.session !== writer || pair?.present !== true || pair.sentVersion !== version - 1) continue;
      pair.sample = this.#sampled(view, slot, pair, this.#round + 1, true);
      pair.sentVersion = version;
      pair.metric = matchSet(view.resolved, slot).metric.name;
    }
  }

  moved(): void {}

  reclassified(): void {}

  // ── the round ──────────────────────────────────────────────────────────────────────────────────────────────────

  round(round: number): void {
    this.#round = round;
    for (const view of this.#eachView()) {
      view.decisions.clear();
      view.fresh.clear();
      this.#placePivots(view);
      if (view.options.questionsOnly === true || view.paused) continue;
      for (const slot of this.#slots()) this.#judge(view, slot);
      this.#decideRemovals(view);
    }
  }

  #placePivots(view: View): void {
    for (const [index, pivot] of view.pivots.entries()) placePivot(pivot, this.#world, view.placed[index]!);
  }

  #decideRemovals(view: View): void {
    for (const [id, removal] of view.removals) {
      if (removal.round < 0) this.#remove(view, id, removal.kind);
    }
  }

  #judge(view: View, slot: number): void {
    const id = this.#world.store.idAt(slot);
    const pair = this.#pair(view, id);
    if (!this.#exists(view, slot, pair)) {
      if (pair.present) this.#leave(view, id);
      return;
    }
    if (!pair.present || pair.sentVersion === 0) {
      this.#send(view, slot, DecisionKind.create, Cause.creation);
      return;
    }
    if (this.#isEqual(view, slot, pair)) return;
    const cause = this.#causeToSend(view, view.judged, slot, pair);
    if (cause >= 0) {
      this.#send(view, slot, DecisionKind.update, cause as Cause);
      return;
    }
    const stated = this.#causeToSend(view, view.resolved, slot, pair);
    if (stated < 0) return;
    if (this.#hasWaitedEnough(view, slot)) this.#send(view, slot, DecisionKind.update, stated as Cause);
    else this.#letWait(view, slot, stated as Cause);
  }

  #hasWaitedEnough(view: View, slot: number): boolean {
    const waited = this.#waited(view, this.#world.store.idAt(slot));
    return hasWaitedEnough(this.#cell(view, slot).bound, waited, this.#options.roundMs);
  }

  /** The pair has reached its stated bound and is not sent: a shortfall, and it waits. */
  #letWait(view: View, slot: number, cause: Cause): void {
    const id = this.#world.store.idAt(slot);
    this.account.short(pairKey(view.id, id), this.#zone(view, slot), cause, this.#round);
    this.#noteWait(view, id);
  }

  #noteWait(view: View, id: ObjectId): void {
    const since = this.#round - this.#waited(view, id);
    view.waits.set(id, { since, until: this.#round });
  }

  /** Rounds in a row, up to this one, in which the pair was over its bound and not sent. */
  #waited(view: View, id: ObjectId): number {
    const wait = view.waits.get(id);
    return wait?.until === this.#round - 1 ? this.#round - wait.since : 0;
  }

  #exists(view: View, slot: number, pair: Pair): boolean {
    const world = this.#world;
    const visible = this.#options.visible?.(view.id, world.store.entityAt(slot)) ?? true;
    return (
      visible &&
      (!world.isSpatial(slot) || inRange(matchSet(view.resolved, slot), this.#nearest(view, slot), pair.present))
    );
  }

  #nearest(view: View, slot: number): number {
    const { x, y, z } = this.#world;
    return nearest(matchSet(view.resolved, slot), view.placed, x[slot]!, y[slot]!, z[slot]!);
  }

  #zone(view: View, slot: number): number {
    return this.#world.isSpatial(slot) ? this.#cell(view, slot).zone : 0;
  }

  /** The cell of a spatial object, with its stated bound. */
  #cell(view: View, slot: number): Cell {
    const { x, y, z } = this.#world;
    return cellOf(matchSet(view.resolved, slot), view.placed, x[slot]!, y[slot]!, z[slot]!);
  }

  /** Why an unequal pair is due in this round by the view's bounds, stated or loosened; −1 if it is not. */
  #causeToSend(view: View, by: ResolvedView, slot: number, pair: Pair): Cause | -1 {
    const world = this.#world;
    if (this.#isOnChange(view, slot)) return Cause.change;
    if (pair.demanded) return Cause.demand;
    const set = matchSet(by, slot);
    const { bound } = cellOf(set, view.placed, world.x[slot]!, world.y[slot]!, world.z[slot]!);
    return dueCause(set, bound, this.#divergence(view, slot, pair), this.#options.roundMs);
  }

  #divergence(view: View, slot: number, pair: Pair): Divergence {
    const firstMiss = this.#history.get(this.#world.store.idAt(slot))![pair.sentVersion + 1] ?? -1;
    const set = matchSet(view.resolved, slot);
    return divergenceOf(set, this.#world, slot, { ...pair, firstMiss }, this.#round, this.#options.roundMs);
  }

  #send(view: View, slot: number, kind: DecisionKind, cause: Cause): void {
    const id = this.#world.store.idAt(slot);
    const pair = this.#pair(view, id);
    const zone = this.#zone(view, slot);
    const waited = view.options.budgeted === true ? this.#waited(view, id) : 0;
    const urgency = view.options.budgeted === true ? this.#urgency(view, slot, pair, kind, cause, waited) : 0;
    const { metric } = matchSet(view.resolved, slot);
    const settles = metric.carriesOn !== undefined && this.#movedIn.get(id) !== this.#round;
    const send: Send = {
      round: this.#round,
      version: this.#world.version[slot]!,
      metric,
      sample: this.#sampled(view, slot, pair, this.#round, settles),
      settles,
      zone,
      cause,
    };
    if (view.options.assumeDelivered !== true) pair.inFlight.push(send);
    else pair.base = pair.sentVersion === 0 ? undefined : { ...send, version: pair.sentVersion };
    this.#holds(pair, send);
    if (!pair.present && !view.removals.has(id)) view.fresh.add(id);
    pair.present = true;
    pair.demanded = false;
    this.#forgetRemoval(view, id);
    view.decisions.push(id, kind, cause, zone, urgency, waited, settles);
  }

  /** What is sent is not to be removed. A removal that is on its way may still get lost: then the client held the object until now. */
  #forgetRemoval(view: View, id: ObjectId): void {
    const removal = view.removals.get(id);
    if (removal === undefined) return;
    if (removal.round >= 0 && !removal.wasLost) {
      view.departed.add(id, removal.round, 0, Cause.removal, this.#round);
    }
    view.removals.delete(id);
  }

  #urgency(view: View, slot: number, pair: Pair, kind: DecisionKind, cause: Cause, waited: number): number {
    if (this.#isOnChange(view, slot) || cause === Cause.demand) return Number.POSITIVE_INFINITY;
    const { zone, bound } = this.#cell(view, slot);
    const { roundMs } = this.#options;
    if (kind === DecisionKind.update) {
      return updateUrgency(zone, bound, this.#divergence(view, slot, pair), waited, roundMs);
    }
    const factor = zone === 0 ? view.inner : view.outer;
    return creationUrgency(zone, bound, this.#nearest(view, slot), factor, waited, roundMs);
  }

  /** What the set's metric remembers of the object as it is now, given what it remembered before. */
  #sampled(view: View, slot: number, pair: Pair, round: number, settles: boolean): Float64Array {
    const { metric } = matchSet(view.resolved, slot);
    const stoodOnOwn = pair.sentVersion !== 0 && pair.metric === metric.name;
    const sample = stoodOnOwn ? pair.sample.slice() : new Float64Array(LARGEST_SAMPLE);
    const sinceMs = stoodOnOwn ? (round - pair.lastSend) * this.#options.roundMs : 0;
    metric.sample(this.#world, slot, sample, 0, sinceMs, settles);
    return sample;
  }

  /** The client is taken to have this send, and nothing newer. */
  #holds(pair: Pair, send: Send): void {
    pair.sentVersion = send.version;
    pair.lastSend = send.round;
    pair.metric = send.metric.name;
    pair.sample = send.sample.slice();
  }

  #leave(view: View, id: ObjectId): void {
    this.#forget(view, id, this.#round);
    this.#remove(view, id, DecisionKind.leave);
  }

  #forget(view: View, id: ObjectId, round: number): void {
    for (const send of view.pairs.get(id)?.inFlight ?? []) {
      view.departed.add(id, send.round, send.zone, send.cause, round);
    }
    view.pairs.delete(id);
  }

  #remove(view: View, id: ObjectId, kind: DecisionKind): void {
    const { wasLost = false, since = 0 } = view.removals.get(id) ?? {};
    if (view.options.assumeDelivered === true) view.removals.delete(id);
    else view.removals.set(id, { kind, round: this.#round, wasLost, since });
    const isBudgeted = view.options.budgeted === true;
    const waited = isBudgeted && since > 0 ? this.#round - since : 0;
    view.decisions.push(id, kind, Cause.removal, 0, isBudgeted ? Number.POSITIVE_INFINITY : 0, waited, false);
  }

  // ── the fate of sends ──────────────────────────────────────────────────────────────────────────────────────────

  acknowledgeAll(view: ViewId, ids: Uint32Array, count: number, round: number): void {
    for (const id of ids.subarray(0, count)) this.acknowledge(view, id as ObjectId, round);
  }

  acknowledge(view: ViewId, id: ObjectId, round: number): void {
    const { pairs, removals, departed } = this.#view(view);
    if (removals.get(id)?.round === round) {
      removals.delete(id);
      this.account.caughtUp(pairKey(view, id), round);
      return;
    }
    const pair = pairs.get(id);
    const send = pair?.inFlight.find((candidate) => candidate.round === round);
    if (pair === undefined || send === undefined) return departed.acknowledge(id, round);
    const { base } = pair;
    const isNewest = base === undefined || base.round < round;
    const isOvertaking = pair.inFlight.some((older) => older.round < round && older.round > (base?.round ?? -1));
    if (isNewest && isOvertaking) this.#takeAgain(pair, base, send);
    pair.inFlight = pair.inFlight.filter((candidate) => candidate !== send);
    if (isNewest) pair.base = send;
    this.account.caughtUp(pairKey(view, id), round);
  }

  lose(view: ViewId, id: ObjectId, round: number): void {
    const { pairs, removals, departed } = this.#view(view);
    const removal = removals.get(id);
    if (removal?.round === round) {
      removal.round = -1;
      removal.wasLost = true;
      removal.since = 0;
      this.account.lost(pairKey(view, id), 0, Cause.removal, round);
      return;
    }
    const pair = pairs.get(id);
    const send = pair?.inFlight.find((candidate) => candidate.round === round);
    if (pair === undefined || send === undefined) return departed.lose(id, round, this.account);
    const counting = pair.inFlight.filter((other) => other.round > (pair.base?.round ?? -1));
    const index = counting.indexOf(send);
    if (index >= 0 && index < counting.length - 1) {
      this.#takeAgain(pair, index === 0 ? pair.base : counting[index - 1], counting[index + 1]!);
    }
    pair.inFlight = pair.inFlight.filter((candidate) => candidate !== send);
    this.account.lost(pairKey(view, id), send.zone, send.cause, round);
    if (pair.base !== undefined) this.account.caughtUp(pairKey(view, id), pair.base.round);
    if (pair.lastSend === round) this.#fallBack(pair);
    if (send.cause === Cause.demand) this.#passDemand(pair, round);
  }

  /** A demand lives until a send that meets it has arrived. A later send says all that the lost one said, so it meets the demand as well. */
  #passDemand(pair: Pair, round: number): void {
    if (pair.base !== undefined && pair.base.round > round) return;
    const later = pair.inFlight.find((candidate) => candidate.round > round);
    if (later === undefined) pair.demanded = true;
    else later.cause = Cause.demand;
  }

  /** `first` follows `before` after all, or nothing: its sample, and those of all newer sends, are taken again where they build on the one before. */
  #takeAgain(pair: Pair, before: Send | undefined, first: Send): void {
    let last = before;
    for (const send of pair.inFlight.filter(({ round }) => round >= first.round)) {
      const ground = last?.metric === send.metric ? last : undefined;
      const sinceMs = ground === undefined ? 0 : (send.round - ground.round) * this.#options.roundMs;
      const sample = send.sample.slice();
      send.metric.again?.(sample, 0, ground?.sample ?? new Float64Array(LARGEST_SAMPLE), sinceMs, send.settles);
      send.sample = sample;
      last = send;
    }
    if (pair.lastSend === last!.round && pair.sentVersion === last!.version) pair.sample = last!.sample.slice();
  }

  withhold(viewId: ViewId, id: ObjectId): void {
    const view = this.#view(viewId);
    const removal = view.removals.get(id);
    if (removal?.round === this.#round) {
      removal.round = -1;
      removal.since ||= this.#round;
      view.decisions.withhold();
      this.account.short(pairKey(viewId, id), 0, Cause.removal, this.#round);
      return;
    }
    const pair = view.pairs.get(id);
    if (pair?.inFlight.at(-1)?.round !== this.#round) return;
    const { zone, cause } = pair.inFlight.pop()!;
    view.decisions.withhold();
    this.account.short(pairKey(viewId, id), zone, cause, this.#round);
    this.#fallBack(pair);
    pair.demanded = cause === Cause.demand;
    if (view.fresh.has(id)) view.pairs.delete(id);
    this.#noteWait(view, id);
  }

  /** The newest send no longer counts: the pair stands on the newest that does. */
  #fallBack(pair: Pair): void {
    const older = pair.inFlight.at(-1);
    const ground = older !== undefined && older.round > (pair.base?.round ?? -1) ? older : pair.base;
    if (ground === undefined) pair.sentVersion = 0;
    else this.#holds(pair, ground);
  }

  baseVersion(view: ViewId, id: ObjectId): number {
    return this.#view(view).pairs.get(id)?.base?.version ?? 0;
  }

  // ── questions ──────────────────────────────────────────────────────────────────────────────────────────────────

  explain(viewId: ViewId, id: ObjectId): Explanation | undefined {
    const view = this.#view(viewId);
    const slot = this.#world.store.liveSlot(id);
    if (slot < 0) return undefined;
    const world = this.#world;
    const pair = this.#pair(view, id);
    const set = matchSet(view.resolved, slot);
    const spatial = world.isSpatial(slot);
    const cell = cellOf(set, view.placed, world.x[slot]!, world.y[slot]!, world.z[slot]!);
    return {
      id,
      present: pair.present,
      zone: spatial ? cell.zone : 0,
      sector: spatial ? cell.sector : 0,
      bound: spatial && !this.#isOwn(view, slot) ? cell.bound : STRICTEST,
      divergence: this.#divergence(view, slot, pair),
      equal: this.#isEqual(view, slot, pair),
      lastSend: pair.lastSend,
      sentVersion: pair.sentVersion,
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

  // ── helpers ────────────────────────────────────────────────────────────────────────────────────────────────────

  #isEqual(view: View, slot: number, pair: Pair): boolean {
    return isEqual(matchSet(view.resolved, slot), this.#world, slot, pair, this.#isOnChange(view, slot));
  }

  /** Whether the object is due for the view on every change. */
  #isOnChange(view: View, slot: number): boolean {
    return !this.#world.isSpatial(slot) || this.#isOwn(view, slot);
  }

  #isOwn(view: View, slot: number): boolean {
    const session = view.options.session ?? 0;
    return session !== 0 && this.#world.store.owner[slot] === session;
  }

  #pair(view: View, id: ObjectId): Pair {
    let pair = view.pairs.get(id);
    if (pair === undefined) {
      const sample = new Float64Array(LARGEST_SAMPLE);
      const nothing: PairState = { sentVersion: 0, lastSend: -1, firstMiss: -1, metric: "", sample };
      pair = { ...nothing, present: false, demanded: false, inFlight: [], base: undefined };
      view.pairs.set(id, pair);
    }
    return pair;
  }

  *#slots(): IterableIterator<number> {
    const { store } = this.#world;
    for (let slot = 0; slot < store.slotHigh; slot++) if (store.isLive(slot)) yield slot;
  }

  *#eachView(): IterableIterator<View> {
    for (const view of this.#views) if (view !== undefined) yield view;
  }

  #view(view: ViewId): View {
    const found = this.#views[view];
    if (found === undefined) throw new ViewError("unknown-view", `${view}`, "no such view in this model");
    return found;
  }
}
