/**
 * The oracle's round for one view. It judges every object with the functions of `judge.ts` and records what is due as sent.
 *
 * For each object it asks: does the object exist for the view? Does the client have the newest state already? Is it due, by its set, cell and divergence?
 */

import type { ObjectId } from "@nearfield/schema";
import { type Account, pairKey } from "../account.ts";
import {
  type Cell,
  cellOf,
  divergenceOf,
  dueCause,
  inRange,
  isEqual,
  isOnChange,
  matchSet,
  nearest,
} from "../judge.ts";
import { LARGEST_SAMPLE } from "../metrics.ts";
import { Cause, DecisionKind, type Divergence, type ModelOptions, type ViewId } from "../model.ts";
import { PlainVisibility } from "../plain-visibility.ts";
import type { ResolvedView } from "../resolve-view.ts";
import { isRipe, mayRide, rideAlong, ripenessOf, sendBit } from "../ripe.ts";
import { creationUrgency, hasWaitedEnough, updateUrgency } from "../urgency.ts";
import type { World } from "../world.ts";
import { holds, noteWait, type Pair, pairOf, roundsWaited, type Send, type View } from "./pairs.ts";

export class Judgement {
  /** The round that runs, or ran last. */
  round = 0;
  /** Per object, the round in which each version was made: `history.get(id)[version]`. */
  readonly history: Map<ObjectId, number[]> = new Map();
  /** Per object, the last round in which its position changed in wire form, its spawning included. */
  readonly movedIn: Map<ObjectId, number> = new Map();
  readonly #world: World;
  readonly #options: ModelOptions;
  readonly #account: Account;
  /** The share of its bound at which a pair is ripe. */
  #ripeness: number;
  readonly #visibility: PlainVisibility<ViewId> | undefined;

  constructor(world: World, options: ModelOptions, account: Account) {
    this.#world = world;
    this.#options = options;
    this.#account = account;
    this.#ripeness = ripenessOf(options.ripe);
    if (options.visible !== undefined) this.#visibility = new PlainVisibility(world, options.visible);
  }

  setRipe(share: number): void {
    this.#ripeness = ripenessOf(share);
  }

  decideRemovals(view: View): void {
    for (const [id, removal] of view.removals) {
      if (removal.round < 0) this.#remove(view, id, removal.kind);
    }
  }

  judge(view: View, slot: number): void {
    const id = this.#world.store.idAt(slot);
    const pair = pairOf(view, id);
    if (!this.#exists(view, slot, pair)) {
      if (pair.present) this.#leave(view, id);
      return;
    }
    if (!pair.present || pair.sentVersion === 0) {
      this.#send(view, slot, DecisionKind.create, Cause.creation);
      return;
    }
    if (this.isEqual(view, slot, pair)) return;
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

  /** After everything that is due was decided: pairs that are ripe ride along, where that saves packets (`ripe.ts`). */
  sendRipe(view: View, slots: Iterable<number>): void {
    const { rhythm, options, decisions } = view;
    const isDue = decisions.count > 0;
    const mayRideWith = (ripe: number): boolean =>
      options.budgeted !== true || mayRide(decisions.count + ripe, view.spare, view.shortIn, this.round);
    if (isDue && view.outer === 1 && mayRideWith(1) && this.#ripeness < 1 && rhythm.mayLook(this.round)) {
      const unequal = [...slots].filter((slot) => this.#isBehind(view, slot));
      const ripe = unequal.filter((slot) => this.#isRipe(view, slot));
      const sends = ripe.reduce((bits, slot) => bits | sendBit(this.#pairAt(view, slot).lastSend), 0);
      rhythm.noteLook(this.round, unequal.length);
      if (rideAlong(ripe.length, sends, rhythm.silent) && mayRideWith(ripe.length)) {
        for (const slot of ripe) this.#send(view, slot, DecisionKind.update, Cause.ripe);
      }
    }
    rhythm.noteRound(isDue);
  }

  /** Whether the client has the object, in a state that is not equal, and is not sent it in this round. */
  #isBehind(view: View, slot: number): boolean {
    const pair = this.#pairAt(view, slot);
    const isJudged = pair.present && pair.sentVersion !== 0 && pair.lastSend !== this.round;
    return isJudged && !this.#isOnChange(view, slot, pair) && !this.isEqual(view, slot, pair);
  }

  #isRipe(view: View, slot: number): boolean {
    return isRipe(this.#cell(view, slot).bound, this.divergence(view, slot, this.#pairAt(view, slot)), this.#ripeness);
  }

  #pairAt(view: View, slot: number): Pair {
    return pairOf(view, this.#world.store.idAt(slot));
  }

  #hasWaitedEnough(view: View, slot: number): boolean {
    const waited = roundsWaited(view, this.#world.store.idAt(slot), this.round);
    return hasWaitedEnough(this.#cell(view, slot).bound, waited, this.#options.roundMs);
  }

  /** The pair has reached its stated bound and is not sent: a shortfall, and it waits. */
  #letWait(view: View, slot: number, cause: Cause): void {
    const id = this.#world.store.idAt(slot);
    this.#account.short(pairKey(view.id, id), this.#zone(view, slot), cause, this.round, view.roundsOut);
    noteWait(view, id, this.round);
  }

  #exists(view: View, slot: number, pair: Pair): boolean {
    const world = this.#world;
    const visible = this.#visibility?.isVisible(view.id, world.store.entityAt(slot), this.round) ?? true;
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
    if (this.#isOnChange(view, slot, pair)) return Cause.change;
    if (pair.demanded) return Cause.demand;
    const set = matchSet(by, slot);
    const { bound } = cellOf(set, view.placed, world.x[slot]!, world.y[slot]!, world.z[slot]!);
    return dueCause(set, bound, this.divergence(view, slot, pair), this.#options.roundMs);
  }

  divergence(view: View, slot: number, pair: Pair): Divergence {
    const firstMiss = this.history.get(this.#world.store.idAt(slot))![pair.sentVersion + 1] ?? -1;
    const set = matchSet(view.resolved, slot);
    return divergenceOf(set, this.#world, slot, { ...pair, firstMiss }, this.round, this.#options.roundMs);
  }

  #send(view: View, slot: number, kind: DecisionKind, cause: Cause): void {
    const id = this.#world.store.idAt(slot);
    const pair = pairOf(view, id);
    const zone = this.#zone(view, slot);
    const waited = view.options.budgeted === true ? roundsWaited(view, id, this.round) : 0;
    const urgency = view.options.budgeted === true ? this.#urgency(view, slot, pair, kind, cause, waited) : 0;
    const { metric } = matchSet(view.resolved, slot);
    const settles = metric.carriesOn !== undefined && this.movedIn.get(id) !== this.round;
    const send: Send = {
      round: this.round,
      version: this.#world.version[slot]!,
      metric,
      sample: this.sampled(view, slot, pair, this.round, settles),
      settles,
      zone,
      cause,
    };
    if (view.options.assumeDelivered !== true) pair.inFlight.push(send);
    else pair.base = pair.sentVersion === 0 ? undefined : { ...send, version: pair.sentVersion };
    holds(pair, send);
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
      view.departed.add(id, removal.round, 0, Cause.removal, this.round);
    }
    view.removals.delete(id);
  }

  #urgency(view: View, slot: number, pair: Pair, kind: DecisionKind, cause: Cause, waited: number): number {
    if (this.#isOnChange(view, slot, pair) || cause === Cause.demand) return Number.POSITIVE_INFINITY;
    const { zone, bound } = this.#cell(view, slot);
    const { roundMs } = this.#options;
    if (kind === DecisionKind.update) {
      return updateUrgency(zone, bound, this.divergence(view, slot, pair), waited, roundMs);
    }
    const factor = zone === 0 ? view.inner : view.outer;
    return creationUrgency(zone, bound, this.#nearest(view, slot), factor, waited, roundMs);
  }

  /** What the set's metric remembers of the object as it is now, given what it remembered before. */
  sampled(view: View, slot: number, pair: Pair, round: number, settles: boolean): Float64Array {
    const { metric } = matchSet(view.resolved, slot);
    const stoodOnOwn = pair.sentVersion !== 0 && pair.metric === metric.name;
    const sample = stoodOnOwn ? pair.sample.slice() : new Float64Array(LARGEST_SAMPLE);
    const sinceMs = stoodOnOwn ? (round - pair.lastSend) * this.#options.roundMs : 0;
    metric.sample(this.#world, slot, sample, 0, sinceMs, settles);
    return sample;
  }

  #leave(view: View, id: ObjectId): void {
    this.forget(view, id, this.round);
    this.#remove(view, id, DecisionKind.leave);
  }

  forget(view: View, id: ObjectId, round: number): void {
    for (const send of view.pairs.get(id)?.inFlight ?? []) {
      view.departed.add(id, send.round, send.zone, send.cause, round);
    }
    view.pairs.delete(id);
  }

  #remove(view: View, id: ObjectId, kind: DecisionKind): void {
    const { wasLost = false, since = 0 } = view.removals.get(id) ?? {};
    if (view.options.assumeDelivered === true) view.removals.delete(id);
    else view.removals.set(id, { kind, round: this.round, wasLost, since });
    const isBudgeted = view.options.budgeted === true;
    const waited = isBudgeted && since > 0 ? this.round - since : 0;
    view.decisions.push(id, kind, Cause.removal, 0, isBudgeted ? Number.POSITIVE_INFINITY : 0, waited, false);
  }

  isEqual(view: View, slot: number, pair: Pair): boolean {
    return isEqual(matchSet(view.resolved, slot), this.#world, slot, pair);
  }

  /** Whether the object is due for the view on every change. */
  isOnChange(view: View, slot: number): boolean {
    return isOnChange(matchSet(view.resolved, slot), this.#world, slot, view.options.session ?? 0);
  }

  /** Whether it is, and has changed. An own object that did not change may be unequal, too, while its picture goes on: then bounds decide. */
  #isOnChange(view: View, slot: number, { sentVersion }: Pair): boolean {
    return this.isOnChange(view, slot) && sentVersion !== this.#world.version[slot];
  }
}
