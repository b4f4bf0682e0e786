/**
 * Goods of accounts: grant, spend, hand over, list. Every movement has an idempotency key, chosen by whoever orders it: a caller that got no answer
 * asks again with the same key, and the goods move once.
 */
import type { Store, Transaction } from "@nearfield/store/internal";
import { accountTable } from "../accounts/account.ts";
import { SocialError } from "../errors.ts";
import { type OnError, tellAll } from "../tell-all.ts";
import { type Catalogue, checkCatalogue, type Holding, joinLots, type Lot, mint, type NewGoods } from "./catalogue.ts";
import {
  attributesOf,
  type Change,
  holdingsOf,
  type LedgerEntry,
  ledgerOf,
  type MovementKind,
  type MovementRecord,
  move,
  movementOf,
  newestEntries,
  recompute,
} from "./movement.ts";

export interface GoodsOptions {
  readonly store: Store;
  readonly catalogue: Catalogue;
  /** Ms since 1970. */
  readonly now: () => number;
  readonly randomId: () => string;
  /** The most different items of one account. Default 500. A larger value makes the inventory's answer longer. */
  readonly mostItems?: number;
  /** What a listener threw. Default: it is dropped. */
  readonly onError?: OnError;
}

/** A movement of goods of one account. */
export interface Order {
  /** Any text of 1 to 100 ASCII characters that this movement alone has: "quest-17-of-ann". */
  readonly key: string;
  readonly account: string;
}

/** The two sides of an exchange: what each gives the other. */
export interface Exchange {
  readonly key: string;
  readonly sides: readonly [Side, Side];
}

export interface Side {
  readonly account: string;
  readonly gives: readonly Lot[];
}

/** A side as the movement notes it: lots joined and in order. */
interface ExchangedSide {
  readonly account: string;
  readonly gives: readonly Required<Lot>[];
}

const DEFAULT_MOST_ITEMS = 500;
const KEY = /^[\x21-\x7e]{1,100}$/;

export class Goods {
  readonly #options: GoodsOptions;
  readonly #mostItems: number;
  readonly #onMoved = new Set<(changes: readonly Change[]) => void>();

  constructor(options: GoodsOptions) {
    checkCatalogue(options.catalogue);
    this.#options = options;
    this.#mostItems = options.mostItems ?? DEFAULT_MOST_ITEMS;
  }

  /** What the account holds. */
  list(account: string): Promise<Holding[]> {
    return this.#options.store.transact((transaction) => holdingsOf(transaction, account));
  }

  /** What happened to the account's goods, newest first. */
  history(account: string, limit = 50): Promise<LedgerEntry[]> {
    return this.#options.store.transact((transaction) => newestEntries(transaction, account, limit));
  }

  /** Makes new goods for an account. Returns what the account got. */
  async grant(order: Order & { readonly goods: readonly NewGoods[] }): Promise<Holding[]> {
    const { account, goods } = order;
    const minted = mint(this.#options.catalogue, goods, this.#options.randomId);
    const record = await this.#transact((transaction) => {
      const changes = minted.map((holding) => ({ account, ...holding }));
      return this.#move(transaction, "grant", order.key, JSON.stringify({ account, goods }), changes);
    });
    return record.changes.map(({ account: _, ...holding }) => holding);
  }

  /** Takes goods from an account, for good. Throws `not-enough`. */
  async spend(order: Order & { readonly lots: readonly Lot[] }): Promise<void> {
    const lots = joinLots(order.lots);
    const { account } = order;
    await this.#transact((transaction) => {
      const changes = lots.map(({ item, count }) => ({ account, item, count: -count }));
      return this.#move(transaction, "spend", order.key, JSON.stringify({ account, lots }), changes);
    });
  }

  /** Takes goods from an account and makes new ones for it, in one movement: a shop, a forge. Returns what the account got. */
  async convert(
    order: Order & { readonly takes: readonly Lot[]; readonly makes: readonly NewGoods[] },
  ): Promise<Holding[]> {
    const { account, makes } = order;
    const takes = joinLots(order.takes);
    const minted = mint(this.#options.catalogue, makes, this.#options.randomId);
    const record = await this.#transact((transaction) => {
      const changes = [
        ...takes.map(({ item, count }) => ({ account, item, count: -count })),
        ...minted.map((holding) => ({ account, ...holding })),
      ];
      return this.#move(transaction, "conversion", order.key, JSON.stringify({ account, takes, makes }), changes);
    });
    return record.changes.filter(({ count }) => count > 0).map(({ account: _, ...holding }) => holding);
  }

  /** Two accounts give each other goods: both movements happen, or none. Throws `not-enough`. */
  async exchange({ key, sides }: Exchange): Promise<void> {
    const [first, second] = sides.map(({ account, gives }) => ({ account, gives: joinLots(gives) }));
    if (first!.account === second!.account)
      throw new SocialError("bad-request", "an account cannot exchange goods with itself");
    await this.#transact(async (transaction) => {
      const changes: Change[] = [];
      for (const [giver, taker] of [
        [first!, second!],
        [second!, first!],
      ] as const) {
        for (const { item, count } of giver.gives) {
          const attributes = await attributesOf(transaction, giver.account, item);
          changes.push({ account: giver.account, item, count: -count });
          changes.push({ account: taker.account, item, count, ...(attributes !== undefined && { attributes }) });
        }
      }
      return this.#move(transaction, "trade", key, JSON.stringify([first, second]), changes);
    });
  }

  /** The two sides of the exchange that was made under this key; undefined if there was none. */
  async exchangeOf(key: string): Promise<ExchangedSide[] | undefined> {
    const made = await this.#options.store.transact((transaction) => movementOf(transaction, key));
    return made?.kind === "trade" ? (JSON.parse(made.asked) as ExchangedSide[]) : undefined;
  }

  /** Pays new goods to several accounts, within a transaction of the caller's. Never refused for want of room. */
  async payWithin(
    transaction: Transaction,
    key: string,
    payments: readonly { readonly account: string; readonly goods: readonly Holding[] }[],
  ): Promise<void> {
    const changes = payments.flatMap(({ account, goods }) => goods.map((holding) => ({ account, ...holding })));
    const movement = { key, kind: "settlement", asked: key, changes, atMs: this.#options.now() } as const;
    await move(transaction, movement, Number.POSITIVE_INFINITY);
  }

  /** New goods, each single one with an id, for `payWithin`. Made outside of the transaction, which may run more than once. */
  mint(goods: readonly NewGoods[]): Holding[] {
    return mint(this.#options.catalogue, goods, this.#options.randomId);
  }

  /** Takes everything from an account that is being deleted. Its ledger stays. */
  async forget(transaction: Transaction, account: string): Promise<void> {
    const held = await holdingsOf(transaction, account);
    if (held.length === 0) return;
    const changes = held.map(({ item, count }) => ({ account, item, count: -count }));
    await this.#move(transaction, "removal", `removal:${account}`, account, changes);
  }

  /** Recomputes the account's holdings from its ledger. Returns the items on which the two disagree: none, ever. */
  async audit(account: string): Promise<string[]> {
    return this.#options.store.transact(async (transaction) => {
      const held = await holdingsOf(transaction, account);
      const summed = recompute(await ledgerOf(transaction, account));
      const texts = (holdings: readonly Holding[]): Map<string, string> =>
        new Map(holdings.map(({ item, count, attributes }) => [item, JSON.stringify([count, attributes])]));
      const [has, should] = [texts(held), texts(summed)];
      return [...new Set([...has.keys(), ...should.keys()])].filter((item) => has.get(item) !== should.get(item));
    });
  }

  /** Called after goods have moved, with every holding that changed. Also for a movement that was asked for twice. */
  onMoved(listener: (changes: readonly Change[]) => void): () => void {
    this.#onMoved.add(listener);
    return () => this.#onMoved.delete(listener);
  }

  /** Tells listeners of goods that were paid within the caller's transaction, once it is durable. */
  tellMoved(changes: readonly Change[]): void {
    tellAll(this.#onMoved, changes, "onMoved", this.#options.onError);
  }

  async #transact(body: (transaction: Transaction) => Promise<MovementRecord>): Promise<MovementRecord> {
    const record = await this.#options.store.transact(body);
    this.tellMoved(record.changes);
    return record;
  }

  async #move(
    transaction: Transaction,
    kind: Exclude<MovementKind, "settlement">,
    key: string,
    asked: string,
    changes: readonly Change[],
  ): Promise<MovementRecord> {
    if (!KEY.test(key)) throw new SocialError("bad-request", `key: 1 to 100 visible ASCII characters, not "${key}"`);
    const made = await movementOf(transaction, key, asked);
    if (made !== undefined) return made;
    if (kind !== "removal")
      for (const account of new Set(changes.map((change) => change.account))) {
        if ((await transaction.get(accountTable, account)) === undefined)
          throw new SocialError("unknown-account", `there is no account ${account}`);
      }
    return move(transaction, { key, kind, asked, changes, atMs: this.#options.now() }, this.#mostItems);
  }
}
