/** A space is settled once, whoever asks how often, and whoever is denied gets nothing. */
import { expect, it } from "vitest";
import { refusal, setUp } from "../../test/stand-ins.ts";

it("pays what was accepted, once", async () => {
  const { social, account } = setUp();
  const [ann, ben] = [(await account("ann")).account, (await account("ben")).account];
  const told: string[] = [];
  social.settlements.onSettled(({ space }) => told.push(space));
  const verdict = {
    accepted: [
      { account: ann, goods: [{ good: "gold", count: 5 }, { good: "sword" }] },
      { account: ben, goods: [{ good: "gold", count: 2 }] },
    ],
  };
  const all = await Promise.all([1, 2, 3].map(() => social.settle("space-1", verdict)));
  expect(all[1]).toEqual(all[0]);
  expect(all[2]).toEqual(all[0]);
  expect(told).toEqual(["space-1"]);
  expect(await social.goods.list(ann)).toMatchObject([{ item: "gold", count: 5 }, { count: 1 }]);
  expect(await social.goods.list(ben)).toEqual([{ item: "gold", count: 2 }]);
  const other = await social.settle("space-1", { accepted: [{ account: ben, goods: [{ good: "gold", count: 100 }] }] });
  expect(other).toEqual(all[0]);
  expect(await social.goods.list(ben)).toEqual([{ item: "gold", count: 2 }]);
  expect(await social.settlements.of("space-1")).toEqual(all[0]);
  expect(await social.settlements.of("space-2")).toBeUndefined();
});

it("denies whom the verdict denies, and whose account is gone", async () => {
  const { social, account } = setUp();
  const [ann, ben] = [(await account("ann")).account, await account("ben")];
  await social.accounts.remove(ben.token, "a good password", "10.0.0.1");
  const earned = [{ good: "gold", count: 5 }];
  const settled = await social.settle("space-1", {
    accepted: [
      { account: ann, goods: earned },
      { account: ben.account, goods: earned },
    ],
    denied: [{ account: ann, reason: "forged the state of step 17" }],
  });
  expect(settled.paid).toEqual([]);
  expect(settled.denied.map(({ reason }) => reason)).toEqual(["forged the state of step 17", "the account is gone"]);
  expect(await social.goods.list(ann)).toEqual([]);
});

it("writes what the game adds in the same transaction, or nothing at all", async () => {
  const { social, account } = setUp();
  const ann = (await account("ann")).account;
  const verdict = { accepted: [{ account: ann, goods: [{ good: "gold" }] }] };
  await expect(
    social.settle("space-1", verdict, async () => {
      throw new Error("the game's own mistake");
    }),
  ).rejects.toThrow("the game's own mistake");
  expect(await social.goods.list(ann)).toEqual([]);
  expect(await social.settlements.of("space-1")).toBeUndefined();
  await social.settle("space-1", verdict);
  expect(await social.goods.list(ann)).toEqual([{ item: "gold", count: 1 }]);
});

it("refuses a verdict that cannot be meant", async () => {
  const { social, account } = setUp();
  const ann = (await account("ann")).account;
  const twice = {
    accepted: [
      { account: ann, goods: [] },
      { account: ann, goods: [] },
    ],
  };
  expect(await refusal(social.settle("s", twice))).toBe("bad-request");
  expect(await refusal(social.settle("", { accepted: [] }))).toBe("bad-request");
  expect(await refusal(social.settle("s", { accepted: [{ account: ann, goods: [{ good: "crown" }] }] }))).toBe(
    "unknown-good",
  );
});

it("has succeeded, whatever those who are told of it throw", async () => {
  const { social, account, errors } = setUp();
  const ann = (await account("ann")).account;
  const fail = (): void => {
    throw new Error("a listener's own mistake");
  };
  social.settlements.onSettled(fail);
  social.goods.onMoved(fail);
  await social.settle("space-1", { accepted: [{ account: ann, goods: [{ good: "gold" }] }] });
  expect(errors.splice(0)).toHaveLength(2);
  const attributes = { text: "x".repeat(300) };
  const tooLong = social.goods.grant({ key: "k", account: ann, goods: [{ good: "sword", attributes }] });
  expect(await refusal(tooLong)).toBe("bad-request");
  expect(await social.goods.list(ann)).toEqual([{ item: "gold", count: 1 }]);
});
