/**
 * One player's part in an action space: the fight, the ways to the other members, and what the server says of the seats. It owns no loop and knows no
 * clock; whoever has it calls `tick` as often as the game draws, and hands in what the server brings.
 *
 *   tick: ways → obey the server → play, or ask to be let in → let others in → report
 *
 * A player whose entry is new, or out, is let in by a *sponsor*, a player whom the server names: the sponsor lets it in with one of its inputs, then hands it
 * a snapshot of a final state (decision 0033). All others learn of it by that input.
 */

import type { WireError } from "@nearfield/schema/internal";
import { Replica } from "../fight/replica.ts";
import { PeerSession } from "../session/peer-session.ts";
import { readSnapshot } from "../session/snapshot.ts";
import type { Timeline } from "../timeline/timeline.ts";
import type { Topic } from "./frame.ts";
import { emptySeat, type Seat, type SpacePort } from "./seat.ts";
import { Snapshots } from "./snapshots.ts";
import { SpaceMember, type SpaceMemberOptions, type WayView } from "./space-member.ts";
import { decodeNeeds, Receiving } from "./transfer.ts";

/** Another member, as this one sees it. */
export interface PeerView extends WayView {
  /** Whether the fight waits for its inputs. */
  readonly isWaitedFor: boolean;
  /** It has this player's inputs before this step, as it last said: the other direction of waiting. */
  readonly ackedTo: number;
}

const REPORT_MS = 1000;
/** Ms between two wishes for a new entry. */
const REENTER_MS = 1000;

export class SpacePlayer extends SpaceMember {
  readonly #port: SpacePort;
  readonly #seats: Seat[];
  /** By player: the entry that takes part in the fight, or took part last. */
  readonly #entries: number[];
  readonly #wasGone = new Set<number>();
  readonly #refused = new Set<number>();
  readonly #snapshots: Snapshots;
  /** Spectators, by address. */
  readonly #watchers = new Map<number, Seat>();
  #receiving: Receiving;
  /** Snapshots that were asked for. */
  #asked = 0;
  #session: PeerSession | undefined;
  #replica: Replica | undefined;
  #nowMs: number;
  #visit = 0;
  #isNews = false;
  #lastStep = -1;
  #lastReport = "";
  #askedMs = Number.NEGATIVE_INFINITY;
  #reportedMs = Number.NEGATIVE_INFINITY;
  #enteredMs = Number.NEGATIVE_INFINITY;

  constructor(options: SpaceMemberOptions, port: SpacePort) {
    super(options, port);
    const { form, now } = options;
    this.#port = port;
    this.#nowMs = now();
    this.#seats = Array.from({ length: form.slots }, (_, address) => emptySeat(address));
    this.#entries = this.#seats.map(({ address }) => (form.absent.includes(address) ? 0 : 1));
    this.#receiving = this.#newReceiving();
    this.#snapshots = new Snapshots(() => this.#session!.snapshot(this.#replica!.final));
  }

  /** The fight's timeline; undefined until this player takes part. After a new entry it is another one. */
  get timeline(): Timeline | undefined {
    return this.#session?.timeline;
  }

  /** Undefined until this player takes part. After a new entry it is another one. */
  get session(): PeerSession | undefined {
    return this.#session;
  }

  /** Everybody else who has, had or may come to have a place in the fight. */
  get peers(): readonly PeerView[] {
    const waitsFor = this.#session?.waitsFor ?? [];
    return this.#others().map((address) => {
      const isGone = this.#session?.gone.has(address) ?? this.#seats[address]!.visit === 0;
      const way = this.wayTo(address);
      const ackedTo = this.#session?.ackedBy(address) ?? 0;
      return { ...way, state: isGone ? "gone" : way.state, isWaitedFor: waitsFor.includes(address), ackedTo };
    });
  }

  // ── what the server brings ─────────────────────────────────────────────────────────────────────────────────────

  /** What the server says of a seat, this player's own among them. */
  seat(seat: Seat): void {
    if (this.stands === "left") return;
    const { own, slots } = this.options.form;
    if (seat.address < slots) this.#seats[seat.address] = seat;
    if (seat.address === own) this.#ownSeat(seat);
    else this.#meet(seat);
    if (seat.address >= slots) this.#watchers.set(seat.address, seat);
    if (seat.visit === 0) this.#forget(seat.address);
  }

  // ── what the game does ─────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Goes on with the fight. `nowMs` is the server's time, `input` what the player wants; it is copied. Call it as often as the game draws: once per step
   * something happens. Returns whether the fight's state has changed.
   */
  tick(nowMs: number, input: Uint8Array): boolean {
    this.#nowMs = nowMs;
    if (this.stands === "left") return false;
    this.mesh.tick(nowMs);
    this.#obey();
    const hasChanged = this.stands === "playing" && this.#play(nowMs, input);
    if (this.stands === "joining") this.#ask();
    if (this.stands === "out") this.#reenter();
    this.#sponsor();
    this.#report();
    return hasChanged;
  }

  // ── playing ────────────────────────────────────────────────────────────────────────────────────────────────────

  #ownSeat({ visit, entry, outTo }: Seat): void {
    const { own } = this.options.form;
    if (visit === 0) return;
    if (visit !== this.#visit) this.#meetAnew(visit);
    if (entry > this.#entries[own]! || this.stands === "waiting") {
      const isFresh = entry === 1 && outTo === 0 && !this.options.form.absent.includes(own);
      this.#entries[own] = entry;
      if (isFresh) this.#begin(undefined);
      else this.#join();
    }
    if (outTo >= entry) this.#out();
  }

  /** After a visit of its own the others make their ways to this player anew, and so does this player. */
  #meetAnew(visit: number): void {
    this.#visit = visit;
    this.mesh.end();
    for (const seat of [...this.#seats, ...this.#watchers.values()])
      if (seat.address !== this.options.form.own) this.#meet(seat);
  }

  #meet({ address, visit, sponsor, isObserver }: Seat): void {
    const { own, slots } = this.options.form;
    // The server tells of the others first. Ways from before the own visit would be made twice.
    if (this.#visit === 0) return;
    if (visit > 0 && (address < slots || sponsor === own || isObserver)) this.mesh.meet(address, visit);
    else this.mesh.part(address);
  }

  #begin(snapshot: Uint8Array | undefined): void {
    const { form, fight, session: settings, onSettled } = this.options;
    const { own, slots: players, stepMs, startMs, absent } = form;
    const options = { ...settings, own, players, stepMs, startMs };
    if (snapshot) {
      const read = readSnapshot({ ...options, stateBytes: fight.state.byteLength }, snapshot);
      this.#session = new PeerSession({ ...options, snapshot: read });
      fight.state.load(read.saved);
    } else this.#session = new PeerSession({ ...options, absent });
    const session = this.#session;
    this.#replica = new Replica(session.timeline, fight, (state, checksum, saved) => {
      session.settled(state, checksum, saved);
      onSettled?.(state, checksum, saved);
    });
    this.stands = "playing";
    this.#lastStep = -1;
    this.#wasGone.clear();
    for (const player of session.gone.keys()) this.#wasGone.add(player);
    if (!snapshot) return;
    // Who is being let in, and is not gone in this snapshot, is there by the entry before.
    for (const { address, entry, isIn } of this.#seats)
      if (address !== own && !session.gone.has(address))
        this.#entries[address] = isIn || entry <= 1 ? Math.max(1, entry) : entry - 1;
  }

  /** Advances by the steps that are due. A player who is behind, since it waited, goes on as soon as something came. */
  #play(nowMs: number, input: Uint8Array): boolean {
    const session = this.#session!;
    const { startMs, stepMs } = this.options.form;
    if (nowMs < startMs) return false;
    const step = Math.floor((nowMs - startMs) / stepMs);
    const isDue = step > this.#lastStep || (this.#isNews && session.timeline.head < step);
    if (!isDue) return false;
    this.#lastStep = step;
    this.#isNews = false;
    this.#replica!.carryOut(session.tick(nowMs, input));
    if (session.isVotedOut) {
      this.#out();
      return true;
    }
    for (const peer of this.#others())
      if (!session.gone.has(peer)) this.mesh.send(peer, "session", session.messageTo(peer));
    return true;
  }

  /** A player who was gone and is not any more came in by a new entry. */
  #noteAdmissions(): void {
    const { gone } = this.#session!;
    for (const player of this.#wasGone) {
      if (gone.has(player)) continue;
      this.#wasGone.delete(player);
      this.#entries[player] = Math.max(this.#entries[player]! + 1, this.#seats[player]!.entry);
    }
    for (const player of gone.keys()) this.#wasGone.add(player);
  }

  /** Wants those gone of whom the server says that they are out, and those who sent what nobody can read. */
  #obey(): void {
    const session = this.#session;
    if (session === undefined || this.stands !== "playing") return;
    this.#noteAdmissions();
    for (const { address, outTo } of this.#seats) {
      if (address === this.options.form.own || session.gone.has(address)) continue;
      if (outTo >= this.#entries[address]! || this.#refused.has(address)) session.suspect(address);
    }
  }

  protected hear(from: number, topic: Topic, bytes: Uint8Array): void {
    const { slots } = this.options.form;
    const isPlaying = this.stands === "playing";
    if (topic === "session" && isPlaying && from < slots) {
      this.#session!.receive(from, bytes);
      this.#isNews = true;
    } else if (topic === "want" && isPlaying) this.#giveSnapshot(from, bytes);
    else if (topic === "chunk" && this.stands === "joining") this.#take(from, bytes);
    else if (topic === "watch" && isPlaying && from >= slots) this.#tellFinal(from, bytes);
  }

  /** A newcomer gets its snapshot once this player knows that it is let in. */
  #giveSnapshot(from: number, want: Uint8Array): void {
    const { own, slots } = this.options.form;
    const seat = this.#seats[from] ?? this.#watchers.get(from);
    if (seat?.sponsor !== own || this.#session!.gone.has(from)) return;
    // While the entry before is still in the fight, its seat is not gone either.
    if (seat.address < slots && this.#entries[from]! < seat.entry) return;
    for (const chunk of this.#snapshots.answer(seat, want)) this.mesh.send(from, "chunk", chunk);
  }

  #tellFinal(from: number, bytes: Uint8Array): void {
    const session = this.#session!;
    const needs = decodeNeeds(bytes);
    if (this.#watchers.get(from)?.isObserver) {
      this.mesh.send(from, "signed", session.signedRows(needs));
      return;
    }
    // Rows are kept for four times as long as states; whoever is further behind asks for a snapshot again.
    const { tail, settings } = session.timeline;
    if (needs < tail && needs > tail - 3 * settings.kept) this.mesh.send(from, "rows", session.finalRows(needs));
  }

  protected override refuse(from: number, _error: WireError): void {
    if (from < this.options.form.slots) this.#refused.add(from);
  }

  // ── coming in, and letting in ──────────────────────────────────────────────────────────────────────────────────

  #join(): void {
    this.stands = "joining";
    this.#session = undefined;
    this.#replica = undefined;
    this.#receiving = this.#newReceiving();
    this.#refused.clear();
  }

  #ask(): void {
    const { own, stepMs } = this.options.form;
    const { sponsor } = this.#seats[own]!;
    if (sponsor < 0 || this.#nowMs - this.#askedMs < stepMs) return;
    this.#askedMs = this.#nowMs;
    this.mesh.send(sponsor, "want", this.#receiving.want());
  }

  #take(from: number, bytes: Uint8Array): void {
    if (from !== this.#seats[this.options.form.own]!.sponsor) return;
    const snapshot = this.#receiving.take(bytes);
    if (snapshot) this.#begin(snapshot);
  }

  #out(): void {
    if (this.stands !== "playing" && this.stands !== "joining") return;
    this.stands = "out";
    this.#enteredMs = this.#nowMs;
  }

  #reenter(): void {
    if (this.#nowMs - this.#enteredMs < REENTER_MS) return;
    this.#enteredMs = this.#nowMs;
    this.#port.enter();
  }

  /** Lets in the first player for whom the server named this one, one after the other. */
  #sponsor(): void {
    const session = this.#session;
    if (session === undefined || this.stands !== "playing") return;
    const { own } = this.options.form;
    const next = this.#seats.find(
      ({ address, sponsor, entry, outTo, visit }) =>
        sponsor === own && visit > 0 && entry > outTo && session.gone.has(address),
    );
    session.admit(next?.address);
  }

  #report(): void {
    if (this.stands === "waiting") return;
    const session = this.#session;
    const isPlaying = this.stands === "playing";
    const gone = isPlaying ? [...session!.gone.keys()] : [];
    const suspects = isPlaying ? [...session!.suspects].filter((player) => !session!.gone.has(player)) : [];
    const entry = this.#entries[this.options.form.own]!;
    const told = JSON.stringify([entry, isPlaying, gone, suspects]);
    if (told === this.#lastReport && this.#nowMs - this.#reportedMs < REPORT_MS) return;
    this.#lastReport = told;
    this.#reportedMs = this.#nowMs;
    this.#port.report({ entry, isPlaying, gone, suspects, tail: session?.timeline.tail ?? 0 });
  }

  #forget(address: number): void {
    this.#watchers.delete(address);
    this.#snapshots.forget(address);
  }

  #newReceiving(): Receiving {
    this.#asked++;
    return new Receiving(this.options.fight.state.byteLength, this.#asked);
  }

  #others(): number[] {
    const { own } = this.options.form;
    return this.#seats.map(({ address }) => address).filter((address) => address !== own);
  }
}
