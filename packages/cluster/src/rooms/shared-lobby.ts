/**
 * The lobby of a cluster as one of its servers uses it: questions go to the keeper, in numbered messages, one at a time, again and again until they are answered.
 * The keeper may change meanwhile: the next one carries a message out only if none before has.
 */

import type { Off } from "@nearfield/schema";
import {
  type Entrant,
  type Lobby,
  type LobbyNews,
  type PartyView,
  type Person,
  type QueuedMatch,
  SocialError,
} from "@nearfield/social/internal";
import type { KeeperElection } from "./keeper-election.ts";
import { answerSubject, askSubject, NEWS } from "./lobby-keeper.ts";
import {
  type Answered,
  type Answers,
  type Ask,
  decode,
  encode,
  MOST_ASKS,
  type NewsItem,
  readers,
  type Told,
} from "./messages.ts";
import type { ClusterPlace } from "./place.ts";
import { thrown } from "./refusals.ts";

export interface SharedLobbyOptions {
  readonly place: ClusterPlace;
  readonly election: KeeperElection;
  /** Tells players of this server. */
  readonly news: Omit<LobbyNews, "match">;
  /** Tells players of this server of their match, and returns who they are. */
  readonly tellMatch: (match: QueuedMatch) => readonly string[];
  /** The accounts that are on this server. */
  readonly accounts: () => Iterable<string>;
}

interface Open {
  readonly ask: Ask;
  readonly sinceMs: number;
  /** Called once, or never where nobody waits. */
  settle: ((answer: Answered | undefined) => void) | undefined;
}

const AGAIN_MS = 500;
/** Whoever waits for an answer is told after this time that it does not come, ms. */
const PATIENCE_MS = 15_000;
/** Questions that wait; more are refused. What this server notes of its own accord is not counted. */
const MOST_OPEN = 2000;
/** How long a match is remembered of which players here were told, ms: longer than keepers tell of it. */
const REMEMBER_MS = 60_000;

export class SharedLobby implements Lobby {
  readonly #options: SharedLobbyOptions;
  readonly #off: Off[];
  /** Parties of accounts that are here. */
  readonly #parties = new Map<string, PartyView>();
  readonly #told = new Map<string, { readonly accounts: Set<string>; readonly atMs: number }>();
  #waiting: Open[] = [];
  /** The message under way. */
  #sent: readonly Open[] = [];
  #number = 0;
  #sentMs = Number.NEGATIVE_INFINITY;
  #fence = 0;
  /** The newest that a keeper told. */
  #heard = { fence: 0, number: 0 };

  constructor(options: SharedLobbyOptions) {
    this.#options = options;
    const { bus, membership } = options.place;
    this.#off = [
      bus.subscribe(answerSubject(membership.number), (payload) => {
        const answers = decode(payload, readers.answers);
        if (answers !== undefined) this.#answered(answers);
      }),
      bus.subscribe(NEWS, (payload) => {
        const told = decode(payload, readers.told);
        if (told === undefined || !this.#isNew(told)) return;
        for (const item of told.news ?? []) this.#hear(item);
        if (told.match !== undefined) this.#hearMatch(told.match);
      }),
    ];
  }

  async partyOf(account: string): Promise<PartyView | undefined> {
    return this.#know(account, (await this.#ask({ kind: "party", account })) as PartyView | null);
  }

  knownPartyOf(account: string): PartyView | undefined {
    return this.#parties.get(account);
  }

  async invite({ account, name }: Person, other: string): Promise<PartyView> {
    return this.#know(account, (await this.#ask({ kind: "invite", account, name, other })) as PartyView)!;
  }

  async join({ account, name }: Person, party: string): Promise<PartyView> {
    return this.#know(account, (await this.#ask({ kind: "join", account, name, other: party })) as PartyView)!;
  }

  async leaveParty(account: string): Promise<void> {
    await this.#ask({ kind: "leaveParty", account });
  }

  async expel(leader: string, member: string): Promise<PartyView> {
    return (await this.#ask({ kind: "expel", account: leader, other: member })) as PartyView;
  }

  async passLead(leader: string, member: string): Promise<PartyView> {
    return (await this.#ask({ kind: "passLead", account: leader, other: member })) as PartyView;
  }

  async enter(queue: string, { members, rating }: Entrant): Promise<readonly string[]> {
    const [account = ""] = members;
    return (await this.#ask({ kind: "enter", account, other: queue, members, rating })) as readonly string[];
  }

  async leaveQueue(account: string): Promise<void> {
    await this.#ask({ kind: "leaveQueue", account });
  }

  note(account: string, isHere: boolean): void {
    if (!isHere) this.#parties.delete(account);
    this.#say({ kind: isHere ? "here" : "gone", account });
  }

  /** To be called in every round. */
  tick(): void {
    const { election, place } = this.#options;
    const nowMs = place.now();
    if (election.fence > this.#fence) this.#meet(election.fence);
    else if (this.#sent.length > 0 && nowMs - this.#sentMs >= AGAIN_MS) this.#send();
    for (const open of [...this.#sent, ...this.#waiting])
      if (nowMs - open.sinceMs >= PATIENCE_MS)
        settle(open, { refused: "busy", detail: "nobody answers; try again soon" });
    for (const [match, { atMs }] of this.#told) if (nowMs - atMs >= REMEMBER_MS) this.#told.delete(match);
  }

  close(): void {
    for (const off of this.#off) off();
  }

  #ask(ask: Ask): Promise<unknown> {
    if (this.#waiting.length >= MOST_OPEN)
      return Promise.reject(new SocialError("busy", "too many ask for parties and matches; try again soon"));
    return new Promise((resolve, reject) => {
      this.#say(ask, (answer) => {
        if (answer === undefined) reject(new SocialError("busy", "it may be done, or not; look, and try again"));
        else if (answer.refused !== undefined) reject(thrown(answer));
        else resolve(answer.body);
      });
    });
  }

  #say(ask: Ask, done?: Open["settle"]): void {
    this.#waiting.push({ ask, sinceMs: this.#options.place.now(), settle: done });
    if (this.#sent.length === 0) this.#next();
  }

  #next(): void {
    this.#sent = this.#waiting.splice(0, MOST_ASKS);
    if (this.#sent.length === 0) return;
    this.#number += 1;
    this.#send();
  }

  #send(): void {
    const { election, place } = this.#options;
    this.#sentMs = place.now();
    if (this.#fence === 0) return;
    const asks = this.#sent.map(({ ask }) => ask);
    const message = { from: place.membership.number, fence: this.#fence, number: this.#number, asks };
    place.bus.publish(askSubject(election.keeper), encode(message));
  }

  /** A new keeper does not know who is here. */
  #meet(fence: number): void {
    this.#fence = fence;
    const sinceMs = this.#options.place.now();
    const here = Array.from(this.#options.accounts(), (account): Open => {
      return { ask: { kind: "here", account }, sinceMs, settle: undefined };
    });
    this.#waiting = [...here, ...this.#waiting];
    if (this.#sent.length > 0) this.#send();
    else this.#next();
  }

  #answered({ fence, number, answers }: Answers): void {
    if (fence !== this.#fence || number !== this.#number || this.#sent.length === 0) return;
    if (answers !== undefined && answers.length !== this.#sent.length) return;
    const sent = this.#sent;
    this.#sent = [];
    for (const [at, open] of sent.entries()) settle(open, answers?.[at]);
    this.#next();
  }

  #isNew({ fence, number }: Told): boolean {
    const heard = this.#heard;
    if (fence < this.#options.election.fence || fence < heard.fence) return false;
    if (fence === heard.fence && number <= heard.number) return false;
    this.#heard = { fence, number };
    return true;
  }

  #hear({ kind, account, body }: NewsItem): void {
    const { news } = this.#options;
    if (kind === "party") news.party(account, this.#know(account, body as PartyView | null));
    else if (kind === "waiting") news.waiting(account, body === true);
    else {
      const { party, ...by } = body as Person & { readonly party: string };
      news.invited(account, by, party);
    }
  }

  #know(account: string, party: PartyView | null): PartyView | undefined {
    if (party === null) this.#parties.delete(account);
    else this.#parties.set(account, party);
    return party ?? undefined;
  }

  /** Players who come here while the keeper still tells of their match are told too. */
  #hearMatch(match: QueuedMatch): void {
    const told = this.#told.get(match.id) ?? { accounts: new Set(), atMs: this.#options.place.now() };
    this.#told.set(match.id, told);
    const here = new Set(this.#options.accounts());
    const teams = match.teams.map((team) => team.filter((account) => here.has(account) && !told.accounts.has(account)));
    if (teams.some((team) => team.length > 0)) {
      for (const account of this.#options.tellMatch(match)) told.accounts.add(account);
    }
    const known = match.teams.flat().filter((account) => told.accounts.has(account));
    if (known.length > 0) this.#say({ kind: "told", account: match.id, members: known });
  }
}

function settle(open: Open, answer: Answered | undefined): void {
  open.settle?.(answer);
  open.settle = undefined;
}
