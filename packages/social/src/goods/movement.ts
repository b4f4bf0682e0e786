/**
 * The one place where goods move. A movement changes what several accounts hold, writes what it did into each account's ledger, and notes
 * its idempotency key, all in one transaction of the store. The same key again moves nothing.
 *
 * Invariants: no holding is ever below zero; a single good is held by one account at most; the sum of an account's ledger is what the
 * account holds; ledger entries are only ever added.
 */
import { type Table, type Transaction, table } from "@nearfield/store/internal";
import { SocialError } from "../errors.ts";
import { keyUnder, readAll, restOf, sortable, under } from "../keys.ts";
import type { Attributes, Holding } from "./catalogue.ts";

export type MovementKind = "grant" | "spend" | "conversion" | "trade" | "settlement" | "removal";

/** One holding goes up (count above 0) or down. */
export interface Change {
  readonly account: string;
  readonly item: string;
  readonly count: number;
  readonly attributes?: Attributes;
}

export interface Movement {
  /** Idempotency key: whatever moves twice under one key moves once. */
  readonly key: string;
  readonly kind: MovementKind;
  /** What the mover asked for, as text. The same key with another text is refused. */
  readonly asked: string;
  readonly changes: readonly Change[];
  readonly atMs: number;
}

/** A movement that was made. */
export interface MovementRecord {
  readonly kind: MovementKind;
  readonly asked: string;
  readonly changes: readonly Change[];
  readonly atMs: number;
}

export interface LedgerEntry {
  /** The movement's key. */
  readonly movement: string;
  readonly kind: MovementKind;
  readonly atMs: number;
  readonly changes: readonly Holding[];
}

interface HoldingRecord {
  readonly count: number;
  readonly attributes?: Attributes;
}

/** By account and item. */
const holdingTable: Table<HoldingRecord> = table("social-holdings");
/** By account and number, from 1. */
const ledgerTable: Table<LedgerEntry> = table("social-ledger");
/** By account: how many ledger entries and how many different items it has. */
const purseTable: Table<{ readonly entries: number; readonly items: number }> = table("social-purses");
/** By idempotency key. */
const movementTable: Table<MovementRecord> = table("social-movements");

/** The most of one stackable good that an account holds. */
const MOST_HELD = 1_000_000_000_000;

/** What a movement under this key did; undefined if there was none. Throws `key-reused` if it was asked for something else. */
export async function movementOf(
  transaction: Transaction,
  key: string,
  asked?: string,
): Promise<MovementRecord | undefined> {
  const stored = await transaction.get(movementTable, key);
  if (stored !== undefined && asked !== undefined && stored.value.asked !== asked)
    throw new SocialError("key-reused", `the key ${key} belongs to another movement; use a new one`);
  return stored?.value;
}

/**
 * Moves goods, unless a movement with this key did already. Throws `not-enough` or `full`; the store then writes nothing.
 *
 * @param mostItems the most different items an account may hold; `Infinity` for what must never be refused.
 */
export async function move(transaction: Transaction, movement: Movement, mostItems: number): Promise<MovementRecord> {
  const { key, kind, asked, changes, atMs } = movement;
  const made = await movementOf(transaction, key, asked);
  if (made !== undefined) return made;
  const record: MovementRecord = { kind, asked, changes, atMs };
  transaction.put(movementTable, key, record);
  for (const [account, own] of byAccount(changes)) {
    const purse = (await transaction.get(purseTable, account))?.value ?? { entries: 0, items: 0 };
    let { items } = purse;
    for (const change of own) items += await changeHolding(transaction, change);
    if (items > Math.max(mostItems, purse.items))
      throw new SocialError("full", `an account holds at most ${mostItems} different items`);
    const entries = purse.entries + 1;
    const entry = { movement: key, kind, atMs, changes: own.map(({ account: _, ...holding }) => holding) };
    transaction.put(ledgerTable, keyUnder(account, sortable(entries)), entry);
    transaction.put(purseTable, account, { entries, items });
  }
  return record;
}

/** Everything that an account holds, in the order of items. */
export async function holdingsOf(transaction: Transaction, account: string): Promise<Holding[]> {
  const stored = await readAll(transaction, holdingTable, under(account));
  return stored.map(({ key, value }) => ({ item: restOf(account, key), ...value }));
}

/** The account's whole ledger, oldest first. */
export async function ledgerOf(transaction: Transaction, account: string): Promise<LedgerEntry[]> {
  return (await readAll(transaction, ledgerTable, under(account))).map(({ value }) => value);
}

/** The account's newest ledger entries, newest first. */
export async function newestEntries(transaction: Transaction, account: string, limit: number): Promise<LedgerEntry[]> {
  const stored = await transaction.range(ledgerTable, { ...under(account), reverse: true, limit });
  return stored.map(({ value }) => value);
}

/** What the ledger says that the account holds, in the order of items. */
export function recompute(ledger: readonly LedgerEntry[]): Holding[] {
  const held = new Map<string, Holding>();
  for (const { changes } of ledger) {
    for (const { item, count, attributes } of changes) {
      const before = held.get(item);
      const kept = before?.attributes ?? attributes;
      const now = { item, count: (before?.count ?? 0) + count, ...(kept !== undefined && { attributes: kept }) };
      if (now.count === 0) held.delete(item);
      else held.set(item, now);
    }
  }
  return [...held.values()].sort((a, b) => (a.item < b.item ? -1 : 1));
}

/** Changes of the same item of one account are joined, so that giving and taking it in one movement is judged by the sum. */
function byAccount(changes: readonly Change[]): Map<string, Change[]> {
  const accounts = new Map<string, Map<string, Change>>();
  for (const change of changes) {
    const own = accounts.get(change.account) ?? new Map<string, Change>();
    const before = own.get(change.item);
    own.set(change.item, { ...before, ...change, count: (before?.count ?? 0) + change.count });
    accounts.set(change.account, own);
  }
  const joined = [...accounts].map(([account, own]) => [account, [...own.values()].filter(({ count }) => count !== 0)]);
  return new Map(joined as [string, Change[]][]);
}

/** Returns by how much the number of different items changed. */
async function changeHolding(transaction: Transaction, { account, item, count, attributes }: Change): Promise<number> {
  const key = keyUnder(account, item);
  const held = (await transaction.get(holdingTable, key))?.value;
  const next = (held?.count ?? 0) + count;
  if (next < 0)
    throw new SocialError("not-enough", `${item}: ${-count} are needed, but only ${held?.count ?? 0} are there`);
  if (next > MOST_HELD) throw new SocialError("full", `${item}: an account holds at most ${MOST_HELD}`);
  const kept = held?.attributes ?? attributes;
  if (next === 0) transaction.remove(holdingTable, key);
  else transaction.put(holdingTable, key, { count: next, ...(kept !== undefined && { attributes: kept }) });
  return Number(next !== 0) - Number(held !== undefined);
}

/** The attributes of what an account holds, for whom it moves to. */
export async function attributesOf(
  transaction: Transaction,
  account: string,
  item: string,
): Promise<Attributes | undefined> {
  return (await transaction.get(holdingTable, keyUnder(account, item)))?.value.attributes;
}
