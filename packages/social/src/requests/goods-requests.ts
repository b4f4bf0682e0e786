/** What a page may ask about goods and trades. Goods are granted and spent by the game alone, on the server. */
import { MOST_COUNT, MOST_LOTS } from "../goods/catalogue.ts";
import type { Goods } from "../goods/goods.ts";
import type { Trades } from "../goods/trades.ts";
import type { Asker, Desk } from "./desk.ts";
import { id, listOf, optional, record, textUpTo, whole } from "./shape.ts";

const ITEM_CHARACTERS = 80;
const HOLDINGS_PER_PAGE = 100;

const item = textUpTo(ITEM_CHARACTERS);
const other = record({ account: id });
const trade = record({ trade: id });
const lots = listOf(record({ item, count: optional(whole(1, MOST_COUNT)) }), MOST_LOTS);

export function answerGoods(desk: Desk, goods: Goods): void {
  desk.answers("goods.list", record({ after: optional(item) }), async ({ account }, { after }) => {
    const all = await goods.list(account);
    const rest = after === undefined ? all : all.filter((holding) => holding.item > after);
    return { holdings: rest.slice(0, HOLDINGS_PER_PAGE), hasMore: rest.length > HOLDINGS_PER_PAGE };
  });
  desk.answers("goods.history", record({}), ({ account }) => goods.history(account));
}

/** @param mayAsk throws where one account may not bother the other; returns what tells the other of the question. */
export function answerTrades(
  desk: Desk,
  trades: Trades,
  mayAsk: (asker: Asker, other: string) => Promise<() => void>,
): void {
  desk.answers("trade.ask", other, async (asker, asks) => {
    const tellAsked = await mayAsk(asker, asks.account);
    const open = trades.ask(asker.account, asks.account);
    if (open !== undefined) return { trade: open };
    tellAsked();
    return {};
  });
  desk.answers("trade.accept", other, ({ account }, asks) => trades.accept(account, asks.account));
  desk.answers("trade.offer", record({ trade: id, gives: lots }), ({ account }, asks) =>
    trades.offer(account, asks.trade, asks.gives),
  );
  const confirmed = record({ trade: id, revision: whole(0, Number.MAX_SAFE_INTEGER) });
  desk.answers("trade.confirm", confirmed, ({ account }, asks) => trades.confirm(account, asks.trade, asks.revision));
  desk.answers("trade.cancel", trade, ({ account }, asks) => trades.cancel(account, asks.trade));
  desk.answers("trade.status", trade, ({ account }, asks) => trades.status(account, asks.trade));
}
