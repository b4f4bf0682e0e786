/**
 * The server's part of one action space: who has a seat, who is there, who lets whom in, and what the members hand in at the end. The fight itself runs on
 * the players' machines; the server sees signals, relayed frames as bytes, and reports of who is gone.
 *
 *   enter, leave, signal, relay, status, result (what members ask)      round: settle → sponsors → end
 */

import { type Player, type Room, to } from "@nearfield/server";
import { type RefusalCode, SpaceError } from "./errors.ts";
import {
  KEY_BYTES,
  MOST_SLOTS,
  MOST_SPECTATORS,
  maskOf,
  SpaceEnd,
  SpaceInvitation,
  SpaceRefusal,
  SpaceRelayed,
  SpaceSeat,
  SpaceSignalled,
} from "./messages.ts";
import { settle, takeOut } from "./rulings.ts";
import { type InsidePort, type Insider, SeatRecord, type SpaceLimits } from "./seats.ts";

export interface OpenSpaceOptions {
  /** The players, each of whom gets the slot of its place here. At least one. */
  readonly players: readonly Player[];
  /** Players that the fight has room for, 32 at most. Default: as many as `players`. Who comes later takes a slot that is free. */
  readonly slots?: number;
  /** Length of a step, ms. */
  readonly stepMs: number;
  /** Ms from now until the fight begins: time to load and to connect. Default 2,000. Who comes later is waited for, and then voted out. */
  readonly startInMs?: number;
  /** For the fight's dice, 32 bits. */
  readonly seed: number;
  /** What the game calls this kind of fight, up to 64 bytes. Default "". */
  readonly kind?: string;
  /**
   * The players' public keys, by slot, 32 bytes each, for fights whose inputs are signed. Default: what each player told with `tellKey`; empty where it told
   * none. Who comes later, or comes back with another key, tells its own.
   */
  readonly keys?: readonly Uint8Array[];
  /** 16 bytes that name this fight and no other, ever. Default: made of the space's number, the time and the `salt` of `ActionSpaces`. */
  readonly name?: Uint8Array;
  /** Whatever else members must know, up to 1,024 bytes. Default: nothing. */
  readonly data?: Uint8Array;
  /** Told once, when the space has ended. */
  readonly onEnd?: (outcome: SpaceOutcome) => void;
}

export interface SpaceTimes {
  /** Ms after which the server settles a vote that the players could not. Default 4,000. */
  readonly settleMs: number;
  /** Ms that a sponsor may take to let somebody in before another is named. Default 6,000. */
  readonly sponsorMs: number;
  /** Ms from the first result until the space ends without those that are missing. Default 10,000. */
  readonly resultMs: number;
  /** Ms without anybody in the fight after which the space ends. Default 10,000. */
  readonly emptyMs: number;
  /** Ms after which a space ends whatever its members do. Default one hour. */
  readonly longestMs: number;
}

export const DEFAULT_SPACE_TIMES: SpaceTimes = Object.freeze({
  settleMs: 4000,
  sponsorMs: 6000,
  resultMs: 10_000,
  emptyMs: 10_000,
  longestMs: 3_600_000,
});

/** `done`: all who fought have handed in. `results`: some have, and the time for the others is over. `empty`: nobody fights any more. */
export type SpaceEndReason = "done" | "results" | "empty" | "too-long" | "closed";

export interface SpaceOutcome {
  readonly space: number;
  readonly why: SpaceEndReason;
  readonly seats: readonly {
    readonly address: number;
    readonly player: Player | undefined;
    readonly isSpectator: boolean;
    /** Whether it was in the fight at the end. */
    readonly wasIn: boolean;
    /** What its player signs with; empty where it told none. */
    readonly key: Uint8Array;
    /** What it handed in; undefined: nothing, or not all of it. */
    readonly result: Uint8Array | undefined;
  }[];
}

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
    for (const seat of this.#seats) this.#sendInvitation(seat);
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
    this.#sendInvitation(seat);
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
    this.#sendInvitation(seat);
    return seat.address;
  }

  /** Seats an observer that runs inside the server: what members send it does not travel any further. */
  seatInside<T extends Insider>(make: (address: number, port: InsidePort) => T): T {
    this.#mustBeOpen();
    const seat = new SeatRecord(this.#seats.length, "observer", this.#around.limits, this.#around.now());
    const { address: from } = seat;
    const { room } = this.#around;
    const playerAt = (address: number): Player | undefined => {
      const other = this.#seats[address];
      return this.#isEnded || !other?.visit || other.player?.presence === "left" ? undefined : other.player;
    };
    const insider = make(from, {
      relay: (address, frame) => {
        const player = playerAt(address);
        if (player) room.emit(SpaceRelayed, { space: this.id, from, frame }, to(player));
        return player !== undefined;
      },
      signal: (address, signal) => {
        const player = playerAt(address);
        if (player) room.emit(SpaceSignalled, { space: this.id, from, signal }, to(player));
      },
    });
    seat.insider = insider;
    seat.visit = seat.visits = 1;
    seat.isIn = true;
    this.#seats.push(seat);
    for (const other of this.#seats) if (other !== seat) this.#announce(other, [seat]);
    this.#announce(seat);
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
    if (seat) this.#sendInvitation(seat);
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
    for (const other of this.#seats) if (other !== seat) this.#announce(other, [seat]);
    this.#announce(seat);
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
    if (other.insider) other.insider.signalled(from.address, signal);
    else this.#around.room.emit(SpaceSignalled, { space: this.id, from: from.address, signal }, to(other.player!));
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
    if (other.insider) other.insider.relayed(from.address, frame);
    else this.#around.room.emit(SpaceRelayed, { space: this.id, from: from.address, frame }, to(other.player!));
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
    this.#announce(seat);
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
    for (const seat of settle(this.#seats, nowMs, settleMs)) this.#announce(seat);
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
    this.#announce(seat);
  }

  /** Names who lets whom in: one newcomer at a time; and who tells each spectator what is final. Returns nothing; changed seats are announced. */
  #nameSponsors(nowMs: number): void {
    const { sponsorMs } = this.#around.times;
    const hosts = this.#seats.filter((seat) => seat.isFighting && seat.visit > 0);
    const isHost = (address: number): boolean => hosts.some((host) => host.address === address);
    const pending = this.#seats.filter((seat) => seat.isPending);
    const current = pending.find(({ sponsor }) => sponsor >= 0) ?? pending[0];
    if (current !== undefined) {
      const isLate = nowMs - current.sponsorMs > sponsorMs;
      if (current.sponsor < 0 || !isHost(current.sponsor) || isLate) this.#name(current, hosts, nowMs);
    }
    for (const seat of this.#seats)
      if (!seat.isPlayers && !seat.isObserver && seat.visit > 0 && !isHost(seat.sponsor))
        this.#name(seat, hosts, nowMs);
  }

  #name(seat: SeatRecord, hosts: readonly SeatRecord[], nowMs: number): void {
    const next = hosts.find(({ address }) => address > seat.sponsor) ?? hosts[0];
    const before = seat.sponsor;
    seat.sponsor = next?.address ?? -1;
    seat.sponsorMs = nowMs;
    if (before !== seat.sponsor) this.#announce(seat);
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

  // ── what members are told ──────────────────────────────────────────────────────────────────────────────────────

  /** Tells those who are there of a seat. */
  #announce(seat: SeatRecord, members: readonly SeatRecord[] = this.#seats): void {
    // Spectators are none of each other's business.
    const told = members.filter(
      (member) => member.visit > 0 && (seat.isPlayers || member === seat || member.isPlayers),
    );
    const { address, visit, entry, outTo, isIn, isObserver, sponsor, key, player } = seat;
    for (const { insider } of told) insider?.seat({ address, visit, entry, outTo, isIn, isObserver, sponsor });
    const players = told.map((member) => member.player).filter((one) => one !== undefined);
    if (players.length === 0 || this.#isEnded) return;
    const name = player?.nickname ?? "";
    const values = { space: this.id, address, visit, entry, outTo, isIn, isObserver, sponsor: sponsor + 1, key, name };
    this.#around.room.emit(SpaceSeat, values, to(...players));
  }

  /** The keys of all slots, one after the other, zeros where there is none; empty if nobody told one. */
  #allKeys(): Uint8Array {
    const keys = this.#seats.filter(({ isPlayers }) => isPlayers).map(({ key }) => key);
    if (keys.every((key) => key.length === 0)) return new Uint8Array(0);
    const all = new Uint8Array(this.#slots * KEY_BYTES);
    keys.forEach((key, slot) => {
      all.set(key, slot * KEY_BYTES);
    });
    return all;
  }

  #sendInvitation({ address, player, isObserver }: SeatRecord): void {
    if (player === undefined || player.presence === "left") return;
    const { stepMs, seed, kind = "", data = new Uint8Array(0) } = this.#options;
    const absent = maskOf(this.#seats.filter((seat) => seat.isAbsent).map((seat) => seat.address));
    const { id: space, startMs } = this;
    const { name } = this.#around;
    const form = { slots: this.#slots, absent, stepMs, startMs, seed };
    const values = { space, kind, address, isObserver, ...form, name, keys: this.#allKeys(), data };
    this.#around.room.emit(SpaceInvitation, values, to(player));
  }

  #refuse(player: Player, code: RefusalCode, detail: string, seat?: SeatRecord): void {
    if (seat !== undefined) {
      seat.refusals++;
      if (seat.refusals >= this.#around.limits.refusals && !seat.isBanned) {
        seat.isBanned = true;
        this.#depart(seat);
      }
    }
    this.#around.room.emit(SpaceRefusal, { space: this.id, code, detail }, to(player));
  }

  #mustBeOpen(): void {
    if (this.#isEnded) throw new SpaceError("closed", `space ${this.id} has ended`);
  }

  #end(why: SpaceEndReason): void {
    if (this.#isEnded) return;
    const players = this.#seats.map(({ player }) => player).filter((player) => player !== undefined);
    const here = players.filter(({ presence }) => presence !== "left");
    if (here.length > 0) this.#around.room.emit(SpaceEnd, { space: this.id, why }, to(...here));
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
