/** What a market of a few accounts must look like, whatever happened to the server: read from the store itself. */
import type { Store } from "@nearfield/store/node";
import { accountTable } from "../../src/accounts/account.ts";
import { Goods } from "../../src/goods/goods.ts";
import { Settlements } from "../../src/settlement/settlement.ts";
import { StandIns } from "../stand-ins.ts";

export const CATALOGUE = { gold: "stack", gem: "stack", sword: "single" } as const;

/** Goods and settlements on a store, without a server. */
export function books(store: Store, machine: StandIns = new StandIns()): { goods: Goods; settlements: Settlements } {
  const { now, randomId } = machine;
  const goods = new Goods({ store, catalogue: CATALOGUE, now, randomId });
  return { goods, settlements: new Settlements({ store, goods, now }) };
}

/** The id of the account with this number. */
export function accountId(number: number): string {
  return `a${number.toString(16).padStart(31, "0")}`;
}

/** Opens accounts, each with ten gold and a sword. */
export async function openAccounts(store: Store, accounts: readonly string[]): Promise<void> {
  const { goods } = books(store, new StandIns(Number.parseInt(accounts[0]!.slice(1), 16) * 100));
  for (const account of accounts) {
    await store.transact(async (transaction) =>
      transaction.put(accountTable, account, { name: account.slice(-4), epoch: 1, createdMs: 0 }),
    );
    await goods.grant({ key: `start-${account}`, account, goods: [{ good: "gold", count: 10 }, { good: "sword" }] });
  }
}

/** Counts of each good by account; throws if a ledger and an inventory disagree, or a single good is there twice. */
export async function takeStock(
  store: Store,
  accounts: readonly string[],
): Promise<Map<string, Record<string, number>>> {
  const { goods } = books(store);
  const stock = new Map<string, Record<string, number>>();
  const singles = new Set<string>();
  for (const account of accounts) {
    const wrong = await goods.audit(account);
    if (wrong.length > 0) throw new Error(`${account}: ledger and inventory disagree on ${wrong.join()}`);
    const counts: Record<string, number> = {};
    for (const { item, count } of await goods.list(account)) {
      const [good] = item.split("#") as [string];
      counts[good] = (counts[good] ?? 0) + count;
      if (good === item) continue;
      if (singles.has(item)) throw new Error(`${item} is held twice`);
      singles.add(item);
    }
    stock.set(account, counts);
  }
  return stock;
}
