/**
 * The audit of one room. The auditor knows the room's sessions and checks every round (`findDue` and `audit` of `round.ts`). It reads what
 * was sent from each session's ledger of packets, and what was promised from the player's settings. Beside its findings stands the account
 * that the model keeps of itself, so an operator has both in one place.
 * Why so: docs/decisions/0018-the-auditor.md.
 */

import type { Entity, ViewSettings } from "@nearfield/core";
import {
  type AuditedView,
  Auditor,
  type AuditSubject,
  type Fault,
  type FaultCount,
  type FaultsOfKind,
  type FaultyPair,
  type ObjectSetSettings,
  pairKey,
  type SentLog,
  type ShortCount,
  type Shortfall,
} from "@nearfield/core/internal";
import type { HeldBackListener } from "@nearfield/protocol/internal";
import { type ObjectId, slotOf } from "@nearfield/schema";
import { ServerError } from "../errors.ts";
import type { Session } from "../session/session.ts";
import type { RoomCore } from "./room-core.ts";

/** Pairs checked per round, if a room does not say. What that costs: docs/decisions/0018-the-auditor.md. */
export const DEFAULT_AUDIT_SAMPLE = 256;

export class RoomAudit {
  readonly #core: RoomCore;
  readonly #auditor: Auditor | undefined;
  readonly #subjects = new Map<number, SessionSubject>();
  readonly #sample: number;

  /** @param sample pairs per round; 0 switches the auditor off. */
  constructor(core: RoomCore, sample: number) {
    const { metrics } = core;
    this.#core = core;
    this.#sample = sample;
    if (!Number.isInteger(sample) || sample < 0)
      throw new ServerError("bad-option", `auditSample is ${sample}, but must be a whole number, 0 or more`);
    if (sample === 0) return;
    this.#auditor = new Auditor(core.world, {
      sample,
      roundMs: core.host.resolved.roundMs,
      round: core.host.roundNumber,
      metrics,
      onError: (error, where) => core.failed(error, where),
    });
  }

  // ── what was found ─────────────────────────────────────────────────────────────────────────────────────────────

  /** Pairs checked so far. `promised`: those among them that their view promises something about. */
  get examined(): number {
    return this.#auditor?.examined ?? 0;
  }

  get promised(): number {
    return this.#auditor?.promised ?? 0;
  }

  /** Promised pairs that were over their bound when they were checked, as decided: withheld, loosened, or faulty. */
  get overDecided(): number {
    return this.#auditor?.overDecided ?? 0;
  }

  /**
   * The same as delivered. A pair counts if it is over as decided, or if a send of it was lost and the state before that send is over the
   * bound. It counts from when the loss is known until a newer send is known to have arrived. That is as long as the client was behind,
   * shifted by the time of one way.
   */
  get overDelivered(): number {
    return this.#auditor?.overDelivered ?? 0;
  }

  /** Pairs that broke the promise when they were checked, whatever the model says of them. Must be 0. */
  get faults(): number {
    return this.#auditor?.findings.faults ?? 0;
  }

  faultCounts(): FaultCount[] {
    return this.#auditor?.findings.faultCounts() ?? [];
  }

  /** The kinds of fault that occurred: how often, and the rounds of the first and the last. */
  faultsByKind(): FaultsOfKind[] {
    return this.#auditor?.findings.faultsByKind() ?? [];
  }

  /** The newest 64 faulty pairs, the last one found at the end: which client, which object, since which round. */
  get faultyPairs(): readonly FaultyPair[] {
    return this.#auditor?.findings.faultyPairs ?? [];
  }

  /** The newest 32 faults, oldest first: which client and which object. */
  get newestFaults(): readonly Fault[] {
    return this.#auditor?.findings.newest ?? [];
  }

  /** Pairs that were over their bound for a known reason when they were checked. */
  shortCounts(): ShortCount[] {
    return this.#auditor?.findings.shortCounts() ?? [];
  }

  /** Clients that were sent nothing because they were away or far behind, summed over rounds. */
  get pausedViewRounds(): number {
    return this.#auditor?.pausedViewRounds ?? 0;
  }

  /** Clients that sat out a round because the server's time was short, summed over rounds. */
  get outViewRounds(): number {
    return this.#auditor?.outViewRounds ?? 0;
  }

  /** Passes over all pairs so far. One pass checks each pair once. */
  get passes(): number {
    return this.#auditor?.passes ?? 0;
  }

  /** All pairs of an object and a client that is not paused, now. */
  get pairs(): number {
    let views = 0;
    for (const { isPaused } of this.#core.sessions.values()) if (!isPaused) views += 1;
    return views * this.#core.world.count;
  }

  /** Rounds that one pass over all pairs takes, with the present clients and objects. `Infinity`: the auditor is off. */
  get roundsPerPass(): number {
    if (this.#auditor === undefined) return Number.POSITIVE_INFINITY;
    return Math.max(1, Math.ceil(this.pairs / this.#sample));
  }

  // ── what the model says of itself ──────────────────────────────────────────────────────────────────────────────

  /**
   * Pair-rounds over the bound as decided, by the model's own account: what it withheld or loosened. Exact, and compared with the checked
   * pairs.
   */
  get decided(): number {
    return this.#core.model.account.decided;
  }

  /** Pair-rounds over the bound as delivered, by the model's own account. Only spells that have ended count. */
  get delivered(): number {
    return this.#core.model.account.delivered;
  }

  /** The same up to a round, including spells that have not ended. */
  deliveredUpTo(round: number): number {
    return this.#core.model.account.deliveredUpTo(round);
  }

  /** Pairs whose client is behind now. */
  get open(): number {
    return this.#core.model.account.open;
  }

  shortfalls(of: "decided" | "delivered"): Shortfall[] {
    return this.#core.model.account.shortfalls(of);
  }

  // ── the round ──────────────────────────────────────────────────────────────────────────────────────────────────

  /** Called when everything is decided and nothing is sent. */
  examine(round: number): void {
    this.#guard(() => this.#auditor?.examine(round));
  }

  /** Called when everything is sent. */
  conclude(round: number): void {
    this.#guard(() => this.#auditor?.conclude(round));
  }

  /** Runs a part of the audit. If it throws, that is reported, and the round goes on. */
  #guard(look: () => void): void {
    try {
      look();
    } catch (error) {
      this.#core.failed(error, "audit");
    }
  }

  // ── sessions ───────────────────────────────────────────────────────────────────────────────────────────────────

  /** What the session's frame writer tells of its sends. Call `enter` once the writer is made. */
  watch(session: Session): HeldBackListener | undefined {
    if (this.#auditor === undefined) return undefined;
    const subject = new SessionSubject(this.#core, session);
    this.#subjects.set(session.player.id, subject);
    return subject;
  }

  /** From now on the session's sends are kept, and the auditor checks the session. */
  enter(session: Session): void {
    const subject = this.#subjects.get(session.player.id);
    if (this.#auditor === undefined || subject === undefined) return;
    session.writer.keepReceipts();
    subject.view = this.#auditor.add(subject);
  }

  forget(player: number): void {
    const subject = this.#subjects.get(player);
    if (subject?.view === undefined) return;
    this.#auditor?.remove(subject.view);
    this.#subjects.delete(player);
  }

  dispose(): void {
    this.#auditor?.dispose();
  }
}

/** One session as the auditor sees it. It listens to the sends that the frame writer holds back. */
class SessionSubject implements AuditSubject, HeldBackListener {
  view: AuditedView | undefined = undefined;
  readonly #core: RoomCore;
  readonly #session: Session;
  #stated: ViewSettings | undefined;
  #promised: ViewSettings | undefined;
  #sets: readonly ObjectSetSettings[] | undefined;
  #promisedSets: readonly ObjectSetSettings[] | undefined;
  #from = 0;
  #to = 0;
  #held: Uint32Array = new Uint32Array(16);
  #heldCount = 0;

  constructor(core: RoomCore, session: Session) {
    this.#core = core;
    this.#session = session;
  }

  get session(): number {
    return this.#session.player.id;
  }

  get settings(): ViewSettings | undefined {
    const settings = this.#session.player.settingsWithUnits;
    const { model } = this.#core;
    if (model.promised === undefined) return settings;
    if (settings !== this.#stated) {
      if (settings.sets !== this.#sets) this.#promisedSets = model.promised(settings)?.sets;
      this.#promised = this.#promisedSets && { sets: this.#promisedSets, pivots: settings.pivots };
      this.#stated = settings;
      this.#sets = settings.sets;
    }
    return this.#promised;
  }

  get isPaused(): boolean {
    return this.#session.isPaused || this.#session.player.presence === "left";
  }

  get isOut(): boolean {
    return this.#session.isOut;
  }

  get outer(): number {
    return this.#session.telemetry.outerFactor;
  }

  get inner(): number {
    return this.#session.telemetry.innerFactor;
  }

  get sent(): SentLog {
    return this.#session.writer.ledger;
  }

  isVisible(entity: Entity): boolean {
    return this.#core.mayKnow(this.#session.player, entity);
  }

  beginRound(from: number, to: number): void {
    const isFirst = this.#to === 0;
    this.#from = isFirst ? from : Math.min(this.#from, from);
    this.#to = Math.max(this.#to, to);
  }

  endRound(): void {
    this.#from = 0;
    this.#to = 0;
    this.#heldCount = 0;
  }

  isHeldBack(id: ObjectId): boolean {
    for (let i = 0; i < this.#heldCount; i++) if (this.#held[i] === id) return true;
    return false;
  }

  isCounted(id: ObjectId, round: number): boolean {
    return this.#core.model.account.isShort(pairKey(this.#session.player.view, id), round);
  }

  // ── what its writer does not send ──────────────────────────────────────────────────────────────────────────────

  heldBack(id: ObjectId): void {
    const slot = slotOf(id);
    if (slot < this.#from || slot >= this.#to) return;
    if (this.#heldCount === this.#held.length) {
      const larger = new Uint32Array(this.#held.length * 2);
      larger.set(this.#held);
      this.#held = larger;
    }
    this.#held[this.#heldCount++] = id;
  }
}
