/** The two movements that are interrupted at every point: a settlement of three accounts, and a trade of two. */
import type { Store } from "@nearfield/store/node";
import { Trades } from "../../src/goods/trades.ts";
import { StandIns } from "../stand-ins.ts";
import { accountId, books } from "./ledgers.ts";

const [ann, ben, cid] = [0, 1, 2].map(accountId) as [string, string, string];
const TRADE_ID = "7".repeat(32);

/** The trade's id is fixed, so that the same trade can be asked for again after a restart. */
async function trade(store: Store): Promise<void> {
  const { goods } = books(store);
  const trades = new Trades({ goods, now: () => 0, randomId: () => TRADE_ID });
  trades.ask(ann, ben);
  const { id } = trades.accept(ben, ann);
  trades.offer(ann, id, [{ item: "gold", count: 4 }]);
  const { revision } = trades.offer(ben, id, [{ item: "gold", count: 1 }]);
  await trades.confirm(ann, id, revision);
  await trades.confirm(ben, id, revision);
}

async function settle(store: Store): Promise<void> {
  const { settlements } = books(store, new StandIns(1000));
  await settlements.settle("space-1", {
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

/** What the three hold before and after. */
export const outcomes: Readonly<Record<keyof typeof movements, { readonly before: Stock[]; readonly after: Stock[] }>> =
  {
    settle: { before: [start, start, start], after: [{ gold: 15, sword: 2 }, { ...start, gem: 2 }, start] },
    trade: { before: [start, start, start], after: [{ gold: 7, sword: 1 }, { gold: 13, sword: 1 }, start] },
  };
