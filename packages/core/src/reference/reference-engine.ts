/**
 * The oracle: the model page, by brute force. In every round it judges every object for every view with the functions of `judge.ts`, and it keeps the whole
 * history of sends in plain objects. It is written to be read. `Engine` must decide exactly as the oracle does.
 *
 * A round: place pivots → for every view and object: existence, set, cell, divergence, due → what is ripe → record what is sent (`judgement.ts`). Between rounds: what became
 * of the sends (`fates.ts`).
 */

import type { ObjectId } from "@nearfield/schema";
import { Account, DepartedSends, pairKey } from "../account.ts";
import { DecisionList } from "../decision-list.ts";
import { ViewError } from "../errors.ts";
import { cellOf, distanceToPoint, matchSet, zoneAtPoint } from "../judge.ts";
import { MetricRegistry } from "../metrics.ts";
import {
  type Cause,
  type ConsistencyModel,
  DecisionKind,
  type Decisions,
  type Divergence,
  type Explanation,
  MOST_ROUNDS_OUT,
  type ModelOptions,
  type ViewId,
  type ViewOptions,
} from "../model.ts";
import { aimForGood, placePivot, replaced } from "../pivots.ts";
import { checkOptions, loosened, resolveView } from "../resolve-view.ts";
import { Rhythm } from "../ripe.ts";
import type { Pivot, ViewSettings } from "../view.ts";
import { checkPivots } from "../view-rules.ts";
import type { World, WorldObserver } from "../world.ts";
import { Fates } from "./fates.ts";
import { Judgement } from "./judgement.ts";
import { groundOf, pairOf, type View, waitOn } from "./pairs.ts";

const STRICTEST: Divergence = { time: 0, sequence: 0, value: 0 };

export class ReferenceEngine implements ConsistencyModel, WorldObserver {
  readonly account: Account = new Account();
  readonly #world: World;
  readonly #options: ModelOptions;
  readonly #metrics: MetricRegistry;
  readonly #views: (View | undefined)[] = [];
  readonly #judgement: Judgement;
  readonly #fates: Fates;

  constructor(world: World, options: ModelOptions) {
    this.#world = world;
    this.#options = options;
    this.#metrics = new MetricRegistry(options.metrics);
    this.#judgement = new Judgement(world, options, this.account);
    this.#fates = new Fates(this.account, options.roundMs);
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
      spare: 0,
      shortIn: Number.NEGATIVE_INFINITY,
      paused: false,
      isOut: false,
      roundsOut: 0,
      pairs: new Map(),
      removals: new Map(),
      waits: new Map(),
      departed: new DepartedSends(),
      fresh: new Set(),
      rhythm: new Rhythm(),
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
    this.account.forget(view, this.#judgement.round);
  }

  pause(view: ViewId): void {
    const paused = this.#view(view);
    waitOn(paused, this.#judgement.round + 1);
    paused.paused = true;
    paused.isOut = false;
    paused.roundsOut = 0;
  }

  resume(view: ViewId): void {
    this.#view(view).paused = false;
  }

  sitOut(view: ViewId): void {
    const { paused, roundsOut } = this.#view(view);
    if (!paused && roundsOut < MOST_ROUNDS_OUT) this.#view(view).isOut = true;
  }

  setBudgeted(view: ViewId, budgeted: boolean): void {
    const changed = this.#view(view);
    checkOptions({ ...changed.options, budgeted });
    changed.options = { ...changed.options, budgeted };
  }

  setSpare(view: ViewId, updates: number): void {
    this.#view(view).spare = updates;
  }

  setRipe(share: number): void {
    this.#judgement.setRipe(share);
  }

  loosen(view: ViewId, outer: number, inner = 1): void {
    const changed = this.#view(view);
    changed.judged = loosened(changed.resolved, outer, inner, this.#options.roundMs);
    changed.outer = outer;
    changed.inner = inner;
  }

  /** Asks in every round anyway. */
  visibilityChanged(): void {}

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
    this.#judgement.history.set(id, []);
    this.#judgement.movedIn.set(id, this.#judgement.round + 1);
  }

  destroyed(slot: number): void {
    const id = this.#world.store.idAt(slot);
    this.#judgement.history.delete(id);
    this.#judgement.movedIn.delete(id);
    for (const view of this.#eachView()) {
      view.waits.delete(id);
      aimForGood(view.pivots, view.placed, this.#world, slot);
      const isHeld = view.pairs.get(id)?.present === true;
      // Who is paused or sits out may not see the object any more, and shall not learn what became of it.
      const isOwn = this.#world.store.owner[slot] === (view.options.session ?? 0);
      const isUnserved = view.paused || view.roundsOut > 0;
      const kind =
        this.#options.visible !== undefined && isUnserved && !isOwn ? DecisionKind.leave : DecisionKind.destroy;
      if (isHeld) view.removals.set(id, { kind, round: -1, wasLost: false, since: 0 });
      else if (!view.removals.has(id)) this.account.end(pairKey(view.id, id));
      this.#judgement.forget(view, id, this.#judgement.round + 1);
    }
  }

  updated(slot: number, writer: number): void {
    const id = this.#world.store.idAt(slot);
    const version = this.#world.version[slot]!;
    this.#judgement.history.get(id)![version] = this.#judgement.round + 1;
    if (this.#world.movedVersion[slot] === version) this.#judgement.movedIn.set(id, this.#judgement.round + 1);
    if (writer === 0) return;
    for (const view of this.#eachView()) {
      const pair = view.pairs.get(id);
      if (view.options.session !== writer || pair?.present !== true || pair.sentVersion !== version - 1) continue;
      pair.sample = this.#judgement.sampled(view, slot, pair, this.#judgement.round + 1, true);
      pair.sentVersion = version;
      pair.metric = matchSet(view.resolved, slot).metric.name;
    }
  }

  // ── the round ──────────────────────────────────────────────────────────────────────────────────────────────────

  round(round: number): void {
    this.#judgement.round = round;
    this.account.goOn((view) => this.#views[view]?.isOut === true, round);
    for (const view of this.#eachView()) {
      view.decisions.clear();
      view.fresh.clear();
      this.#placePivots(view);
      if (view.options.questionsOnly === true || view.paused) continue;
      if (view.isOut) view.roundsOut += 1;
      else this.#serve(view, round);
      view.isOut = false;
    }
  }

  #serve(view: View, round: number): void {
    waitOn(view, round);
    for (const slot of this.#slots()) this.#judgement.judge(view, slot);
    this.#judgement.decideRemovals(view);
    this.account.late(view.decisions, view.roundsOut);
    this.#judgement.sendRipe(view, this.#slots());
    view.roundsOut = 0;
  }

  #placePivots(view: View): void {
    for (const [index, pivot] of view.pivots.entries()) placePivot(pivot, this.#world, view.placed[index]!);
  }

  // ── the fate of sends ──────────────────────────────────────────────────────────────────────────────────────────

  acknowledgeAll(view: ViewId, ids: Uint32Array, count: number, round: number): void {
    for (const id of ids.subarray(0, count)) this.acknowledge(view, id as ObjectId, round);
  }

  acknowledge(view: ViewId, id: ObjectId, round: number): void {
    this.#fates.acknowledge(this.#view(view), id, round);
  }

  lose(view: ViewId, id: ObjectId, round: number): void {
    this.#fates.lose(this.#view(view), id, round);
  }

  withhold(view: ViewId, id: ObjectId): void {
    this.#fates.withhold(this.#view(view), id, this.#judgement.round);
  }

  withholdAll(view: ViewId, rows: Int32Array, count: number): void {
    const { ids } = this.decisions(view);
    for (const row of rows.subarray(0, count)) this.withhold(view, ids[row]! as ObjectId);
  }

  baseVersion(view: ViewId, id: ObjectId): number {
    return this.#view(view).pairs.get(id)?.base?.version ?? 0;
  }

  lastCause(viewId: ViewId, id: ObjectId): Cause | undefined {
    const { pairs, options } = this.#view(viewId);
    const pair = pairs.get(id);
    return pair === undefined || options.assumeDelivered === true ? undefined : groundOf(pair)?.cause;
  }

  // ── questions ──────────────────────────────────────────────────────────────────────────────────────────────────

  explain(viewId: ViewId, id: ObjectId): Explanation | undefined {
    const view = this.#view(viewId);
    const slot = this.#world.store.liveSlot(id);
    if (slot < 0) return undefined;
    const world = this.#world;
    const pair = pairOf(view, id);
    const set = matchSet(view.resolved, slot);
    const spatial = world.isSpatial(slot);
    const cell = cellOf(set, view.placed, world.x[slot]!, world.y[slot]!, world.z[slot]!);
    return {
      id,
      present: pair.present,
      zone: spatial ? cell.zone : 0,
      sector: spatial ? cell.sector : 0,
      bound: this.#judgement.isOnChange(view, slot) ? STRICTEST : cell.bound,
      divergence: this.#judgement.divergence(view, slot, pair),
      equal: this.#judgement.isEqual(view, slot, pair),
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
