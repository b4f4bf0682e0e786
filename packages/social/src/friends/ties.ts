/**
 * How accounts stand to each other: friends, asked, blocked, muted. A tie is one record for each ordered pair, so that everything about one account
 * stands next to each other in the store. What two accounts agree on (friends) is written on both sides in one transaction.
 *
 * Ties of accounts that are here are kept in memory, because every line of chat asks for them. One process serves an account at a time.
 */
import { type Store, type Table, type Transaction, table } from "@nearfield/store/internal";
import { accountTable } from "../accounts/account.ts";
import { SocialError } from "../errors.ts";
import { keyUnder, readAll, restOf, under } from "../keys.ts";

/** `asked`: I asked to be friends. `wanted`: I was asked. */
export type Standing = "asked" | "wanted" | "friend" | "blocked";

export interface Tie {
  readonly standing?: Standing;
  /** I do not hear this account's chat. */
  readonly isMuted?: boolean;
}

export type Ties = ReadonlyMap<string, Tie>;

/** A tie as its owner sees it. */
export interface TieView extends Tie {
  readonly account: string;
  readonly name: string;
}

/** By account and other account. */
const tieTable: Table<Tie> = table("social-ties");

/** Ties of one account, questions of others included. More are refused. */
const MOST_TIES = 300;

export class TieBook {
  readonly #store: Store;
  readonly #kept = new Map<string, Promise<Ties>>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** All ties of an account. */
  of(account: string): Promise<Ties> {
    return this.#kept.get(account) ?? this.#store.transact((transaction) => tiesWithin(transaction, account));
  }

  /** The account is here: its ties stay in memory. */
  keep(account: string): void {
    const ties = this.#store.transact((transaction) => tiesWithin(transaction, account));
    this.#kept.set(account, ties);
    // A failure is told to whoever asks next; nothing is kept of it.
    ties.catch(() => {
      if (this.#kept.get(account) === ties) this.#kept.delete(account);
    });
  }

  drop(account: string): void {
    this.#kept.delete(account);
  }

  /** With names, in the order of accounts. */
  async list(account: string): Promise<TieView[]> {
    return this.#store.transact(async (transaction) => {
      const views: TieView[] = [];
      for (const [other, tie] of await tiesWithin(transaction, account)) {
        const name = (await transaction.get(accountTable, other))?.value.name;
        if (name !== undefined) views.push({ account: other, name, ...tie });
      }
      return views;
    });
  }

  /** Asks to be friends. If the other has asked already, they are friends from now on. */
  ask(account: string, other: string): Promise<"asked" | "friend"> {
    return this.#change(account, other, async ({ mine, theirs, set }) => {
      if (theirs.standing === "blocked") throw new SocialError("blocked", "this player does not want to hear from you");
      if (mine.standing === "friend") throw new SocialError("already", "you are friends already");
      const agreed = mine.standing === "wanted";
      await set(agreed ? "friend" : "asked", agreed ? "friend" : "wanted");
      return agreed ? "friend" : "asked";
    });
  }

  /** Takes a friendship or a question back, on both sides. */
  async part(account: string, other: string): Promise<void> {
    await this.#change(account, other, async ({ mine, theirs, set }) => {
      if (mine.standing === "blocked") throw new SocialError("blocked", "you have blocked this player; unblock first");
      await set(undefined, theirs.standing === "blocked" ? "blocked" : undefined);
    });
  }

  /** The other can no longer ask, whisper, invite or trade, and is no friend any more. */
  async block(account: string, other: string): Promise<void> {
    await this.#change(account, other, async ({ theirs, set }) => {
      await set("blocked", theirs.standing === "blocked" ? "blocked" : undefined);
    });
  }

  async unblock(account: string, other: string): Promise<void> {
    await this.#change(account, other, async ({ mine, theirs, set }) => {
      if (mine.standing === "blocked") await set(undefined, theirs.standing);
    });
  }

  async mute(account: string, other: string, isMuted: boolean): Promise<void> {
    await this.#change(account, other, async ({ mine, theirs, set }) => set(mine.standing, theirs.standing, isMuted));
  }

  /** Throws `blocked` if either has blocked the other. */
  async mayBother(account: string, other: string): Promise<void> {
    const [mine, theirs] = await Promise.all([this.of(account), this.of(other)]);
    if (theirs.get(account)?.standing === "blocked")
      throw new SocialError("blocked", "this player does not want to hear from you");
    if (mine.get(other)?.standing === "blocked") throw new SocialError("blocked", "you have blocked this player");
  }

  /** Removes both sides of every tie of an account that is being deleted. */
  async forget(transaction: Transaction, account: string): Promise<void> {
    for (const other of (await tiesWithin(transaction, account)).keys()) {
      transaction.remove(tieTable, keyUnder(account, other));
      transaction.remove(tieTable, keyUnder(other, account));
      this.#kept.delete(other);
    }
    this.#kept.delete(account);
  }

  async #change<Result>(
    account: string,
    other: string,
    body: (pair: {
      readonly mine: Tie;
      readonly theirs: Tie;
      readonly set: (mine?: Standing, theirs?: Standing, isMuted?: boolean) => Promise<void>;
    }) => Promise<Result>,
  ): Promise<Result> {
    if (account === other) throw new SocialError("bad-request", "this is your own account");
    const result = await this.#store.transact(async (transaction) => {
      if ((await transaction.get(accountTable, other)) === undefined)
        throw new SocialError("unknown-account", "there is no such account");
      const [mine, theirs] = [await tieOf(transaction, account, other), await tieOf(transaction, other, account)];
      const set = async (own?: Standing, their?: Standing, isMuted = mine.isMuted === true): Promise<void> => {
        await putTie(transaction, account, other, own, isMuted);
        await putTie(transaction, other, account, their, theirs.isMuted === true);
      };
      return body({ mine, theirs, set });
    });
    for (const one of [account, other]) if (this.#kept.has(one)) this.keep(one);
    return result;
  }
}

async function tiesWithin(transaction: Transaction, account: string): Promise<Ties> {
  const stored = await readAll(transaction, tieTable, under(account));
  return new Map(stored.map(({ key, value }) => [restOf(account, key), value]));
}

async function tieOf(transaction: Transaction, account: string, other: string): Promise<Tie> {
  return (await transaction.get(tieTable, keyUnder(account, other)))?.value ?? {};
}

/** Writes one side of a pair, or removes it where there is nothing to say. Throws `too-many`. */
async function putTie(
  transaction: Transaction,
  account: string,
  other: string,
  standing: Standing | undefined,
  isMuted: boolean,
): Promise<void> {
  const key = keyUnder(account, other);
  if (standing === undefined && !isMuted) {
    transaction.remove(tieTable, key);
    return;
  }
  if ((await transaction.get(tieTable, key)) === undefined) {
    const ties = await transaction.range(tieTable, { ...under(account), limit: MOST_TIES });
    if (ties.length >= MOST_TIES)
      throw new SocialError("too-many", `an account stands in at most ${MOST_TIES} ties to others`);
  }
  transaction.put(tieTable, key, { ...(standing !== undefined && { standing }), ...(isMuted && { isMuted }) });
}
