/**
 * The merchant of the town: buys and sells for gold, at prices that the server sets. A deal is one durable movement of goods: gold goes and the ware comes, or
 * nothing happens. The page names each deal by a key of its own, so a page that got no answer asks again, and the deal is made once.
 */

import { type Holding, SocialError } from "@nearfield/social/client";
import { GOODS, type Good } from "./goods.ts";

export type Ware = Exclude<Good, "gold">;
export const WARES: readonly Ware[] = GOODS.filter((good) => good !== "gold");

/** Gold for one: what the merchant asks, and what it gives. It lives on the difference. */
export const PRICES: Readonly<Record<Ware, { readonly asks: number; readonly gives: number }>> = {
  amber: { asks: 4, gives: 2 },
  ruby: { asks: 12, gives: 8 },
  relic: { asks: 60, gives: 40 },
  lantern: { asks: 12, gives: 6 },
};

/** The most of a ware in one deal. */
export const MOST_IN_DEAL = 999;
const KEY = /^[0-9a-f-]{8,40}$/;

export interface Deal {
  /** The page's name for this deal: the same deal asked twice is made once. */
  readonly key: string;
  /** What the player does. */
  readonly side: "buy" | "sell";
  readonly ware: Ware;
  readonly count: number;
}

/** What this needs of the social space: `social.goods` has it. */
export interface Till {
  convert(order: {
    readonly key: string;
    readonly account: string;
    readonly takes: readonly { readonly item: string; readonly count: number }[];
    readonly makes: readonly { readonly good: string; readonly count: number }[];
  }): Promise<readonly Holding[]>;
}

/** What a deal costs or brings, in gold. */
export function goldFor({ side, ware, count }: Pick<Deal, "side" | "ware" | "count">): number {
  return count * (side === "buy" ? PRICES[ware].asks : PRICES[ware].gives);
}

/** Makes the deal, or throws `SocialError` ("not-enough") and nothing has moved. */
export async function makeDeal(till: Till, account: string, deal: Deal): Promise<void> {
  const gold = { good: "gold", count: goldFor(deal) };
  const ware = { good: deal.ware, count: deal.count };
  const [takes, makes] = deal.side === "buy" ? [gold, ware] : [ware, gold];
  await till.convert({
    key: `deal-${account}-${deal.key}`,
    account,
    takes: [{ item: takes.good, count: takes.count }],
    makes: [makes],
  });
}

/** A deal, of what a stranger wrote. Throws `SocialError`. */
export function readDeal(body: unknown): Deal {
  const { key, side, ware, count } = Object(body) as Record<string, unknown>;
  if (typeof key !== "string" || !KEY.test(key)) throw new SocialError("bad-request", "a deal needs a key of its own");
  if (side !== "buy" && side !== "sell") throw new SocialError("bad-request", "a deal buys or sells");
  if (!WARES.includes(ware as Ware)) throw new SocialError("unknown-good", "the merchant does not deal in that");
  if (!Number.isInteger(count) || (count as number) < 1 || (count as number) > MOST_IN_DEAL)
    throw new SocialError("bad-request", `a deal is about 1 to ${MOST_IN_DEAL}`);
  return { key, side, ware: ware as Ware, count: count as number };
}
