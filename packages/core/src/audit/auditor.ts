/**
 * The auditor: finds servers that do not keep their promise. It shares nothing with the model that decides. It draws from *all* pairs of a client and an
 * object, learns from the clients' packets what was sent, and judges with the plain functions of `judge.ts`.
 *
 * It looks twice in a round. `examine` runs after the game's step and before anything is sent; for each pair whose turn it is, it says what the client
 * must be sent. `conclude` runs after the last packet has left and compares that with the packets. A pair that should have been sent and was
 * not is a fault. If the session held it back because bytes were short, it is a shortfall instead.
 *
 * Turns: with S pairs a round (`sample`) and P pairs of clients that are not paused, a pass over all pairs takes ⌈P ÷ S⌉ rounds. Each pass looks at
 * every pair once and begins at another place in the world, so a lasting fault is looked at within 2 × ⌈P ÷ S⌉ rounds. A paused client costs one
 * comparison a round and is counted as paused, not pair by pair. If the client whose turn it is sits out the round, the auditor waits until that client
 * is served; it does not wait for one that sits out longer than is allowed. There are no dice and no clock: the same run finds the same faults again.
 */

import type { ObjectId } from "@nearfield/schema";
import { ViewError } from "../errors.ts";
import { MetricRegistry } from "../metrics.ts";
import type { ModelOptions } from "../model.ts";
import { Cause } from "../model.ts";
import type { World } from "../world.ts";
import { AuditedView, type AuditSubject } from "./audited-view.ts";
import { type FaultKind, Findings } from "./findings.ts";
import { ObjectLog } from "./object-log.ts";
import { Demand, PairJudge } from "./pair-judge.ts";
import { SentWindow } from "./sent-window.ts";
import { Turns } from "./turns.ts";

export interface AuditorOptions extends Pick<ModelOptions, "roundMs" | "metrics"> {
  /** Pairs looked at in a round, at least 1. */
  sample: number;
  /** Rounds that were run before. Default 0. */
  round?: number;
  /** Told of what a metric of the game throws; the pair is then not judged by value. Default: nobody is told. */
  onError?: (error: unknown, where: string) => void;
}

/** A pair of which something is expected in this round; of `lingering` ones the object is gone. */
interface Expectation {
  id: number;
  slot: number;
  demand: Demand;
  zone: number;
  cause: Cause;
  mayLeave: boolean;
  /** The view promises something about it. */
  isPromised: boolean;
  /** What arrived of it is over its bound. */
  isLost: boolean;
}

const NOTHING_EXPECTED: Expectation = {
  id: 0,
  slot: 0,
  demand: Demand.nothing,
  zone: 0,
  cause: Cause.removal,
  mayLeave: false,
  isPromised: false,
  isLost: false,
};

/** Some slots of one view, looked at in this round. */
interface Run {
  view: AuditedView | undefined;
  from: number;
  to: number;
  /** Where its expectations end. */
  end: number;
}

export class Auditor {
  readonly findings: Findings = new Findings();
  /** Pairs looked at so far; those among them that their view promises something about. */
  examined = 0;
  promised = 0;
  /** Of the promised pairs: those that were over their bound as decided, be it knowingly or by a fault. */
  overDecided = 0;
  /** … and those that were so as decided, or as delivered: a send is lost, and what arrived before it is over its bound. */
  overDelivered = 0;
  /** Clients that nothing was sent to, summed over rounds. */
  pausedViewRounds = 0;
  /** Clients that sat out a round because time was short, summed over rounds. */
  outViewRounds = 0;
  readonly #world: World;
  readonly #sample: number;
  readonly #roundMs: number;
  readonly #metrics: MetricRegistry;
  readonly #log: ObjectLog;
  readonly #judge: PairJudge;
  readonly #seen: SentWindow;
  readonly #turns: Turns<AuditedView>;
  readonly #onError: (error: unknown, where: string) => void;
  readonly #expected: Expectation[] = [];
  readonly #runs: Run[] = [];
  #expectedCount = 0;
  #runCount = 0;

  constructor(world: World, options: AuditorOptions) {
    this.#world = world;
    this.#sample = options.sample;
    this.#roundMs = options.roundMs;
    this.#onError = options.onError ?? (() => {});
    this.#metrics = new MetricRegistry(options.metrics);
    this.#turns = new Turns(world.store);
    this.#log = new ObjectLog(world, options.round ?? 0, this.#onError, (slot, hasChanged) => {
      for (const view of this.#turns.members) view.objectGoes(slot, hasChanged, world);
    });
    this.#judge = new PairJudge(world, this.#log, options.roundMs);
    this.#seen = new SentWindow(world, options.sample);
  }

  dispose(): void {
    this.#log.dispose();
  }

  /** Passes over all pairs so far. */
  get passes(): number {
    return this.#turns.passes;
  }

  /** Looks at this client from now on. */
  add(subject: AuditSubject): AuditedView {
    const view = new AuditedView(subject);
    this.#turns.add(view);
    return view;
  }

  remove(view: AuditedView): void {
    this.#turns.remove(view);
    for (let run = 0; run < this.#runCount; run++)
      if (this.#runs[run]!.view === view) this.#runs[run]!.view = undefined;
  }

  // ── before anything is sent ────────────────────────────────────────────────────────────────────────────────────

  examine(round: number): void {
    this.#log.begin(round);
    this.#expectedCount = 0;
    this.#runCount = 0;
    for (const view of this.#turns.members) {
      if (!view.follow(this.#world)) this.pausedViewRounds += 1;
      else if (view.isOut) this.outViewRounds += 1;
    }
    this.#turns.begin(this.#sample);
    for (let run = this.#turns.next(); run !== undefined && !run.isOut; run = this.#turns.next()) {
      const { subject } = run;
      const isJudged = !subject.isPaused && subject.settings !== undefined && this.#prepare(run);
      if (isJudged) this.#turns.count(this.#examineRun(run, this.#turns.from, this.#turns.to, round));
      else this.#turns.pass();
    }
  }

  #prepare(view: AuditedView): boolean {
    try {
      return view.prepare(this.#world, this.#metrics, this.#log, this.#roundMs);
    } catch (error) {
      // A model of the game's own may take views that this one does not know; such a client is not judged.
      if (!(error instanceof ViewError)) throw error;
      this.#onError(error, "audit");
      return false;
    }
  }

  /** Returns how many pairs there were. */
  #examineRun(view: AuditedView, from: number, to: number, round: number): number {
    const seen = this.#seen;
    const { store } = this.#world;
    seen.open(from, to);
    view.subject.sent.tell(seen);
    let pairs = 0;
    for (let slot = from; slot < to; slot++) {
      const gone = seen.lingering(slot);
      if (gone >= 0) this.#expectRemoval(gone, slot);
      if (!store.isLive(slot)) continue;
      pairs++;
      this.#examinePair(view, slot, round);
    }
    this.examined += pairs;
    this.#runs[this.#runCount] ??= { view: undefined, from: 0, to: 0, end: 0 };
    const run = this.#runs[this.#runCount++]!;
    run.view = view;
    run.from = from;
    run.to = to;
    run.end = this.#expectedCount;
    view.subject.beginRound(from, to);
    return pairs;
  }

  #examinePair(view: AuditedView, slot: number, round: number): void {
    const judge = this.#judge;
    const { session } = view.subject;
    try {
      let isLost = false;
      if (this.#seen.isBehind(slot)) {
        isLost = judge.judge(view, slot, this.#seen.arrivedRound(slot), round) === Demand.send;
        if (isLost) this.findings.short("lost", judge.zone, judge.cause);
      }
      const demand = judge.judge(view, slot, this.#seen.stateRound(slot), round);
      if (judge.isPromised) {
        this.promised += 1;
        if (isLost) this.overDelivered += 1;
      }
      const id = this.#world.store.idAt(slot);
      if (demand === Demand.nothing) this.findings.inOrder(session, id);
      else this.#expect(id, slot, demand, judge, isLost);
    } catch (error) {
      this.#onError(error, "audit");
    }
  }

  #expect(id: number, slot: number, demand: Demand, judge: PairJudge, isLost: boolean): void {
    const expected = this.#nextExpectation(id, slot, demand);
    expected.zone = judge.zone;
    expected.cause = judge.cause;
    expected.mayLeave = judge.mayLeave;
    expected.isPromised = judge.isPromised;
    expected.isLost = isLost;
  }

  /** Of an object that is gone. */
  #expectRemoval(id: number, slot: number): void {
    const expected = this.#nextExpectation(id, slot, Demand.remove);
    expected.zone = 0;
    expected.cause = Cause.removal;
    expected.mayLeave = false;
    expected.isPromised = false;
    expected.isLost = false;
  }

  #nextExpectation(id: number, slot: number, demand: Demand): Expectation {
    this.#expected[this.#expectedCount] ??= { ...NOTHING_EXPECTED };
    const expected = this.#expected[this.#expectedCount++]!;
    expected.id = id;
    expected.slot = slot;
    expected.demand = demand;
    return expected;
  }

  // ── when everything has been sent ──────────────────────────────────────────────────────────────────────────────

  conclude(round: number): void {
    let next = 0;
    for (let i = 0; i < this.#runCount; i++) {
      const { view, from, to, end } = this.#runs[i]!;
      // One that left, or whose link broke since, is not sent what was decided for it.
      if (view !== undefined && !view.subject.isPaused) {
        this.#seen.open(from, to);
        view.subject.sent.tellRound(round, this.#seen);
        for (let at = next; at < end; at++) this.#conclude(view.subject, this.#expected[at]!, round);
      }
      next = end;
    }
    for (let i = 0; i < this.#runCount; i++) this.#runs[i]!.view?.subject.endRound();
    this.#runCount = 0;
  }

  #conclude(subject: AuditSubject, expected: Expectation, round: number): void {
    const { zone, cause } = expected;
    const id = expected.id as ObjectId;
    const kind = this.#compare(subject, expected, round);
    if (kind === undefined) this.findings.inOrder(subject.session, id);
    else this.findings.fault(kind, round, subject.session, id, zone, cause);
  }

  /** What is wrong with the pair, if anything. */
  #compare(subject: AuditSubject, expected: Expectation, round: number): FaultKind | undefined {
    const seen = this.#seen;
    const { slot, zone, cause, demand } = expected;
    const id = expected.id as ObjectId;
    const isGone = this.#world.store.liveSlot(id) < 0;
    const isSent = !isGone && seen.stateRound(slot) === round;
    const isRemoved = isGone ? seen.removesOther(slot, id) : seen.removalRound(slot) === round;
    // It may have been destroyed after it was looked at: then the packets are no longer told by its lane.
    if (demand === Demand.hide) return isSent ? "leaked" : undefined;
    if (isRemoved && (demand === Demand.remove || expected.mayLeave)) return undefined;
    if (isSent && demand !== Demand.remove) return undefined;
    if (demand === Demand.loosened || subject.isHeldBack(id)) {
      this.findings.short(demand === Demand.loosened ? "loosened" : "heldBack", zone, cause);
      this.#countOver(expected);
      return subject.isCounted(id, round) ? undefined : "uncounted";
    }
    if (demand === Demand.remove) return "lingering";
    // Code of the game may have destroyed it between the two looks; it is removed in the next round.
    if (isGone) return undefined;
    this.#countOver(expected);
    return cause === Cause.creation ? "missing" : "late";
  }

  #countOver({ isPromised, isLost }: Expectation): void {
    if (!isPromised) return;
    this.overDecided += 1;
    if (!isLost) this.overDelivered += 1;
  }
}
