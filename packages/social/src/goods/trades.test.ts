/** Trades: only what both have confirmed moves, once. */
import { describe, expect, it } from "vitest";
import { refusal, type Setup, setUp } from "../../test/stand-ins.ts";
import type { TradeView } from "./trades.ts";

async function market(): Promise<Setup & { ann: string; ben: string; open: () => TradeView }> {
  const set = setUp();
  const [ann, ben] = [(await set.account("ann")).account, (await set.account("ben")).account];
  await set.social.goods.grant({ key: "1", account: ann, goods: [{ good: "gold", count: 10 }] });
  await set.social.goods.grant({ key: "2", account: ben, goods: [{ good: "gem", count: 3 }] });
  const open = (): TradeView => {
    set.social.trades.ask(ann, ben);
    return set.social.trades.accept(ben, ann);
  };
  return { ...set, ann, ben, open };
}

describe("a trade", () => {
  it("moves what both confirmed, with the second confirmation", async () => {
    const { social, ann, ben, open } = await market();
    const { id } = open();
    social.trades.offer(ann, id, [{ item: "gold", count: 4 }]);
    const { revision } = social.trades.offer(ben, id, [{ item: "gem", count: 1 }]);
    expect((await social.trades.confirm(ann, id, revision)).state).toBe("open");
    expect(await social.goods.list(ann)).toEqual([{ item: "gold", count: 10 }]);
    expect((await social.trades.confirm(ben, id, revision)).state).toBe("done");
    expect(await social.goods.list(ann)).toEqual([
      { item: "gem", count: 1 },
      { item: "gold", count: 6 },
    ]);
    expect(await social.goods.list(ben)).toEqual([
      { item: "gem", count: 2 },
      { item: "gold", count: 4 },
    ]);
    // Whoever missed the answer asks again, and learns of it from the ledger.
    expect((await social.trades.confirm(ann, id, revision)).state).toBe("done");
    expect((await social.trades.status(ben, id)).sides[0]!.gives).toEqual([{ item: "gold", count: 4 }]);
  });

  it("loses both confirmations when the offer changes", async () => {
    const { social, ann, ben, open } = await market();
    const { id, revision } = open();
    await social.trades.confirm(ann, id, revision);
    const changed = social.trades.offer(ben, id, []);
    expect(changed.sides.map(({ hasConfirmed }) => hasConfirmed)).toEqual([false, false]);
    expect(await refusal(social.trades.confirm(ann, id, revision))).toBe("offer-changed");
  });

  it("that promises too much is refused whole, and goes on", async () => {
    const { social, ann, ben, open } = await market();
    const { id } = open();
    social.trades.offer(ann, id, [{ item: "gold", count: 11 }]);
    const { revision } = social.trades.offer(ben, id, [{ item: "gem", count: 3 }]);
    await social.trades.confirm(ann, id, revision);
    expect(await refusal(social.trades.confirm(ben, id, revision))).toBe("not-enough");
    const view = await social.trades.status(ann, id);
    expect(view).toMatchObject({ state: "open", revision: revision + 1 });
    expect(await social.goods.list(ben)).toEqual([{ item: "gem", count: 3 }]);
  });

  it("confirmed by both at the same moment moves once", async () => {
    const { social, ann, ben, open } = await market();
    const { id } = open();
    const { revision } = social.trades.offer(ann, id, [{ item: "gold", count: 10 }]);
    const codes = await Promise.all([
      refusal(social.trades.confirm(ann, id, revision)),
      refusal(social.trades.confirm(ben, id, revision)),
      refusal(social.trades.confirm(ben, id, revision)),
    ]);
    expect(codes).toEqual(["done", "done", "busy"]);
    expect(await social.goods.list(ann)).toEqual([]);
    expect(await social.goods.list(ben)).toEqual([
      { item: "gem", count: 3 },
      { item: "gold", count: 10 },
    ]);
  });

  it("is between the two alone, one at a time", async () => {
    const { social, ann, ben, open, account, machine } = await market();
    const cid = (await account("cid")).account;
    expect(await refusal(() => social.trades.accept(ben, ann))).toBe("no-trade");
    expect(await refusal(() => social.trades.ask(ann, ann))).toBe("bad-request");
    const { id, revision } = open();
    expect(await refusal(() => social.trades.offer(cid, id, []))).toBe("no-trade");
    expect(await refusal(social.trades.confirm(cid, id, revision))).toBe("no-trade");
    expect(await refusal(social.trades.status(cid, id))).toBe("no-trade");
    expect(await refusal(() => social.trades.ask(ann, cid))).toBe("in-trade");
    social.trades.ask(cid, ann);
    expect(await refusal(() => social.trades.accept(ann, cid))).toBe("in-trade");
    machine.nowMs += 11 * 60_000;
    expect(await refusal(() => social.trades.ask(ann, cid))).toBe("done");
    expect(await refusal(social.trades.confirm(ben, id, revision))).toBe("no-trade");
    machine.nowMs += 2 * 60_000;
    expect(await refusal(() => social.trades.accept(cid, ann))).toBe("no-trade");
  });

  it("ends with whoever leaves", async () => {
    const { social, ann, ben, open } = await market();
    const { id, revision } = open();
    await social.trades.confirm(ann, id, revision);
    social.trades.leave(ann);
    expect(await refusal(social.trades.confirm(ben, id, revision))).toBe("no-trade");
    expect(open().state).toBe("open");
  });

  it("of which nobody knows whether it moved is asked again, and moves once", async () => {
    const { social, store, ann, ben, open } = await market();
    const { id } = open();
    const { revision } = social.trades.offer(ann, id, [{ item: "gold", count: 10 }]);
    await social.trades.confirm(ann, id, revision);
    const { transact } = store;
    store.transact = async (body) => {
      await transact.call(store, body as never);
      throw new Error("the answer was lost");
    };
    await expect(social.trades.confirm(ben, id, revision)).rejects.toThrow("the answer was lost");
    store.transact = transact;
    expect(await refusal(() => social.trades.offer(ann, id, []))).toBe("busy");
    expect(await refusal(() => social.trades.cancel(ann, id))).toBe("busy");
    expect((await social.trades.confirm(ben, id, revision)).state).toBe("done");
    expect(await social.goods.list(ann)).toEqual([]);
    expect(await social.goods.audit(ben)).toEqual([]);
  });
});
