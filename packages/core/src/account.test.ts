import { objectId } from "@nearfield/schema/internal";
import { describe, expect, test } from "vitest";
import { DepartedSends } from "./account.ts";
import { Account, Cause, pairKey } from "./internal/index.ts";

const A = pairKey(0, objectId(1, 0));
const B = pairKey(1, objectId(1, 0));

test("a pair has one key, and no two share one", () => {
  expect(A).not.toBe(B);
  expect(pairKey(3, objectId(5, 4095))).toBe(3 * 2 ** 32 + 4095 * 2 ** 20 + 5);
});

describe("short", () => {
  const shortfalls = (...rounds: readonly (readonly [round: number, zone: number, cause: Cause])[]) => {
    const account = new Account();
    for (const [round, zone, cause] of rounds) account.short(A, zone, cause, round);
    expect(account.decided).toBe(rounds.length);
    return account.shortfalls("decided");
  };

  test("rounds without a gap are one spell", () => {
    expect(shortfalls([4, 1, Cause.time], [5, 1, Cause.time], [7, 1, Cause.time])).toEqual([
      { zone: 1, cause: "time", spells: 2, pairRounds: 3, longest: 2 },
    ]);
  });

  test("a round counts in its own cell, a spell in the one in which it began", () => {
    expect(shortfalls([4, 1, Cause.time], [5, 0, Cause.value], [6, 0, Cause.value])).toEqual([
      { zone: 0, cause: "value", spells: 0, pairRounds: 2, longest: 0 },
      { zone: 1, cause: "time", spells: 1, pairRounds: 1, longest: 3 },
    ]);
  });

  test("pairs do not mix, and a pair counts once a round", () => {
    const account = new Account();
    for (const pair of [A, B, A]) account.short(pair, 0, Cause.time, 3);
    for (const pair of [B, B]) account.short(pair, 0, Cause.time, 4);
    expect(account.shortfalls("decided")).toEqual([{ zone: 0, cause: "time", spells: 2, pairRounds: 3, longest: 2 }]);
  });
});

describe("delivered", () => {
  test("a spell runs from the round of the lost send to that of the next one that arrived", () => {
    const account = new Account();
    account.lost(A, 1, Cause.time, 10);
    expect([account.open, account.delivered, account.deliveredUpTo(13)]).toEqual([1, 0, 3]);
    account.caughtUp(A, 15);
    expect([account.open, account.delivered, account.deliveredUpTo(99)]).toEqual([0, 5, 5]);
    expect(account.shortfalls("delivered")).toEqual([{ zone: 1, cause: "time", spells: 1, pairRounds: 5, longest: 5 }]);
  });

  test("an arrival of that round or an older one ends nothing", () => {
    const account = new Account();
    account.lost(A, 0, Cause.time, 10);
    account.caughtUp(A, 10);
    account.caughtUp(A, 4);
    expect(account.open).toBe(1);
  });

  test("further losses in one spell do not restart it; an older one found later extends it", () => {
    const account = new Account();
    account.lost(A, 0, Cause.time, 10);
    account.lost(A, 3, Cause.value, 12);
    account.lost(A, 3, Cause.value, 8);
    account.caughtUp(A, 14);
    expect(account.shortfalls("delivered")).toEqual([{ zone: 0, cause: "time", spells: 1, pairRounds: 6, longest: 6 }]);
  });

  test("pairs do not mix, and the longest spell is kept", () => {
    const account = new Account();
    account.lost(A, 0, Cause.time, 1);
    account.lost(B, 0, Cause.time, 1);
    account.caughtUp(B, 3);
    account.caughtUp(A, 8);
    expect(account.shortfalls("delivered")).toEqual([{ zone: 0, cause: "time", spells: 2, pairRounds: 9, longest: 7 }]);
  });

  test("catching up without a spell counts nothing", () => {
    const account = new Account();
    account.caughtUp(A, 5);
    expect([account.delivered, account.open]).toEqual([0, 0]);
  });
});

describe("sends that outlive their pair", () => {
  const id = objectId(1, 0);

  test("count from their round until the pair ceased to be, once", () => {
    const account = new Account();
    const departed = new DepartedSends();
    departed.add(id, 10, 2, Cause.value, 14);
    departed.add(id, 14, 0, Cause.time, 14);
    departed.lose(id, 11, account);
    departed.lose(objectId(2, 0), 10, account);
    expect(account.delivered).toBe(0);
    for (const round of [10, 10, 14]) departed.lose(id, round, account);
    expect(account.shortfalls("delivered")).toEqual([
      { zone: 2, cause: "value", spells: 1, pairRounds: 4, longest: 4 },
    ]);
  });

  test("or until a later one of them arrived", () => {
    const account = new Account();
    const departed = new DepartedSends();
    for (const round of [10, 12, 13]) departed.add(id, round, 0, Cause.time, 20);
    departed.acknowledge(id, 12);
    departed.lose(id, 12, account);
    departed.lose(id, 10, account);
    expect(account.delivered).toBe(2);
    departed.lose(id, 13, account);
    expect(account.delivered).toBe(2 + 7);
  });
});
