/**
 * A queue of parties who wait for a match. Two parties fit if their ratings differ by no more than both allow; what a party allows widens while it
 * waits. Whoever waits longest is served first, with those nearest in rating.
 *
 * The queue has no clock or dice of its own: the same calls at the same times give the same matches.
 */
import { SocialError } from "../errors.ts";
import { divide, type Group } from "./teams.ts";

export interface QueueOptions {
  /** Teams of a match. Default 2. */
  readonly teams?: number;
  /** Players of a team. Default 1. */
  readonly teamSize?: number;
  /** Difference in rating that is allowed at first. Default 100: the better one wins about 64 of 100. */
  readonly difference?: number;
  /** By how much it widens with every second of waiting. Default 10. A larger value gives faster and less even matches. */
  readonly widenPerSecond?: number;
  /** How far it widens. Default 1,000. */
  readonly mostDifference?: number;
  /** Parties that wait. Default 5,000; more are refused. */
  readonly most?: number;
}

export interface Ticket {
  readonly id: string;
  readonly members: readonly string[];
  /** The mean rating of the members. */
  readonly rating: number;
  readonly sinceMs: number;
}

/** Teams that shall play together: accounts, parties never parted. */
export interface Match {
  readonly id: string;
  readonly teams: readonly (readonly string[])[];
}

/** Parties, nearest in rating, that are considered for one match. */
const MOST_CANDIDATES = 64;

export class MatchQueue {
  readonly #options: Required<QueueOptions>;
  readonly #dice: () => number;
  readonly #tickets = new Map<string, Ticket>();
  readonly #byAccount = new Map<string, string>();

  /** @param dice 0 ≤ number < 1: which team is the first. */
  constructor(options: QueueOptions, dice: () => number) {
    this.#options = { ...DEFAULTS, ...options };
    this.#dice = dice;
  }

  get size(): number {
    return this.#tickets.size;
  }

  has(account: string): boolean {
    return this.#byAccount.has(account);
  }

  /** Takes a party into the queue. */
  enter(ticket: Ticket): void {
    const { teamSize, most } = this.#options;
    if (ticket.members.length > teamSize)
      throw new SocialError("too-many", `a team has ${teamSize} players, but your party has ${ticket.members.length}`);
    if (ticket.members.some((account) => this.has(account)))
      throw new SocialError("in-queue", "you, or one of your party, wait for a match already");
    if (this.#tickets.size >= most) throw new SocialError("busy", "too many wait for a match; try again soon");
    this.#tickets.set(ticket.id, ticket);
    for (const account of ticket.members) this.#byAccount.set(account, ticket.id);
  }

  /** Takes the account and its whole party out. Returns who that was; nobody if it was not waiting. */
  leave(account: string): readonly string[] {
    const ticket = this.#tickets.get(this.#byAccount.get(account) ?? "");
    if (ticket === undefined) return [];
    this.#remove(ticket);
    return ticket.members;
  }

  /** Makes the matches that can be made now, and takes their parties out of the queue. @param most matches at once. */
  tick(nowMs: number, most: number = Number.POSITIVE_INFINITY): Match[] {
    const matches: Match[] = [];
    const byRating = [...this.#tickets.values()].sort((a, b) => a.rating - b.rating || (a.id < b.id ? -1 : 1));
    const byWaiting = [...byRating].sort((a, b) => a.sinceMs - b.sinceMs || (a.id < b.id ? -1 : 1));
    for (const first of byWaiting) {
      if (matches.length >= most) break;
      if (!this.#tickets.has(first.id)) continue;
      const found = this.#matchFor(first, byRating, nowMs);
      if (found !== undefined) matches.push(found);
    }
    return matches;
  }

  #matchFor(first: Ticket, byRating: readonly Ticket[], nowMs: number): Match | undefined {
    const { teams, teamSize } = this.#options;
    const chosen: Ticket[] = [first];
    let players = first.members.length;
    let division = players === teams * teamSize ? divide(chosen.map(groupOf), teams, teamSize) : undefined;
    for (const ticket of this.#near(first, byRating, nowMs)) {
      if (division !== undefined) break;
      if (players + ticket.members.length > teams * teamSize) continue;
      if (!chosen.every((one) => this.#fits(one, ticket, nowMs))) continue;
      const tried = divide([...chosen, ticket].map(groupOf), teams, teamSize);
      if (tried === undefined) continue;
      chosen.push(ticket);
      players += ticket.members.length;
      if (players === teams * teamSize) division = tried;
    }
    if (division === undefined) return undefined;
    for (const ticket of chosen) this.#remove(ticket);
    const lists = division.map((team) => team.flatMap((index) => chosen[index]!.members));
    const shift = Math.floor(this.#dice() * lists.length);
    return { id: first.id, teams: [...lists.slice(shift), ...lists.slice(0, shift)] };
  }

  /** Others who still wait and fit the first, nearest in rating first. */
  #near(first: Ticket, byRating: readonly Ticket[], nowMs: number): Ticket[] {
    const at = byRating.indexOf(first);
    const near: Ticket[] = [];
    let [down, up] = [at - 1, at + 1];
    while (near.length < MOST_CANDIDATES && (down >= 0 || up < byRating.length)) {
      const [lower, upper] = [byRating[down], byRating[up]];
      const takesLower =
        upper === undefined || (lower !== undefined && first.rating - lower.rating <= upper.rating - first.rating);
      const ticket = (takesLower ? lower : upper)!;
      if (takesLower) down -= 1;
      else up += 1;
      if (Math.abs(ticket.rating - first.rating) > this.#allowed(first, nowMs)) break;
      if (this.#tickets.has(ticket.id) && this.#fits(first, ticket, nowMs)) near.push(ticket);
    }
    return near;
  }

  #fits(a: Ticket, b: Ticket, nowMs: number): boolean {
    return Math.abs(a.rating - b.rating) <= Math.min(this.#allowed(a, nowMs), this.#allowed(b, nowMs));
  }

  #allowed({ sinceMs }: Ticket, nowMs: number): number {
    const { difference, widenPerSecond, mostDifference } = this.#options;
    return Math.min(mostDifference, difference + ((nowMs - sinceMs) / 1000) * widenPerSecond);
  }

  #remove({ id, members }: Ticket): void {
    this.#tickets.delete(id);
    for (const account of members) this.#byAccount.delete(account);
  }
}

const DEFAULTS: Required<QueueOptions> = {
  teams: 2,
  teamSize: 1,
  difference: 100,
  widenPerSecond: 10,
  mostDifference: 1000,
  most: 5000,
};

function groupOf({ id, members, rating }: Ticket): Group {
  return { id, size: members.length, rating };
}
