/**
 * The skill of each account, by queue, kept in the store. A result of a match is one rating period for everybody who took part; a team counts as
 * one opponent. An account that rested becomes less certain with every day.
 */
import { type Store, type Table, type Transaction, table } from "@nearfield/store/internal";
import { SocialError } from "../errors.ts";
import { keyUnder, readAll, under } from "../keys.ts";
import { asOne, NEWCOMER, rate, rest, type Skill } from "./glicko.ts";

interface SkillRecord extends Skill {
  readonly atMs: number;
  readonly games: number;
}

/** By account and queue. */
const skillTable: Table<SkillRecord> = table("social-skills");

/** The period by which resting is counted. */
const DAY_MS = 86_400_000;

/** The teams of a match, from the best to the worst; `rank` tells draws: teams of the same rank drew. */
export type Standings = readonly { readonly members: readonly string[]; readonly rank: number }[];

export class Skills {
  readonly #store: Store;
  readonly #now: () => number;

  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** The skill as it is today. */
  of(queue: string, account: string): Promise<Skill> {
    return this.#store.transact((transaction) => this.#read(transaction, queue, account));
  }

  /** Notes the result of a match. */
  record(queue: string, standings: Standings): Promise<void> {
    return this.#store.transact((transaction) => this.recordWithin(transaction, queue, standings));
  }

  /** The same within a transaction of the caller's, such as a settlement's. */
  async recordWithin(transaction: Transaction, queue: string, standings: Standings): Promise<void> {
    const teams: { readonly rank: number; readonly members: { account: string; skill: Skill; games: number }[] }[] = [];
    for (const { rank, members } of standings) {
      if (members.length === 0) throw new SocialError("bad-request", "a team has at least one member");
      const read = [];
      for (const account of members) {
        const games = (await transaction.get(skillTable, keyUnder(account, queue)))?.value.games ?? 0;
        read.push({ account, skill: await this.#read(transaction, queue, account), games });
      }
      teams.push({ rank, members: read });
    }
    const asOpponents = teams.map(({ members }) => asOne(members.map(({ skill }) => skill)));
    for (const [index, { rank, members }] of teams.entries()) {
      const games = teams.flatMap((other, at) =>
        at === index
          ? []
          : [{ opponent: asOpponents[at]!, score: other.rank === rank ? 0.5 : Number(rank < other.rank) }],
      );
      for (const member of members) {
        const next = { ...rate(member.skill, games), atMs: this.#now(), games: member.games + 1 };
        transaction.put(skillTable, keyUnder(member.account, queue), next);
      }
    }
  }

  async forget(transaction: Transaction, account: string): Promise<void> {
    for (const { key } of await readAll(transaction, skillTable, under(account))) transaction.remove(skillTable, key);
  }

  async #read(transaction: Transaction, queue: string, account: string): Promise<Skill> {
    const stored = (await transaction.get(skillTable, keyUnder(account, queue)))?.value;
    if (stored === undefined) return NEWCOMER;
    const days = Math.max(0, this.#now() - stored.atMs) / DAY_MS;
    const { rating, volatility } = stored;
    return { rating, volatility, deviation: rest(stored, days) };
  }
}
