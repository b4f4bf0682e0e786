import { openSocial } from "@nearfield/social/node";
import { MemoryStore } from "@nearfield/store/node";
import { describe, expect, test } from "vitest";
import { CATALOGUE } from "./goods.ts";
import { type Deal, goldFor, makeDeal, PRICES, readDeal, WARES } from "./merchant.ts";

async function setUp(gold: number, store = new MemoryStore()) {
  const social = openSocial({ store, goods: CATALOGUE, secret: "a secret of at least thirty-two bytes" });
  const { account } = await social.accounts.guest("10.0.0.1");
  if (gold > 0) await social.goods.grant({ key: "purse", account, goods: [{ good: "gold", count: gold }] });
  const held = async (): Promise<Record<string, number>> =>
    Object.fromEntries((await social.goods.list(account)).map(({ item, count }) => [item, count]));
  return { social, store, account, held };
}

const buys = (count: number, key = "0000-0001"): Deal => ({ key, side: "buy", ware: "ruby", count });
const refusal = (asking: Promise<unknown>): Promise<string> =>
  asking.then(
    () => "done",
    (error: { code: string }) => error.code,
  );

describe("a deal with the merchant", () => {
  test("takes gold and gives the ware, and the other way round", async () => {
    const { social, account, held } = await setUp(30);
    await makeDeal(social.goods, account, buys(2));
    expect(await held()).toEqual({ gold: 6, ruby: 2 });
    await makeDeal(social.goods, account, { ...buys(2, "0000-0002"), side: "sell" });
    expect(await held()).toEqual({ gold: 22 });
    expect(await social.goods.audit(account)).toEqual([]);
  });

  test("is made once, however often it is asked for, also by a server that was started anew", async () => {
    const { social, store, account, held } = await setUp(30);
    await Promise.all([1, 2, 3].map(() => makeDeal(social.goods, account, buys(1))));
    const again = openSocial({ store, goods: CATALOGUE, secret: "a secret of at least thirty-two bytes" });
    await makeDeal(again.goods, account, buys(1));
    expect(await held()).toEqual({ gold: 18, ruby: 1 });
  });

  test("moves nothing where the gold or the ware is not there", async () => {
    const { social, account, held } = await setUp(11);
    expect(await refusal(makeDeal(social.goods, account, buys(1)))).toBe("not-enough");
    expect(await refusal(makeDeal(social.goods, account, { ...buys(1), side: "sell" }))).toBe("not-enough");
    expect(await held()).toEqual({ gold: 11 });
  });

  test("is of the account that asks: two players may choose the same key", async () => {
    const one = await setUp(12);
    const other = (await one.social.accounts.guest("10.0.0.2")).account;
    await one.social.goods.grant({ key: "other", account: other, goods: [{ good: "gold", count: 12 }] });
    for (const account of [one.account, other]) await makeDeal(one.social.goods, account, buys(1));
    expect(await one.social.goods.list(other)).toEqual([{ item: "ruby", count: 1 }]);
  });

  test("under a known key about something else is refused", async () => {
    const { social, account, held } = await setUp(40);
    await makeDeal(social.goods, account, buys(1));
    expect(await refusal(makeDeal(social.goods, account, buys(2)))).toBe("key-reused");
    expect(await held()).toEqual({ gold: 28, ruby: 1 });
  });
});

test("nobody gets rich by buying and selling", () => {
  for (const ware of WARES) {
    expect(PRICES[ware].gives).toBeLessThan(PRICES[ware].asks);
    expect(goldFor({ side: "buy", ware, count: 3 })).toBe(3 * PRICES[ware].asks);
  }
});

test("what strangers write is checked before anything moves", () => {
  const good = { key: "0000-0001", side: "buy", ware: "ruby", count: 1 };
  expect(readDeal({ ...good, more: "ignored" })).toEqual(good);
  for (const bad of [
    undefined,
    null,
    "buy",
    {},
    { ...good, key: 7 },
    { ...good, key: "" },
    { ...good, key: "x".repeat(9) },
    { ...good, side: "steal" },
    { ...good, ware: "gold" },
    { ...good, ware: "__proto__" },
    { ...good, count: 0 },
    { ...good, count: -4 },
    { ...good, count: 1.5 },
    { ...good, count: "2" },
    { ...good, count: Number.NaN },
    { ...good, count: 1e9 },
  ])
    expect(() => readDeal(bad)).toThrow();
});
