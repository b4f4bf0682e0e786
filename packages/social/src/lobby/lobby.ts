/**
 * The lobby: parties, and the queues in which they wait for a match. `LocalLobby` is the lobby of one server; a cluster has one lobby for all of
 * its servers (`@nearfield/cluster/rooms`), with the same rules: `test/lobby-contract.ts` holds for both.
 *
 * Invariants: an account is in one party and in one queue at most. A party that changes, or a member of which goes, waits no longer.
 */
import type { QueuedMatch } from "../matching/matching.ts";
import type { Ticket } from "../matching/queue.ts";
import type { PartyView, Person } from "../parties/parties.ts";

export type Maybe<Value> = Value | Promise<Value>;

/** A party, or one player, that enters a queue. */
export interface Entrant {
  /** The leader first. */
  readonly members: readonly string[];
  /** The mean rating of the members. */
  readonly rating: number;
}

/** A party that waits, and where. */
export interface QueuedTicket extends Ticket {
  readonly queue: string;
}

/** Refusals are `SocialError`s, thrown or rejected with. */
export interface Lobby {
  /** The party of an account; undefined: it is in none. */
  partyOf(account: string): Maybe<PartyView | undefined>;
  /** The same without waiting, for an account that is on this server: as this server was told last. */
  knownPartyOf(account: string): PartyView | undefined;
  invite(person: Person, other: string): Maybe<PartyView>;
  join(person: Person, party: string): Maybe<PartyView>;
  leaveParty(account: string): Maybe<void>;
  expel(leader: string, member: string): Maybe<PartyView>;
  passLead(leader: string, member: string): Maybe<PartyView>;
  /** Returns who waits now. */
  enter(queue: string, entrant: Entrant): Maybe<readonly string[]>;
  /** Takes the account, with its party, out of its queue. */
  leaveQueue(account: string): Maybe<void>;
  /** Notes who is here. */
  note(account: string, isHere: boolean): void;
  /** To be called about once a second. */
  tick(): void;
}

/** What a lobby tells of itself. */
export interface LobbyNews {
  /** The account's party has changed; undefined: it is in none any more. */
  party(account: string, party: PartyView | undefined): void;
  invited(account: string, by: Person, party: string): void;
  waiting(account: string, isWaiting: boolean): void;
  /** `tickets`: who waited for it, to be given back if it cannot be played. */
  match(match: QueuedMatch, tickets: readonly QueuedTicket[]): void;
}
