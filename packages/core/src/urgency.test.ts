import { describe, expect, test } from "vitest";
import { creationUrgency, hasWaitedEnough, INNER_FIRST, loosenedBound, paceOf, updateUrgency } from "./urgency.ts";

const ROUND_MS = 50;
const NONE = Number.POSITIVE_INFINITY;
const FREE = { time: NONE, sequence: NONE, value: NONE };
const FAR = { time: 0, sequence: 0, value: 1000 };

describe("pace", () => {
  test("is the time bound in rounds, at least one; without one a round where no update may wait, else a second", () => {
    const paces = [
      [{ ...FREE, time: 200 }, 4],
      [{ ...FREE, time: 20 }, 1],
      [{ ...FREE, time: 75, sequence: 1 }, 1.5],
      [{ time: 200, sequence: 5, value: 0 }, 1],
      [{ ...FREE, sequence: 1 }, 1],
      [{ ...FREE, sequence: 2, value: 3 }, 20],
      [FREE, 20],
    ] as const;
    for (const [bound, rounds] of paces) expect(paceOf(bound, ROUND_MS)).toBe(rounds);
  });
});

describe("urgency of an update", () => {
  const bound = { time: 100, sequence: NONE, value: 2 };
  const diverged = (value: number) => ({ time: 0, sequence: 1, value });

  test("a divergence counts up to eight, waiting without limit", () => {
    const inner = (value: number, waited: number) => updateUrgency(0, bound, diverged(value), waited, ROUND_MS);
    expect(inner(3, 0)).toBe(INNER_FIRST + 1.5);
    expect(inner(1000, 0)).toBe(INNER_FIRST + 8);
    expect(inner(NONE, 0)).toBe(INNER_FIRST + 8);
    expect(inner(3, 1)).toBe(INNER_FIRST + 1.5);
    expect(inner(3, 2)).toBe(INNER_FIRST + 2);
    expect(inner(1000, 20)).toBe(INNER_FIRST + 11);
  });

  test("outside zone 0 it lies below all of zone 0 until it comes to eight, and then rises by waiting alone", () => {
    const outer = (value: number, waited: number) => updateUrgency(1, bound, diverged(value), waited, ROUND_MS);
    expect(outer(3, 0)).toBe(1.5);
    expect(outer(16, 0)).toBe(INNER_FIRST + 1);
    expect(outer(1000, 0)).toBe(INNER_FIRST + 1);
    expect(outer(2, 13)).toBe(7.5);
    expect(outer(2, 14)).toBe(INNER_FIRST + 1);
    expect(outer(2, 32)).toBe(INNER_FIRST + 10);
  });

  test("in both it passes, after 8 and 16 paces, whatever has not waited", () => {
    const creation = creationUrgency(0, bound, 0, 4, 0, ROUND_MS);
    expect(updateUrgency(0, bound, diverged(2), 8 * 2 + 1, ROUND_MS)).toBeGreaterThan(creation);
    expect(updateUrgency(1, bound, diverged(2), 16 * 2, ROUND_MS)).toBeGreaterThan(creation);
    expect(creationUrgency(1, bound, 10_000, 1, 16 * 2, ROUND_MS)).toBeGreaterThan(creation);
  });
});

describe("urgency of a creation", () => {
  test("in zone 0 it lies above updates that have not waited, nearest first", () => {
    const most = updateUrgency(0, { ...FREE, value: 1 }, FAR, 0, ROUND_MS);
    const creations = [1000, 10, 0].map((nearest) => creationUrgency(0, FREE, nearest, 1, 0, ROUND_MS));
    expect(creations.toSorted((a, b) => a - b)).toEqual(creations);
    expect(creations[0]).toBeGreaterThan(most);
  });

  test("elsewhere it counts as an update at two to three times its loosened bound, and rises after seven paces of a second at most", () => {
    const bound = { ...FREE, time: 30_000 };
    const waits = [0, 20, 7 * 20 - 1].map((waited) => creationUrgency(1, bound, 1, 2, waited, ROUND_MS));
    expect(waits).toEqual([5, 6, 5 + 139 / 20]);
    expect(creationUrgency(1, bound, 1, 2, 7 * 20, ROUND_MS)).toBe(INNER_FIRST + 1.5);
  });
});

describe("a loosened bound", () => {
  test("is so many times as large; 1 leaves it as it is", () => {
    expect(loosenedBound({ time: 100, sequence: 2, value: 3 }, 2, ROUND_MS)).toEqual({
      time: 200,
      sequence: 4,
      value: 6,
    });
    for (const bound of [FREE, { time: 0, sequence: 0, value: 0 }, { time: 20, sequence: 1, value: 2 }]) {
      expect(loosenedBound(bound, 1, ROUND_MS)).toEqual(bound);
    }
  });

  test("with a 0 becomes a time bound of that many rounds beside what else it asks for", () => {
    expect(loosenedBound({ ...FREE, time: 0 }, 3, ROUND_MS)).toEqual({ ...FREE, time: 150 });
    expect(loosenedBound({ ...FREE, sequence: 0 }, 3, ROUND_MS)).toEqual({ ...FREE, time: 150 });
    expect(loosenedBound({ time: 500, sequence: 4, value: 0 }, 3, ROUND_MS)).toEqual({
      time: 150,
      sequence: 12,
      value: NONE,
    });
  });

  test("of less than a round counts from a round, so that it is no stricter than a 0", () => {
    expect(loosenedBound({ ...FREE, time: 10 }, 3, ROUND_MS).time).toBe(150);
  });

  test("keeps a pair waiting for eight paces at most", () => {
    const bound = { ...FREE, time: 100 };
    expect([15, 16].map((waited) => hasWaitedEnough(bound, waited, ROUND_MS))).toEqual([false, true]);
  });
});
