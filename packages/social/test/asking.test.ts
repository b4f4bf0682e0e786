/** Questions of players over a real connection: answers, refusals, limits, and what hostile ones do. */
import { afterEach, expect, it } from "vitest";
import { Ask } from "../src/client/messages.ts";
import { SocialError } from "../src/errors.ts";
import { refusal } from "./stand-ins.ts";
import { openTown, settleIn, type Town } from "./town.ts";

let town: Town;
afterEach(() => town.close());

it("two players trade, and both hear of it", async () => {
  town = await openTown();
  const [ann, ben] = [await settleIn(town, "ann"), await settleIn(town, "ben")];
  await town.social.goods.grant({ key: "1", account: ann.account, goods: [{ good: "gold", count: 10 }] });
  const heard: unknown[] = [];
  ben.social.onNews("trade.asked", (news) => heard.push(news));
  ben.social.onNews("trade", ({ state, revision }) => heard.push([state, revision]));
  await ann.social.ask("trade.ask", { account: ben.account });
  await expect.poll(() => heard, { interval: 5 }).toEqual([{ account: ann.account, name: "ann" }]);
  const { id } = await ben.social.ask("trade.accept", { account: ann.account });
  const { revision } = await ann.social.ask("trade.offer", { trade: id, gives: [{ item: "gold", count: 4 }] });
  await ann.social.ask("trade.confirm", { trade: id, revision });
  expect((await ben.social.ask("trade.confirm", { trade: id, revision })).state).toBe("done");
  expect(heard.slice(1)).toEqual([
    ["open", 1],
    ["open", 2],
    ["open", 2],
    ["done", 2],
  ]);
  expect(await ben.social.ask("goods.list", {})).toEqual({ holdings: [{ item: "gold", count: 4 }], hasMore: false });
  expect((await ben.social.ask("goods.history", {})).map(({ kind }) => kind)).toEqual(["trade"]);
  expect(await refusal(ann.social.ask("trade.ask", { account: "f".repeat(32) }))).toBe("not-here");
  expect(await ann.social.ask("find", { name: "BEN" })).toEqual({ account: ben.account, name: "ben" });
  expect(await refusal(ann.social.ask("find", { name: "nobody" }))).toBe("unknown-account");
});

it("an inventory is listed in pages", async () => {
  town = await openTown();
  const ann = await settleIn(town, "ann");
  for (let grant = 0; grant < 16; grant++)
    await town.social.goods.grant({ key: `${grant}`, account: ann.account, goods: [{ good: "sword", count: 15 }] });
  const seen = new Set<string>();
  let after: string | undefined;
  for (;;) {
    const { holdings, hasMore } = await ann.social.ask("goods.list", after === undefined ? {} : { after });
    for (const { item } of holdings) seen.add(item);
    after = holdings.at(-1)!.item;
    if (!hasMore) break;
  }
  expect(seen.size).toBe(240);
});

it("the game answers questions of its own", async () => {
  town = await openTown();
  const ann = await settleIn(town, "ann");
  town.social.answers("shop.buy", {
    reads: (body) => {
      if (typeof body !== "object") throw new SocialError("bad-request", "what?");
      return body as { what: string };
    },
    answer: ({ account }, { what }) => ({ account, what }),
  });
  town.social.answers("shop.fail", {
    reads: () => ({}),
    answer: () => {
      throw new TypeError("the game's own mistake");
    },
  });
  expect(await ann.social.askGame("shop.buy", { what: "bread" })).toEqual({ account: ann.account, what: "bread" });
  expect(await refusal(ann.social.askGame("shop.fail"))).toBe("failed");
  expect(town.errors.splice(0)).toHaveLength(1);
  const heard = new Promise((hear) => ann.social.onGameNews("sale", hear));
  town.social.tell(ann.account, "sale", { half: "price" });
  expect(await heard).toEqual({ half: "price" });
});

it("hostile questions are refused one by one, and hurt nobody", async () => {
  town = await openTown({ askRate: { burst: 100, perSecond: 100 } });
  const [eve, ann] = [await settleIn(town, "eve"), await settleIn(town, "ann")];
  const hostile: [string, unknown][] = [
    ["", {}],
    ["constructor", {}],
    ["goods.list", []],
    ["goods.list", null],
    ["goods.list", { after: 5 }],
    ["trade.ask", {}],
    ["trade.ask", { account: "../../etc" }],
    ["trade.offer", { trade: "0".repeat(32), gives: [{ item: "gold", count: -1 }] }],
    ["trade.offer", { trade: "0".repeat(32), gives: Array.from({ length: 65 }, () => ({ item: "gold" })) }],
    ["trade.offer", { trade: "0".repeat(32), gives: [{ item: "x".repeat(81) }] }],
    ["trade.confirm", { trade: "0".repeat(32), revision: 1.5 }],
    ["find", { name: { toString: "x" } }],
  ];
  for (const [kind, body] of hostile)
    expect([kind, await refusal(eve.social.askGame(kind, body as object))]).toEqual([kind, "bad-request"]);
  eve.client.send(Ask, { number: 1, kind: "me", body: "{" });
  eve.client.send(Ask, { number: 1, kind: "me", body: '{"__proto__":{"account":"x"}}' });
  expect(await ann.social.ask("me", {})).toMatchObject({ name: "ann" });
  expect(eve.client.state).not.toBe("ended");
  expect(town.errors).toEqual([]);
});

it("who asks too fast is refused, and others are not", async () => {
  town = await openTown({ askRate: { burst: 5, perSecond: 0.001 } });
  const [eve, ann] = [await settleIn(town, "eve"), await settleIn(town, "ann")];
  const codes = await Promise.all(Array.from({ length: 12 }, () => refusal(eve.social.ask("me", {}))));
  expect(codes.filter((code) => code === "done")).toHaveLength(5);
  expect(codes.filter((code) => code === "too-fast")).toHaveLength(7);
  expect(await refusal(ann.social.ask("me", {}))).toBe("done");
});
