/**
 * The server that keeps the lobby of all servers. What servers ask is carried out in batches:
 *
 *     take questions → change the lobby → write the changes to the log → answer, tell, open rooms
 *
 * Nothing leaves before its changes are in the log. If they cannot be written for sure, this keeper forgets everything and begins anew from the log and with a new
 * fence, or another one does: so a ticket is in one match at most, whatever happens to keepers. A question is carried out once: servers number their messages, and the
 * log keeps the number of the last one that changed something.
 *
 * A match goes through three states: *made* (its tickets are used up, and a server is named for it), *open* (that server has its room), told. The
 * named server changes only if it dies or refuses. A match that no server has opened after `OPEN_MS` gives its tickets back.
 */

import type { Off } from "@nearfield/schema";
import {
  type LobbyRecord,
  LocalLobby,
  type LocalLobbyOptions,
  type QueuedMatch,
  type QueuedTicket,
  SocialError,
} from "@nearfield/social/internal";
import type { KeeperElection } from "./keeper-election.ts";
import { LobbyLog } from "./lobby-log.ts";
import {
  type Answered,
  type Ask,
  type Asked,
  decode,
  encode,
  type NewsItem,
  readers,
  roomView,
  type Told,
} from "./messages.ts";
import type { ClusterPlace } from "./place.ts";
import { refusalOf } from "./refusals.ts";
import { subjectOf } from "./shared-rooms.ts";

export interface KeeperOptions {
  readonly place: ClusterPlace;
  readonly election: KeeperElection;
  readonly rules: Omit<LocalLobbyOptions, "news" | "isHere" | "changed">;
  /** Servers that may be given a room, the least loaded first. */
  readonly candidates: () => readonly number[];
}

/** A match that was made and of which not everybody has heard. */
interface Pending {
  readonly match: QueuedMatch;
  readonly tickets: readonly QueuedTicket[];
  /** 0: none yet. */
  readonly holder: number;
  readonly isOpen: boolean;
}

/** What only this keeper knows of it. */
interface Progress {
  sinceMs: number;
  isAsking: boolean;
  readonly refusedBy: Set<number>;
  readonly untold: Set<string>;
}

type Stored =
  | LobbyRecord
  | ({ readonly kind: "match" } & Pending)
  | { readonly kind: "last"; readonly server: number; readonly number: number };

/** How often the lobby is looked after, ms. */
const LOOK_MS = 250;
/** A match that nobody has opened after this time gives its tickets back. */
export const OPEN_MS = 10_000;
/** Players of a match are told of it again and again for this time at most. */
export const TELL_MS = 30_000;
/** After this time a new keeper takes accounts for gone that no server has named. */
const CLAIM_MS = 10_000;
const MATCHES_AT_ONCE = 100;
/** Changes of one batch, in records. */
const MOST_CHANGES = 100;
/** Messages that wait; of more, the newest are dropped and come again. */
const MOST_WAITING = 1000;
/** An account that is in the lobby and on no server. */
const NOWHERE = 0;

export class LobbyKeeper {
  readonly #options: KeeperOptions;
  readonly #off: Off;
  #inbox: Asked[] = [];
  #term: Term | undefined;

  constructor(options: KeeperOptions) {
    this.#options = options;
    const { bus, membership } = options.place;
    this.#off = bus.subscribe(askSubject(membership.number), (payload) => {
      const asked = decode(payload, readers.asked);
      if (asked === undefined || this.#term === undefined || this.#inbox.length >= MOST_WAITING) return;
      this.#inbox.push(asked);
      this.#term.run();
    });
  }

  /** To be called in every round. */
  tick(): void {
    const { election, place } = this.#options;
    const isKeeper = election.keeper === place.membership.number && place.membership.isHeld;
    if (this.#term !== undefined && (!isKeeper || this.#term.isOver || this.#term.fence !== election.fence)) {
      if (this.#term.fence === election.fence) election.renew();
      this.#term.isOver = true;
      this.#term = undefined;
      this.#inbox = [];
    }
    if (!isKeeper || election.isSpent) return;
    this.#term ??= new Term(this.#options, election.fence, () => this.#inbox.shift());
    this.#term.tick();
  }

  close(): void {
    this.#off();
    if (this.#term !== undefined) this.#term.isOver = true;
    this.#term = undefined;
  }
}

/** A keeper from when it has taken over until it is not sure of the log any more. */
class Term {
  readonly fence: number;
  isOver = false;
  readonly #options: KeeperOptions;
  readonly #next: () => Asked | undefined;
  readonly #log: LobbyLog;
  readonly #lobby: LocalLobby;
  readonly #pending = new Map<string, Pending>();
  readonly #progress = new Map<string, Progress>();
  /** The last message of each server, with its answers where this keeper has given them. */
  readonly #last = new Map<number, { readonly number: number; readonly answers?: readonly Answered[] }>();
  /** Where the accounts in the lobby are. */
  readonly #at = new Map<string, number>();
  readonly #sinceMs: number;
  /** Of the batch under way. */
  #changes = new Map<string, unknown>();
  #news: NewsItem[] = [];
  #after: (() => void)[] = [];
  /** What came back from servers that were asked for rooms. */
  #outcomes: (() => void)[] = [];
  #toldSoFar = 0;
  #isReady = false;
  #isWriting = false;
  #lookedMs = Number.NEGATIVE_INFINITY;

  constructor(options: KeeperOptions, fence: number, next: () => Asked | undefined) {
    this.#options = options;
    this.fence = fence;
    this.#next = next;
    this.#sinceMs = options.place.now();
    this.#log = new LobbyLog(options.place.bus);
    this.#lobby = new LocalLobby({
      ...options.rules,
      // Whether somebody is here only the servers know. An invitation that nobody hears ends by itself.
      isHere: () => true,
      changed: (id, record) => this.#put(`${id}`, record),
      news: {
        party: (account, party) => this.#tell("party", account, party ?? null),
        invited: (account, by, party) => this.#tell("invited", account, { ...by, party }),
        waiting: (account, isWaiting) => this.#tell("waiting", account, isWaiting),
        match: (match, tickets) => this.#note({ match, tickets, holder: 0, isOpen: false }),
      },
    });
    this.#log.takeOver((isTaken) => {
      if (!isTaken) this.isOver = true;
      if (this.isOver) return;
      for (const record of this.#log.records.values()) this.#restore(record as Stored);
      this.#changes.clear();
      this.#isReady = true;
      this.run();
    });
  }

  tick(): void {
    if (this.#options.place.now() - this.#lookedMs >= LOOK_MS) this.run();
  }

  /** Carries out one batch, if none is under way. */
  run(): void {
    if (!this.#isReady || this.#isWriting || this.isOver || !this.#options.place.membership.isHeld) return;
    for (const outcome of this.#outcomes.splice(0)) outcome();
    while (this.#changes.size < MOST_CHANGES) {
      const asked = this.#next();
      if (asked === undefined) break;
      this.#serve(asked);
    }
    const nowMs = this.#options.place.now();
    if (nowMs - this.#lookedMs >= LOOK_MS) {
      this.#lookedMs = nowMs;
      this.#look(nowMs);
    }
    if (this.#changes.size === 0) return this.#release();
    this.#isWriting = true;
    const changes = this.#changes;
    this.#changes = new Map();
    this.#log.write(changes, (isWritten) => {
      this.#isWriting = false;
      if (!isWritten) this.isOver = true;
      if (this.isOver) return;
      this.#release();
      this.run();
    });
  }

  /** What was decided is safe: it may be known. */
  #release(): void {
    const [after, news] = [this.#after, this.#news];
    [this.#after, this.#news] = [[], []];
    if (news.length > 0) this.#publish({ news });
    for (const task of after) task();
  }

  #put(id: string, record: Stored | undefined): void {
    this.#changes.set(id, record ?? null);
  }

  #tell(kind: NewsItem["kind"], account: string, body: unknown): void {
    this.#news.push({ kind, account, body });
  }

  #restore(record: Stored): void {
    if (record.kind === "match") this.#note(record);
    else if (record.kind === "last") this.#last.set(record.server, { number: record.number });
    else this.#lobby.restore(record);
  }

  // ── questions ──────────────────────────────────────────────────────────────────────────────────────────────────

  #serve({ from, fence, number, asks }: Asked): void {
    const { place } = this.#options;
    if (fence !== this.fence || !place.membership.alive.has(from)) return;
    const last = this.#last.get(from);
    if (last !== undefined && number < last.number) return;
    let answers = last?.answers;
    if (last?.number !== number) {
      const before = this.#changes.size;
      answers = asks.map((ask) => refusalOf(() => ({ body: this.#carryOut(from, ask) ?? null })));
      this.#last.set(from, { number, answers });
      if (this.#changes.size > before) this.#put(lastId(from), { kind: "last", server: from, number });
    }
    const reply = { fence, number, ...(answers !== undefined && { answers }) };
    this.#after.push(() => place.bus.publish(answerSubject(from), encode(reply)));
  }

  #carryOut(from: number, { kind, account, name = "", other = "", members = [], rating = 0 }: Ask): unknown {
    const lobby = this.#lobby;
    const person = { account, name };
    if (kind === "told") return void this.#told(account, members);
    if (kind === "gone") return void this.#gone(from, account);
    if (kind === "here" && !lobby.has(account)) return undefined;
    // Whoever asks is there.
    this.#at.set(account, from);
    if (kind === "here") return void lobby.note(account, true);
    if (kind === "party") return lobby.partyOf(account);
    if (kind === "invite") return lobby.invite(person, other);
    if (kind === "join") return lobby.join(person, other);
    if (kind === "leaveParty") return lobby.leaveParty(account);
    if (kind === "expel") return lobby.expel(account, other);
    if (kind === "passLead") return lobby.passLead(account, other);
    if (kind === "leaveQueue") return lobby.leaveQueue(account);
    if (members[0] !== account) throw new SocialError("bad-request", "the leader enters the queue");
    return lobby.enter(other, { members, rating });
  }

  /** An account counts as being where it came to last. */
  #gone(from: number, account: string): void {
    if ((this.#at.get(account) ?? from) !== from || !this.#lobby.has(account)) return;
    this.#at.set(account, NOWHERE);
    this.#lobby.note(account, false);
  }

  // ── matches ────────────────────────────────────────────────────────────────────────────────────────────────────

  #look(nowMs: number): void {
    this.#missServers(nowMs);
    this.#lobby.tick(MATCHES_AT_ONCE);
    for (const pending of [...this.#pending.values()]) {
      if (pending.isOpen) this.#spread(pending, nowMs);
      else this.#open(pending, nowMs);
    }
  }

  /** Accounts of dead servers are gone, and so are those that nobody has named for some time since this keeper took over. */
  #missServers(nowMs: number): void {
    const { alive, buried } = this.#options.place.membership;
    for (const server of this.#last.keys()) {
      if (!buried.includes(server)) continue;
      this.#last.delete(server);
      this.#put(lastId(server), undefined);
    }
    for (const account of this.#at.keys()) if (!this.#lobby.has(account)) this.#at.delete(account);
    for (const account of [...this.#lobby.accounts()]) {
      const server = this.#at.get(account);
      if (server === undefined ? nowMs - this.#sinceMs < CLAIM_MS : server === NOWHERE || alive.has(server)) continue;
      this.#at.set(account, NOWHERE);
      this.#lobby.note(account, false);
    }
  }

  #note(pending: Pending): void {
    const { id, teams } = pending.match;
    this.#pending.set(id, pending);
    this.#put(matchId(id), { kind: "match", ...pending });
    if (this.#progress.has(id)) return;
    const sinceMs = this.#options.place.now();
    this.#progress.set(id, { sinceMs, isAsking: false, refusedBy: new Set(), untold: new Set(teams.flat()) });
  }

  #forget(id: string): void {
    this.#pending.delete(id);
    this.#progress.delete(id);
    this.#put(matchId(id), undefined);
  }

  #open(pending: Pending, nowMs: number): void {
    const { place, candidates } = this.#options;
    const { match, tickets, holder } = pending;
    const progress = this.#progress.get(match.id)!;
    if (progress.isAsking) return;
    if (nowMs - progress.sinceMs >= OPEN_MS) {
      this.#forget(match.id);
      for (const ticket of tickets) this.#lobby.giveBack(ticket);
      return;
    }
    if (holder !== 0 && place.membership.staying.has(holder) && !progress.refusedBy.has(holder)) {
      progress.isAsking = true;
      this.#after.push(() => this.#ask(pending, progress));
      return;
    }
    const next = candidates().find((server) => !progress.refusedBy.has(server));
    if (next === undefined) progress.refusedBy.clear();
    else this.#note({ ...pending, holder: next });
  }

  #ask(pending: Pending, progress: Progress): void {
    const { bus } = this.#options.place;
    const request = encode({ kind: "match", fence: this.fence, match: pending.match });
    bus.request(subjectOf(pending.holder), request, (answer) => {
      if (this.isOver) return;
      this.#outcomes.push(() => {
        progress.isAsking = false;
        const said = answer.kind === "none" ? undefined : decode(answer.payload, readers.answered);
        if (said === undefined || this.#pending.get(pending.match.id) !== pending) return;
        if (said.refused !== undefined) progress.refusedBy.add(pending.holder);
        else this.#opened(pending, progress, said.body);
      });
      this.run();
    });
  }

  #opened(pending: Pending, progress: Progress, room: unknown): void {
    const match = room === null ? pending.match : { ...pending.match, room: roomView(room, "room") };
    progress.sinceMs = this.#options.place.now();
    this.#note({ ...pending, match, isOpen: true });
    this.#after.push(() => this.#publish({ match }));
  }

  #publish(told: Omit<Told, "fence" | "number">): void {
    this.#toldSoFar += 1;
    this.#options.place.bus.publish(NEWS, encode({ fence: this.fence, number: this.#toldSoFar, ...told }));
  }

  #spread({ match }: Pending, nowMs: number): void {
    const { untold, sinceMs } = this.#progress.get(match.id)!;
    if (untold.size === 0 || nowMs - sinceMs >= TELL_MS) this.#forget(match.id);
    else this.#after.push(() => this.#publish({ match }));
  }

  #told(match: string, accounts: readonly string[]): void {
    for (const account of accounts) this.#progress.get(match)?.untold.delete(account);
  }
}

/** From the keeper to everybody. */
export const NEWS = "lobby-news";

/** Where a keeper is asked, and where a server is answered. */
export function askSubject(keeper: number): string {
  return `lobby-ask.${keeper}`;
}

export function answerSubject(server: number): string {
  return `lobby-answer.${server}`;
}

function lastId(server: number): string {
  return `last ${server}`;
}

function matchId(match: string): string {
  return `match ${match}`;
}
