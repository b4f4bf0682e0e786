/**
 * Matching by skill: the skills of a game's players, the way into its queues, and the matches that come out. A party enters as one, led by its leader.
 * Where parties wait is the lobby's business.
 */
import type { Store } from "@nearfield/store/internal";
import { SocialError } from "../errors.ts";
import type { Lobby } from "../lobby/lobby.ts";
import type { RoomView } from "../rooms/room-view.ts";
import type { Match, QueueOptions } from "./queue.ts";
import { Skills } from "./skills.ts";

/** The queues by name: `{ duel: { teamSize: 1 }, teams: { teamSize: 4 } }`. */
export type Queues = Readonly<Record<string, QueueOptions>>;

export interface QueuedMatch extends Match {
  readonly queue: string;
  /** The room that was opened for it, with a place for each of them (`prepareMatch` of `openRooms`). */
  readonly room?: RoomView;
}

export interface MatchingOptions {
  readonly store: Store;
  readonly queues: Queues;
  readonly now: () => number;
  readonly lobby: () => Lobby;
  /** What a listener of `onMatch` threw, or rejected with. */
  readonly onError: (error: unknown, where: string) => void;
}

export class Matching {
  readonly skills: Skills;
  readonly #options: MatchingOptions;
  readonly #onMatch = new Set<(match: QueuedMatch) => void | Promise<void>>();

  constructor(options: MatchingOptions) {
    this.#options = options;
    this.skills = new Skills(options.store, options.now);
  }

  /** Puts the account, with its party, into a queue. Returns who waits now. */
  async enter(queue: string, account: string): Promise<readonly string[]> {
    const { queues, lobby } = this.#options;
    if (!Object.hasOwn(queues, queue))
      throw new SocialError("bad-request", `there is no queue called ${JSON.stringify(queue)}`);
    const party = await lobby().partyOf(account);
    if (party !== undefined && party.leader !== account)
      throw new SocialError("not-leader", "your party's leader enters the queue");
    const members = party?.members.map((member) => member.account) ?? [account];
    const ratings = await Promise.all(members.map(async (member) => (await this.skills.of(queue, member)).rating));
    const rating = ratings.reduce((sum, one) => sum + one, 0) / ratings.length;
    return lobby().enter(queue, { members, rating });
  }

  /** Takes the account, with its party, out of its queue. */
  async leave(account: string): Promise<void> {
    await this.#options.lobby().leaveQueue(account);
  }

  /** Called with each match: open a space for it, or play it in its room. In a cluster it is called on one server, the one that has the room. */
  onMatch(listener: (match: QueuedMatch) => void | Promise<void>): () => void {
    this.#onMatch.add(listener);
    return () => this.#onMatch.delete(listener);
  }

  /** Tells the listeners of a match. */
  begin(match: QueuedMatch): void {
    for (const listener of this.#onMatch) void this.#tell(listener, match);
  }

  /** A listener that fails keeps nobody else from playing. */
  async #tell(listener: (match: QueuedMatch) => void | Promise<void>, match: QueuedMatch): Promise<void> {
    try {
      await listener(match);
    } catch (error) {
      this.#options.onError(error, "onMatch");
    }
  }
}
