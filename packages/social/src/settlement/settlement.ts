/**
 * Settles the result of an action space: pays the goods that players earned there, once, or denies them. A settlement is known by the id of its
 * space. The first one counts; asking again returns what the first one did, whatever the second verdict says. So a server that was killed in
 * between simply settles again.
 */
import { type Store, type Table, type Transaction, table } from "@nearfield/store/internal";
import { accountTable } from "../accounts/account.ts";
import { SocialError } from "../errors.ts";
import type { Holding, NewGoods } from "../goods/catalogue.ts";
import type { Goods } from "../goods/goods.ts";
import { type OnError, tellAll } from "../tell-all.ts";

/** What is to be paid for one space: accepted results by account, and those who are denied theirs. */
export interface SpaceVerdict {
  readonly accepted: readonly { readonly account: string; readonly goods: readonly NewGoods[] }[];
  /** Nobody who stands here is paid, also where `accepted` names the account. The reason is kept and shown. */
  readonly denied?: readonly { readonly account: string; readonly reason: string }[];
}

export interface Settlement {
  readonly space: string;
  readonly paid: readonly { readonly account: string; readonly goods: readonly Holding[] }[];
  readonly denied: readonly { readonly account: string; readonly reason: string }[];
  readonly atMs: number;
}

export interface SettlementsOptions {
  readonly store: Store;
  readonly goods: Goods;
  readonly now: () => number;
  /** What a listener threw. Default: it is dropped. */
  readonly onError?: OnError;
}

/** By the space's id. */
const settlementTable: Table<Settlement> = table("social-settlements");

/** The most accounts in one space. */
const MOST_ACCOUNTS = 256;
const SPACE_ID = /^[\x21-\x7e]{1,80}$/;
/** Characters of a reason that are kept. */
const REASON_CHARACTERS = 200;

export class Settlements {
  readonly #options: SettlementsOptions;
  readonly #onSettled = new Set<(settlement: Settlement) => void>();

  constructor(options: SettlementsOptions) {
    this.#options = options;
  }

  /**
   * Pays a space's result in one durable transaction; resolves when it is on disk. With `also`, the game writes what belongs to the
   * same result, such as ratings, in the same transaction.
   */
  async settle(
    space: string,
    verdict: SpaceVerdict,
    also?: (transaction: Transaction, settlement: Settlement) => Promise<void>,
  ): Promise<Settlement> {
    const { store, goods, now } = this.#options;
    const denied = this.#check(space, verdict);
    const minted = verdict.accepted
      .filter(({ account }) => !denied.some((one) => one.account === account))
      .map(({ account, goods: earned }) => ({ account, goods: goods.mint(earned) }));
    const { settlement, isNew } = await store.transact(async (transaction) => {
      const made = await transaction.get(settlementTable, space);
      if (made !== undefined) return { settlement: made.value, isNew: false };
      const gone = await missing(transaction, minted);
      const fresh: Settlement = {
        space,
        paid: minted.filter(({ account }) => !gone.has(account)),
        denied: [...denied, ...Array.from(gone, (account) => ({ account, reason: "the account is gone" }))],
        atMs: now(),
      };
      transaction.put(settlementTable, space, fresh);
      await goods.payWithin(transaction, `settle:${space}`, fresh.paid);
      await also?.(transaction, fresh);
      return { settlement: fresh, isNew: true };
    });
    if (isNew) this.#tell(settlement);
    return settlement;
  }

  /** What was settled for this space; undefined if nothing was. */
  async of(space: string): Promise<Settlement | undefined> {
    return (await this.#options.store.transact((transaction) => transaction.get(settlementTable, space)))?.value;
  }

  /** Called once for every settlement, after it is durable. Not called again after a restart: `of` tells what was settled. */
  onSettled(listener: (settlement: Settlement) => void): () => void {
    this.#onSettled.add(listener);
    return () => this.#onSettled.delete(listener);
  }

  #check(space: string, { accepted, denied = [] }: SpaceVerdict): { account: string; reason: string }[] {
    if (!SPACE_ID.test(space))
      throw new SocialError("bad-request", `a space's id is 1 to 80 visible ASCII characters, not "${space}"`);
    if (accepted.length + denied.length > MOST_ACCOUNTS)
      throw new SocialError("bad-request", `a verdict names at most ${MOST_ACCOUNTS} accounts`);
    const accounts = accepted.map(({ account }) => account);
    if (new Set(accounts).size !== accounts.length)
      throw new SocialError("bad-request", "a verdict names each account once");
    return denied.map(({ account, reason }) => ({ account, reason: reason.slice(0, REASON_CHARACTERS) }));
  }

  #tell(settlement: Settlement): void {
    const changes = settlement.paid.flatMap(({ account, goods }) => goods.map((holding) => ({ account, ...holding })));
    this.#options.goods.tellMoved(changes);
    tellAll(this.#onSettled, settlement, "onSettled", this.#options.onError);
  }
}

/** Those accounts that do not exist. */
async function missing(
  transaction: Transaction,
  payments: readonly { readonly account: string }[],
): Promise<Set<string>> {
  const gone = new Set<string>();
  for (const { account } of payments)
    if ((await transaction.get(accountTable, account)) === undefined) gone.add(account);
  return gone;
}
