/**
 * The lobby of one server, in memory. It can also be kept elsewhere: it tells of every record that has changed, and takes records back. A record is
 * a party or a ticket, as plain data.
 */
import { SocialError } from "../errors.ts";
import type { Queues } from "../matching/matching.ts";
import { MatchQueue } from "../matching/queue.ts";
import { Parties, type PartyRecord, type PartyView, type Person } from "../parties/parties.ts";
import type { Entrant, Lobby, LobbyNews, QueuedTicket } from "./lobby.ts";

export interface LocalLobbyOptions {
  readonly queues: Queues;
  readonly now: () => number;
  readonly randomId: () => string;
  /** 0 ≤ number < 1. */
  readonly dice: () => number;
  readonly news: LobbyNews;
  /** Whether an account can be invited now. */
  readonly isHere: (account: string) => boolean;
  /** Members of one party. Default 20. */
  readonly partySize?: number;
  /** Told of each record that has changed; undefined: it is gone. Default: nobody is. */
  readonly changed?: (id: string, record: LobbyRecord | undefined) => void;
}

export type LobbyRecord =
  | { readonly kind: "party"; readonly party: PartyRecord }
  | { readonly kind: "ticket"; readonly ticket: QueuedTicket };

const QUEUE_NAME = /^[a-z][a-z0-9-]{0,31}$/;

export class LocalLobby implements Lobby {
  readonly #options: LocalLobbyOptions;
  readonly #parties: Parties;
  readonly #queues = new Map<string, MatchQueue>();
  readonly #byAccount = new Map<string, QueuedTicket>();

  constructor(options: LocalLobbyOptions) {
    const { now, randomId, news, queues, dice, partySize, changed } = options;
    this.#options = options;
    this.#parties = new Parties({
      now,
      randomId,
      ...(partySize !== undefined && { most: partySize }),
      tell: (account, party) => {
        this.leaveQueue(account);
        news.party(account, party);
      },
      tellInvited: (account, by, party) => news.invited(account, by, party),
      changed: (id, party) => changed?.(id, party && { kind: "party", party }),
    });
    for (const [name, queue] of Object.entries(queues)) {
      if (!QUEUE_NAME.test(name))
        throw new SocialError("bad-request", `queues: "${name}" must be of the form ${QUEUE_NAME.source}`);
      this.#queues.set(name, new MatchQueue(queue, dice));
    }
  }

  partyOf(account: string): PartyView | undefined {
    return this.#parties.of(account);
  }

  knownPartyOf(account: string): PartyView | undefined {
    return this.#parties.of(account);
  }

  invite(person: Person, other: string): PartyView {
    if (!this.#options.isHere(other)) throw new SocialError("not-here", "this player is not here");
    return this.#parties.invite(person, other);
  }

  join(person: Person, party: string): PartyView {
    return this.#parties.join(person, party);
  }

  leaveParty(account: string): void {
    this.#parties.leave(account);
  }

  expel(leader: string, member: string): PartyView {
    return this.#parties.expel(leader, member);
  }

  passLead(leader: string, member: string): PartyView {
    return this.#parties.passLead(leader, member);
  }

  enter(queueName: string, { members, rating }: Entrant): readonly string[] {
    const { randomId, now, news } = this.#options;
    const queue = this.#queue(queueName);
    const party = this.#parties.of(members[0] ?? "");
    const current = party === undefined ? members.slice(0, 1) : party.members.map(({ account }) => account);
    if (current.join() !== members.join()) throw new SocialError("busy", "your party has just changed; try again");
    if (members.some((member) => this.#byAccount.has(member)))
      throw new SocialError("in-queue", "you, or one of your party, wait for a match already");
    const ticket = { id: randomId(), queue: queueName, members, rating, sinceMs: now() };
    queue.enter(ticket);
    this.#note(ticket);
    for (const member of members) news.waiting(member, true);
    return members;
  }

  leaveQueue(account: string): void {
    const ticket = this.#byAccount.get(account);
    if (ticket === undefined) return;
    this.#queue(ticket.queue).leave(account);
    this.#forget(ticket);
    for (const member of ticket.members) this.#options.news.waiting(member, false);
  }

  note(account: string, isHere: boolean): void {
    this.#parties.note(account, isHere);
    if (!isHere) this.leaveQueue(account);
  }

  /** @param most matches that are made at once. Default: all that can be made. */
  tick(most: number = Number.POSITIVE_INFINITY): void {
    this.#parties.tick();
    let left = most;
    for (const [queue, waiting] of this.#queues) {
      if (left <= 0) return;
      for (const match of waiting.tick(this.#options.now(), left)) {
        left -= 1;
        const tickets = new Set(match.teams.flat().map((account) => this.#byAccount.get(account)!));
        for (const ticket of tickets) this.#forget(ticket);
        this.#options.news.match({ queue, ...match }, [...tickets]);
      }
    }
  }

  // ── for whoever keeps the records ──────────────────────────────────────────────────────────────────────────────

  /** The accounts that are in a party or wait. */
  *accounts(): IterableIterator<string> {
    yield* this.#parties.accounts();
    for (const account of this.#byAccount.keys()) if (this.#parties.of(account) === undefined) yield account;
  }

  has(account: string): boolean {
    return this.#byAccount.has(account) || this.#parties.of(account) !== undefined;
  }

  /** Takes back a record. Nobody is told. */
  restore(record: LobbyRecord): void {
    if (record.kind === "party") this.#parties.restore(record.party);
    else if (this.#queues.has(record.ticket.queue)) {
      this.#queue(record.ticket.queue).enter(record.ticket);
      this.#note(record.ticket);
    }
  }

  /** A match that could not be played: whoever still is free waits on, as long as before. */
  giveBack(ticket: QueuedTicket): void {
    const { news, randomId } = this.#options;
    const isFree = ticket.members.every((member) => !this.#byAccount.has(member));
    if (isFree) this.restore({ kind: "ticket", ticket: { ...ticket, id: randomId() } });
    for (const member of ticket.members) news.waiting(member, isFree);
  }

  #queue(name: string): MatchQueue {
    const queue = this.#queues.get(name);
    if (queue === undefined) throw new SocialError("bad-request", `there is no queue called ${JSON.stringify(name)}`);
    return queue;
  }

  #note(ticket: QueuedTicket): void {
    for (const member of ticket.members) this.#byAccount.set(member, ticket);
    this.#options.changed?.(ticket.id, { kind: "ticket", ticket });
  }

  #forget(ticket: QueuedTicket): void {
    for (const member of ticket.members) this.#byAccount.delete(member);
    this.#options.changed?.(ticket.id, undefined);
  }
}
