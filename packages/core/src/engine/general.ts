/**
 * Judges one pair, whatever its view asks for: several pivots, sectors, any metric and clock, sight, loosened bounds. The same
 * arithmetic as `judge.ts`, without its allocations; what it finds it passes to `Sends`, and plans the next look.
 *
 * Claim: the plan never lies after the first round in which the pair can be due, unless something happens of which the engine is told:
 * a border is crossed, the object's set, speed cap or update cap changes, the view changes, a send is lost. For within a zone the bound
 * is known, time passes evenly, at most `cap` updates come in a round, and the metric grows by at most `growth`; orientation may turn at
 * any time, so a zone counts with its strictest sector, which is sector 0.
 */

import { inRange } from "../judge.ts";
import { LARGEST_SAMPLE } from "../metrics.ts";
import { Cause, DecisionKind, type Divergence } from "../model.ts";
import { type PlacedPivot, pivotRadius } from "../pivots.ts";
import type { ResolvedSet } from "../resolve-view.ts";
import { creationUrgency, hasWaitedEnough, updateUrgency } from "../urgency.ts";
import { INTS, Int, MOTIONS } from "./bodies.ts";
import type { EngineView } from "./engine-view.ts";
import { ABSENT, FARTHEST_PLAN, GAP, NEVER } from "./layout.ts";
import type { Sends } from "./sends.ts";
import type { Shared } from "./shared.ts";

const UNBOUNDED = Number.POSITIVE_INFINITY;
/** Quotients are rounded; plans are made this much on the safe side. */
const CAUTION = 1 + 1e-9;

/** Of a class of its own: objects that look like others share what V8 knows of their fields, and may then keep each number in an object of its own. */
class Figures implements Divergence {
  time = 0;
  sequence = 0;
  value = 0;
}

export class GeneralJudge {
  readonly #shared: Shared;
  readonly #sends: Sends;
  #round = 0;
  /** Scratch: what was measured of the pair at hand. */
  readonly #sample = new Float64Array(LARGEST_SAMPLE);
  readonly #pace = new Float64Array(3);
  readonly #value = new Float64Array(1);
  readonly #stated = new Figures();
  readonly #loose = new Figures();
  readonly #strictest = new Figures();
  readonly #divergence = new Figures();
  #since = 0;
  #elapsedMs = 0;
  #nearest = 0;
  #zone = 0;

  constructor(shared: Shared, sends: Sends) {
    this.#shared = shared;
    this.#sends = sends;
  }

  judge(view: EngineView, pair: number, round: number): void {
    this.#round = round;
    const { pairs } = view;
    const slot = pairs.slotOf(pair);
    const index = pairs.setOf(pair);
    const set = view.resolved.sets[index]!;
    const spatial = this.#shared.bodies.isSpatial(slot);
    this.#measure(view, index, slot, spatial);
    const held = pairs.heldOf(pair);
    if (!this.#exists(view, set, slot, spatial, held !== ABSENT)) this.#judgeOutside(view, pair, spatial, held);
    else if (held <= 0) this.#send(view, set, pair, slot, spatial, DecisionKind.create, Cause.creation);
    else if (this.#isEqual(view, set, pair, slot, spatial)) this.#rest(view, pair, slot);
    else this.#judgeUnequal(view, set, pair, slot, spatial);
  }

  #exists(view: EngineView, set: ResolvedSet, slot: number, spatial: boolean, present: boolean): boolean {
    return this.#isVisible(view, slot) && (!spatial || inRange(set, this.#nearest, present));
  }

  #judgeOutside(view: EngineView, pair: number, spatial: boolean, held: number): void {
    const { pairs } = view;
    if (held !== ABSENT) this.#sends.leave(view, pair);
    const mayAppear = this.#shared.options.visible !== undefined;
    const near = !spatial || inRange(this.#setAt(view, pair), this.#nearest, false);
    if (!view.wide && !(mayAppear && near) && spatial) this.#sends.release(view, pair);
    else if (mayAppear) pairs.plan(pair, this.#round + 1);
    else pairs.unplan(pair);
  }

  #judgeUnequal(view: EngineView, set: ResolvedSet, pair: number, slot: number, spatial: boolean): void {
    this.#diverge(view, set, pair, slot);
    const cause = this.#causeToSend(view, set, this.#loose, slot, spatial);
    if (cause >= 0) {
      this.#send(view, set, pair, slot, spatial, DecisionKind.update, cause as Cause);
      return;
    }
    const short = view.outer > 1 ? this.#causeToSend(view, set, this.#stated, slot, spatial) : -1;
    if (short >= 0 && this.#hasWaitedEnough(view, pair)) {
      this.#send(view, set, pair, slot, spatial, DecisionKind.update, short as Cause);
      return;
    }
    if (short >= 0) this.#sends.letWait(view, pair, this.#zone, short as Cause);
    if (view.pairs.heldOf(pair) !== this.#versionOf(slot)) this.#sends.noteMiss(view, pair, FARTHEST_PLAN);
    this.#plan(view, pair, short >= 0 ? 1 : this.#bite(set, slot, spatial, view));
  }

  #hasWaitedEnough({ pairs }: EngineView, pair: number): boolean {
    return hasWaitedEnough(this.#stated, pairs.waitedOf(pair, this.#round), this.#shared.options.roundMs);
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
    const urgency = view.budgeted ? this.#urgency(view, slot, spatial, kind, cause, waited) : 0;
    this.#sends.send(view, set, pair, kind, cause, this.#zone, urgency, waited);
    if (this.#isEqual(view, set, pair, slot, spatial)) {
      this.#planEqual(view, set, pair, slot, spatial);
      return;
    }
    this.#diverge(view, set, pair, slot);
    this.#plan(view, pair, this.#bite(set, slot, spatial, view));
  }

  #urgency(view: EngineView, slot: number, spatial: boolean, kind: DecisionKind, cause: Cause, waited: number): number {
    if (!spatial || this.#isOwn(view, slot) || cause === Cause.demand) return UNBOUNDED;
    const { roundMs } = this.#shared.options;
    const zone = this.#zone;
    if (kind === DecisionKind.update) return updateUrgency(zone, this.#stated, this.#divergence, waited, roundMs);
    const factor = zone === 0 ? view.inner : view.outer;
    return creationUrgency(zone, this.#stated, this.#nearest, factor, waited, roundMs);
  }

  // ── measuring ──────────────────────────────────────────────────────────────────────────────────────────────────

  /** Distances, cell and bounds of an object for a view, into the scratch. */
  #measure(view: EngineView, index: number, slot: number, spatial: boolean): void {
    const set = view.resolved.sets[index]!;
    const judged = view.judged.sets[index]!;
    this.#nearest = UNBOUNDED;
    this.#zone = spatial ? set.zoneCount - 1 : 0;
    if (!spatial) return;
    unbind(this.#stated);
    unbind(this.#loose);
    unbind(this.#strictest);
    const count = set.pivots === undefined ? view.placed.length : set.pivots.length;
    let counted = 0;
    for (let i = 0; i < count; i++) {
      const pivot = view.placed[set.pivots === undefined ? i : set.pivots[i]!];
      if (pivot === undefined || !pivot.placed) continue;
      counted++;
      this.#measureFrom(set, judged, pivot, slot);
    }
    if (counted === 0) this.#tighten(set, judged, set.zoneCount - 1, 0);
  }

  /** Numbers with a fraction are no arguments here: where a call is not inlined they would be boxed. */
  #measureFrom(set: ResolvedSet, judged: ResolvedSet, pivot: PlacedPivot, slot: number): void {
    const { x, y, z } = this.#shared.world;
    const dx = x[slot]! - pivot.x;
    const dy = y[slot]! - pivot.y;
    const dz = z[slot]! - pivot.z;
    const euclid = Math.sqrt(dx * dx + dy * dy + dz * dz);
    const d = set.shape === "square" ? Math.max(Math.abs(dx), Math.abs(dy), Math.abs(dz)) : euclid;
    if (d < this.#nearest) this.#nearest = d;
    let zone = 0;
    while (zone < set.radii.length && d > pivotRadius(pivot, zone, set.radii[zone]!)) zone++;
    let sector = 0;
    if (set.sectorCount > 1 && euclid > 0 && (pivot.dirX !== 0 || pivot.dirY !== 0 || pivot.dirZ !== 0)) {
      const along = dx * pivot.dirX + dy * pivot.dirY + dz * pivot.dirZ;
      while (sector < set.cosHalf.length && along < euclid * set.cosHalf[sector]!) sector++;
    }
    if (zone < this.#zone) this.#zone = zone;
    this.#tighten(set, judged, zone, sector);
  }

  #tighten(set: ResolvedSet, judged: ResolvedSet, zone: number, sector: number): void {
    const first = zone * set.sectorCount;
    tighten(this.#stated, set, first + sector);
    tighten(this.#strictest, set, first);
    tighten(this.#loose, judged, first + sector);
  }

  /** How far the pair has diverged, into the scratch; it is not equal. */
  #diverge(view: EngineView, set: ResolvedSet, pair: number, slot: number): void {
    const { pairs } = view;
    const { options } = this.#shared;
    const lastSend = pairs.lastSendOf(pair);
    this.#since = lastSend;
    if (set.clock === "firstMiss") {
      this.#since = this.#goesOn(view, set, pair) ? lastSend + 1 : this.#sends.firstMiss(view, pair);
    }
    this.#divergence.time = (this.#round - this.#since) * options.roundMs;
    this.#divergence.sequence = this.#versionOf(slot) - pairs.heldOf(pair);
    this.#divergence.value = UNBOUNDED;
    if (pairs.metricOf(pair) !== set.metricId) return;
    pairs.readSample(pair, this.#sample, 0);
    this.#elapsedMs = (this.#round - lastSend) * options.roundMs;
    this.#measureValue(set, slot);
  }

  /** The value of the pair whose sample is in the scratch, taken `#elapsedMs` ago. */
  #measureValue({ metric }: ResolvedSet, slot: number): void {
    const { world } = this.#shared;
    if (metric.divergeInto === undefined) {
      this.#divergence.value = metric.divergence(world, slot, this.#sample, 0, this.#elapsedMs);
      return;
    }
    metric.divergeInto(world, slot, this.#sample, 0, this.#elapsedMs, this.#value);
    this.#divergence.value = this.#value[0]!;
  }

  /** Why the unequal pair is due in this round by these bounds; −1 if it is not. */
  #causeToSend(view: EngineView, set: ResolvedSet, bound: Divergence, slot: number, spatial: boolean): Cause | -1 {
    if (!spatial || this.#isOwn(view, slot)) return Cause.change;
    const { world, options } = this.#shared;
    if (view.demands.size > 0 && view.demands.has(world.store.idAt(slot))) return Cause.demand;
    const { time, sequence, value } = this.#divergence;
    if (set.strict ? time + options.roundMs > bound.time : time >= bound.time) return Cause.time;
    if (sequence >= bound.sequence) return Cause.sequence;
    if (bound.value !== UNBOUNDED && value >= bound.value) return Cause.value;
    return -1;
  }

  #isEqual(view: EngineView, set: ResolvedSet, pair: number, slot: number, spatial: boolean): boolean {
    if (view.pairs.heldOf(pair) !== this.#versionOf(slot)) return false;
    return !spatial || this.#isOwn(view, slot) || !this.#goesOn(view, set, pair);
  }

  /** Whether, under this set, the client's picture moves on from what was sent. */
  #goesOn({ pairs }: EngineView, { metric, metricId }: ResolvedSet, pair: number): boolean {
    if (metric.carriesOn === undefined) return false;
    if (pairs.metricOf(pair) !== metricId) return true;
    pairs.readSample(pair, this.#sample, 0);
    return metric.carriesOn(this.#sample, 0);
  }

  // ── planning ───────────────────────────────────────────────────────────────────────────────────────────────────

  /** Rounds until an unequal pair can be due; its divergence is in the scratch. */
  #bite(set: ResolvedSet, slot: number, spatial: boolean, view: EngineView): number {
    if (!spatial || this.#isOwn(view, slot)) return 1;
    const { options, updates } = this.#shared;
    const { time, sequence, value } = this.#strictest;
    const rounds = time / options.roundMs;
    const byTime = this.#since + (set.strict ? Math.floor(rounds - 1e-9) : Math.ceil(rounds - 1e-9)) - this.#round;
    const bySequence = Math.ceil((sequence - this.#divergence.sequence) / updates.capOf(slot));
    const byValue =
      value === UNBOUNDED ? UNBOUNDED : roundsToCover(value - this.#divergence.value, this.#growth(set, slot));
    return Math.max(1, Math.min(byTime, bySequence, byValue));
  }

  /**
   * The most that the divergence can grow in a round; the sample is in the scratch. A picture that goes on by itself is left behind by what
   * the object drifts from its own velocity, and by the difference of their velocities; and by no more than both together move.
   */
  #growth({ metric }: ResolvedSet, slot: number): number {
    const { bodies, speeds, drifts, options } = this.#shared;
    if (metric.velocity === undefined) return metric.growth(speeds.of(slot));
    const pace = this.#pace;
    metric.velocity(this.#sample, 0, this.#elapsedMs, pace);
    const at = slot * MOTIONS;
    const x = bodies.motion[at]!;
    const y = bodies.motion[at + 1]!;
    const z = bodies.motion[at + 2]!;
    const seconds = options.roundMs / 1000;
    let apart = length(x - pace[0]!, y - pace[1]!, z - pace[2]!);
    if (metric.fadingMs !== UNBOUNDED) apart = Math.max(apart, length(x, y, z));
    const together = length(pace[0]!, pace[1]!, pace[2]!);
    return Math.min(drifts.of(slot) + apart * seconds, speeds.of(slot) + together * seconds);
  }

  /** The pair has just become equal: it can be due as soon after the next update as its bound allows. */
  #planEqual(view: EngineView, set: ResolvedSet, pair: number, slot: number, spatial: boolean): void {
    this.#since = this.#round;
    this.#elapsedMs = 0;
    this.#divergence.sequence = 0;
    this.#divergence.value = 0;
    if (this.#strictest.value !== UNBOUNDED && spatial) {
      view.pairs.readSample(pair, this.#sample, 0);
      this.#measureValue(set, slot);
    }
    const bite = Math.min(FARTHEST_PLAN, this.#bite(set, slot, spatial, view));
    const gap = this.#shared.bodies.ints[slot * INTS + Int.traits]! & GAP;
    if (bite < gap) this.#rest(view, pair, slot);
    else this.#plan(view, pair, bite);
  }

  #plan({ pairs }: EngineView, pair: number, bite: number): void {
    if (this.#shared.options.visible !== undefined) pairs.plan(pair, this.#round + 1);
    else if (bite >= NEVER) pairs.unplan(pair);
    else pairs.plan(pair, this.#round + Math.min(bite, FARTHEST_PLAN));
  }

  #rest({ id, pairs }: EngineView, pair: number, slot: number): void {
    this.#shared.observers.rest(slot, id, pair, pairs);
    if (this.#shared.options.visible === undefined) pairs.unplan(pair);
    else pairs.plan(pair, this.#round + 1);
  }

  // ── helpers ────────────────────────────────────────────────────────────────────────────────────────────────────

  #versionOf(slot: number): number {
    return this.#shared.bodies.versionOf(slot);
  }

  #setAt(view: EngineView, pair: number): ResolvedSet {
    return view.resolved.sets[view.pairs.setOf(pair)]!;
  }

  #isOwn(view: EngineView, slot: number): boolean {
    return view.session !== 0 && this.#shared.bodies.owner[slot] === view.session;
  }

  #isVisible(view: EngineView, slot: number): boolean {
    const { visible } = this.#shared.options;
    return visible === undefined || visible(view.id, this.#shared.world.store.entityAt(slot));
  }
}

function length(x: number, y: number, z: number): number {
  return Math.sqrt(x * x + y * y + z * z);
}

/** Rounds until a gap can have been covered; at least 0. */
function roundsToCover(gap: number, speed: number): number {
  if (!(gap > 0)) return 0;
  return speed === 0 ? UNBOUNDED : Math.floor(gap / (speed * CAUTION));
}

function unbind(bound: Divergence): void {
  bound.time = UNBOUNDED;
  bound.sequence = UNBOUNDED;
  bound.value = UNBOUNDED;
}

function tighten(bound: Divergence, set: ResolvedSet, cell: number): void {
  const time = set.time[cell]!;
  const sequence = set.sequence[cell]!;
  const value = set.value[cell]!;
  if (time < bound.time) bound.time = time;
  if (sequence < bound.sequence) bound.sequence = sequence;
  if (value < bound.value) bound.value = value;
}
