/**
 * The two movements that are interrupted at every point: a settlement for three accounts, one of them denied, and a trade of two. Each has a number; its
 * accounts, its space and its trade are its own, so that one store serves for all.
 */
import type { Store } from "@nearfield/store/node";
import { Trades } from "../../src/goods/trades.ts";
import { StandIns } from "../stand-ins.ts";
import { accountId, books } from "./ledgers.ts";

export function accountsOf(number: number): [string, string, string] {
  return [accountId(10 * number), accountId(10 * number + 1), accountId(10 * number + 2)];
}

/** The trade's id is fixed, so that the same trade can be asked for again after a restart. */
async function trade(store: Store, number: number): Promise<void> {
  const [ann, ben] = accountsOf(number);
  const { goods } = books(store);
  const trades = new Trades({ goods, now: () => 0, randomId: () => accountId(number) });
  trades.ask(ann, ben);
  const { id } = trades.accept(ben, ann);
  trades.offer(ann, id, [{ item: "gold", count: 4 }]);
  const { revision } = trades.offer(ben, id, [{ item: "gold", count: 1 }]);
  await trades.confirm(ann, id, revision);
  await trades.confirm(ben, id, revision);
}

async function settle(store: Store, number: number): Promise<void> {
  const [ann, ben, cid] = accountsOf(number);
  const { settlements } = books(store, new StandIns(1000 * (number + 1)));
  await settlements.settle(`space-${number}`, {
    accepted: [
      { account: ann, goods: [{ good: "gold", count: 5 }, { good: "sword" }] },
      { account: ben, goods: [{ good: "gem", count: 2 }] },
      { account: cid, goods: [{ good: "gold", count: 1 }] },
    ],
    denied: [{ account: cid, reason: "forged" }],
  });
}

export const movements = { settle, trade };

type Stock = Record<string, number>;
const start: Stock = { gold: 10, sword: 1 };

/** What the three hold before, and after. */
export const before: readonly Stock[] = [start, start, start];
export const after: Readonly<Record<keyof typeof movements, readonly Stock[]>> = {
  settle: [{ gold: 15, sword: 2 }, { ...start, gem: 2 }, start],
  trade: [{ gold: 7, sword: 1 }, { gold: 13, sword: 1 }, start],
};
