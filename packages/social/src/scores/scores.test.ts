/** High scores: order, ties, periods, ranks, and what an account leaves behind. */
import { Dice } from "@nearfield/netlab";
import { expect, it } from "vitest";
import { refusal, setUp } from "../../test/stand-ins.ts";

const DAY_MS = 86_400_000;
const boards = { waves: {}, lap: { better: "low", periods: ["all"] } } as const;

it("lists the best first, each account once with its best, and shares ranks", async () => {
  const { social, account } = setUp({ boards });
  const accounts: string[] = [];
  for (const name of ["ann", "ben", "cid", "dan"]) accounts.push((await account(name)).account);
  const [ann, ben, cid, dan] = accounts as [string, string, string, string];
  for (const [who, score] of [
    [ann, 5],
    [ben, 30],
    [cid, 30],
    [ann, 9],
    [ann, 7],
  ] as const)
    await social.scores.record("waves", who, score);
  expect((await social.scores.top("waves")).map(({ rank, name, score }) => [rank, name, score])).toEqual([
    [1, "ben", 30],
    [1, "cid", 30],
    [3, "ann", 9],
  ]);
  expect(await social.scores.own("waves", cid)).toEqual({ score: 30, rank: 1 });
  expect(await social.scores.own("waves", ann)).toEqual({ score: 9, rank: 3 });
  expect(await social.scores.own("waves", dan)).toBeUndefined();
  await social.scores.record("lap", ann, 90);
  await social.scores.record("lap", ben, 80);
  await social.scores.record("lap", ann, 70);
  expect((await social.scores.top("lap")).map(({ name }) => name)).toEqual(["ann", "ben"]);
});

it("begins anew with each day and week, and sweeps what is over", async () => {
  const { social, account, machine } = setUp({ boards });
  const [ann, ben] = [(await account("ann")).account, (await account("ben")).account];
  machine.nowMs = Date.UTC(2026, 10, 15, 23); // a Sunday
  await social.scores.record("waves", ann, 50);
  machine.nowMs = Date.UTC(2026, 10, 16, 1); // the Monday after
  await social.scores.record("waves", ben, 10);
  for (const period of ["day", "week"] as const) {
    expect((await social.scores.top("waves", period)).map(({ name }) => name)).toEqual(["ben"]);
    expect(await social.scores.own("waves", ann, period)).toBeUndefined();
  }
  expect((await social.scores.top("waves", "all")).map(({ name }) => name)).toEqual(["ann", "ben"]);
  machine.nowMs -= DAY_MS;
  expect(await social.scores.top("waves", "day")).toEqual([]);
});

it("ranks as a sorted list does (seed 1)", async () => {
  const { social, account } = setUp({ boards });
  const dice = new Dice(1);
  const best = new Map<string, number>();
  const accounts: string[] = [];
  for (let index = 0; index < 12; index++) accounts.push((await account(`name${index}`)).account);
  for (let game = 0; game < 60; game++) {
    const who = accounts[dice.int(accounts.length)]!;
    const score = dice.int(8) * 10 ** dice.int(15);
    await social.scores.record("waves", who, score);
    best.set(who, Math.max(best.get(who) ?? 0, score));
  }
  const order = [...best.values()].sort((a, b) => b - a);
  expect((await social.scores.top("waves", "all", 100)).map(({ score }) => score)).toEqual(order);
  for (const [who, score] of best)
    expect(await social.scores.own("waves", who)).toEqual({ score, rank: order.indexOf(score) + 1 });
});

it("refuses what is no score and no board, and forgets whoever is deleted", async () => {
  const { social, account } = setUp({ boards });
  const ann = await account("ann");
  for (const score of [-1, 1.5, Number.NaN, 2 ** 53])
    expect(await refusal(social.scores.record("waves", ann.account, score))).toBe("bad-request");
  expect(await refusal(() => social.scores.top("constructor"))).toBe("no-board");
  expect(await refusal(() => social.scores.top("lap", "day"))).toBe("no-board");
  await social.scores.record("waves", ann.account, 5);
  await social.accounts.remove(ann.token, "a good password", "10.0.0.1");
  expect(await social.scores.top("waves")).toEqual([]);
});
