import { describe, expect, test } from "vitest";
import { resolved, type SetSettings, smallWorld, viewOf } from "../../test/small-world.ts";
import { placePivot, replaced } from "../pivots.ts";
import { nextDue, nextEntry, nextExit, type Outlook } from "./horizon.ts";

const NEVER = Number.POSITIVE_INFINITY;
const world = smallWorld();
const setOf = (set: SetSettings) => resolved(world, viewOf(set)).sets[0]!;

function outlook(distance: number, zone: number, more: Partial<Outlook> = {}): Outlook {
  const [pivot] = replaced([], [], [{ point: [0, 0] }]);
  placePivot({ point: [0, 0] }, world, pivot!);
  return {
    round: 100,
    roundMs: 50,
    objectSpeed: 1,
    pivotSpeed: 1,
    zone,
    nearest: distance,
    pivots: [pivot!],
    distances: Float64Array.of(distance),
    pivotCount: 1,
    since: 100,
    missed: 1,
    updateCap: 1,
    value: 0,
    ...more,
  };
}

describe("horizon", () => {
  test("time bites at a round that is known; sequence and value by the fastest they can grow", () => {
    expect(nextDue(setOf({ bounds: [{ time: 500 }] }), outlook(0, 0))).toBe(110);
    expect(nextDue(setOf({ bounds: [{ sequence: 7 }] }), outlook(0, 0, { updateCap: 2 }))).toBe(102);
    expect([7, 8]).toContain(nextDue(setOf({ bounds: [{ value: 10 }] }), outlook(0, 0, { value: 2 })) - 100);
    expect(nextDue(setOf({ bounds: [{}] }), outlook(0, 0))).toBe(NEVER);
  });

  test("strict bites no later than a round before", () => {
    const plan = nextDue(setOf({ bounds: [{ time: 520 }], strict: true }), outlook(0, 0));
    expect(plan).toBe(110);
  });

  test("an inner zone bites when it can be reached and its bound be met, whichever is later", () => {
    const set = setOf({ radii: [10], bounds: [{ time: 100 }, { time: 5000 }] });
    expect([9, 10]).toContain(nextDue(set, outlook(30, 1)) - 100);
    expect(nextDue(set, outlook(12, 1))).toBe(102);
    expect(nextDue(set, outlook(30, 1, { objectSpeed: 0, pivotSpeed: 0 }))).toBe(200);
  });

  test("a sector may come round at any time: each zone counts at its strictest", () => {
    const set = setOf({ sectors: [90], bounds: [[{ time: 100 }, { time: 5000 }]] });
    expect(nextDue(set, outlook(30, 0))).toBe(102);
  });

  test("entry and exit are distances to cover, at least a round away", () => {
    const set = setOf({ bounds: [{}], range: 100 });
    expect([24, 25]).toContain(nextEntry(set, outlook(150, 0)) - 100);
    expect([14, 15]).toContain(nextExit(set, outlook(80, 0)) - 100);
    expect([nextEntry(set, outlook(100.1, 0)), nextExit(set, outlook(110, 0))]).toEqual([101, 101]);
    expect(nextEntry(set, outlook(150, 0, { objectSpeed: 0, pivotSpeed: 0 }))).toBe(NEVER);
  });
});
