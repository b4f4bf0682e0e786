/**
 * Judges one pair, whatever its view asks for: several pivots, sectors, any metric and clock, fog, loosened bounds. The arithmetic is that
 * of `judge.ts`, without its allocations. It passes a due pair to `Sends`, and plans the next look at every pair (`plans/deadline.ts`).
 */

import { awaitsWrites } from "../../metrics.ts";
import { Cause, DecisionKind } from "../../model.ts";
import type { ResolvedSet } from "../../resolve-view.ts";
import type { EngineContext } from "../engine-context.ts";
import type { EngineView } from "../engine-view.ts";
import { ABSENT, FARTHEST_PLAN, GAP, NEVER } from "../memory/layout.ts";
import { INTS, Int } from "../objects/bodies.ts";
import { Deadlines } from "../plans/deadline.ts";
import type { Sends } from "../sends/sends.ts";
import { Bound, Figures } from "./figures.ts";

/** An object that was updated within so many rounds is looked at in the next one: to rest and be woken would cost more. */
const PATIENCE = 4;

export class GeneralJudge {
  readonly #context: EngineContext;
  readonly #sends: Sends;
  #round = 0;
  /** Of the pair at hand; and the round since which its time runs. */
  readonly #figures: Figures;
  #since = 0;
  readonly #deadlines: Deadlines;

  constructor(context: EngineContext, sends: Sends) {
    this.#context = context;
    this.#sends = sends;
    this.#figures = new Figures(context);
    this.#deadlines = new Deadlines(context, this.#figures);
  }

  judge(view: EngineView, pair: number, round: number): void {
    this.#round = round;
    this.#context.unseen.surface(view, pair, round);
    const { pairs } = view;
    const slot = pairs.slotOf(pair);
    const index = pairs.setOf(pair);
    const set = view.resolved.sets[index]!;
    const spatial = this.#context.bodies.isSpatial(slot);
    this.#figures.measure(view, index, slot, spatial);
    const held = pairs.heldOf(pair);
    if (!this.#exists(view, set, slot, spatial, held !== ABSENT)) this.#judgeOutside(view, pair, spatial, held);
    else if (held <= 0) this.#send(view, set, pair, slot, spatial, DecisionKind.create, Cause.creation);
    else if (this.#isEqual(view, set, pair, slot, spatial)) this.#rest(view, pair, slot);
    else this.#judgeUnequal(view, set, pair, slot, spatial);
  }

  /** Whether the client has the object, in a state that is not equal, and is not sent it in this round. */
  isBehind(view: EngineView, pair: number, round: number): boolean {
    const { pairs } = view;
    const held = pairs.isLive(pair) ? pairs.heldOf(pair) : ABSENT;
    if (held <= 0 || pairs.lastSendOf(pair) === round) return false;
    const slot = pairs.slotOf(pair);
    const set = this.#setAt(view, pair);
    if (this.#isOnChange(view, set, pair, slot, this.#context.bodies.isSpatial(slot))) return false;
    return !this.#isEqual(view, set, pair, slot, this.#context.bodies.isSpatial(slot));
  }

  /** Whether a pair that is behind has reached this share of its bound. */
  isRipe(view: EngineView, pair: number, round: number, share: number): boolean {
    this.#round = round;
    const slot = view.pairs.slotOf(pair);
    this.#figures.measure(view, view.pairs.setOf(pair), slot, true);
    this.#diverge(view, this.#setAt(view, pair), pair, slot);
    return this.#figures.isRipe(share);
  }

  /** Sends a pair that is ripe. */
  sendRipe(view: EngineView, pair: number, round: number): void {
    this.#round = round;
    const slot = view.pairs.slotOf(pair);
    const set = this.#setAt(view, pair);
    this.#figures.measure(view, view.pairs.setOf(pair), slot, true);
    // How urgent it is follows from how far it diverged.
    if (view.budgeted) this.#diverge(view, set, pair, slot);
    this.#send(view, set, pair, slot, true, DecisionKind.update, Cause.ripe);
  }

  #exists(view: EngineView, set: ResolvedSet, slot: number, spatial: boolean, present: boolean): boolean {
    const isSeen = view.seen === undefined || view.seen.has(slot);
    return isSeen && (!spatial || this.#figures.isInRange(set, present));
  }

  #judgeOutside(view: EngineView, pair: number, spatial: boolean, held: number): void {
    const { pairs } = view;
    if (held !== ABSENT) this.#sends.leave(view, pair);
    // What is in range is hidden, and is looked at again when that changes.
    const near = !spatial || this.#figures.isInRange(this.#setAt(view, pair), false);
    if (view.wide || near) pairs.unplan(pair);
    else this.#sends.release(view, pair);
  }

  #judgeUnequal(view: EngineView, set: ResolvedSet, pair: number, slot: number, spatial: boolean): void {
    this.#diverge(view, set, pair, slot);
    const cause = this.#causeToSend(view, set, Bound.loose, pair, slot, spatial);
    if (cause >= 0) {
      this.#send(view, set, pair, slot, spatial, DecisionKind.update, cause as Cause);
      return;
    }
    const short = view.outer > 1 ? this.#causeToSend(view, set, Bound.stated, pair, slot, spatial) : -1;
    if (short >= 0 && this.#figures.hasWaitedEnough(view.pairs.waitedOf(pair, this.#round))) {
      this.#send(view, set, pair, slot, spatial, DecisionKind.update, short as Cause);
      return;
    }
    if (short >= 0) this.#sends.letWait(view, pair, this.#figures.zone, short as Cause);
    if (view.pairs.heldOf(pair) !== this.#versionOf(slot)) this.#sends.noteMiss(view, pair, FARTHEST_PLAN);
    this.#plan(view, pair, short >= 0 ? 1 : this.#bite(set, slot, spatial, view));
    if (short < 0 && this.#awaitsWrites(set)) this.#awaitWrite(view, pair, slot);
  }

  /** Whether the value of the pair at hand can grow only when its object is written. */
  #awaitsWrites({ metric }: ResolvedSet): boolean {
    return awaitsWrites(metric) && this.#figures.boundsValue;
  }

  /** Has an unequal pair looked at when its object is written, or before, if its plan says so. */
  #awaitWrite(view: EngineView, pair: number, slot: number): void {
    const { bodies, observers } = this.#context;
    if (bodies.quietFor(slot, this.#round) < PATIENCE) this.#plan(view, pair, 1);
    else {
      // Whoever wakes it takes it for equal until then, unless it is noted since when it is behind.
      this.#sends.noteMiss(view, pair, NEVER);
      observers.rest(slot, view.id, pair, view.pairs);
    }
  }

  #send(
    view: EngineView,
    set: ResolvedSet,
    pair: number,
    slot: number,
    spatial: boolean,
    kind: DecisionKind,
    cause: Cause,
  ): void {
    const waited = view.budgeted ? view.pairs.waitedOf(pair, this.#round) : 0;
    const presses = cause === Cause.demand || this.#isOnChange(view, set, pair, slot, spatial);
    this.#sends.send(view, set, pair, kind, cause, this.#figures.zone, waited);
    if (view.budgeted) this.#urge(view, kind, presses, waited);
    if (this.#isEqual(view, set, pair, slot, spatial)) {
      this.#planEqual(view, set, pair, slot, spatial);
      return;
    }
    this.#diverge(view, set, pair, slot);
    this.#plan(view, pair, this.#bite(set, slot, spatial, view));
  }

  /** Says how much the send presses that was just recorded; `presses`: as much as can be. */
  #urge(view: EngineView, kind: DecisionKind, presses: boolean, waited: number): void {
    const { urgencies, count } = view.decisions;
    const at = count - 1;
    if (presses) urgencies[at] = Number.POSITIVE_INFINITY;
    else if (kind === DecisionKind.update) this.#figures.urgeUpdate(waited, urgencies, at);
    else this.#figures.urgeCreation(view, waited, urgencies, at);
  }

  // ── measuring ──────────────────────────────────────────────────────────────────────────────────────────────────

  /** How far the pair has diverged, into the figures; it is not equal. */
  #diverge(view: EngineView, set: ResolvedSet, pair: number, slot: number): void {
    const { pairs } = view;
    const lastSend = pairs.lastSendOf(pair);
    this.#since = lastSend;
    if (set.clock === "firstMiss") {
      this.#since = this.#goesOn(view, set, pair) ? lastSend + 1 : this.#sends.firstMiss(view, pair);
    }
    this.#figures.diverge(this.#round - this.#since, this.#versionOf(slot) - pairs.heldOf(pair));
    if (pairs.metricOf(pair) !== set.metricId) return;
    pairs.readSample(pair, this.#figures.sample, 0);
    this.#figures.measureValue(set, slot, this.#round - lastSend);
  }

  /** Why the unequal pair is due in this round by a bound; −1 if it is not. */
  #causeToSend(
    view: EngineView,
    set: ResolvedSet,
    bound: Bound,
    pair: number,
    slot: number,
    spatial: boolean,
  ): Cause | -1 {
    if (this.#isOnChange(view, set, pair, slot, spatial)) return Cause.change;
    if (view.demands.size > 0 && view.demands.has(this.#context.world.store.idAt(slot))) return Cause.demand;
    return this.#figures.causeBy(bound, set);
  }

  #isEqual(view: EngineView, set: ResolvedSet, pair: number, slot: number, spatial: boolean): boolean {
    if (view.pairs.heldOf(pair) !== this.#versionOf(slot)) return false;
    return !spatial || !this.#goesOn(view, set, pair);
  }

  /** Whether, under this set, the client's picture moves on from what was sent. */
  #goesOn({ pairs }: EngineView, { metric, metricId }: ResolvedSet, pair: number): boolean {
    if (metric.carriesOn === undefined) return false;
    if (pairs.metricOf(pair) !== metricId) return true;
    pairs.readSample(pair, this.#figures.sample, 0);
    return metric.carriesOn(this.#figures.sample, 0);
  }

  // ── planning ───────────────────────────────────────────────────────────────────────────────────────────────────

  /** Rounds until an unequal pair can be due; its divergence is in the figures. */
  #bite(set: ResolvedSet, slot: number, spatial: boolean, view: EngineView): number {
    if (!spatial || this.#isOwn(view, set, slot)) return 1;
    return this.#deadlines.roundsToBite(set, slot, this.#round - this.#since);
  }

  /** The pair has just become equal: it can be due as soon after the next update as its bound allows. */
  #planEqual(view: EngineView, set: ResolvedSet, pair: number, slot: number, spatial: boolean): void {
    const figures = this.#figures;
    this.#since = this.#round;
    figures.settle();
    if (figures.boundsValue && spatial) {
      view.pairs.readSample(pair, figures.sample, 0);
      figures.measureValue(set, slot, 0);
    }
    const isAwaited = spatial && this.#awaitsWrites(set);
    const bite = isAwaited ? 1 : Math.min(FARTHEST_PLAN, this.#bite(set, slot, spatial, view));
    const gap = this.#context.bodies.ints[slot * INTS + Int.traits]! & GAP;
    if (bite < gap) this.#rest(view, pair, slot);
    else this.#plan(view, pair, bite);
  }

  /** Every unequal pair has a plan, however far ahead: the kernel finds the ripe ones among the pairs that have one. */
  #plan({ pairs }: EngineView, pair: number, bite: number): void {
    pairs.plan(pair, this.#round + Math.min(bite, FARTHEST_PLAN));
  }

  #rest({ id, pairs }: EngineView, pair: number, slot: number): void {
    this.#context.observers.rest(slot, id, pair, pairs);
    pairs.unplan(pair);
  }

  // ── helpers ────────────────────────────────────────────────────────────────────────────────────────────────────

  #versionOf(slot: number): number {
    return this.#context.bodies.versionOf(slot);
  }

  #setAt(view: EngineView, pair: number): ResolvedSet {
    return view.resolved.sets[view.pairs.setOf(pair)]!;
  }

  /** Whether the pair is due because its object changed: the object has no place, or is the viewer's own. */
  #isOnChange(view: EngineView, set: ResolvedSet, pair: number, slot: number, spatial: boolean): boolean {
    const isOn = !spatial || this.#isOwn(view, set, slot);
    return isOn && view.pairs.heldOf(pair) !== this.#versionOf(slot);
  }

  /** Whether the object is the viewer's own and therefore due on every change. */
  #isOwn({ session }: EngineView, { own }: ResolvedSet, slot: number): boolean {
    return own === "changes" && session !== 0 && this.#context.bodies.owner[slot] === session;
  }
}
