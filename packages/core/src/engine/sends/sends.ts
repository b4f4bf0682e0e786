/**
 * Records what the judges decide, and what becomes of it: creations, updates and removals count as sent until they are acknowledged, lost or withheld.
 * This file decides nothing itself.
 */

import type { ObjectId } from "@nearfield/schema";
import { pairKey, shortfallCell } from "../../account.ts";
import { LARGEST_SAMPLE } from "../../metrics.ts";
import { Cause, DecisionKind, type Decisions } from "../../model.ts";
import type { ResolvedSet } from "../../resolve-view.ts";
import type { EngineContext } from "../engine-context.ts";
import type { EngineView, Removal } from "../engine-view.ts";
import { ABSENT, FARTHEST_PLAN, NOTHING_HELD, SETTLED } from "../memory/layout.ts";
import { Replay } from "./replay.ts";

const NOTHING = -1;
/** Rows that are passed in search of the next one that is withheld. */
const MOST_PASSED = 16;
const NOT_TOLD: Pick<Removal, "wasLost" | "since"> = { wasLost: false, since: 0 };

export class Sends {
  readonly #context: EngineContext;
  readonly #replay: Replay;
  readonly #sample = new Float64Array(LARGEST_SAMPLE);
  #round = 0;

  constructor(context: EngineContext) {
    this.#context = context;
    this.#replay = new Replay(context);
  }

  beginRound(round: number): void {
    this.#round = round;
  }

  // ── sends ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Records a send of the whole object or of what is new in it. The wait is the caller's, who also fills in how much it presses. */
  send(
    view: EngineView,
    set: ResolvedSet,
    pair: number,
    kind: DecisionKind,
    cause: Cause,
    zone: number,
    waited: number,
  ): void {
    const { pairs, flights } = view;
    const { world, bodies } = this.#context;
    const slot = pairs.slotOf(pair);
    const id = world.store.idAt(slot);
    const held = pairs.heldOf(pair);
    const settles = set.metric.carriesOn !== undefined && bodies.movedIn(slot) !== this.#round;
    if (flights === undefined) pairs.setBase(pair, Math.max(held, 0));
    else if (held > 0 && held !== world.version[slot]) flights.missSince(pair, this.firstMiss(view, pair));
    this.sample(view, set, pair, this.#round, settles);
    pairs.setHeld(pair, world.version[slot]!);
    pairs.setLastSend(pair, this.#round);
    const flight = flights?.depart(pair, zone, cause, settles);
    if (flight !== undefined && held === ABSENT) flights!.setFresh(flight, !view.removals.has(id));
    if (view.demands.size > 0) view.demands.delete(id);
    if (view.removals.size > 0) this.forgetRemoval(view, id);
    view.decisions.push(id, kind, cause, zone, 0, waited, settles);
  }

  /** What the set's metric remembers of the object as it is now, given what it remembered before. */
  sample(view: EngineView, { metric, metricId }: ResolvedSet, pair: number, round: number, settles: boolean): void {
    const { pairs } = view;
    const { world, spans } = this.#context;
    const stoodOnOwn = pairs.heldOf(pair) > 0 && pairs.metricOf(pair) === metricId;
    if (stoodOnOwn) pairs.readSample(pair, this.#sample, 0);
    else this.#sample.fill(0);
    const sinceMs = spans.of(stoodOnOwn ? round - pairs.lastSendOf(pair) : 0);
    metric.sample(world, pairs.slotOf(pair), this.#sample, 0, sinceMs, settles);
    pairs.writeSample(pair, metricId, this.#sample, 0);
  }

  /** First round with an update that the pair was not sent; the pair is not equal by version. */
  firstMiss({ pairs }: EngineView, pair: number): number {
    const noted = pairs.firstMissOf(pair);
    return noted > 0 ? noted : this.#context.log.roundOf(pairs.slotOf(pair), pairs.heldOf(pair) + 1);
  }

  /** Notes the first miss of a pair that is behind, unless the log will still know it when the pair is next looked at. */
  noteMiss(view: EngineView, pair: number, wait: number): void {
    const { pairs } = view;
    if (this.#round - pairs.lastSendOf(pair) + wait <= FARTHEST_PLAN || pairs.firstMissOf(pair) > 0) return;
    pairs.setFirstMiss(pair, this.firstMiss(view, pair));
  }

  /** A client whose picture was exact before its own write is exact after it. */
  acceptOwnWrite(view: EngineView, slot: number): void {
    const { pairs } = view;
    const pair = pairs.find(slot);
    const version = this.#context.world.version[slot]!;
    if (pair < 0 || pairs.heldOf(pair) <= 0 || pairs.heldOf(pair) !== version - 1) return;
    view.hasWritten = true;
    view.flights?.missSince(pair, this.#round + 1);
    this.sample(view, view.resolved.sets[view.setIndexOf(slot)]!, pair, this.#round + 1, true);
    pairs.setHeld(pair, version);
    pairs.setFirstMiss(pair, NOTHING);
    if (pairs.isUnseen(pair)) this.#judgeNext(view, pair);
  }

  // ── removals ───────────────────────────────────────────────────────────────────────────────────────────────────

  /** The object has left the view's range or sight; the pair is absent after it. */
  leave(view: EngineView, pair: number): void {
    const id = this.#context.world.store.idAt(view.pairs.slotOf(pair));
    this.#depart(view, pair, id, this.#round);
    this.#forget(view, pair);
    this.#decideRemoval(view, id, DecisionKind.leave);
  }

  /**
   * The object is being destroyed, between two rounds. A view that is paused or sits out may not see it any more, and its client shall not learn what became of it: it has left,
   * unless it is the client's own.
   */
  destroy(view: EngineView, pair: number): void {
    if (view.pairs.heldOf(pair) === ABSENT) return;
    const { world, visibility } = this.#context;
    const slot = view.pairs.slotOf(pair);
    const id = world.store.idAt(slot);
    const isUnseen =
      visibility !== undefined && (view.paused || view.roundsOut > 0) && world.store.owner[slot] !== view.session;
    this.#await(view, id, isUnseen ? DecisionKind.leave : DecisionKind.destroy);
    this.#depart(view, pair, id, this.#round + 1);
  }

  release(view: EngineView, pair: number): void {
    this.#context.unseen.surface(view, pair, this.#round + 1);
    view.flights?.forget(pair);
    view.pairs.free(pair);
  }

  /** Decides the removals that wait. */
  decideWaiting(view: EngineView): void {
    for (const [id, removal] of view.removals) {
      if (removal.round < 0) this.#decideRemoval(view, id, removal.kind);
    }
    view.waitingRemovals = 0;
  }

  #forget(view: EngineView, pair: number): void {
    if (view.demands.size > 0) view.demands.delete(this.#context.world.store.idAt(view.pairs.slotOf(pair)));
    view.pairs.forgetSends(pair);
    if (view.flights === undefined) view.pairs.setBase(pair, 0);
    else view.flights.forget(pair);
  }

  /** Sends that are still on their way when the pair ceases to be; if it was short, and its removal is too, that is one spell. */
  #depart(view: EngineView, pair: number, id: ObjectId, until: number): void {
    const { pairs } = view;
    this.#context.unseen.surface(view, pair, until);
    const last = pairs.lastWaitOf(pair);
    if (last > 0 && last === until - 1) {
      const counted = pairs.countedCellOf(pair);
      const spell = { since: pairs.spellOf(pair), cell: pairs.spellCellOf(pair), counted };
      this.#context.account.adopt(pairKey(view.id, id), spell, last);
    }
    view.flights?.eachInFlight(pair, (round, zone, cause) => view.departed.add(id, round, zone, cause, until));
  }

  #decideRemoval(view: EngineView, id: ObjectId, kind: DecisionKind): void {
    const removal = view.removals.get(id);
    if (view.assumeDelivered) view.removals.delete(id);
    else {
      const { wasLost, since } = removal ?? NOT_TOLD;
      view.removals.set(id, { kind, round: this.#round, wasLost, since });
    }
    const urgency = view.budgeted ? Number.POSITIVE_INFINITY : 0;
    view.decisions.push(id, kind, Cause.removal, 0, urgency, view.budgeted ? waitedBy(removal, this.#round) : 0, false);
  }

  /** The removal is to be decided (again) in the next round. */
  #await(view: EngineView, id: ObjectId, kind: DecisionKind, wasLost = false, since = 0): void {
    if (view.removals.get(id)?.round !== NOTHING) view.waitingRemovals++;
    view.removals.set(id, { kind, round: NOTHING, wasLost, since });
  }

  /** The same where the kernel has decided to send the object in this round. */
  forgetRemovalIfSent(view: EngineView, id: ObjectId): void {
    const { pairs, flights } = view;
    const pair = this.pairOf(view, id);
    if (pair < 0) return;
    if (view.deferred > 0) {
      if (!isDeferred(view, pair)) return;
      if (pairs.heldOf(pair) === ABSENT) pairs.setHeld(pair, NOTHING_HELD);
    } else if (pairs.lastSendOf(pair) !== this.#round) return;
    else if (flights !== undefined) flights.setFresh(flights.find(pair, this.#round), false);
    this.forgetRemoval(view, id);
  }

  /** What is sent is not to be removed. A removal that is on its way may still get lost: then the client held the object until now. */
  forgetRemoval(view: EngineView, id: ObjectId): void {
    const removal = view.removals.get(id);
    if (removal === undefined) return;
    if (removal.round === NOTHING) view.waitingRemovals--;
    else if (!removal.wasLost) view.departed.add(id, removal.round, 0, Cause.removal, this.#round);
    view.removals.delete(id);
  }

  // ── fates ──────────────────────────────────────────────────────────────────────────────────────────────────────

  acknowledge(view: EngineView, id: ObjectId, round: number): void {
    const { account } = this.#context;
    if (view.removals.size > 0 && view.removals.get(id)?.round === round) {
      view.removals.delete(id);
      account.caughtUp(pairKey(view.id, id), round);
      return;
    }
    const pair = this.pairOf(view, id);
    const flight = pair < 0 || view.flights === undefined ? NOTHING : view.flights.find(pair, round);
    if (flight < 0) return view.departed.acknowledge(id, round);
    if (view.remembers && this.#replay.arrive(view, pair, flight)) this.#judgeNext(view, pair);
    view.flights!.arrive(pair, flight);
    // The key is a number beyond 2³², which takes an object of its own.
    if (account.hasOpen) account.caughtUp(pairKey(view.id, id), round);
  }

  lose(view: EngineView, id: ObjectId, round: number): void {
    const { account } = this.#context;
    const key = pairKey(view.id, id);
    const removal = view.removals.get(id);
    if (removal?.round === round) {
      this.#await(view, id, removal.kind, true);
      account.lost(key, 0, Cause.removal, round);
      return;
    }
    const { flights, pairs } = view;
    const pair = this.pairOf(view, id);
    const flight = pair < 0 || flights === undefined ? NOTHING : flights.find(pair, round);
    if (flights === undefined || flight < 0) return view.departed.lose(id, round, account);
    const cause = flights.causeOf(flight);
    account.lost(key, flights.zoneOf(flight), cause, round);
    const base = pairs.baseOf(pair);
    if (base >= 0) account.caughtUp(key, flights.roundOf(base));
    const isReplayed = view.remembers && this.#replay.lose(view, pair, flight);
    if (flights.lose(pair, flight) || isReplayed) this.#judgeNext(view, pair);
    if (cause === Cause.demand && flights.passDemand(pair, round)) view.demands.add(id);
  }

  withhold(view: EngineView, id: ObjectId): void {
    const before = view.decisions.withheld;
    this.#withhold(view, id);
    if (view.decisions.withheld > before) view.shortIn = this.#round;
  }

  withholdAll(view: EngineView, rows: Int32Array, count: number): void {
    const { decisions, deferred } = view;
    const { ids, rows: pairs } = decisions;
    const before = decisions.withheld;
    for (let i = 0; i < count; i++) {
      const row = rows[i]!;
      if (row < deferred && pairs[row]! >= 0) this.#withholdRow(view, row);
      else this.#withhold(view, ids[row]! as ObjectId);
    }
    if (decisions.withheld > before) view.shortIn = this.#round;
  }

  #withhold(view: EngineView, id: ObjectId): void {
    const { account } = this.#context;
    if (view.deferred > 0) {
      const row = this.#deferredRow(view, id);
      if (row >= 0) return this.#withholdRow(view, row);
    }
    const removal = view.removals.size > 0 ? view.removals.get(id) : undefined;
    if (removal?.round === this.#round) {
      this.#await(view, id, removal.kind, removal.wasLost, removal.since || this.#round);
      view.decisions.withhold();
      account.short(pairKey(view.id, id), 0, Cause.removal, this.#round);
      return;
    }
    const { flights, pairs } = view;
    const pair = this.pairOf(view, id);
    const flight = pair < 0 || flights === undefined ? NOTHING : flights.find(pair, this.#round);
    if (flights === undefined || flight < 0) return;
    const cause = flights.causeOf(flight);
    const zone = flights.zoneOf(flight);
    const isFresh = flights.isFresh(flight);
    view.decisions.withhold();
    flights.lose(pair, flight);
    if (cause === Cause.demand) view.demands.add(id);
    if (isFresh) pairs.forgetSends(pair);
    // What was to ride along is not over its bound, so it does not wait.
    if (cause !== Cause.ripe) this.letWait(view, pair, zone, cause);
    this.#judgeNext(view, pair);
  }

  /**
   * The same for a decision that is not recorded yet, so that there is nothing to take back. That the pair waits the kernel notes when it
   * records the others. Only the wait of a creation may go on with a spell of the account: that of a removal of the same object, which was
   * withheld in the round before.
   */
  #withholdRow(view: EngineView, row: number): void {
    const { account } = this.#context;
    const { decisions, pairs, flights } = view;
    const pair = decisions.rows[row]!;
    view.withheldRow = row;
    decisions.rows[row] = ~pair;
    decisions.withhold();
    if (view.hasWritten && pairs.heldOf(pair) > 0) {
      if (pairs.heldOf(pair) !== this.#context.world.version[pairs.slotOf(pair)]) {
        flights!.missSince(pair, this.firstMiss(view, pair));
      }
      flights!.fallBack(pair);
    }
    if (!isNewCreation(decisions, row) || !account.hasSpells) return;
    if (account.spellBefore(pairKey(view.id, decisions.ids[row]! as ObjectId), this.#round) === undefined) return;
    decisions.rows[row] = SETTLED;
    this.letWait(view, pair, decisions.zones[row]!, decisions.causes[row]! as Cause);
    this.#judgeNext(view, pair);
  }

  /** The row of a decision that is not recorded yet, or −1. Mostly it is one of those before the last that was withheld. */
  #deferredRow(view: EngineView, id: ObjectId): number {
    const { decisions, pairs, deferred, withheldRow } = view;
    const { ids, rows } = decisions;
    const end = Math.max(0, withheldRow - MOST_PASSED);
    for (let row = withheldRow - 1; row >= end; row--) {
      if (ids[row] === id) return row < deferred && rows[row]! >= 0 ? row : NOTHING;
    }
    const pair = this.pairOf(view, id);
    return pair >= 0 && isDeferred(view, pair) ? pairs.rowOf(pair) : NOTHING;
  }

  /** The pair has reached its stated bound and is not sent in this round: a shortfall, and it waits. */
  letWait({ id, pairs, roundsOut }: EngineView, pair: number, zone: number, cause: Cause): void {
    const { account, world } = this.#context;
    const round = this.#round;
    const last = pairs.lastWaitOf(pair);
    if (last === round) return;
    const cell = shortfallCell(zone, cause);
    pairs.noteWait(pair, round, cell);
    if (last === round - 1) account.count(cell, 0, 1);
    else {
      const before = account.spellBefore(pairKey(id, world.store.idAt(pairs.slotOf(pair))), round);
      pairs.setSpell(pair, before?.since ?? round - roundsOut, before?.cell ?? cell);
      account.count(cell, before === undefined ? 1 : 0, before === undefined ? 1 + roundsOut : 1);
    }
    account.last(pairs.spellCellOf(pair), round - pairs.spellOf(pair) + 1);
  }

  /** Newest version the client acknowledged; 0 where it must be sent the whole object. */
  baseVersion({ pairs, flights }: EngineView, pair: number): number {
    const base = pair < 0 ? NOTHING : pairs.baseOf(pair);
    if (flights === undefined) return Math.max(base, 0);
    return base < 0 ? 0 : flights.versionOf(base);
  }

  /** Why the newest send that counts was made; `undefined` where there is none. */
  lastCause({ flights }: EngineView, pair: number): Cause | undefined {
    const ground = pair < 0 || flights === undefined ? NOTHING : flights.ground(pair);
    return ground < 0 ? undefined : flights!.causeOf(ground);
  }

  /** The pair of a live object, or −1. */
  pairOf(view: EngineView, id: ObjectId): number {
    const slot = this.#context.world.store.liveSlot(id);
    return slot < 0 ? NOTHING : view.pairs.find(slot);
  }

  #judgeNext({ pairs }: EngineView, pair: number): void {
    pairs.plan(pair, this.#round + 1);
  }
}

/** Whether this is a creation that was not withheld in the round before. */
function isNewCreation({ kinds, waits }: Decisions, row: number): boolean {
  return kinds[row] === DecisionKind.create && waits[row] === 0;
}

/** Whether the pair is decided in this round, and not recorded yet. */
function isDeferred({ decisions, pairs, deferred }: EngineView, pair: number): boolean {
  const row = pairs.rowOf(pair);
  return row >= 0 && row < deferred && decisions.rows[row] === pair;
}

/** Rounds for which a removal has been withheld. */
function waitedBy(removal: Removal | undefined, round: number): number {
  return removal === undefined || removal.since === 0 ? 0 : round - removal.since;
}
