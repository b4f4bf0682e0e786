import { describe, expect, test } from "vitest";
import { DepartedSends } from "./audit.ts";
import { Auditor, Cause, objectId, pairKey } from "./index.ts";

const A = pairKey(0, objectId(1, 0));
const B = pairKey(1, objectId(1, 0));

test("a pair has one key, and no two share one", () => {
  expect(A).not.toBe(B);
  expect(pairKey(3, objectId(5, 4095))).toBe(3 * 2 ** 32 + 4095 * 2 ** 20 + 5);
});

test("decided: each pair-round over its bound, by zone and cause", () => {
  const audit = new Auditor();
  audit.overBound(0, Cause.time);
  audit.overBound(2, Cause.value);
  audit.overBound(2, Cause.value);
  expect([audit.decided, audit.faults]).toEqual([3, 3]);
  expect(audit.shortfalls("decided")).toEqual([
    { zone: 0, cause: "time", spells: 1, pairRounds: 1, longest: 1 },
    { zone: 2, cause: "value", spells: 2, pairRounds: 2, longest: 1 },
  ]);
  expect([audit.delivered, audit.shortfalls("delivered")]).toEqual([0, []]);
});

describe("short", () => {
  const shortfalls = (...rounds: readonly (readonly [round: number, zone: number, cause: Cause])[]) => {
    const audit = new Auditor();
    for (const [round, zone, cause] of rounds) audit.short(A, zone, cause, round);
    expect([audit.decided, audit.faults]).toEqual([rounds.length, 0]);
    return audit.shortfalls("decided");
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
    const audit = new Auditor();
    for (const pair of [A, B, A]) audit.short(pair, 0, Cause.time, 3);
    for (const pair of [B, B]) audit.short(pair, 0, Cause.time, 4);
    expect(audit.shortfalls("decided")).toEqual([{ zone: 0, cause: "time", spells: 2, pairRounds: 3, longest: 2 }]);
  });
});

describe("delivered", () => {
  test("a spell runs from the round of the lost send to that of the next one that arrived", () => {
    const audit = new Auditor();
    audit.lost(A, 1, Cause.time, 10);
    expect([audit.open, audit.delivered, audit.deliveredUpTo(13)]).toEqual([1, 0, 3]);
    audit.caughtUp(A, 15);
    expect([audit.open, audit.delivered, audit.deliveredUpTo(99)]).toEqual([0, 5, 5]);
    expect(audit.shortfalls("delivered")).toEqual([{ zone: 1, cause: "time", spells: 1, pairRounds: 5, longest: 5 }]);
  });

  test("an arrival of that round or an older one ends nothing", () => {
    const audit = new Auditor();
    audit.lost(A, 0, Cause.time, 10);
    audit.caughtUp(A, 10);
    audit.caughtUp(A, 4);
    expect(audit.open).toBe(1);
  });

  test("further losses in one spell do not restart it; an older one found later extends it", () => {
    const audit = new Auditor();
    audit.lost(A, 0, Cause.time, 10);
    audit.lost(A, 3, Cause.value, 12);
    audit.lost(A, 3, Cause.value, 8);
    audit.caughtUp(A, 14);
    expect(audit.shortfalls("delivered")).toEqual([{ zone: 0, cause: "time", spells: 1, pairRounds: 6, longest: 6 }]);
  });

  test("pairs do not mix, and the longest spell is kept", () => {
    const audit = new Auditor();
    audit.lost(A, 0, Cause.time, 1);
    audit.lost(B, 0, Cause.time, 1);
    audit.caughtUp(B, 3);
    audit.caughtUp(A, 8);
    expect(audit.shortfalls("delivered")).toEqual([{ zone: 0, cause: "time", spells: 2, pairRounds: 9, longest: 7 }]);
  });

  test("catching up without a spell counts nothing", () => {
    const audit = new Auditor();
    audit.caughtUp(A, 5);
    expect([audit.delivered, audit.open]).toEqual([0, 0]);
  });
});

describe("sends that outlive their pair", () => {
  const id = objectId(1, 0);

  test("count from their round until the pair ceased to be, once", () => {
    const audit = new Auditor();
    const departed = new DepartedSends();
    departed.add(id, 10, 2, Cause.value, 14);
    departed.add(id, 14, 0, Cause.time, 14);
    departed.lose(id, 11, audit);
    departed.lose(objectId(2, 0), 10, audit);
    expect(audit.delivered).toBe(0);
    for (const round of [10, 10, 14]) departed.lose(id, round, audit);
    expect(audit.shortfalls("delivered")).toEqual([{ zone: 2, cause: "value", spells: 1, pairRounds: 4, longest: 4 }]);
  });

  test("or until a later one of them arrived", () => {
    const audit = new Auditor();
    const departed = new DepartedSends();
    for (const round of [10, 12, 13]) departed.add(id, round, 0, Cause.time, 20);
    departed.acknowledge(id, 12);
    departed.lose(id, 12, audit);
    departed.lose(id, 10, audit);
    expect(audit.delivered).toBe(2);
    departed.lose(id, 13, audit);
    expect(audit.delivered).toBe(2 + 7);
  });
});
