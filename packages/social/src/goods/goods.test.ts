/** Goods move once, or not at all, and the ledger always says what is held. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { refusal, setUp } from "../../test/stand-ins.ts";

describe("one movement", () => {
  it("grants stacks and single goods with attributes", async () => {
    const { social, account } = setUp();
    const ann = (await account("ann")).account;
    const goods = [
      { good: "gold", count: 5 },
      { good: "sword", count: 2, attributes: { damage: 3 } },
    ];
    const got = await social.goods.grant({ key: "k", account: ann, goods });
    expect(got.map(({ item, count }) => [item.split("#")[0], count])).toEqual([
      ["gold", 5],
      ["sword", 1],
      ["sword", 1],
    ]);
    expect(await social.goods.list(ann)).toEqual(got);
    expect(got[1]!.item).not.toBe(got[2]!.item);
    expect(await social.goods.history(ann)).toMatchObject([{ movement: "k", kind: "grant" }]);
  });

  it("happens once under one key", async () => {
    const { social, account } = setUp();
    const ann = (await account("ann")).account;
    const order = { key: "k", account: ann, goods: [{ good: "gold", count: 5 }, { good: "sword" }] };
    const [first, second] = await Promise.all([social.goods.grant(order), social.goods.grant(order)]);
    expect(second).toEqual(first);
    expect(await social.goods.list(ann)).toEqual(first);
    const other = { ...order, goods: [{ good: "gold", count: 6 }] };
    expect(await refusal(social.goods.grant(other))).toBe("key-reused");
    expect(await refusal(social.goods.spend({ key: "k", account: ann, lots: [{ item: "gold" }] }))).toBe("key-reused");
  });

  it("is refused whole where something is missing", async () => {
    const { social, account } = setUp();
    const ann = (await account("ann")).account;
    await social.goods.grant({ key: "k", account: ann, goods: [{ good: "gold", count: 5 }] });
    const spend = (key: string, ...lots: { item: string; count?: number }[]): Promise<string> =>
      refusal(social.goods.spend({ key, account: ann, lots }));
    expect(await spend("a", { item: "gold", count: 2 }, { item: "gem" })).toBe("not-enough");
    expect(await spend("b", { item: "gold", count: 3 }, { item: "gold", count: 3 })).toBe("not-enough");
    expect(await social.goods.list(ann)).toEqual([{ item: "gold", count: 5 }]);
    expect(await spend("a", { item: "gold", count: 5 })).toBe("done");
    expect(await social.goods.list(ann)).toEqual([]);
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, "1" as unknown as number])(
    "takes no count of %s",
    async (count) => {
      const { social, account } = setUp();
      const ann = (await account("ann")).account;
      expect(await refusal(social.goods.grant({ key: "k", account: ann, goods: [{ good: "gold", count }] }))).toBe(
        "bad-request",
      );
      expect(await refusal(social.goods.spend({ key: "k", account: ann, lots: [{ item: "gold", count }] }))).toBe(
        "bad-request",
      );
    },
  );

  it("names goods and accounts that exist", async () => {
    const { social, account } = setUp({ mostItems: 2 });
    const ann = (await account("ann")).account;
    const grant = (key: string, good: string, to = ann): Promise<string> =>
      refusal(social.goods.grant({ key, account: to, goods: [{ good }] }));
    expect(await grant("a", "constructor")).toBe("unknown-good");
    expect(await grant("b", "gold", "f".repeat(32))).toBe("unknown-account");
    expect(await grant("c", "sword")).toBe("done");
    expect(await grant("d", "sword")).toBe("done");
    expect(await grant("e", "sword")).toBe("full");
    expect(await grant("not a key", "gold")).toBe("bad-request");
  });
});

describe("a conversion", () => {
  it("takes and makes in one movement, once", async () => {
    const { social, account } = setUp();
    const ann = (await account("ann")).account;
    await social.goods.grant({ key: "1", account: ann, goods: [{ good: "gold", count: 8 }] });
    const buy = (key: string) =>
      social.goods.convert({ key, account: ann, takes: [{ item: "gold", count: 5 }], makes: [{ good: "sword" }] });
    const [first, again] = await Promise.all([buy("2"), buy("2")]);
    expect(again).toEqual(first);
    expect(await social.goods.list(ann)).toEqual([{ item: "gold", count: 3 }, ...first]);
    expect(await refusal(buy("3"))).toBe("not-enough");
    expect(await social.goods.audit(ann)).toEqual([]);
  });
});

describe("an exchange", () => {
  it("moves both sides or none", async () => {
    const { social, account } = setUp();
    const [ann, ben] = [(await account("ann")).account, (await account("ben")).account];
    const [sword] = await social.goods.grant({
      key: "1",
      account: ann,
      goods: [{ good: "sword", attributes: { damage: 3 } }],
    });
    await social.goods.grant({ key: "2", account: ben, goods: [{ good: "gold", count: 5 }] });
    const gives = [{ item: sword!.item }];
    const offer = (key: string, count: number): Promise<string> =>
      refusal(
        social.goods.exchange({
          key,
          sides: [
            { account: ann, gives },
            { account: ben, gives: [{ item: "gold", count }] },
          ],
        }),
      );
    expect(await offer("3", 6)).toBe("not-enough");
    expect(await social.goods.list(ann)).toEqual([sword]);
    expect(await offer("3", 5)).toBe("done");
    expect(await offer("3", 5)).toBe("done");
    expect(await social.goods.list(ann)).toEqual([{ item: "gold", count: 5 }]);
    expect(await social.goods.list(ben)).toEqual([sword]);
    expect(
      await refusal(
        social.goods.exchange({
          key: "4",
          sides: [
            { account: ann, gives: [] },
            { account: ann, gives: [] },
          ],
        }),
      ),
    ).toBe("bad-request");
  });
});

it("holds what the ledger says after any movements at the same time, each asked for twice, and nothing is doubled", async () => {
  const step = fc.record({
    kind: fc.constantFrom("grant", "spend", "exchange"),
    from: fc.nat(2),
    to: fc.nat(2),
    item: fc.constantFrom("gold", "gem", "sword"),
    count: fc.integer({ min: 1, max: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const { social, account } = setUp();
      const accounts: string[] = [];
      for (const name of ["ann", "ben", "cid"]) accounts.push((await account(name)).account);
      let gold = 0;
      const run = async ({ kind, from, to, item, count }: (typeof steps)[number], key: string): Promise<void> => {
        const [giver, taker] = [accounts[from]!, accounts[to]!];
        const sword = (await social.goods.list(giver)).find((held) => held.item.startsWith("sword#"))?.item;
        const lots = item === "sword" ? [{ item: sword ?? "sword#none" }] : [{ item, count }];
        const order = (): Promise<unknown> => {
          if (kind === "grant") return social.goods.grant({ key, account: taker, goods: [{ good: item, count }] });
          if (kind === "spend") return social.goods.spend({ key, account: giver, lots });
          return social.goods.exchange({
            key,
            sides: [
              { account: giver, gives: lots },
              { account: taker, gives: [] },
            ],
          });
        };
        const codes = await Promise.all([refusal(order()), refusal(order())]);
        if (item !== "gold" || kind === "exchange" || !codes.includes("done")) return;
        gold += kind === "grant" ? count : -count;
      };
      await Promise.all(steps.map((one, index) => run(one, `step-${index}`)));
      const held = (await Promise.all(accounts.map((one) => social.goods.list(one)))).flat();
      const swords = held.map(({ item }) => item).filter((item) => item.startsWith("sword#"));
      expect(held.reduce((sum, { item, count }) => sum + (item === "gold" ? count : 0), 0)).toBe(gold);
      expect(new Set(swords).size).toBe(swords.length);
      for (const one of accounts) expect(await social.goods.audit(one)).toEqual([]);
    }),
    { numRuns: 40 },
  );
});
