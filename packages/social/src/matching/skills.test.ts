/** Skills of accounts: they move with results, grow uncertain with rest, and a team counts as one. */
import { expect, it } from "vitest";
import { refusal, setUp } from "../../test/stand-ins.ts";

const DAY_MS = 86_400_000;

it("winners rise, losers fall, draws bring the two together, and rest makes uncertain", async () => {
  const { social, machine } = setUp();
  const { skills } = social.matching;
  await skills.record("duel", [
    { members: ["ann"], rank: 1 },
    { members: ["ben"], rank: 2 },
  ]);
  const [ann, ben] = [await skills.of("duel", "ann"), await skills.of("duel", "ben")];
  expect(ann.rating).toBeGreaterThan(1500);
  expect(ben.rating).toBeCloseTo(3000 - ann.rating, 6);
  await skills.record("duel", [
    { members: ["ann"], rank: 1 },
    { members: ["ben"], rank: 1 },
  ]);
  const drawn = await skills.of("duel", "ann");
  expect(drawn.rating).toBeLessThan(ann.rating);
  machine.nowMs += 300 * DAY_MS;
  expect((await skills.of("duel", "ann")).deviation).toBeGreaterThan(drawn.deviation);
  expect((await skills.of("other", "ann")).rating).toBe(1500);
});

it("teams of three: everybody of a team moves the same way, and it can be part of a settlement", async () => {
  const { social, account } = setUp();
  const ids: string[] = [];
  for (const name of ["a", "b", "c", "d", "e", "f"]) ids.push((await account(name)).account);
  const standings = [
    { members: ids.slice(3), rank: 2 },
    { members: ids.slice(0, 3), rank: 1 },
  ];
  const settle = (): Promise<unknown> =>
    social.settle("space-1", { accepted: [] }, (transaction) =>
      social.matching.skills.recordWithin(transaction, "teams", standings),
    );
  await settle();
  const ratings = async (): Promise<number[]> =>
    Promise.all(ids.map(async (id) => (await social.matching.skills.of("teams", id)).rating));
  const once = await ratings();
  for (const [index, rating] of once.entries()) expect(rating > 1500).toBe(index < 3);
  await settle();
  expect(await ratings()).toEqual(once);
  expect(await refusal(social.matching.skills.record("teams", [{ members: [], rank: 1 }]))).toBe("bad-request");
});
