/**
 * High scores: boards by period (all time, week, day), the best of each account. A score is kept twice: once in the order of the board, so that the top is the
 * beginning of a range of keys, and once by account. Both are written in one transaction.
 *
 * Periods that are over are removed a few records at a time, with later scores of the same board.
 */
import { type Store, type Table, type Transaction, table } from "@nearfield/store/internal";
import { accountTable } from "../accounts/account.ts";
import { SocialError } from "../errors.ts";
import { keyUnder, readAll, restOf, sortable, under } from "../keys.ts";

export const PERIODS = ["all", "week", "day"] as const;
export type Period = (typeof PERIODS)[number];

export interface Board {
  /** Which score is better. Default "high". */
  readonly better?: "high" | "low";
  /** Which periods the board has. Default: all of them. */
  readonly periods?: readonly Period[];
}

/** The boards by name: `{ waves: {}, lap: { better: "low" } }`. */
export type Boards = Readonly<Record<string, Board>>;

export interface ScoreLine {
  readonly rank: number;
  readonly account: string;
  readonly name: string;
  readonly score: number;
}

export interface OwnScore {
  readonly score: number;
  /** 1 is the best; accounts with the same score have the same rank. Undefined beyond rank 1,000. */
  readonly rank?: number;
}

export interface ScoresOptions {
  readonly store: Store;
  readonly boards: Boards;
  readonly now: () => number;
}

interface OrderedScore {
  readonly account: string;
  readonly score: number;
}

/** By board, period, order of score, account. */
const orderTable: Table<OrderedScore> = table("social-score-order");
/** By account, board and period. */
const ownTable: Table<{ readonly score: number; readonly orderKey: string }> = table("social-scores");

const NAME = /^[a-z][a-z0-9-]{0,31}$/;
const DAY_MS = 86_400_000;
/** 1970 began on a Thursday; weeks begin on Mondays, in UTC. */
const THURSDAY = 3;
const MOST_TOP = 100;
const MOST_RANK = 1000;
/** Records of periods that are over that one new score removes. */
const SWEPT = 10;

export class Scores {
  readonly #options: ScoresOptions;

  constructor(options: ScoresOptions) {
    this.#options = options;
    for (const name of Object.keys(options.boards))
      if (!NAME.test(name)) throw new SocialError("no-board", `boards: "${name}" must be of the form ${NAME.source}`);
  }

  /** Notes a score, in all periods of the board. Only an account's best counts. */
  record(board: string, account: string, score: number): Promise<void> {
    return this.#options.store.transact((transaction) => this.recordWithin(transaction, board, account, score));
  }

  /** The same within a transaction of the caller's, such as a settlement's. */
  async recordWithin(transaction: Transaction, board: string, account: string, score: number): Promise<void> {
    if (!Number.isSafeInteger(score) || score < 0)
      throw new SocialError("bad-request", `a score is a whole number of 0 or more, not ${score}`);
    const { better = "high", periods = PERIODS } = this.#board(board);
    const order = better === "high" ? Number.MAX_SAFE_INTEGER - score : score;
    for (const period of periods) {
      const prefix = this.#prefix(board, period);
      const ownKey = keyUnder(account, prefix);
      const own = (await transaction.get(ownTable, ownKey))?.value;
      if (own !== undefined && (better === "high" ? own.score >= score : own.score <= score)) continue;
      if (own !== undefined) transaction.remove(orderTable, own.orderKey);
      const orderKey = keyUnder(prefix, keyUnder(sortable(order), account));
      transaction.put(orderTable, orderKey, { account, score });
      transaction.put(ownTable, ownKey, { score, orderKey });
      if (period !== "all") await this.#sweep(transaction, board, period);
    }
  }

  /** The best of a board, best first. */
  async top(board: string, period: Period = "all", limit = 10): Promise<ScoreLine[]> {
    const prefix = this.#prefix(board, period);
    return this.#options.store.transact(async (transaction) => {
      const stored = await transaction.range(orderTable, { ...under(prefix), limit: Math.min(limit, MOST_TOP) });
      const lines: ScoreLine[] = [];
      for (const [index, { value }] of stored.entries()) {
        const name = (await transaction.get(accountTable, value.account))?.value.name ?? "";
        const before = lines.at(-1);
        lines.push({ rank: before?.score === value.score ? before.rank : index + 1, name, ...value });
      }
      return lines;
    });
  }

  /** An account's best, and how many are better; undefined if it has none. */
  async own(board: string, account: string, period: Period = "all"): Promise<OwnScore | undefined> {
    const prefix = this.#prefix(board, period);
    return this.#options.store.transact(async (transaction) => {
      const own = (await transaction.get(ownTable, keyUnder(account, prefix)))?.value;
      if (own === undefined) return undefined;
      const [order = ""] = restOf(prefix, own.orderKey).split("!", 1);
      const { from } = under(prefix);
      const better = await transaction.range(orderTable, {
        ...(from !== undefined && { from }),
        before: keyUnder(prefix, order),
        limit: MOST_RANK,
      });
      return { score: own.score, ...(better.length < MOST_RANK && { rank: better.length + 1 }) };
    });
  }

  /** Removes the scores of an account that is being deleted. */
  async forget(transaction: Transaction, account: string): Promise<void> {
    for (const { key, value } of await readAll(transaction, ownTable, under(account))) {
      transaction.remove(ownTable, key);
      transaction.remove(orderTable, value.orderKey);
    }
  }

  #board(name: string): Board {
    const board = Object.hasOwn(this.#options.boards, name) ? this.#options.boards[name] : undefined;
    if (board === undefined) throw new SocialError("no-board", `there is no board called ${JSON.stringify(name)}`);
    return board;
  }

  #prefix(board: string, period: Period): string {
    const { periods = PERIODS } = this.#board(board);
    if (!periods.includes(period)) throw new SocialError("no-board", `board ${board} has no period "${period}"`);
    return `${board}.${period}.${sortable(numberOf(period, this.#options.now()))}`;
  }

  async #sweep(transaction: Transaction, board: string, period: Period): Promise<void> {
    const past = await transaction.range(orderTable, {
      from: `${board}.${period}.`,
      before: this.#prefix(board, period),
      limit: SWEPT,
    });
    for (const { key, value } of past) {
      transaction.remove(orderTable, key);
      transaction.remove(ownTable, keyUnder(value.account, key.split("!", 1)[0]!));
    }
  }
}

/** The number of the day or week, in UTC. */
function numberOf(period: Period, nowMs: number): number {
  const day = Math.floor(nowMs / DAY_MS);
  if (period === "day") return day;
  return period === "week" ? Math.floor((day + THURSDAY) / 7) : 0;
}
