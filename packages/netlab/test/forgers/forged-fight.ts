/**
 * A fight on virtual time in which some players forge, as their plan says. Honest players and observers run the real sessions; forgers run them too, but with altered rules,
 * altered messages, or a verifier that believes everything.
 */

import { Dice } from "@nearfield/netlab";
import { LabKeys, Pods, pressedBy } from "@nearfield/netlab/internal";
import {
  decodeMessage,
  decodeWatched,
  EVERYBODY,
  encodeMessage,
  encodeWatched,
  type Fight,
  firstHead,
  headAfter,
  PeerSession,
  Replica,
  type Seal,
  type SignedRows,
  statementOf,
} from "@nearfield/rollback/internal";
import { Observer, type Outcome, type SealOptions, stateDigest } from "@nearfield/rollback/trust";
import type { Plan } from "./plan.ts";

export const STEP_MS = 50;
/** The state whose goods are reported. */
export const END = 128;
export const SPACE: Uint8Array = Uint8Array.from({ length: 16 }, (_, at) => at);
export const INPUT_BYTES = 1;
export const STALL_MS = 2500;
/** What a forged state gives to the leader. */
const LOOT = 50;
/** Ticks after the last step until all is said. */
const AFTER = 60;
/** For so long a leader that is late holds back what it does. */
const LATE_MS = 1500;

interface Packet {
  readonly atMs: number;
  readonly from: number;
  readonly bytes: Uint8Array;
}

export class Fighter {
  readonly id: number;
  readonly session: PeerSession;
  readonly replica: Replica;
  readonly outcomes: Outcome[] = [];
  /** What the player did, row by row. */
  readonly rows: Uint8Array[] = [];
  inbox: Packet[] = [];

  constructor(id: number, plan: Plan, keys: LabKeys) {
    const isLiar = plan.liars.has(id);
    const pods = new Pods(plan.players, 120);
    const seals = sealsOf(keys, isLiar ? { verify: () => true } : keys, id);
    const common = { players: plan.players, inputBytes: INPUT_BYTES, stepMs: STEP_MS, startMs: 0, stallMs: STALL_MS };
    this.id = id;
    this.session = new PeerSession({ ...common, own: id, seals });
    const fight = isLiar && plan.lie === "state" ? looted(pods, plan) : pods;
    this.replica = new Replica(this.session.timeline, fight, (state, checksum, saved) => {
      this.session.settled(state, checksum, saved);
      noteOutcome(this.outcomes, state, saved, plan.players);
    });
  }

  noteRows(): void {
    for (;;) {
      const row = this.session.timeline.rowOf(this.id, this.rows.length, false);
      if (!row) return;
      this.rows.push(row);
    }
  }
}

export class Watcher {
  readonly name: string;
  readonly observer: Observer;
  readonly outcomes: Outcome[] = [];
  readonly replica: Replica;
  inbox: Packet[] = [];

  constructor(name: string, plan: Plan, keys: LabKeys) {
    this.name = name;
    const { players } = plan;
    this.observer = new Observer({ players, inputBytes: INPUT_BYTES, seals: sealsOf(keys, keys) });
    this.replica = new Replica(this.observer.timeline, new Pods(players, 120), (state, _checksum, saved) => {
      this.observer.settled(state, saved);
      noteOutcome(this.outcomes, state, saved, players);
    });
  }
}

export interface ForgedFight {
  readonly plan: Plan;
  readonly keys: LabKeys;
  readonly fighters: readonly Fighter[];
  readonly watchers: readonly Watcher[];
  /** When the lie was told, and when an honest one noticed, ms; undefined: nobody did. */
  readonly toldMs: number;
  readonly noticedMs: number | undefined;
  /** The slowest delay that any message had. */
  readonly slowestMs: number;
}

export function playForgedFight(plan: Plan): ForgedFight {
  const dice = new Dice(plan.seed).fork("fight");
  const keys = new LabKeys(plan.seed, plan.players);
  const fighters = Array.from({ length: plan.players }, (_, id) => new Fighter(id, plan, keys));
  const watchers = plan.observers.filter((name) => !plan.bought.has(name)).map((name) => new Watcher(name, plan, keys));
  const pressed = new Uint8Array(plan.players);
  const liar = new Liar(plan, keys, fighters, watchers);
  let toldMs = plan.step * STEP_MS;
  let noticedMs: number | undefined;
  let slowestMs = 0;
  for (let tick = 0; tick < END + AFTER; tick++) {
    const nowMs = tick * STEP_MS;
    const send = (to: number | Watcher, inbox: Packet[], from: number, bytes: Uint8Array | undefined) => {
      const isWatched = typeof to !== "number";
      const delayMs = dice.range(10, plan.slowestMs);
      if (bytes === undefined) return;
      if (dice.chance(plan.loss)) return;
      slowestMs = Math.max(slowestMs, delayMs);
      inbox.push({ atMs: nowMs + delayMs + liar.holdsBackMs(from, nowMs, isWatched), from, bytes });
    };
    for (const fighter of fighters) {
      const { id, session } = fighter;
      for (const { from, bytes } of due(fighter, nowMs)) {
        const heard = liar.hears(id, from, bytes);
        if (heard) session.receive(from, heard);
      }
      if (dice.chance(0.2)) pressed[id] = pressedBy(dice);
      fighter.replica.carryOut(session.tick(Math.min(tick + 1, END) * STEP_MS, pressed.subarray(id, id + 1)));
      fighter.noteRows();
      for (const to of fighters)
        if (to.id !== id) send(to.id, to.inbox, id, liar.tells(id, to.id, session.messageTo(to.id), nowMs));
      for (const watcher of watchers) {
        const rows = session.signedRows(watcher.observer.needs(id));
        send(watcher, watcher.inbox, id, liar.shows(id, watcher, rows, nowMs));
      }
    }
    for (const watcher of watchers) {
      for (const { from, bytes } of due(watcher, nowMs)) watcher.observer.receive(from, bytes);
      watcher.replica.carryOut(watcher.observer.tick());
    }
    if (plan.lie === "omission" && !fighters[plan.leader]!.session.gone.has(plan.victim)) toldMs = nowMs;
    if (hasNoticed(plan, fighters, watchers)) noticedMs ??= nowMs;
  }
  for (const { replica, observer } of watchers) replica.carryOut(observer.finish());
  return { plan, keys, fighters, watchers, toldMs, noticedMs, slowestMs };
}

/** What forgers do to messages. */
class Liar {
  readonly #plan: Plan;
  readonly #keys: LabKeys;
  readonly #fighters: readonly Fighter[];
  /** Who is told the other version. */
  readonly #deceived: ReadonlySet<number | Watcher>;

  constructor(plan: Plan, keys: LabKeys, fighters: readonly Fighter[], watchers: readonly Watcher[]) {
    this.#plan = plan;
    this.#keys = keys;
    this.#fighters = fighters;
    const honest = [...watchers, ...fighters.map(({ id }) => id).filter((id) => !plan.liars.has(id))];
    this.#deceived = new Set(honest.filter((_, at) => at % 2 === 0));
  }

  /** What a player makes of a message. */
  hears(to: number, from: number, bytes: Uint8Array): Uint8Array | undefined {
    const { lie, liars, victim, step } = this.#plan;
    if (!liars.has(to) || from !== victim) return bytes;
    if (lie === "omission" && this.#fighters[to]!.session.timeline.head >= step) return undefined;
    if (lie !== "inputs") return bytes;
    const message = decodeMessage(this.#form, from, bytes);
    return encodeMessage(this.#form, { ...message, own: altered(message.own, step) });
  }

  tells(from: number, to: number, bytes: Uint8Array, nowMs: number): Uint8Array | undefined {
    if (this.#isSilent(from, nowMs)) return undefined;
    if (!this.#deceives(from, to)) return bytes;
    const message = decodeMessage(this.#form, from, bytes);
    return encodeMessage(this.#form, { ...message, own: this.#signAnew(message.own) });
  }

  shows(from: number, to: Watcher, bytes: Uint8Array, nowMs: number): Uint8Array | undefined {
    if (this.#isSilent(from, nowMs)) return undefined;
    if (!this.#deceives(from, to)) return bytes;
    const watched = decodeWatched(this.#form, from, bytes);
    return encodeWatched(this.#form, { ...watched, own: this.#signAnew(watched.own) });
  }

  holdsBackMs(from: number, nowMs: number, isWatched: boolean): number {
    const { lie, leader, step } = this.#plan;
    const lateMs = nowMs - step * STEP_MS;
    return lie === "late" && from === leader && !isWatched && lateMs >= 0 && lateMs < LATE_MS ? LATE_MS - lateMs : 0;
  }

  get #form() {
    return { players: this.#plan.players, inputBytes: INPUT_BYTES, hasLags: false, isSealed: true };
  }

  #isSilent(from: number, nowMs: number): boolean {
    const { lie, leader, step } = this.#plan;
    return lie === "silence" && from === leader && nowMs >= step * STEP_MS;
  }

  #deceives(from: number, to: number | Watcher): boolean {
    const { lie, leader } = this.#plan;
    return lie === "equivocation" && from === leader && this.#deceived.has(to);
  }

  /** The leader's rows with another input, and its signature under them. */
  #signAnew(own: SignedRows): SignedRows {
    const { leader, step } = this.#plan;
    const { rows } = this.#fighters[leader]!;
    const other = altered({ player: leader, first: 0, rows: rows.slice(0, own.seal?.through ?? 0) }, step);
    const seal = own.seal && signAnew(this.#keys, { ...own.seal, state: 0 }, other.rows, SPACE);
    return { ...altered(own, step), seal };
  }
}

/** Signs a chain of rows with its player's key, as only that player can. */
export function signAnew(keys: LabKeys, seal: Seal, rows: readonly Uint8Array[], space: Uint8Array): Seal {
  const head = headAfter(firstHead(space, seal.player), rows);
  const signature = keys.signers[seal.player]!.sign(statementOf(space, seal, head)) as Uint8Array;
  return { ...seal, signature };
}

/** The same rows, with another input in one step. */
export function altered<R extends SignedRows>(rows: R, step: number): R {
  const change = (row: Uint8Array, at: number) =>
    rows.first + at === step ? Uint8Array.of(row[0]! ^ 17, ...row.subarray(1)) : row;
  return { ...rows, rows: rows.rows.map(change) };
}

function sealsOf(keys: LabKeys, verifier: SealOptions["verifier"], own?: number): SealOptions {
  const signer = own === undefined ? {} : { signer: keys.signers[own]! };
  return { space: SPACE, keys: keys.publicKeys, verifier, ...signer };
}

function looted(pods: Pods, { leader, step }: Plan): Fight {
  const advance: Fight["advance"] = (at, inputs, only) => {
    pods.advance(at, inputs, only);
    if (at === step && (only === EVERYBODY || only === leader)) (pods.state.at["hits"] as Uint16Array)[leader]! += LOOT;
  };
  return { state: pods.state, advance, spheres: (into) => pods.spheres(into) };
}

function noteOutcome(outcomes: Outcome[], state: number, saved: Uint8Array, players: number): void {
  if (state % 8 !== 0) return;
  const pods = new Pods(players);
  pods.state.load(saved);
  outcomes.push({ state, digest: stateDigest(saved), result: pods.goods });
}

function due(into: { inbox: Packet[] }, nowMs: number): Packet[] {
  const now = into.inbox.filter(({ atMs }) => atMs <= nowMs);
  into.inbox = into.inbox.filter(({ atMs }) => atMs > nowMs);
  return now;
}

function hasNoticed({ liars }: Plan, fighters: readonly Fighter[], watchers: readonly Watcher[]): boolean {
  return (
    fighters.some(({ id, session }) => !liars.has(id) && session.disputes.length + session.desyncs.length > 0) ||
    watchers.some(({ observer }) => observer.disputes.length + observer.omissions.length > 0)
  );
}
