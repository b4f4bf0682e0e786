/**
 * Parties: players who want to play together. Whoever invites first leads; when the leader goes, the member who has been there longest leads.
 * Parties live in memory: after a restart people form them anew.
 *
 * Invariants: an account is in one party at most; a party has a leader and never more than `most` members; a party that nobody is left to join ends.
 */
import { SocialError } from "../errors.ts";

export interface Person {
  readonly account: string;
  readonly name: string;
}

export interface PartyView {
  readonly id: string;
  /** The leader's account. */
  readonly leader: string;
  /** In the order in which they joined, the leader first. */
  readonly members: readonly Person[];
}

/** A party as plain data, open invitations included. */
export interface PartyRecord {
  readonly id: string;
  readonly members: readonly Person[];
  /** Accounts, and until when each invitation is good. */
  readonly invited: readonly (readonly [string, number])[];
}

interface Party {
  readonly id: string;
  readonly members: Person[];
  /** Until when each invitation is good, by account. */
  readonly invited: Map<string, number>;
}

export interface PartiesOptions {
  readonly now: () => number;
  readonly randomId: () => string;
  /** Members of one party. Default 20, the largest action space. */
  readonly most?: number;
  /** How long a member may be away before the party goes on without it, ms. Default 60 s. */
  readonly awayMs?: number;
  /** Told to each member after every change, and to whoever is no member any more, with no party. */
  readonly tell?: (account: string, party: PartyView | undefined) => void;
  readonly tellInvited?: (account: string, by: Person, party: string) => void;
  /** Told of each party that has changed, after the change and before anybody else; undefined: it has ended. */
  readonly changed?: (id: string, party: PartyRecord | undefined) => void;
}

const DEFAULT_MOST = 20;
const DEFAULT_AWAY_MS = 60_000;
const INVITED_MS = 120_000;
/** Open invitations of one party. */
const MOST_INVITED = 20;

export class Parties {
  readonly #options: PartiesOptions;
  readonly #most: number;
  readonly #parties = new Map<string, Party>();
  readonly #byAccount = new Map<string, Party>();
  /** Since when members are away. */
  readonly #away = new Map<string, number>();

  constructor(options: PartiesOptions) {
    this.#options = options;
    this.#most = options.most ?? DEFAULT_MOST;
  }

  of(account: string): PartyView | undefined {
    const party = this.#byAccount.get(account);
    return party && viewOf(party);
  }

  /** Invites somebody into the own party, which begins with the first invitation. Any member may invite. */
  invite(person: Person, other: string): PartyView {
    if (person.account === other) throw new SocialError("bad-request", "nobody invites themselves");
    const party = this.#byAccount.get(person.account) ?? this.#begin(person);
    if (party === this.#byAccount.get(other)) throw new SocialError("already", "this player is in your party");
    const nowMs = this.#options.now();
    for (const [invited, untilMs] of party.invited) if (untilMs < nowMs) party.invited.delete(invited);
    if (party.members.length >= this.#most) throw new SocialError("full", `a party has at most ${this.#most} members`);
    if (party.invited.size >= MOST_INVITED && !party.invited.has(other))
      throw new SocialError("too-many", `at most ${MOST_INVITED} invitations are open at a time`);
    party.invited.set(other, nowMs + INVITED_MS);
    this.#changed(party);
    this.#options.tellInvited?.(other, person, party.id);
    return viewOf(party);
  }

  /** Joins a party that has invited the account. */
  join(person: Person, id: string): PartyView {
    const { account } = person;
    const party = this.#parties.get(id);
    const untilMs = party?.invited.get(account);
    if (party === undefined || untilMs === undefined || untilMs < this.#options.now())
      throw new SocialError("no-invitation", "there is no such invitation any more");
    if (this.#byAccount.has(account)) throw new SocialError("in-party", "leave your party first");
    if (party.members.length >= this.#most) throw new SocialError("full", `a party has at most ${this.#most} members`);
    party.invited.delete(account);
    party.members.push(person);
    this.#byAccount.set(account, party);
    this.#changed(party);
    return this.#told(party);
  }

  leave(account: string): void {
    this.#remove(this.#require(account), account);
  }

  /** The leader sends a member away. */
  expel(leader: string, member: string): PartyView {
    const party = this.#led(leader, member);
    if (leader === member) throw new SocialError("bad-request", "leave the party instead");
    this.#remove(party, member);
    return viewOf(party);
  }

  /** The leader makes another member the leader. */
  passLead(leader: string, member: string): PartyView {
    const party = this.#led(leader, member);
    party.members.unshift(...party.members.splice(indexIn(party, member), 1));
    this.#changed(party);
    return this.#told(party);
  }

  /** Notes who is here. Whoever stays away too long leaves with a later `tick`. */
  note(account: string, isHere: boolean): void {
    if (isHere) this.#away.delete(account);
    else if (this.#byAccount.has(account)) this.#away.set(account, this.#options.now());
  }

  /** Ends the membership of those who were away too long. To be called about once a second. */
  tick(): void {
    const goneMs = this.#options.now() - (this.#options.awayMs ?? DEFAULT_AWAY_MS);
    for (const [account, sinceMs] of this.#away) {
      if (sinceMs > goneMs) continue;
      this.#away.delete(account);
      if (this.#byAccount.has(account)) this.leave(account);
    }
  }

  /** Every account that is in a party. */
  accounts(): IterableIterator<string> {
    return this.#byAccount.keys();
  }

  /** Takes back a party as it was. Nobody is told. */
  restore({ id, members, invited }: PartyRecord): void {
    const party: Party = { id, members: [...members], invited: new Map(invited) };
    this.#parties.set(id, party);
    for (const { account } of members) this.#byAccount.set(account, party);
  }

  #changed({ id, members, invited }: Party): void {
    const record = members.length === 0 ? undefined : { id, members: [...members], invited: [...invited] };
    this.#options.changed?.(id, record);
  }

  #begin(person: Person): Party {
    const party: Party = { id: this.#options.randomId(), members: [person], invited: new Map() };
    this.#parties.set(party.id, party);
    this.#byAccount.set(person.account, party);
    return party;
  }

  #remove(party: Party, account: string): void {
    party.members.splice(indexIn(party, account), 1);
    this.#byAccount.delete(account);
    this.#away.delete(account);
    if (party.members.length === 0) this.#parties.delete(party.id);
    this.#changed(party);
    this.#options.tell?.(account, undefined);
    this.#told(party);
  }

  #require(account: string): Party {
    const party = this.#byAccount.get(account);
    if (party === undefined) throw new SocialError("no-party", "you are in no party");
    return party;
  }

  #led(leader: string, member: string): Party {
    const party = this.#require(leader);
    if (party.members[0]!.account !== leader)
      throw new SocialError("not-leader", "only the party's leader can do this");
    if (this.#byAccount.get(member) !== party) throw new SocialError("no-party", "this player is not in your party");
    return party;
  }

  #told(party: Party): PartyView {
    const view = viewOf(party);
    for (const { account } of party.members) this.#options.tell?.(account, view);
    return view;
  }
}

function indexIn({ members }: Party, account: string): number {
  return members.findIndex((member) => member.account === account);
}

/** The first member leads. */
function viewOf({ id, members }: Party): PartyView {
  return { id, leader: members[0]?.account ?? "", members: [...members] };
}
