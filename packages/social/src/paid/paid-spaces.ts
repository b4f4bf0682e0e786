/**
 * Action spaces whose results are paid in goods of accounts. It opens a space, sees to it that somebody checks the fight who has nothing to win by it, hears what members claim and
 * prove, and settles each player's goods once, on disk, or denies them. Why so: docs/decisions/0045-paid-fights.md.
 *
 *     const paid = social.openPaidSpaces(spaces, { kinds: { dungeon: rules } });
 *     const space = await paid.open({ kind: "dungeon", players, stepMs: 50, seed });
 */

import { drawObservers, type Reporter, type Verdict, type Verifier } from "@nearfield/rollback/trust";
import { type Player, to } from "@nearfield/server";
import { SocialError } from "../errors.ts";
import type { Settlement, SpaceVerdict } from "../settlement/settlement.ts";
import type { ActionSpace } from "../spaces/action-space.ts";
import type { ActionSpaces } from "../spaces/action-spaces.ts";
import { Bucket } from "../spaces/bucket.ts";
import { SpaceError } from "../spaces/errors.ts";
import { SpaceClaim, SpaceDemand, SpaceEvidence, SpacePaid } from "../spaces/messages.ts";
import type { OpenSpaceOptions } from "../spaces/options.ts";
import { Court } from "./court.ts";
import { bytesOf, type Docket, type Dockets, hexOf } from "./docket.ts";
import { Hearing, type PaidTimes } from "./hearing.ts";
import { HouseObserver } from "./house-observer.ts";
import type { PaidRules } from "./rules.ts";

export interface PaidSpacesOptions {
  /** The rules of each kind of fight, as pages have them. After a restart fights of these kinds can still be claimed. */
  readonly kinds: Readonly<Record<string, PaidRules>>;
  /** Whether an account is paid at all; companions of the server are not. Default: every account is. */
  readonly pays?: (account: string) => boolean;
  /** Observers that are drawn for a fight. Default 2. More make a forged result rarer, and cost each player some bytes. */
  readonly observers?: number;
  readonly times?: Partial<PaidTimes>;
  /**
   * Disputes that are heard at once. Default 4. The others wait in line, and goods that are disputed come later. Each takes memory for the logs of all who are asked, up to 2 MB for each, and all
   * together up to 128 steps of a fight in each round.
   */
  readonly trials?: number;
  /** Told of every verdict for which inputs were replayed: who lied, and whether that is proven. */
  readonly onVerdict?: (space: Uint8Array, verdict: Verdict) => void;
  /** Who verifies signatures. Default: Ed25519 by the host's WebCrypto. */
  readonly verifier?: Verifier;
}

export interface OpenPaidOptions extends Omit<OpenSpaceOptions, "name" | "keys"> {
  /** One of `kinds`. */
  readonly kind: string;
  /** Who may be drawn to observe. Default: everybody in the room. Those who fight, their friends and their parties are left out always. */
  readonly candidates?: readonly Player[];
}

/** What paid spaces need of the social space. */
export interface PaidSurroundings {
  readonly spaces: ActionSpaces;
  readonly dockets: Dockets;
  readonly verifier: Verifier;
  readonly settle: (id: string, verdict: SpaceVerdict) => Promise<Settlement>;
  /** Those whom an account's result could matter to: friends, and members of its party. */
  readonly near: (account: string) => Promise<ReadonlySet<string>>;
  /** 32 hexadecimal digits that nobody can guess. */
  readonly randomId: () => string;
  /** Ms since 1970. */
  readonly now: () => number;
  readonly onError: (error: unknown, where: string) => void;
}

interface Entry {
  readonly name: Uint8Array;
  readonly hearing: Hearing;
  docket: Docket;
  /** Undefined: it was opened before the server was restarted. */
  readonly space: ActionSpace | undefined;
  house: HouseObserver | undefined;
}

const DEFAULT_TIMES: PaidTimes = Object.freeze({ claimMs: 6000, evidenceMs: 15_000 });
const OBSERVERS = 2;
const TRIALS = 4;
/** The server's own observer among those who report. No account has a space in its name. */
const HOUSE = "the server";
/** Claims and parts of a second that one player may send for fights of which nothing is known here. */
const STRANGE_PER_SECOND = 4;
/** Ms without a claim after which a fight of before the restart is put away again. */
const QUIET_MS = 60_000;

export class PaidSpaces {
  readonly #options: PaidSpacesOptions;
  readonly #around: PaidSurroundings;
  readonly #times: PaidTimes;
  readonly #court: Court;
  readonly #entries = new Map<string, Entry>();
  /** Fights of before the restart that are being looked for. */
  readonly #sought = new Map<string, Promise<Entry | undefined>>();
  readonly #strange = new WeakMap<Player, Bucket>();

  constructor(options: PaidSpacesOptions, around: PaidSurroundings) {
    this.#options = options;
    this.#around = around;
    this.#times = { ...DEFAULT_TIMES, ...options.times };
    const { trials = TRIALS } = options;
    if (!(Number.isInteger(trials) && trials > 0))
      throw new SpaceError("bad-option", `trials is ${trials}, but must be a whole number above 0`);
    this.#court = new Court(trials);
    const { room } = around.spaces;
    room.onCommand(SpaceClaim, (player, { name, state, digest, worth: result, isDoubted }) =>
      this.#withEntry(player, name, (entry, by) => {
        entry.hearing.claim(by, { state, digest, result, isDoubted });
        if (entry.hearing.paid !== 0) this.#tellPaid(entry, [player]);
      }),
    );
    room.onCommand(SpaceEvidence, (player, { name, demand, part, parts, bytes }) =>
      this.#withEntry(player, name, ({ hearing }, by) => hearing.part(by, demand, part, parts, bytes)),
    );
    room.onRound(() => this.#round());
    around.dockets.sweep().catch((error: unknown) => around.onError(error, "dockets"));
  }

  /** Fights whose goods are not all settled, those of before a restart that somebody claims among them. */
  get unsettled(): number {
    return this.#entries.size;
  }

  /**
   * Opens a space, draws its observers, and invites everybody. Each player must have an account and have told a key (`tellKey`). Resolves when the fight is on record. Rejects with
   * `SpaceError`: "bad-option", "full".
   */
  async open(options: OpenPaidOptions): Promise<ActionSpace> {
    const { kind, players, slots = players.length, seed, data = new Uint8Array(0), candidates, ...rest } = options;
    const rules = this.#rulesOf(kind);
    const accounts = this.#accountsOf(players, slots);
    const { spaces, dockets, randomId, now } = this.#around;
    const observers = await this.#draw(players, candidates ?? [...spaces.room.players.values()]);
    const name = bytesOf(randomId());
    const docket: Docket = {
      kind,
      slots,
      seed,
      data: hexOf(data),
      accounts,
      keys: accounts.map((_, slot) => (players[slot] ? [hexOf(spaces.keyOf(players[slot]))] : [])),
      observers: observers.map((player) => player.identity!.account),
      openedMs: now(),
    };
    await dockets.put(hexOf(name), docket);
    const space = spaces.open({ ...rest, kind, players, slots, seed, data, name });
    const entry = this.#enter(name, docket, rules, space);
    for (const observer of observers) if (observer.presence !== "left") space.inviteObserver(observer);
    if (observers.length === 0) this.#observe(entry, space);
    return space;
  }

  // ── who checks ─────────────────────────────────────────────────────────────────────────────────────────────────

  async #draw(players: readonly Player[], candidates: readonly Player[]): Promise<Player[]> {
    const barred = new Set<string>();
    for (const { identity } of players) {
      barred.add(identity!.account);
      for (const account of await this.#around.near(identity!.account)) barred.add(account);
    }
    const free = candidates.filter(({ presence, identity }) => presence === "here" && identity !== undefined);
    const honest = free.filter(({ identity }) => !barred.has(identity!.account));
    const once = honest.filter(
      ({ identity }, at) => honest.findIndex((other) => other.identity!.account === identity!.account) === at,
    );
    return drawObservers(once, this.#options.observers ?? OBSERVERS, (sides) => this.#roll(sides));
  }

  #roll(sides: number): number {
    return Number.parseInt(this.#around.randomId().slice(0, 12), 16) % sides;
  }

  /** The server checks the fight itself. */
  #observe(entry: Entry, space: ActionSpace): void {
    const { docket, hearing } = entry;
    const absent = space.seats.filter(({ isAbsent }) => isAbsent).map(({ address }) => address);
    const { slots, seed } = docket;
    entry.house = HouseObserver.sit({
      space,
      form: { slots, seed, data: bytesOf(docket.data), absent, stepMs: space.stepMs },
      rules: this.#rulesOf(docket.kind),
      verifier: this.#around.verifier,
      now: () => this.#around.spaces.timeMs,
      onClaim: (claim, isDoubted) => hearing.claim(HOUSE, { ...claim, isDoubted }),
    });
  }

  // ── who claims ─────────────────────────────────────────────────────────────────────────────────────────────────

  #enter(name: Uint8Array, docket: Docket, rules: PaidRules, space: ActionSpace | undefined): Entry {
    const { verifier, onError, spaces } = this.#around;
    const id = hexOf(name);
    const hearing = new Hearing({
      name,
      docket,
      rules,
      verifier,
      court: this.#court,
      times: this.#times,
      now: () => spaces.timeMs,
      required: space && (() => this.#required(space)),
      demand: (by, number) => this.#demand(entry, by, number),
      settle: (slot, verdict) => this.#settle(entry, slot, verdict),
      onPaid: () => this.#tellPaid(entry),
      onVerdict: (verdict) => this.#options.onVerdict?.(name, verdict),
      onError,
    });
    const entry: Entry = { name, hearing, docket, space, house: undefined };
    this.#entries.set(id, entry);
    return entry;
  }

  /** Players who have been there from the beginning, and all who came to check. */
  #required({ seats }: ActionSpace): Reporter[] {
    const players = seats.filter((seat) => seat.isFighting && seat.entry === 1).map(({ address }) => address);
    const observers = seats.filter((seat) => seat.isObserver && seat.visits > 0);
    return [
      ...players,
      ...observers.map(({ insider, player }) => (insider ? HOUSE : (player?.identity?.account ?? ""))),
    ];
  }

  /** Finds the fight and who the player is in it. What belongs to neither is dropped. */
  #withEntry(player: Player, name: Uint8Array, hear: (entry: Entry, by: Reporter) => void): void {
    const account = player.identity?.account;
    const id = hexOf(name);
    if (account === undefined) return;
    const found = this.#entries.get(id);
    if (found !== undefined) return this.#hear(found, account, hear);
    if (!this.#maySeek(player)) return;
    const seeking = this.#sought.get(id) ?? this.#seek(id);
    this.#sought.set(id, seeking);
    seeking.then(
      (entry) => {
        this.#sought.delete(id);
        if (entry) this.#hear(entry, account, hear);
      },
      (error: unknown) => {
        this.#sought.delete(id);
        this.#around.onError(error, "dockets");
      },
    );
  }

  #hear(entry: Entry, account: string, hear: (entry: Entry, by: Reporter) => void): void {
    const { accounts, observers } = entry.docket;
    const slot = accounts.indexOf(account);
    if (slot >= 0) hear(entry, slot);
    else if (observers.includes(account)) hear(entry, account);
  }

  async #seek(id: string): Promise<Entry | undefined> {
    const docket = await this.#around.dockets.get(id);
    const rules = docket && this.#options.kinds[docket.kind];
    return rules && (this.#entries.get(id) ?? this.#enter(bytesOf(id), docket, rules, undefined));
  }

  #maySeek(player: Player): boolean {
    const nowMs = this.#around.spaces.timeMs;
    const bucket = this.#strange.get(player) ?? new Bucket(STRANGE_PER_SECOND, 4 * STRANGE_PER_SECOND, nowMs);
    this.#strange.set(player, bucket);
    return bucket.take(1, nowMs);
  }

  // ── what members are told ──────────────────────────────────────────────────────────────────────────────────────

  #demand(entry: Entry, by: Reporter, demand: number): void {
    if (by === HOUSE) return entry.hearing.prove(HOUSE, entry.house?.evidence);
    const account = typeof by === "number" ? entry.docket.accounts[by] : by;
    const players = this.#playersOf([account ?? ""]);
    if (players.length > 0) this.#around.spaces.room.emit(SpaceDemand, { name: entry.name, demand }, to(...players));
  }

  #tellPaid({ name, docket, hearing }: Entry, told?: readonly Player[]): void {
    const players = told ?? this.#playersOf([...docket.accounts, ...docket.observers]);
    if (players.length > 0) this.#around.spaces.room.emit(SpacePaid, { name, slots: hearing.paid }, to(...players));
  }

  #playersOf(accounts: readonly string[]): Player[] {
    const { room } = this.#around.spaces;
    return [...room.players.values()].filter(
      ({ identity, presence }) => presence !== "left" && identity !== undefined && accounts.includes(identity.account),
    );
  }

  // ── payment, and the round ─────────────────────────────────────────────────────────────────────────────────────

  /** Under an id of the fight and the slot: whoever asks how often, it is done once. */
  async #settle({ name, docket }: Entry, slot: number, verdict: SpaceVerdict): Promise<void> {
    const account = docket.accounts[slot] ?? "";
    const { pays = () => true } = this.#options;
    if (account === "" || !pays(account)) return;
    const id = `${hexOf(name)}-${slot}`;
    try {
      await this.#around.settle(id, verdict);
    } catch (error) {
      if (!(error instanceof SocialError)) throw error;
      // Goods that cannot be: the game's rules are wrong, or all who reported lied alike.
      this.#around.onError(error, "settlement");
      await this.#around.settle(id, { accepted: [], denied: [{ account, reason: error.message }] });
    }
  }

  #round(): void {
    const nowMs = this.#around.spaces.timeMs;
    this.#court.round();
    for (const [id, entry] of this.#entries) {
      const { space, hearing, docket } = entry;
      if (space && !space.isEnded) this.#attend(entry, space, nowMs);
      else entry.house?.leave();
      hearing.round();
      if ((space && !space.isEnded) || !hearing.isIdle) continue;
      if (nowMs - hearing.quietMs < (space ? this.#times.claimMs : QUIET_MS)) continue;
      hearing.close();
      if (hearing.isIdle) this.#putAway(id, space !== undefined || hearing.paid === fullMask(docket.slots));
    }
  }

  /** While the fight lasts: its own observer, and who has come. */
  #attend(entry: Entry, space: ActionSpace, nowMs: number): void {
    const hasObserver = space.seats.some((seat) => seat.isObserver && seat.visits > 0);
    if (!hasObserver && nowMs >= space.startMs) this.#observe(entry, space);
    entry.house?.tick(nowMs);
    const seats = space.seats.slice(0, entry.docket.slots);
    const keys = seats.map((seat) => seat.keys.map(hexOf));
    const accounts = seats.map(({ player }, slot) => player?.identity?.account ?? entry.docket.accounts[slot]!);
    if (isSame(keys, entry.docket.keys) && isSame(accounts, entry.docket.accounts)) return;
    entry.docket = { ...entry.docket, keys, accounts };
    entry.hearing.renew(entry.docket);
    this.#around.dockets
      .put(hexOf(entry.name), entry.docket)
      .catch((error: unknown) => this.#around.onError(error, "dockets"));
  }

  /** Nothing more can come of this fight here. */
  #putAway(id: string, isSettled: boolean): void {
    const { dockets, onError } = this.#around;
    this.#court.leave(this.#entries.get(id)!.hearing);
    this.#entries.delete(id);
    if (isSettled) dockets.remove(id).catch((error: unknown) => onError(error, "dockets"));
  }

  #rulesOf(kind: string): PaidRules {
    const rules = this.#options.kinds[kind];
    if (rules === undefined)
      throw new SpaceError(
        "bad-option",
        `kind is "${kind}", but must be one of ${Object.keys(this.#options.kinds).join()}`,
      );
    return rules;
  }

  #accountsOf(players: readonly Player[], slots: number): string[] {
    const { spaces } = this.#around;
    for (const player of players) {
      if (player.identity === undefined)
        throw new SpaceError("bad-option", `${player.nickname} has no account to be paid`);
      if (spaces.keyOf(player).length === 0)
        throw new SpaceError("bad-option", `${player.nickname} has told no key: its inputs would not be signed`);
    }
    const accounts = players.map(({ identity }) => identity!.account);
    if (new Set(accounts).size !== accounts.length)
      throw new SpaceError("bad-option", "an account takes part in a fight once");
    return Array.from({ length: slots }, (_, slot) => accounts[slot] ?? "");
  }
}

function fullMask(slots: number): number {
  return slots === 32 ? 0xffff_ffff : 2 ** slots - 1;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
