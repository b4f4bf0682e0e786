/**
 * What every store promises, tried on each of them by the same tests. A suite says where its store stands; each test gets an empty one.
 */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { injectFaults, type Store, StoreError, type StoreErrorCode, table } from "../src/internal/index.ts";
import { compareKeys } from "../src/key-order.ts";

/** Where a store's records are. */
export interface Ground {
  open(): Promise<Store>;
  remove(): Promise<void>;
}

export interface ContractOptions {
  /** An empty place. */
  readonly ground: () => Promise<Ground>;
  /** Records outlive the store's `close`. */
  readonly keeps: boolean;
  /** Cases of each property in CI; ten times as many at night. Fewer where a transaction is slow. */
  readonly cases: number;
}

interface Account {
  readonly gold: number;
}

const accounts = table<Account>("accounts");
const notes = table<unknown>("notes");

const nightly = process.env["NEARFIELD_NIGHTLY"] === "1";

export function storeContract(name: string, { ground: findGround, keeps, cases }: ContractOptions): void {
  const numRuns = nightly ? 10 * cases : cases;

  describe(`${name} keeps the contract of stores`, () => {
    let ground: Ground;
    let store: Store;

    beforeEach(async () => {
      ground = await findGround();
      store = await ground.open();
    });

    afterEach(async () => {
      await store.close();
      await ground.remove();
    });

    const put = (key: string, gold: number): Promise<void> =>
      store.transact(async (transaction) => transaction.put(accounts, key, { gold }));
    const gold = (key: string): Promise<number | undefined> =>
      store.transact(async (transaction) => (await transaction.get(accounts, key))?.value.gold);
    const all = (): Promise<readonly [string, number][]> =>
      store.transact(async (transaction) =>
        (await transaction.range(accounts)).map(({ key, value }) => [key, value.gold]),
      );

    describe("transactions", () => {
      it("return what their body returns, and others see their writes afterwards", async () => {
        const answer = await store.transact(async (transaction) => {
          transaction.put(accounts, "ann", { gold: 5 });
          return "done";
        });
        expect(answer).toBe("done");
        expect(await gold("ann")).toBe(5);
      });

      it("write nothing when their body throws, and reject with its error", async () => {
        await put("ann", 5);
        const reason = new Error("changed my mind");
        const failed = store.transact(async (transaction) => {
          transaction.put(accounts, "ann", { gold: 0 });
          transaction.put(accounts, "bob", { gold: 5 });
          await transaction.get(accounts, "ann");
          throw reason;
        });
        await expect(failed).rejects.toBe(reason);
        expect(await all()).toEqual([["ann", 5]]);
      });

      it("write nothing when the database fails in the middle of a commit", async () => {
        await put("ann", 5);
        for (let strike = 1; strike <= 4; strike++) {
          let reached = 0;
          injectFaults(store, (point) => {
            if ((point === "write" || point === "commit") && ++reached === strike) throw new Error(`fault ${strike}`);
          });
          const failed = store.transact(async (transaction) => {
            transaction.put(accounts, "ann", { gold: 1 });
            transaction.put(accounts, "bob", { gold: 2 });
            transaction.remove(accounts, "cem");
          });
          await expect(failed).rejects.toThrow(`fault ${strike}`);
          injectFaults(store, undefined);
          expect(await all()).toEqual([["ann", 5]]);
        }
      });

      it("see the state of one moment", async () => {
        await put("ann", 1);
        await put("bob", 1);
        let runs = 0;
        const seen = await store.transact(async (transaction) => {
          const ann = await transaction.get(accounts, "ann");
          if (++runs === 1) {
            // Another one commits between the two reads.
            await store.transact(async (other) => {
              other.put(accounts, "ann", { gold: 2 });
              other.put(accounts, "bob", { gold: 2 });
              other.put(accounts, "cem", { gold: 2 });
            });
          }
          const bob = await transaction.get(accounts, "bob");
          const everybody = await transaction.range(accounts);
          return [ann?.value.gold, bob?.value.gold, everybody.length];
        });
        expect([
          [1, 1, 2],
          [2, 2, 3],
        ]).toContainEqual(seen);
      });

      it("see their own writes", async () => {
        await put("ann", 1);
        await put("bob", 1);
        await put("dan", 1);
        await store.transact(async (transaction) => {
          transaction.put(accounts, "ann", { gold: 7 });
          transaction.put(accounts, "cem", { gold: 8 });
          transaction.remove(accounts, "bob");
          expect(await transaction.get(accounts, "ann")).toEqual({ key: "ann", value: { gold: 7 }, version: 2 });
          expect(await transaction.get(accounts, "bob")).toBeUndefined();
          expect(await transaction.get(accounts, "cem")).toEqual({ key: "cem", value: { gold: 8 }, version: 1 });
          const keys = async (range: object) => (await transaction.range(accounts, range)).map(({ key }) => key);
          expect(await keys({})).toEqual(["ann", "cem", "dan"]);
          expect(await keys({ limit: 2 })).toEqual(["ann", "cem"]);
          expect(await keys({ reverse: true, limit: 2 })).toEqual(["dan", "cem"]);
          expect(await keys({ from: "b", before: "d" })).toEqual(["cem"]);
          expect(await keys({ from: "b", before: "d", reverse: true, limit: 1 })).toEqual(["cem"]);
          transaction.remove(accounts, "cem");
          expect(await keys({})).toEqual(["ann", "dan"]);
        });
      });

      it("hold copies of values, not the values", async () => {
        const value = { gold: 1 };
        await store.transact(async (transaction) => {
          transaction.put(accounts, "ann", value);
          value.gold = 2;
          const first = await transaction.get(accounts, "ann");
          expect(first?.value).toEqual({ gold: 1 });
          (first?.value as { gold: number }).gold = 3;
          expect((await transaction.get(accounts, "ann"))?.value).toEqual({ gold: 1 });
        });
        expect(await gold("ann")).toBe(1);
      });

      it("take no calls after their end", async () => {
        const kept = await store.transact(async (transaction) => [transaction]);
        const [transaction] = kept;
        await expect(transaction?.get(accounts, "ann")).rejects.toThrow(expect.objectContaining({ code: "ended" }));
        expect(() => transaction?.put(accounts, "ann", { gold: 1 })).toThrow(StoreError);
      });
    });

    describe("transactions side by side", () => {
      it("run again when others change what they read", async () => {
        await put("ann", 0);
        const add = () =>
          store.transact(async (transaction) => {
            const before = (await transaction.get(accounts, "ann"))?.value.gold ?? 0;
            transaction.put(accounts, "ann", { gold: before + 1 });
          });
        await Promise.all(Array.from({ length: 25 }, add));
        expect(await gold("ann")).toBe(25);
      });

      it("get their turn while others come again as soon as they are done", async () => {
        await put("ann", 0);
        const add = () =>
          store.transact(async (transaction) => {
            const before = (await transaction.get(accounts, "ann"))?.value.gold ?? 0;
            await transaction.get(accounts, "bob");
            transaction.put(accounts, "ann", { gold: before + 1 });
          });
        const addOften = async () => {
          for (let time = 0; time < 50; time++) await add();
        };
        await Promise.all(Array.from({ length: 4 }, addOften));
        expect(await gold("ann")).toBe(200);
      });

      it("do not skew writes: two that each read what the other changes", async () => {
        await put("ann", 1);
        await put("bob", 1);
        const both = meeting(2);
        const leave = (who: string) =>
          store.transact(async (transaction) => {
            const ann = await transaction.get(accounts, "ann");
            const bob = await transaction.get(accounts, "bob");
            await both();
            // Somebody must stay.
            if ((ann?.value.gold ?? 0) + (bob?.value.gold ?? 0) > 1) transaction.put(accounts, who, { gold: 0 });
          });
        await Promise.all([leave("ann"), leave("bob")]);
        expect(((await gold("ann")) ?? 0) + ((await gold("bob")) ?? 0)).toBe(1);
      });

      it.each([false, true])("notice a record that appears in a range they read (reverse: %s)", async (reverse) => {
        const both = meeting(2);
        const claim = (who: string) =>
          store.transact(async (transaction) => {
            const taken = await transaction.range(accounts, { from: "seat/", before: "seat0", reverse });
            await both();
            if (taken.length === 0) transaction.put(accounts, `seat/${who}`, { gold: 0 });
          });
        await Promise.all([claim("ann"), claim("bob")]);
        expect(await all()).toHaveLength(1);
      });

      it("notice a record that somebody else puts where they found none", async () => {
        const both = meeting(2);
        const claim = (mine: number) =>
          store.transact(async (transaction) => {
            const taken = await transaction.get(accounts, "throne");
            await both();
            if (taken !== undefined) return false;
            transaction.put(accounts, "throne", { gold: mine });
            return true;
          });
        const claimed = await Promise.all([claim(1), claim(2)]);
        expect(claimed.filter(Boolean)).toHaveLength(1);
        expect(await gold("throne")).toBe(claimed[0] ? 1 : 2);
      });

      it("move gold between accounts and neither make nor lose any", async () => {
        const transfer = fc.record({ from: fc.nat(4), to: fc.nat(4), amount: fc.nat(60), fails: fc.boolean() });
        const property = fc.asyncProperty(fc.array(transfer, { minLength: 1, maxLength: 30 }), async (transfers) => {
          await store.transact(async (transaction) => {
            for (let i = 0; i < 5; i++) transaction.put(accounts, `a${i}`, { gold: 100 });
          });
          const move = async ({ from, to, amount, fails }: (typeof transfers)[number]): Promise<void> => {
            await store.transact(async (transaction) => {
              const giver = (await transaction.get(accounts, `a${from}`))?.value.gold ?? 0;
              if (giver < amount) return;
              transaction.put(accounts, `a${from}`, { gold: giver - amount });
              const taker = (await transaction.get(accounts, `a${to}`))?.value.gold ?? 0;
              if (fails) throw new Error("no");
              transaction.put(accounts, `a${to}`, { gold: taker + amount });
            });
          };
          const sums: number[] = [];
          const count = async (): Promise<void> => {
            const found = await store.transact((transaction) => transaction.range(accounts));
            sums.push(found.reduce((sum, { value }) => sum + value.gold, 0));
            expect(found.every(({ value }) => value.gold >= 0)).toBe(true);
          };
          const works = transfers.flatMap((one) => [move(one).catch(refuse(one.fails)), count()]);
          await Promise.all(works);
          await count();
          expect(new Set(sums)).toEqual(new Set([500]));
        });
        await fc.assert(property, { numRuns });
      });
    });

    describe("records", () => {
      it("count the transactions that wrote them", async () => {
        const version = () => store.transact(async (transaction) => (await transaction.get(accounts, "ann"))?.version);
        expect(await version()).toBeUndefined();
        await put("ann", 1);
        expect(await version()).toBe(1);
        await put("ann", 1);
        expect(await version()).toBe(2);
        await store.transact(async (transaction) => {
          transaction.put(accounts, "ann", { gold: 1 });
          transaction.put(accounts, "ann", { gold: 2 });
        });
        expect(await version()).toBe(3);
        await store.transact(async (transaction) => transaction.remove(accounts, "ann"));
        expect(await version()).toBeUndefined();
        await put("ann", 1);
        expect(await version()).toBe(1);
      });

      it("come back as they were written, whatever JSON holds", async () => {
        const property = fc.asyncProperty(fc.jsonValue(), async (value) => {
          await store.transact(async (transaction) => transaction.put(notes, "it", value));
          const found = await store.transact((transaction) => transaction.get(notes, "it"));
          expect(found?.value).toEqual(JSON.parse(JSON.stringify(value)));
        });
        await fc.assert(property, { numRuns: 2 * numRuns });
        await store.transact(async (transaction) => transaction.put(notes, "it", { text: "a\0b \ud800 ✓ 🜚" }));
        const found = await store.transact((transaction) => transaction.get(notes, "it"));
        expect(found?.value).toEqual({ text: "a\0b \ud800 ✓ 🜚" });
      });

      it("are listed in the byte order of their keys, in both directions", async () => {
        const unit = fc.constantFrom(
          "a",
          "b",
          "Z",
          "_",
          "-",
          " ",
          "é",
          "ß",
          "\u0001",
          "\uffee",
          "🜚",
          "\u{10ffff}",
          "/",
        );
        const key = fc.string({ unit, minLength: 1, maxLength: 4 });
        const question = fc.record(
          { from: key, before: key, reverse: fc.boolean(), limit: fc.integer({ min: 1, max: 12 }) },
          { requiredKeys: [] },
        );
        const questions = fc.array(question, { minLength: 4, maxLength: 4 });
        const property = fc.asyncProperty(fc.uniqueArray(key, { maxLength: 20 }), questions, async (keys, asked) => {
          await store.transact(async (transaction) => {
            for (const { key } of await transaction.range(notes)) transaction.remove(notes, key);
            for (const key of keys) transaction.put(notes, key, key);
            // A neighbour's records must not show.
            transaction.put(accounts, "a", { gold: 1 });
          });
          for (const range of asked) {
            const found = await store.transact((transaction) => transaction.range(notes, range));
            const { from = "", before, reverse = false, limit = 100 } = range;
            const expected = keys
              .filter((key) => compareBytes(key, from) >= 0 && (before === undefined || compareBytes(key, before) < 0))
              .sort((a, b) => (reverse ? -1 : 1) * compareBytes(a, b))
              .slice(0, limit);
            expect(found.map(({ key }) => key)).toEqual(expected);
          }
        });
        await fc.assert(property, { numRuns });
      });

      it("are limited to 100 in a range, unless it says otherwise", async () => {
        await store.transact(async (transaction) => {
          for (let i = 0; i < 150; i++) transaction.put(notes, String(1000 + i), i);
        });
        const lengths = await store.transact(async (transaction) => [
          (await transaction.range(notes)).length,
          (await transaction.range(notes, { limit: 1000 })).length,
        ]);
        expect(lengths).toEqual([100, 150]);
      });
    });

    describe("what no store takes", () => {
      const refused = async (code: StoreErrorCode, says: RegExp, work: () => Promise<unknown>): Promise<void> => {
        const error = await work().then(
          () => undefined,
          (error: unknown) => error,
        );
        expect(error).toBeInstanceOf(StoreError);
        expect(error).toMatchObject({ code, message: expect.stringMatching(says) });
      };
      const tryPut = (key: string, value: unknown) => () =>
        store.transact(async (transaction) => transaction.put(notes, key, value));

      it("names of tables that are no names; a table that nobody wrote to is empty", async () => {
        for (const name of ["", "Accounts", "a b", "1st", "a\0b", "é", "a".repeat(64)]) {
          expect(() => table(name)).toThrow(expect.objectContaining({ code: "bad-name" }));
        }
        const unknown = table<Account>("nobody-wrote-here");
        expect(await store.transact((transaction) => transaction.range(unknown))).toEqual([]);
        expect(await store.transact((transaction) => transaction.get(unknown, "a"))).toBeUndefined();
        await store.transact(async (transaction) => transaction.remove(unknown, "a"));
      });

      it("keys that are too long, empty or no text; the longest is taken", async () => {
        const longest = "🜚".repeat(125);
        await tryPut(longest, 1)();
        expect((await store.transact((transaction) => transaction.get(notes, longest)))?.key).toBe(longest);
        await refused("bad-key", /501 bytes of UTF-8, at most 500/, tryPut(`${longest}a`, 1));
        await refused("bad-key", /must not be empty/, tryPut("", 1));
        await refused("bad-key", /NUL or half a surrogate/, tryPut("a\0", 1));
        await refused("bad-key", /NUL or half a surrogate/, tryPut("\ud800", 1));
        await refused("bad-key", /empty/, () => store.transact((transaction) => transaction.get(notes, "")));
      });

      it("values that are too large or that JSON would change; the largest is taken", async () => {
        const largest = "é".repeat((1024 * 1024 - 2) / 2);
        await tryPut("a", largest)();
        expect((await store.transact((transaction) => transaction.get(notes, "a")))?.value).toBe(largest);
        await refused("bad-value", /1048577 bytes as JSON, at most 1048576/, tryPut("a", `${largest}a`));
        const loop: unknown[] = [];
        loop.push(loop);
        const bad = [undefined, Number.NaN, { a: 1n }, [undefined], () => 1, { at: new Date(0) }, new Map(), loop];
        for (const value of bad) await refused("bad-value", /table notes, key "a"/, tryPut("a", value));
        expect((await store.transact((transaction) => transaction.get(notes, "a")))?.value).toBe(largest);
      });

      it("ranges without an end to what they return, and transactions without an end to what they write", async () => {
        for (const limit of [0, -1, 1.5, 10_001, Number.NaN]) {
          const work = () => store.transact((transaction) => transaction.range(notes, { limit }));
          await refused("bad-range", /1 to 10000/, work);
        }
        await refused("too-large", /at most 10000 records/, () =>
          store.transact(async (transaction) => {
            for (let i = 0; i <= 10_000; i++) transaction.put(notes, String(i), i);
          }),
        );
      });
    });

    describe("forms of records", () => {
      interface Named {
        readonly first: string;
        readonly last: string;
      }
      const first = table<string>("people");
      const second = table<{ name: string }>("people", { migrate: [(name: string) => ({ name })] });
      const third = table<Named>("people", {
        migrate: [
          (name: string) => ({ name }),
          ({ name }: { name: string }) => {
            const [first = "", last] = name.split(" ");
            if (last === undefined) throw new Error("no last name");
            return { first, last };
          },
        ],
      });

      it("become those of today when they are read, by all steps in between, and stay as they are until they are written", async () => {
        await store.transact(async (transaction) => transaction.put(first, "1", "Ann Lee"));
        await store.transact(async (transaction) => transaction.put(second, "2", { name: "Bob Ray" }));
        const read = () => store.transact((transaction) => transaction.range(third));
        const today = [
          { key: "1", value: { first: "Ann", last: "Lee" }, version: 1 },
          { key: "2", value: { first: "Bob", last: "Ray" }, version: 1 },
        ];
        expect(await read()).toEqual(today);
        // The old release still reads its own.
        expect((await store.transact((transaction) => transaction.get(first, "1")))?.value).toBe("Ann Lee");
        await store.transact(async (transaction) => {
          const ann = await transaction.get(third, "1");
          if (ann !== undefined) transaction.put(third, "1", { ...ann.value, last: "Ray" });
        });
        expect((await read())[0]).toEqual({ key: "1", value: { first: "Ann", last: "Ray" }, version: 2 });
      });

      it("that are newer than the release are neither read nor overwritten nor removed", async () => {
        await store.transact(async (transaction) => transaction.put(third, "1", { first: "Ann", last: "Lee" }));
        const newer = expect.objectContaining({
          code: "newer-form",
          message: expect.stringContaining('key "1": the record has form 3, this release knows forms up to 2'),
        });
        await expect(store.transact((transaction) => transaction.get(second, "1"))).rejects.toThrow(newer);
        await expect(store.transact((transaction) => transaction.range(second))).rejects.toThrow(newer);
        const overwrite = store.transact(async (transaction) => {
          transaction.put(accounts, "ann", { gold: 1 });
          transaction.put(second, "1", { name: "Ann" });
        });
        await expect(overwrite).rejects.toThrow(newer);
        const remove = store.transact(async (transaction) => transaction.remove(second, "1"));
        await expect(remove).rejects.toThrow(newer);
        expect(await all()).toEqual([]);
        expect(await store.transact((transaction) => transaction.range(third))).toHaveLength(1);
      });

      it("that cannot become today's are named", async () => {
        await store.transact(async (transaction) => transaction.put(second, "1", { name: "Ann" }));
        await expect(store.transact((transaction) => transaction.get(third, "1"))).rejects.toThrow(
          expect.objectContaining({
            code: "migration",
            message: expect.stringMatching(/key "1".*2 to 3.*no last name/),
          }),
        );
      });
    });

    describe("the end", () => {
      it("waits for running transactions; afterwards the store takes none", async () => {
        const [begun, mayEnd] = [signal(), signal()];
        const running = store.transact(async (transaction) => {
          begun.give();
          await mayEnd.given;
          transaction.put(accounts, "ann", { gold: 1 });
        });
        await begun.given;
        let closed = false;
        const closing = store.close().then(() => {
          closed = true;
        });
        await expect(put("bob", 1)).rejects.toThrow(expect.objectContaining({ code: "closed" }));
        expect(closed).toBe(false);
        mayEnd.give();
        await running;
        await closing;
        await store.close();
        await expect(put("bob", 1)).rejects.toThrow(expect.objectContaining({ code: "closed" }));
      });

      if (!keeps) return;
      it("loses nothing: a store that is opened again has everything", async () => {
        await Promise.all(Array.from({ length: 20 }, (_, i) => put(`a${10 + i}`, i)));
        await put("a10", 7);
        const before = await all();
        await store.close();
        store = await ground.open();
        expect(await all()).toEqual(before);
        expect((await store.transact((transaction) => transaction.get(accounts, "a10")))?.version).toBe(2);
      });
    });
  });
}

/** Whoever calls waits until `count` have called. Later calls, those of second runs, do not wait. */
function meeting(count: number): () => Promise<void> {
  const all = signal();
  let here = 0;
  return async () => {
    if (++here >= count) all.give();
    await all.given;
  };
}

function signal(): { given: Promise<void>; give(): void } {
  let give = (): void => {};
  const given = new Promise<void>((resolve) => (give = resolve));
  return { given, give };
}

/** Swallows the error that a test wanted, and no other. */
function refuse(wanted: boolean): (error: unknown) => void {
  return (error) => {
    if (!wanted || (error as Error).message !== "no") throw error;
  };
}

/** The order itself, by other means than `compareKeys`. */
function compareBytes(a: string, b: string): number {
  const order = Buffer.compare(Buffer.from(a), Buffer.from(b));
  expect(Math.sign(compareKeys(a, b))).toBe(order);
  return order;
}
