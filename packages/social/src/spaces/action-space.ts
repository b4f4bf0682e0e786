/**
 * The server's part of one action space: who has a seat, who is there, who lets whom in, and what the members hand in at the end. The fight itself runs on
 * the players' machines; the server sees signals, relayed frames as bytes, and reports of who is gone. What members are told is written in `space-post.ts`.
 *
 *   enter, leave, signal, relay, status, result (what members ask)      round: settle → sponsors → end
 */

import type { Player, Room } from "@nearfield/server";
import { type RefusalCode, SpaceError } from "./errors.ts";
import { MOST_SLOTS, MOST_SPECTATORS } from "./messages.ts";
import type { OpenSpaceOptions, SpaceEndReason, SpaceOutcome, SpaceTimes } from "./options.ts";
import { settle, takeOut } from "./rulings.ts";
import { type InsidePort, type Insider, SeatRecord, type SpaceLimits } from "./seats.ts";
import { SpacePost } from "./space-post.ts";
import { nameSponsors } from "./sponsors.ts";

/** What a space needs of the registry that opened it. */
export interface SpaceSurroundings {
  readonly id: number;
  readonly room: Room;
  readonly now: () => number;
  readonly limits: SpaceLimits;
  readonly times: SpaceTimes;
  readonly onEnd: (outcome: SpaceOutcome) => void;
  /** 16 bytes that no other space has. */
  readonly name: Uint8Array;
  /** What a player signs with, as it told; empty if it told nothing. */
  readonly keyOf: (player: Player) => Uint8Array;
}

const MS_PER_START = 2000;

export class ActionSpace {
  readonly id: number;
  /** When the fight begins, by the server's clock. */
  readonly startMs: number;
  readonly #around: SpaceSurroundings;
  readonly #options: OpenSpaceOptions;
  readonly #slots: number;
  readonly #seats: SeatRecord[];
  readonly #post: SpacePost;
  readonly #openedMs: number;
  #inhabitedMs: number;
  #resultsMs = Number.POSITIVE_INFINITY;
  #isEnded = false;

  constructor(options: OpenSpaceOptions, around: SpaceSurroundings) {
    const { players, slots = players.length, startInMs = MS_PER_START } = options;
    if (
      !(Number.isInteger(slots) && slots >= 1 && slots <= MOST_SLOTS && players.length <= slots && players.length > 0)
    )
      throw new SpaceError(
        "bad-option",
        `${players.length} players in ${slots} slots; 1 to ${MOST_SLOTS} are possible`,
      );
    this.#options = options;
    this.#around = around;
    this.#slots = slots;
    this.id = around.id;
    const nowMs = around.now();
    this.#openedMs = nowMs;
    this.#inhabitedMs = nowMs + startInMs;
    this.startMs = nowMs + startInMs;
    this.#seats = Array.from({ length: slots }, (_, address) => {
      const seat = new SeatRecord(address, players[address] ? "player" : "absent", around.limits, nowMs);
      seat.player = players[address];
      seat.takeKey(options.keys?.[address] ?? (seat.player ? around.keyOf(seat.player) : seat.key));
      return seat;
    });
    const { room, name, id: space } = around;
    this.#post = new SpacePost({ ...options, room, name, space, startMs: this.startMs, slots }, this.#seats);
    for (const seat of this.#seats) this.#post.invite(seat);
  }

  /** Length of a step, ms. */
  get stepMs(): number {
    return this.#options.stepMs;
  }

  /** 16 bytes that name this fight and no other. */
  get name(): Uint8Array {
    return this.#around.name;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** By address: who is there, and what the fight made of it. */
  get seats(): readonly Readonly<SeatRecord>[] {
    return this.#seats;
  }

  /** Gives a slot to a player who comes later, or a seat to the same person under a new session. Returns its address. */
  invite(player: Player, slot?: number): number {
    this.#mustBeOpen();
    const seat = slot === undefined ? this.#freeSlot(player) : this.#seats[slot];
    if (seat === undefined || !seat.isPlayers || seat.isBanned)
      throw new SpaceError("full", `space ${this.id} has no slot for ${player.nickname}`);
    if (seat.player !== undefined && seat.player !== player) this.#depart(seat);
    seat.player = player;
    this.#post.invite(seat);
    return seat.address;
  }

  /** Gives a player a seat to watch from. Returns its address. */
  inviteSpectator(player: Player): number {
    return this.#inviteWatcher(player, "spectator");
  }

  /**
   * Gives a player a seat to check the fight from, whose inputs must be signed: every player tells it what it signed. Invite observers before the fight
   * begins; they need all of it. Returns its address.
   */
  inviteObserver(player: Player): number {
    return this.#inviteWatcher(player, "observer");
  }

  #inviteWatcher(player: Player, kind: "spectator" | "observer"): number {
    this.#mustBeOpen();
    const isObserver = kind === "observer";
    const free = this.#seats.find(
      (seat) =>
        !seat.isPlayers &&
        seat.isObserver === isObserver &&
        seat.insider === undefined &&
        (!seat.player || seat.player === player),
    );
    if (free === undefined && this.#seats.length - this.#slots >= MOST_SPECTATORS)
      throw new SpaceError("full", `space ${this.id} has ${MOST_SPECTATORS} spectators already`);
    const seat = free ?? new SeatRecord(this.#seats.length, kind, this.#around.limits, this.#around.now());
    if (free === undefined) this.#seats.push(seat);
    seat.player = player;
    this.#post.invite(seat);
    return seat.address;
  }

  /** Seats an observer that runs inside the server: what members send it does not travel any further. */
  seatInside<T extends Insider>(make: (address: number, port: InsidePort) => T): T {
    this.#mustBeOpen();
    const seat = new SeatRecord(this.#seats.length, "observer", this.#around.limits, this.#around.now());
    const insider = make(seat.address, this.#post.portOf(seat.address));
    seat.insider = insider;
    seat.visit = seat.visits = 1;
    seat.isIn = true;
    this.#seats.push(seat);
    for (const other of this.#seats) if (other !== seat) this.#post.announce(other, [seat]);
    this.#post.announce(seat);
    return insider;
  }

  /** Ends the space now, with what has been handed in. */
  close(): void {
    this.#end("closed");
  }

  /** Whether the player has a seat here. */
  has(player: Player): boolean {
    return this.#seatOf(player) !== undefined;
  }

  // ── what members ask ───────────────────────────────────────────────────────────────────────────────────────────

  /** Tells a player again that it is invited: a page that was loaded anew has forgotten it. */
  remind(player: Player): void {
    const seat = this.#seatOf(player);
    if (seat) this.#post.invite(seat);
  }

  enter(player: Player): void {
    const seat = this.#seatOf(player);
    const nowMs = this.#around.now();
    if (seat === undefined) return this.#refuse(player, "not-member", "no seat in this space");
    if (seat.isBanned) return this.#refuse(player, "banned", "out for good");
    if (!seat.entries.take(1, nowMs)) return this.#refuse(player, "flood", "entries come too fast", seat);
    seat.player = player;
    seat.visits++;
    seat.takeKey(this.#around.keyOf(player));
    seat.visit = seat.visits;
    if (!seat.isPlayers) seat.isIn = true;
    else if (!this.#isFresh(seat, nowMs)) this.#enterAnew(seat, nowMs);
    else {
      seat.entry = 1;
      seat.isIn = true;
    }
    this.#nameSponsors(nowMs);
    for (const other of this.#seats) if (other !== seat) this.#post.announce(other, [seat]);
    this.#post.announce(seat);
  }

  leave(player: Player): void {
    const seat = this.#seatOf(player);
    if (seat === undefined) return;
    this.#depart(seat);
    if (!seat.isPlayers) seat.player = undefined;
  }

  signal(player: Player, address: number, signal: Uint8Array): void {
    const ends = this.#ends(player, address);
    if (ends === undefined) return;
    const [from, other] = ends;
    if (!from.signals.take(1, this.#around.now())) return this.#refuse(player, "flood", "too many signals", from);
    this.#post.signal(from.address, other, signal);
  }

  relay(player: Player, address: number, frame: Uint8Array): void {
    const ends = this.#ends(player, address);
    if (ends === undefined) return;
    const [from, other] = ends;
    const nowMs = this.#around.now();
    if (!from.frames.take(1, nowMs) || !from.bytes.take(frame.length, nowMs)) {
      from.counters.droppedFrames++;
      // A burst is dropped, as a network would. Who goes on is refused, and in the end banned.
      if (from.counters.droppedFrames % this.#around.limits.relayFrames === 0)
        this.#refuse(player, "flood", "too many frames over the server", from);
      return;
    }
    from.counters.relayedFrames++;
    from.counters.relayedBytes += frame.length;
    this.#post.relay(from.address, other, frame);
  }

  status(
    player: Player,
    told: { entry: number; isPlaying: boolean; gone: number; suspects: number; tail: number },
  ): void {
    const seat = this.#entered(player);
    if (seat === undefined || !seat.isPlayers || told.entry !== seat.entry || seat.entry <= seat.outTo) return;
    seat.tail = told.tail;
    if (!told.isPlaying) return;
    seat.gone = told.gone;
    seat.suspects = told.suspects;
    seat.followed |= told.gone | told.suspects;
    if (seat.isIn) return;
    // Rulings from before are no business of this entry.
    seat.followed = -1;
    seat.isIn = true;
    seat.sponsor = -1;
    seat.ruledMs = Number.POSITIVE_INFINITY;
    // What the others said of the entry before says nothing of this one.
    for (const other of this.#seats) {
      other.gone &= ~(1 << seat.address);
      other.suspects &= ~(1 << seat.address);
    }
    this.#nameSponsors(this.#around.now());
    this.#post.announce(seat);
  }

  result(player: Player, part: number, parts: number, bytes: Uint8Array): void {
    const seat = this.#entered(player);
    if (seat === undefined) return;
    if (!seat.takePart(part, parts, bytes)) return this.#refuse(player, "bad-result", `part ${part} of ${parts}`, seat);
    if (seat.result !== undefined) this.#resultsMs = Math.min(this.#resultsMs, this.#around.now());
  }

  // ── the round ──────────────────────────────────────────────────────────────────────────────────────────────────

  round(): void {
    if (this.#isEnded) return;
    const nowMs = this.#around.now();
    const { settleMs, resultMs, emptyMs, longestMs } = this.#around.times;
    for (const seat of settle(this.#seats, nowMs, settleMs)) this.#post.announce(seat);
    this.#nameSponsors(nowMs);
    const fighting = this.#seats.filter((seat) => seat.isFighting);
    const isAnybodyExpected = nowMs < this.startMs && this.#seats.some((seat) => seat.isAwaited);
    if (fighting.length > 0 || isAnybodyExpected) this.#inhabitedMs = nowMs;
    const missing = this.#seats.filter(
      (seat) => (seat.isFighting || (!seat.isPlayers && seat.player && seat.visit > 0)) && seat.result === undefined,
    );
    if (this.#resultsMs !== Number.POSITIVE_INFINITY && missing.length === 0) this.#end("done");
    else if (nowMs - this.#resultsMs >= resultMs) this.#end("results");
    else if (nowMs - this.#inhabitedMs >= emptyMs) this.#end("empty");
    else if (nowMs - this.#openedMs >= longestMs) this.#end("too-long");
  }

  // ── seats ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Whether a player begins with the fight's first state: it comes for the first time, or again before the fight began. */
  #isFresh(seat: SeatRecord, nowMs: number): boolean {
    return !seat.isAbsent && seat.outTo === 0 && (seat.entry === 0 || nowMs < this.startMs);
  }

  #enterAnew(seat: SeatRecord, nowMs: number): void {
    takeOut(this.#seats, seat, nowMs);
    seat.entry = seat.outTo + 1;
    seat.sponsor = -1;
  }

  #depart(seat: SeatRecord): void {
    if (seat.isPlayers && seat.entry > seat.outTo) takeOut(this.#seats, seat, this.#around.now());
    seat.visit = 0;
    seat.sponsor = -1;
    this.#post.announce(seat);
  }

  #nameSponsors(nowMs: number): void {
    for (const seat of nameSponsors(this.#seats, nowMs, this.#around.times.sponsorMs)) this.#post.announce(seat);
  }

  #freeSlot(player: Player): SeatRecord | undefined {
    const players = this.#seats.filter(({ isPlayers }) => isPlayers);
    return this.#seatOf(player) ?? players.find((seat) => seat.player === undefined);
  }

  /** The seat of a player; of the same account, if its session is another one by now. */
  #seatOf(player: Player): SeatRecord | undefined {
    const account = player.identity?.account;
    return (
      this.#seats.find((seat) => seat.player?.id === player.id) ??
      this.#seats.find(({ player: holder }) => account !== undefined && holder?.identity?.account === account)
    );
  }

  #entered(player: Player): SeatRecord | undefined {
    const seat = this.#seatOf(player);
    if (seat === undefined) this.#refuse(player, "not-member", "no seat in this space");
    else if (seat.isBanned) this.#refuse(player, "banned", "out for good");
    else if (seat.visit === 0) this.#refuse(player, "not-entered", "enter first", seat);
    else return seat;
    return undefined;
  }

  /** Who sends, and to whom; undefined, and a refusal, where that is none of its business. */
  #ends(player: Player, address: number): readonly [SeatRecord, SeatRecord] | undefined {
    const from = this.#entered(player);
    if (from === undefined) return undefined;
    const other = this.#seats[address];
    if (other?.isTaken && other !== from && other.visit > 0 && this.#mayHear(from, other)) return [from, other];
    // Whoever left a moment ago is no stranger: what was on its way to it is lost.
    if (other === undefined || other.visits === 0 || other === from)
      this.#refuse(player, "stranger", `nobody at address ${address}`, from);
    return undefined;
  }

  /** Players hear all players and observers; a spectator and its sponsor hear each other. */
  #mayHear(one: SeatRecord, other: SeatRecord): boolean {
    if (one.isPlayers && other.isPlayers) return true;
    if (one.isPlayers !== other.isPlayers && (one.isObserver || other.isObserver)) return true;
    return one.sponsor === other.address || other.sponsor === one.address;
  }

  #refuse(player: Player, code: RefusalCode, detail: string, seat?: SeatRecord): void {
    if (seat !== undefined) {
      seat.refusals++;
      if (seat.refusals >= this.#around.limits.refusals && !seat.isBanned) {
        seat.isBanned = true;
        this.#depart(seat);
      }
    }
    this.#post.refuse(player, code, detail);
  }

  #mustBeOpen(): void {
    if (this.#isEnded) throw new SpaceError("closed", `space ${this.id} has ended`);
  }

  #end(why: SpaceEndReason): void {
    if (this.#isEnded) return;
    this.#post.end(why);
    this.#isEnded = true;
    const seats = this.#seats.map((seat) => ({
      address: seat.address,
      player: seat.player,
      isSpectator: !seat.isPlayers,
      wasIn: seat.isFighting,
      key: seat.key,
      result: seat.result,
    }));
    const outcome = { space: this.id, why, seats };
    this.#around.onEnd(outcome);
    this.#options.onEnd?.(outcome);
  }
}
