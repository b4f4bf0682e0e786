/**
 * One player's part in a fight without a host. It knows no socket and no clock: whoever owns the loop hands in the time and what arrived, ticks, and sends
 * what is to be sent.
 *
 *   receive … → tick(now, own input) → messageTo(peer) for every peer
 *
 * A message goes to every peer in every tick, also when there is nothing to tell: it is the empty ping that lets the others go on (H2).
 */

import { WireError } from "@nearfield/schema/internal";
import { RollbackError } from "../errors.ts";
import type { Request } from "../timeline/requests.ts";
import type { TimelineSettings } from "../timeline/settings.ts";
import { ADMIT_STEPS, Timeline } from "../timeline/timeline.ts";
import { type Dispute, Notary, type NotaryHost, type SealOptions } from "../trust/notary.ts";
import type { Seal } from "../trust/seal.ts";
import type { SignedLog } from "../trust/signed-log.ts";
import { Arrivals, copiesFor } from "./arrivals.ts";
import { encodeFinalRows } from "./final-rows.ts";
import {
  decodeMessage,
  encodeMessage,
  type MessageForm,
  MOST_RELAYED_ROWS,
  MOST_ROWS,
  type PeerMessage,
  type Rows,
  type SignedRows,
} from "./peer-message.ts";
import { encodeSnapshot, type Snapshot, snapshotOf } from "./snapshot.ts";
import { Suspects } from "./suspects.ts";
import { encodeWatched, MOST_VOTES, type Vote } from "./watched.ts";

export interface PeerSessionOptions extends TimelineSettings {
  /** Which player this peer is. */
  readonly own: number;
  readonly stepMs: number;
  /** When the fight began, on the clock that all peers share: state 0 is shown then. */
  readonly startMs: number;
  /** Whether inputs carry what their player knew of the others (H5). */
  readonly hasLags?: boolean;
  /** A peer that holds up the others for so long is suspected, ms. */
  readonly stallMs?: number;
  /** States between two checksums that peers compare. */
  readonly checkpointSteps?: number;
  /** With seals, inputs are signed, and a state is final only when all inputs before it are. All peers must have them, or none. */
  readonly seals?: SealOptions;
  /** What a peer of the fight sent to somebody who comes later; `from` and `absent` follow from it. */
  readonly snapshot?: Snapshot;
}

/** Two peers have different final states: one of them forges, or the fight is not deterministic. */
export interface Desync {
  readonly player: number;
  readonly state: number;
  readonly sums: readonly [own: number, theirs: number];
}

const STALL_MS = 3000;
/** At most so many steps' time counts between two ticks: after a pause of its own, a machine must first read what came meanwhile before it suspects anybody. */
const LONGEST_TICK_STEPS = 5;
const CHECKPOINT_STEPS = 20;
/** Checkpoints that are kept for peers that are behind. */
const CHECKPOINTS = 32;

export class PeerSession {
  readonly timeline: Timeline;
  readonly #own: number;
  readonly #form: MessageForm;
  readonly #stepMs: number;
  readonly #startMs: number;
  readonly #stallMs: number;
  readonly #checkpointSteps: number;
  readonly #suspects: Suspects;
  readonly #notary: Notary | undefined;
  /** By peer: the own seal that it was last sent, in which tick for the first time, and in how many ticks since. */
  readonly #sealSent = new Map<number, { readonly seal: Seal; readonly tick: number; copies: number }>();
  /** By peer: which of its messages came, and how many of this peer's it says to be lost. */
  readonly #arrivals: readonly Arrivals[];
  readonly #lostAt = new Map<number, number>();
  #ticks = 0;
  /** The time of the last tick, and how much time has counted so far, ms. */
  #nowMs: number;
  #countedMs = 0;
  readonly #gone = new Map<number, number>();
  /** The newest votes that this peer took part in, for those who check the fight. */
  readonly #votes: Vote[] = [];
  /** By peer: it has all own inputs before this step. */
  readonly #acked = new Map<number, number>();
  /** By peer: how much of its inputs was there, when that last grew, and when it last said anything, in time that counts. */
  readonly #progress: { through: number; sinceMs: number; isHeard: boolean; heardMs: number }[];
  readonly #checkpoints = new Map<number, number>();
  readonly #desyncs: Desync[] = [];
  readonly #lags: Uint8Array;
  #newestCheckpoint = -1;
  /** The player who is to be let in. */
  #admits: number | undefined;
  /** Players whom an own input lets in that does not count yet. */
  readonly #offered = new Set<number>();
  /** By peer: whom it knows to be gone. */
  readonly #goneAt: (readonly number[])[];
  /** The step of the next own input. */
  #next: number;

  constructor(options: PeerSessionOptions) {
    const { own, players, stepMs, startMs, hasLags = false, stallMs = STALL_MS, snapshot } = options;
    if (!(Number.isInteger(own) && own >= 0 && own < players))
      throw new RollbackError("bad-option", `own must be a player from 0 to ${players - 1}, not ${own}`);
    const { seals } = options;
    const settings = seals ? { ...options, retracts: true } : options;
    this.timeline = new Timeline(snapshot ? { ...settings, from: snapshot.state, absent: snapshot.absent } : settings);
    this.#own = own;
    this.#form = { players, inputBytes: options.inputBytes, hasLags, isSealed: seals !== undefined };
    if (seals) this.#notary = new Notary(this.timeline, this.#form, seals, own, this.#notaryHost(), snapshot?.chains);
    this.#stepMs = stepMs;
    this.#startMs = startMs;
    this.#nowMs = startMs;
    this.#stallMs = stallMs;
    this.#checkpointSteps = options.checkpointSteps ?? CHECKPOINT_STEPS;
    this.#suspects = new Suspects(own, players, snapshot?.admissions ?? 0);
    this.#lags = new Uint8Array(players);
    this.#goneAt = Array.from({ length: players }, () => []);
    this.#arrivals = Array.from({ length: players }, () => new Arrivals());
    this.#progress = Array.from({ length: players }, () => ({
      through: -1,
      sinceMs: 0,
      isHeard: true,
      heardMs: 0,
    }));
    if (snapshot) this.#begin(snapshot);
    this.#next = snapshot ? this.timeline.throughOf(own) : this.timeline.settings.lag;
    for (let player = 0; player < players; player++) {
      if (!this.timeline.isGone(player)) continue;
      this.#gone.set(player, this.timeline.throughOf(player));
      // All others name it in their votes too: it was voted out, or nobody waits for it.
      this.#suspect(player);
    }
    if (this.#gone.has(own))
      throw new RollbackError(
        "bad-input",
        `player ${own} is not let in by this snapshot: take it when gone no longer has it`,
      );
  }

  /** Players who were voted out, and the step from which each is gone. */
  get gone(): ReadonlyMap<number, number> {
    return this.#gone;
  }

  /** Players whom this peer wants to leave, those among them who are gone. */
  get suspects(): ReadonlySet<number> {
    return this.#suspects.all;
  }

  /** Wants a player to leave for a reason that no message shows: it said good-bye, or the server ruled so. The others must want it too. */
  suspect(player: number): void {
    if (player !== this.#own) this.#suspect(player);
  }

  /** Whether the others have voted this peer out: it plays alone from here on. */
  get isVotedOut(): boolean {
    return this.#suspects.isVotedOut;
  }

  /** The players whose inputs the tail waits for. */
  get waitsFor(): readonly number[] {
    const others = this.#others();
    const oldest = Math.min(...others.map((peer) => this.#comeTo(peer)));
    if (oldest >= this.timeline.head) return [];
    return others.filter((peer) => this.#comeTo(peer) === oldest);
  }

  /** How far a peer has this player's inputs, as it last said: all before this step. It waits for what is missing up to now. */
  ackedBy(peer: number): number {
    return this.#acked.get(peer) ?? 0;
  }

  /** Final states in which another peer differs from this one, as found so far. */
  get desyncs(): readonly Desync[] {
    return this.#desyncs;
  }

  /** What other players vouch for and this peer has otherwise, as found so far. */
  get disputes(): readonly Dispute[] {
    return this.#notary?.disputes ?? [];
  }

  /** All signed inputs of the fight so far, for a report to the server. Only in a session with seals. */
  get signedLog(): SignedLog | undefined {
    return this.#notary?.log(this.#gone);
  }

  /** The own signed inputs from a step on, for an `Observer`. */
  signedRows(from: number): Uint8Array {
    const through = this.#notary?.sealedOf(this.#own) ?? 0;
    const rows = this.#rowsOf(this.#own, from, through);
    const own = { ...rows, seal: this.#notary?.sealOf(this.#own) };
    return encodeWatched(this.#form, { own, gone: this.#gone, votes: this.#votes });
  }

  /** Final inputs of all from a step on, for a `Spectator`; empty if there are none yet. */
  finalRows(from: number): Uint8Array {
    return encodeFinalRows(this.timeline, from, this.#form.hasLags);
  }

  /** A message of a peer. Throws `WireError` if it is none: that peer is to be cut off. */
  receive(from: number, bytes: Uint8Array): void {
    const message = decodeMessage(this.#form, from, bytes);
    this.#acked.set(from, Math.max(this.#acked.get(from) ?? 0, Math.min(message.ack, this.#next)));
    this.#suspects.hear(from, message.admissions, message.suspects);
    this.#progress[from]!.isHeard = true;
    this.#goneAt[from] = message.gone;
    const { first, rows } = message.own;
    if (rows.length > 0) this.#arrivals[from]!.note(first + rows.length - 1);
    this.#lostAt.set(from, message.lost);
    if (!this.#suspects.has(from)) this.#takeSigned(message.own);
    for (const rows of message.relayed) if (this.#suspects.has(rows.player)) this.#takeRelayed(rows);
    if (message.checkpoint) this.#compare(from, message.checkpoint);
  }

  /** What the game has to do now. `input` is what the own player wants; it is copied. */
  tick(nowMs: number, input: Uint8Array): readonly Request[] {
    const now = Math.max(0, Math.floor((nowMs - this.#startMs) / this.#stepMs));
    this.#ticks++;
    // Who waits for the others acts for the one step that all wait for, and no further.
    this.#act(Math.min(now, this.timeline.reach(now) + 1), input);
    this.#watch(nowMs);
    this.#decide();
    return this.timeline.tick(now);
  }

  /** The game's answer to a `settle` request. Only states at checkpoints are asked for their checksum. */
  settled(state: number, checksum: () => number, saved?: Uint8Array): void {
    if (this.#notary) {
      if (!saved) throw new RollbackError("bad-input", "with seals, settled needs the saved state as a third argument");
      this.#notary.settle(state, saved);
    }
    if (state % this.#checkpointSteps !== 0) return;
    this.#checkpoints.set(state, checksum());
    this.#checkpoints.delete(state - CHECKPOINTS * this.#checkpointSteps);
    this.#newestCheckpoint = state;
  }

  /**
   * Lets a player in who is gone, or was never there, as soon as all others know that it is gone. It takes part some steps later. The newcomer needs a
   * `snapshot` that is taken when `gone` no longer has it. Undefined takes a wish back that has not come true yet.
   */
  admit(player: number | undefined): void {
    if (player !== undefined && !this.timeline.isGone(player))
      throw new RollbackError("bad-input", `player ${player} is not gone`);
    this.#admits = player;
  }

  /** What a newcomer or a spectator begins with. `saved` is the state at the tail, as the last `settle` request named it. */
  snapshot(saved: Uint8Array): Uint8Array {
    const snapshot = snapshotOf(this.timeline, this.#form, this.#suspects.admissions, saved);
    return encodeSnapshot(this.#form, { ...snapshot, chains: this.#notary?.chainHeads() });
  }

  /** What a peer must be told in this tick. */
  messageTo(peer: number): Uint8Array {
    const sum = this.#checkpoints.get(this.#newestCheckpoint);
    const message: PeerMessage = {
      ack: this.timeline.throughOf(peer),
      lost: this.#notary ? this.#arrivals[peer]!.lost : 0,
      own: { ...this.#ownRows(peer), seal: this.#sealTo(peer) },
      checkpoint: sum === undefined ? undefined : { state: this.#newestCheckpoint, sum },
      gone: [...this.#gone.keys()],
      admissions: this.#suspects.admissions,
      suspects: [...this.#suspects.all].map((player) => ({ player, through: this.#throughOf(player) })),
      relayed: this.#relayedTo(peer),
    };
    return encodeMessage(this.#form, message);
  }

  /** How much of a player's inputs counts: with seals, what is signed. */
  #throughOf(player: number): number {
    return this.#notary?.sealedOf(player) ?? this.timeline.throughOf(player);
  }

  /** How far a peer has come with its inputs. With seals, only as far as it signed, if it owes more than one seal. */
  #comeTo(peer: number): number {
    if (!this.#notary) return this.timeline.confirmedOf(peer);
    const sealed = this.#notary.sealedOf(peer);
    const through = this.timeline.throughOf(peer);
    return through < sealed + 2 * this.#notary.sealSteps ? through : sealed;
  }

  /** The own seal, if it is new to a peer or may have been lost: nothing says that it came, so it goes more than once where messages are lost. */
  #sealTo(peer: number): Seal | undefined {
    const seal = this.#notary?.sealOf(this.#own);
    if (!seal) return undefined;
    const sent = this.#sealSent.get(peer);
    if (sent?.seal !== seal || this.#ticks - sent.tick >= this.#notary!.sealSteps)
      this.#sealSent.set(peer, { seal, tick: this.#ticks, copies: 1 });
    else if (sent.copies >= copiesFor(this.#lostAt.get(peer) ?? 1)) return undefined;
    else sent.copies++;
    return seal;
  }

  /** The own rows that a peer does not have yet. Who came later needs none that its snapshot has; whoever said nothing yet gets what is still open. */
  #ownRows(peer: number): Rows {
    return this.#rowsOf(this.#own, this.#acked.get(peer) ?? this.timeline.tail, this.#next);
  }

  #begin({ rows, leaving }: Snapshot): void {
    for (const told of rows) this.#take(told);
    for (const { player, first, rows: told } of rows) this.#countAdmissions(player, first + told.length);
    for (const player of leaving) this.timeline.leave(player, this.timeline.throughOf(player));
    // Until its first own step this player stood still.
    this.#notary?.welcome(this.#own, this.timeline.throughOf(this.#own));
  }

  #act(until: number, input: Uint8Array): void {
    const { lag } = this.timeline.settings;
    for (; this.#next < until + lag && this.#next < this.timeline.openTo; this.#next++) {
      for (const peer of this.#others())
        this.#lags[peer] = Math.min(255, Math.max(0, this.#next - this.timeline.throughOf(peer)));
      const admitted = this.#takeAdmitted();
      const admits = admitted === undefined ? 0 : admitted + 1;
      this.timeline.put(this.#own, this.#next, input, this.#form.hasLags ? this.#lags : undefined, admits);
      if (admitted !== undefined && this.#notary) this.#offered.add(admitted);
      else if (admitted !== undefined) this.#welcome(admitted);
      this.#notary?.act(this.#next + 1);
    }
  }

  /** The player who can be let in now: everybody knows that it is gone, and its first step lies among those that a snapshot can tell of. */
  #takeAdmitted(): number | undefined {
    const player = this.#admits;
    if (player === undefined || this.#offered.has(player)) return undefined;
    if (this.#next + ADMIT_STEPS >= this.timeline.openTo) return undefined;
    // An admission counts from its seal on: it stands in the last row under one, so that nobody has to wait for it.
    if (this.#notary && (this.#next + 1) % this.#notary.sealSteps !== 0) return undefined;
    if (!this.#others().every((peer) => this.#goneAt[peer]!.includes(player))) return undefined;
    this.#admits = undefined;
    return player;
  }

  /** Suspects who says nothing, and who holds up the others: whose inputs are the oldest, are due, and have not come on for too long. */
  #watch(nowMs: number): void {
    this.#countedMs += Math.min(nowMs - this.#nowMs, LONGEST_TICK_STEPS * this.#stepMs);
    this.#nowMs = nowMs;
    const countedMs = this.#countedMs;
    // Who itself waits for somebody comes on no more than this peer does: its time counts from when nobody holds it up.
    const { waitsFor } = this;
    for (const peer of this.#others()) {
      const progress = this.#progress[peer]!;
      const through = this.#comeTo(peer);
      if (through > progress.through || !waitsFor.includes(peer)) {
        progress.through = through;
        progress.sinceMs = countedMs;
      }
      if (progress.isHeard) progress.heardMs = countedMs;
      progress.isHeard = false;
      if (countedMs - progress.heardMs > this.#stallMs) this.#suspect(peer);
    }
    for (const peer of waitsFor) {
      const overdueMs = nowMs - this.#startMs - this.#comeTo(peer) * this.#stepMs;
      if (Math.min(overdueMs, countedMs - this.#progress[peer]!.sinceMs) > this.#stallMs) this.#suspect(peer);
    }
  }

  #suspect(peer: number): void {
    this.#suspects.add(peer);
    this.#notary?.freeze(peer);
  }

  #decide(): void {
    for (const suspect of this.#suspects.all) {
      if (this.#gone.has(suspect)) continue;
      const through = this.#throughOf(suspect);
      const step = this.#suspects.stepOf(suspect, through);
      if (step === undefined || step > through) continue;
      this.timeline.leave(suspect, step);
      this.#gone.set(suspect, step);
      this.#votes.push({ player: suspect, step, without: [...this.#suspects.all] });
      if (this.#votes.length > MOST_VOTES) this.#votes.shift();
    }
  }

  #takeSigned(rows: SignedRows): void {
    this.#take(rows);
    if (rows.seal) this.#notary?.hear(rows.seal);
    this.#notary?.recheck(rows.player);
  }

  #take({ player, first, rows }: Rows): void {
    const { inputBytes } = this.#form;
    rows.forEach((row, at) => {
      const step = first + at;
      if (step >= this.timeline.openTo) return;
      const admits = row[inputBytes]!;
      if (admits > this.#form.players) throw new WireError("range", `player ${admits - 1} is let in`);
      const lags = this.#form.hasLags ? row.subarray(inputBytes + 1) : undefined;
      const isNew = this.timeline.put(player, step, row.subarray(0, inputBytes), lags, admits);
      if (isNew && admits > 0 && !this.#notary) this.#welcome(admits - 1);
    });
  }

  #notaryHost(): NotaryHost {
    return {
      take: (rows) => this.#take(rows),
      signed: (player, through) => this.#countAdmissions(player, through),
    };
  }

  /** What is not signed can be lost with its player, and only some would know of it. So admissions count from their seal on. */
  #countAdmissions(player: number, to: number): void {
    for (const admission of this.timeline.takeAdmissions(player, to)) {
      this.timeline.letIn(admission);
      this.#welcome(admission.player);
    }
  }

  #welcome(player: number): void {
    this.#offered.delete(player);
    this.#suspects.admit(player);
    this.#gone.delete(player);
    const entered = this.timeline.enteredAt(player);
    if (Number.isFinite(entered)) this.#notary?.welcome(player, entered);
    if (player === this.#own) return;
    this.#sealSent.delete(player);
    this.#acked.delete(player);
    // The newcomer has as much time to say something as anybody who just did.
    this.#progress[player]!.isHeard = true;
    this.#progress[player]!.through = -1;
  }

  /** Rows of a suspect are taken without a gap, so that what this peer says of it stays true. */
  #takeRelayed({ player, first, rows, seal }: SignedRows): void {
    if (this.#notary) {
      if (seal) this.#notary.hear(seal, { player, first, rows });
      return;
    }
    const skip = this.timeline.throughOf(player) - first;
    if (skip >= 0) this.#take({ player, first: first + skip, rows: rows.slice(skip) });
  }

  #rowsOf(player: number, from: number, to: number, most: number = MOST_ROWS): Rows {
    const rows: Uint8Array[] = [];
    for (let step = from; step < Math.min(to, from + most); step++) {
      const row = this.timeline.rowOf(player, step, this.#form.hasLags);
      if (!row) break;
      rows.push(row);
    }
    return { player, first: from, rows };
  }

  /** What a peer lacks of those it suspects: it takes nothing from them itself. */
  #relayedTo(peer: number): SignedRows[] {
    const relayed: SignedRows[] = [];
    for (const { player, through } of this.#suspects.toldBy(peer)) {
      if (player === this.#own) continue;
      const rows = this.#rowsOf(player, through, this.#throughOf(player), MOST_RELAYED_ROWS);
      if (rows.rows.length > 0) relayed.push({ ...rows, seal: this.#notary?.sealOf(player) });
    }
    return relayed;
  }

  #compare(player: number, { state, sum }: { readonly state: number; readonly sum: number }): void {
    const own = this.#checkpoints.get(state);
    if (own === undefined || own === sum) return;
    if (!this.#desyncs.some((known) => known.player === player))
      this.#desyncs.push({ player, state, sums: [own, sum] });
  }

  #others(): number[] {
    const others: number[] = [];
    for (let peer = 0; peer < this.#form.players; peer++)
      if (peer !== this.#own && !this.#gone.has(peer)) others.push(peer);
    return others;
  }
}
