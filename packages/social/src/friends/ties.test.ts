/** Friends, blocks and mutes: both sides always agree. */
import { expect, it } from "vitest";
import { refusal, type Setup, setUp } from "../../test/stand-ins.ts";

async function three(): Promise<Setup & { ann: string; ben: string; cid: string }> {
  const set = setUp();
  const [ann, ben, cid] = [await set.account("ann"), await set.account("ben"), await set.account("cid")];
  return { ...set, ann: ann.account, ben: ben.account, cid: cid.account };
}

const standings = async ({ social }: Setup, account: string): Promise<(string | undefined)[][]> =>
  (await social.ties.list(account)).map(({ name, standing }) => [name, standing]);

it("two who ask each other are friends, until one parts", async () => {
  const set = await three();
  const { ties } = set.social;
  expect(await ties.ask(set.ann, set.ben)).toBe("asked");
  expect(await standings(set, set.ann)).toEqual([["ben", "asked"]]);
  expect(await standings(set, set.ben)).toEqual([["ann", "wanted"]]);
  expect(await ties.ask(set.ann, set.ben)).toBe("asked");
  expect(await ties.ask(set.ben, set.ann)).toBe("friend");
  expect(await standings(set, set.ann)).toEqual([["ben", "friend"]]);
  expect(await refusal(ties.ask(set.ann, set.ben))).toBe("already");
  await ties.part(set.ben, set.ann);
  expect(await standings(set, set.ann)).toEqual([]);
  expect(await standings(set, set.ben)).toEqual([]);
});

it("two who ask at the same moment are friends", async () => {
  const set = await three();
  const { ties } = set.social;
  const answers = await Promise.all([ties.ask(set.ann, set.ben), ties.ask(set.ben, set.ann)]);
  expect(answers.sort()).toEqual(["asked", "friend"]);
  expect(await standings(set, set.ann)).toEqual([["ben", "friend"]]);
  expect(await standings(set, set.ben)).toEqual([["ann", "friend"]]);
});

it("who is blocked can no longer bother, and is no friend any more", async () => {
  const set = await three();
  const { ties } = set.social;
  ties.keep(set.ann);
  await ties.ask(set.ann, set.ben);
  await ties.ask(set.ben, set.ann);
  await ties.block(set.ann, set.ben);
  expect(await standings(set, set.ben)).toEqual([]);
  expect(await refusal(ties.ask(set.ben, set.ann))).toBe("blocked");
  expect(await refusal(ties.mayBother(set.ben, set.ann))).toBe("blocked");
  expect(await refusal(ties.mayBother(set.ann, set.ben))).toBe("blocked");
  expect(await refusal(ties.mayBother(set.cid, set.ann))).toBe("done");
  await ties.part(set.ben, set.ann);
  expect(await standings(set, set.ann)).toEqual([["ben", "blocked"]]);
  await ties.unblock(set.ann, set.ben);
  expect(await refusal(ties.mayBother(set.ben, set.ann))).toBe("done");
});

it("refuses oneself, nobody, and too many", async () => {
  const set = await three();
  const { ties } = set.social;
  expect(await refusal(ties.ask(set.ann, set.ann))).toBe("bad-request");
  expect(await refusal(ties.ask(set.ann, "f".repeat(32)))).toBe("unknown-account");
  for (let index = 0; index < 300; index++) await ties.mute(set.ann, (await set.account(`n${index}`)).account, true);
  expect(await refusal(ties.ask(set.ann, set.ben))).toBe("too-many");
  expect(await refusal(ties.ask(set.ben, set.ann))).toBe("too-many");
  expect(await standings(set, set.ben)).toEqual([]);
});

it("a deleted account leaves no ties behind", async () => {
  const set = setUp();
  const [ann, ben] = [await set.account("ann"), await set.account("ben")];
  await set.social.ties.ask(ann.account, ben.account);
  await set.social.accounts.remove(ann.token, "a good password", "10.0.0.1");
  expect(await standings(set, ben.account)).toEqual([]);
});
