/**
 * Matching by skill: the queues of a game, the skills of its players, and the matches that come out. A party enters as one, led by its leader.
 */
import type { Store } from "@nearfield/store/internal";
import { SocialError } from "../errors.ts";
import type { PartyView } from "../parties/parties.ts";
import { type Match, MatchQueue, type QueueOptions } from "./queue.ts";
import { Skills } from "./skills.ts";

/** The queues by name: `{ duel: { teamSize: 1 }, teams: { teamSize: 4 } }`. */
export type Queues = Readonly<Record<string, QueueOptions>>;

export interface QueuedMatch extends Match {
  readonly queue: string;
}

export interface MatchingOptions {
  readonly store: Store;
  readonly queues: Queues;
  readonly now: () => number;
  readonly randomId: () => string;
  /** 0 ≤ number < 1. */
  readonly dice: () => number;
  readonly partyOf: (account: string) => PartyView | undefined;
  /** What a listener of `onMatch` threw, or rejected with. */
  readonly onError: (error: unknown, where: string) => void;
}

export class Matching {
  readonly skills: Skills;
  readonly #options: MatchingOptions;
  readonly #queues = new Map<string, MatchQueue>();
  readonly #onMatch = new Set<(match: QueuedMatch) => void | Promise<void>>();

  constructor(options: MatchingOptions) {
    this.#options = options;
    this.skills = new Skills(options.store, options.now);
    for (const [name, queue] of Object.entries(options.queues)) {
      if (!NAME.test(name))
        throw new SocialError("bad-request", `queues: "${name}" must be of the form ${NAME.source}`);
      this.#queues.set(name, new MatchQueue(queue, options.dice));
    }
  }

  /** Puts the account, with its party, into a queue. Returns who waits now. */
  async enter(queueName: string, account: string): Promise<readonly string[]> {
    const queue = this.#queues.get(queueName);
    if (queue === undefined)
      throw new SocialError("bad-request", `there is no queue called ${JSON.stringify(queueName)}`);
    const before = this.#members(account);
    const ratings = await Promise.all(before.map(async (member) => (await this.skills.of(queueName, member)).rating));
    const members = this.#members(account);
    if (members.join() !== before.join()) throw new SocialError("busy", "your party has just changed; try again");
    if (members.some((member) => this.isWaiting(member)))
      throw new SocialError("in-queue", "you, or one of your party, wait for a match already");
    const rating = ratings.reduce((sum, one) => sum + one, 0) / ratings.length;
    queue.enter({ id: this.#options.randomId(), members, rating, sinceMs: this.#options.now() });
    return members;
  }

  isWaiting(account: string): boolean {
    for (const queue of this.#queues.values()) if (queue.has(account)) return true;
    return false;
  }

  /** Takes the account, with its party, out of its queue. Returns who waited; nobody if it did not wait. */
  leave(account: string): readonly string[] {
    for (const queue of this.#queues.values()) {
      const left = queue.leave(account);
      if (left.length > 0) return left;
    }
    return [];
  }

  /** Called with each match: open a space for it. */
  onMatch(listener: (match: QueuedMatch) => void | Promise<void>): () => void {
    this.#onMatch.add(listener);
    return () => this.#onMatch.delete(listener);
  }

  /** Makes the matches that can be made. To be called about once a second. */
  tick(): void {
    for (const [queue, waiting] of this.#queues)
      for (const match of waiting.tick(this.#options.now()))
        for (const listener of this.#onMatch) void this.#tell(listener, { queue, ...match });
  }

  /** A listener that fails keeps nobody else from playing. */
  async #tell(listener: (match: QueuedMatch) => void | Promise<void>, match: QueuedMatch): Promise<void> {
    try {
      await listener(match);
    } catch (error) {
      this.#options.onError(error, "onMatch");
    }
  }

  #members(account: string): readonly string[] {
    const party = this.#options.partyOf(account);
    if (party === undefined) return [account];
    if (party.leader !== account) throw new SocialError("not-leader", "your party's leader enters the queue");
    return party.members.map((member) => member.account);
  }
}

const NAME = /^[a-z][a-z0-9-]{0,31}$/;
