/**
 * The oracle: the model page by brute force. Every round it judges every object for every view with the functions of `judge.ts` and
 * keeps the whole history of what was sent, in plain objects. Written to be read; `Engine` must decide exactly as it does.
 *
 * A round: place pivots → for every view and object: existence, set, cell, divergence, due → record what is sent → audit.
 */

import { Auditor, DepartedSends, pairKey } from "../audit.ts";
import { DecisionList } from "../decision-list.ts";
import { ViewError } from "../errors.ts";
import type { ObjectId } from "../ids.ts";
import {
  cellOf,
  distanceToPoint,
  divergenceOf,
  dueCause,
  inRange,
  matchSet,
  nearest,
  type PairState,
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
import { type PlacedPivot, placePivot, replaced } from "../pivots.ts";
import { checkPivots, type ResolvedView, resolveView } from "../resolve-view.ts";
import type { Pivot, ViewSettings } from "../view.ts";
import type { World, WorldObserver } from "../world.ts";

/** One send whose fate is not known, or the last one that arrived. */
interface Send {
  readonly round: number;
  readonly version: number;
  readonly metric: string;
  readonly sample: Float64Array;
  readonly zone: number;
  readonly cause: Cause;
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
}

interface View {
  readonly id: ViewId;
  readonly options: ViewOptions;
  resolved: ResolvedView;
  pivots: readonly Pivot[];
  placed: PlacedPivot[];
  paused: boolean;
  readonly pairs: Map<ObjectId, Pair>;
  readonly removals: Map<ObjectId, Removal>;
  readonly departed: DepartedSends;
  readonly decisions: DecisionList;
}

const STRICTEST: Divergence = { time: 0, sequence: 0, value: 0 };

export class ReferenceEngine implements ConsistencyModel, WorldObserver {
  readonly audit: Auditor = new Auditor();
  readonly #world: World;
  readonly #options: ModelOptions;
  readonly #metrics: MetricRegistry;
  readonly #views: (View | undefined)[] = [];
  /** Per object, the round in which each version was made: `history.get(id)[version]`. */
  readonly #history = new Map<ObjectId, number[]>();
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
    const decisions = new DecisionList();
    this.#views[id] = {
      id,
      options,
      resolved,
      pivots: [],
      placed: [],
      paused: false,
      pairs: new Map(),
      removals: new Map(),
      departed: new DepartedSends(),
      decisions,
    };
    this.setPivots(id, settings.pivots);
    return id;
  }

  changeView(view: ViewId, settings: ViewSettings): void {
    const changed = this.#view(view);
    changed.resolved = resolveView(settings, this.#world, this.#metrics);
    this.setPivots(view, settings.pivots);
  }

  setPivots(view: ViewId, pivots: readonly Pivot[]): void {
    checkPivots(pivots);
    const changed = this.#view(view);
    changed.placed = replaced(changed.pivots, changed.placed, pivots);
    changed.pivots = pivots;
  }

  removeView(view: ViewId): void {
    const removed = this.#view(view);
    for (const id of [...removed.pairs.keys(), ...removed.removals.keys()])
      this.audit.caughtUp(pairKey(view, id), this.#round);
    this.#views[view] = undefined;
  }

  pause(view: ViewId): void {
    this.#view(view).paused = true;
  }

  resume(view: ViewId): void {
    this.#view(view).paused = false;
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
    this.#history.set(this.#world.store.idAt(slot), []);
  }

  destroyed(slot: number): void {
    const id = this.#world.store.idAt(slot);
    this.#history.delete(id);
    for (const view of this.#eachView()) {
      const isHeld = view.pairs.get(id)?.present === true;
      if (isHeld) view.removals.set(id, { kind: DecisionKind.destroy, round: -1 });
      this.#forget(view, id, this.#round + 1);
    }
  }

  updated(slot: number, writer: number): void {
    const id = this.#world.store.idAt(slot);
    const version = this.#world.version[slot]!;
    this.#history.get(id)![version] = this.#round + 1;
    if (writer === 0) return;
    for (const view of this.#eachView()) {
      const pair = view.pairs.get(id);
      if (view.options.session !== writer || pair?.present !== true || pair.sentVersion !== version - 1) continue;
      const { metric } = matchSet(view.resolved, slot);
      pair.sentVersion = version;
      pair.metric = metric.name;
      metric.sample(this.#world, slot, pair.sample, 0);
    }
  }

  moved(): void {}

  reclassified(): void {}

  // ── the round ──────────────────────────────────────────────────────────────────────────────────────────────────

  round(round: number): void {
    this.#round = round;
    for (const view of this.#eachView()) {
      view.decisions.clear();
      this.#placePivots(view);
      if (view.paused) continue;
      for (const slot of this.#slots()) this.#judge(view, slot);
      this.#decideRemovals(view);
      this.#auditDecided(view);
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
    const world = this.#world;
    const id = world.store.idAt(slot);
    const pair = this.#pair(view, id);
    const set = matchSet(view.resolved, slot);
    const spatial = world.isSpatial(slot);
    const [x, y, z] = [world.x[slot]!, world.y[slot]!, world.z[slot]!];

    const visible = this.#options.visible?.(view.id, world.store.entityAt(slot)) ?? true;
    const exists = visible && (!spatial || inRange(set, nearest(set, view.placed, x, y, z), pair.present));
    if (!exists) {
      if (pair.present) this.#leave(view, id);
      return;
    }
    const zone = this.#zone(view, slot);
    if (!pair.present || pair.sentVersion === 0) {
      this.#send(view, slot, DecisionKind.create, Cause.creation, zone);
      return;
    }
    if (pair.sentVersion === world.version[slot]) return;
    const cause = this.#causeToSend(view, slot, pair);
    if (cause >= 0) this.#send(view, slot, DecisionKind.update, cause as Cause, zone);
  }

  #zone(view: View, slot: number): number {
    const world = this.#world;
    if (!world.isSpatial(slot)) return 0;
    return cellOf(matchSet(view.resolved, slot), view.placed, world.x[slot]!, world.y[slot]!, world.z[slot]!).zone;
  }

  /** Why an unequal pair is due in this round; −1 if it is not. */
  #causeToSend(view: View, slot: number, pair: Pair): Cause | -1 {
    const world = this.#world;
    if (!world.isSpatial(slot) || this.#isOwn(view, slot)) return Cause.change;
    if (pair.demanded) return Cause.demand;
    const set = matchSet(view.resolved, slot);
    const { bound } = cellOf(set, view.placed, world.x[slot]!, world.y[slot]!, world.z[slot]!);
    return dueCause(set, bound, this.#divergence(view, slot, pair), this.#options.roundMs);
  }

  #divergence(view: View, slot: number, pair: Pair): Divergence {
    const firstMiss = this.#history.get(this.#world.store.idAt(slot))![pair.sentVersion + 1] ?? -1;
    const set = matchSet(view.resolved, slot);
    return divergenceOf(set, this.#world, slot, { ...pair, firstMiss }, this.#round, this.#options.roundMs);
  }

  #send(view: View, slot: number, kind: DecisionKind, cause: Cause, zone: number): void {
    const id = this.#world.store.idAt(slot);
    const pair = this.#pair(view, id);
    const { metric } = matchSet(view.resolved, slot);
    const sample = new Float64Array(SAMPLE_SIZE);
    metric.sample(this.#world, slot, sample, 0);
    const send: Send = {
      round: this.#round,
      version: this.#world.version[slot]!,
      metric: metric.name,
      sample,
      zone,
      cause,
    };
    if (view.options.assumeDelivered !== true) pair.inFlight.push(send);
    else pair.base = pair.sentVersion === 0 ? undefined : { ...send, version: pair.sentVersion };
    this.#holds(pair, send);
    pair.present = true;
    pair.demanded = false;
    view.removals.delete(id);
    view.decisions.push(id, kind, cause, zone);
  }

  /** The client is taken to have this send, and nothing newer. */
  #holds(pair: Pair, send: Send): void {
    pair.sentVersion = send.version;
    pair.lastSend = send.round;
    pair.metric = send.metric;
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
    if (view.options.assumeDelivered === true) view.removals.delete(id);
    else view.removals.set(id, { kind, round: this.#round });
    view.decisions.push(id, kind, Cause.removal, 0);
  }

  // ── the fate of sends ──────────────────────────────────────────────────────────────────────────────────────────

  acknowledge(view: ViewId, id: ObjectId, round: number): void {
    const { pairs, removals, departed } = this.#view(view);
    if (removals.get(id)?.round === round) {
      removals.delete(id);
      this.audit.caughtUp(pairKey(view, id), round);
      return;
    }
    const pair = pairs.get(id);
    const send = pair?.inFlight.find((candidate) => candidate.round === round);
    if (pair === undefined || send === undefined) return departed.acknowledge(id, round);
    pair.inFlight = pair.inFlight.filter((candidate) => candidate !== send);
    if (pair.base === undefined || pair.base.round < round) pair.base = send;
    this.audit.caughtUp(pairKey(view, id), round);
  }

  lose(view: ViewId, id: ObjectId, round: number): void {
    const { pairs, removals, departed } = this.#view(view);
    const removal = removals.get(id);
    if (removal?.round === round) {
      removal.round = -1;
      this.audit.lost(pairKey(view, id), 0, Cause.removal, round);
      return;
    }
    const pair = pairs.get(id);
    const send = pair?.inFlight.find((candidate) => candidate.round === round);
    if (pair === undefined || send === undefined) return departed.lose(id, round, this.audit);
    pair.inFlight = pair.inFlight.filter((candidate) => candidate !== send);
    this.audit.lost(pairKey(view, id), send.zone, send.cause, round);
    if (pair.base !== undefined) this.audit.caughtUp(pairKey(view, id), pair.base.round);
    if (pair.lastSend !== round) return;
    const older = pair.inFlight.at(-1);
    const fallBack = older !== undefined && older.round > (pair.base?.round ?? -1) ? older : pair.base;
    if (fallBack === undefined) pair.sentVersion = 0;
    else this.#holds(pair, fallBack);
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
      equal: pair.sentVersion === world.version[slot],
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

  #auditDecided(view: View): void {
    for (const slot of this.#slots()) {
      const pair = this.#pair(view, this.#world.store.idAt(slot));
      this.audit.examined++;
      if (!pair.present || pair.sentVersion === this.#world.version[slot] || pair.lastSend === this.#round) continue;
      const cause = this.#causeToSend(view, slot, pair);
      if (cause >= 0) this.audit.overBound(this.#zone(view, slot), cause as Cause);
    }
  }

  #isOwn(view: View, slot: number): boolean {
    const session = view.options.session ?? 0;
    return session !== 0 && this.#world.store.owner[slot] === session;
  }

  #pair(view: View, id: ObjectId): Pair {
    let pair = view.pairs.get(id);
    if (pair === undefined) {
      const sample = new Float64Array(SAMPLE_SIZE);
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
