import { DecisionKind, type Decisions, INNER_FIRST } from "@nearfield/core/internal";
import { describe, expect, test } from "vitest";
import { Loosening } from "./loosening.ts";

/** Rounds of a window. */
const ROUNDS = 10;
/** The smallest step of a factor, and the largest. */
const STEP = 2 ** (1 / 16);
const LEAP = 2 ** (1 / 4);
const { create, update } = DecisionKind;

/** Decisions of these urgencies, the least pressing of which are withheld. */
function decided(withheld: number, urgencies: readonly number[], kind: DecisionKind = update): Decisions {
  const columns = { ids: Uint32Array.from(urgencies, (_, i) => i), kinds: Uint8Array.from(urgencies, () => kind) };
  const none = new Uint8Array(urgencies.length);
  return {
    ...columns,
    count: urgencies.length,
    withheld,
    urgencies: Float64Array.from(urgencies),
    waits: new Uint32Array(urgencies.length),
    causes: none,
    zones: none,
    settled: none,
  };
}

/** Windows of equal rounds; the factors after each. */
function windows(loosening: Loosening, count: number, decisions: () => Decisions): number[] {
  return Array.from({ length: count }, () => {
    for (let round = 0; round < ROUNDS; round++) loosening.note(decisions());
    return loosening.outer;
  });
}

describe("loosening", () => {
  test("nothing withheld: nothing loosened", () => {
    const loosening = new Loosening(50);
    expect(windows(loosening, 5, () => decided(0, [1, 2, 3]))).toEqual([1, 1, 1, 1, 1]);
  });

  test("follows the cut from below, half of the way in a window and no more than a leap, and says when it changed", () => {
    const loosening = new Loosening(50);
    const factors = windows(loosening, 12, () => decided(2, [1, 4, 5, 9]));
    expect(factors[0]).toBeCloseTo(LEAP);
    expect(factors[1]).toBeCloseTo(LEAP ** 2);
    expect(factors[6]).toBeCloseTo(LEAP ** 7);
    // The cut is 4; once the factor is near it, it stays.
    expect(factors[7]).toBeCloseTo(LEAP ** 7 * STEP ** 2);
    expect(factors.at(-1)).toBe(factors[7]);
    expect(factors.at(-1)! / 4).toBeGreaterThan(0.87);
    expect(factors.at(-1)! / 4).toBeLessThanOrEqual(0.95);
    let changes = 0;
    const fresh = new Loosening(50);
    for (let round = 0; round < 12 * ROUNDS; round++) if (fresh.note(decided(2, [1, 4, 5, 9]))) changes += 1;
    expect(changes).toBe(8);
  });

  test("a shortage that does not last loosens nothing", () => {
    const loosening = new Loosening(50);
    let round = 0;
    expect(windows(loosening, 5, () => decided(round++ % 3 === 0 ? 1 : 0, [4, 5]))).toEqual([1, 1, 1, 1, 1]);
  });

  test("two quiet seconds tighten by a small step, further windows by more; a cut only a little above the factor keeps it", () => {
    const loosening = new Loosening(50);
    windows(loosening, 12, () => decided(1, [4]));
    const top = loosening.outer;
    const quiet = (): Decisions => decided(0, []);
    const factors = windows(loosening, 7, quiet);
    expect(factors.slice(0, 3)).toEqual([top, top, top]);
    for (const [i, steps] of [1, 3, 7, 11].entries()) expect(factors[3 + i]).toBeCloseTo(top / STEP ** steps);
    const kept = loosening.outer;
    expect(windows(loosening, 5, () => decided(1, [kept * 1.14]))).toEqual(new Array(5).fill(kept));
    expect(windows(loosening, 1, quiet)).toEqual([kept]);
    expect(windows(loosening, 12, quiet).at(-1)).toBe(1);
  });

  test("what is withheld now and then keeps the factor", () => {
    const loosening = new Loosening(50);
    windows(loosening, 12, () => decided(1, [4]));
    const kept = loosening.outer;
    let round = 0;
    expect(windows(loosening, 8, () => decided(round++ % 9 === 0 ? 1 : 0, [4, 5]))).toEqual(new Array(8).fill(kept));
  });

  test("the inner zone only once the others are at their limit, and it comes back first", () => {
    const loosening = new Loosening(50);
    const short = (): Decisions => decided(3, [9, INNER_FIRST + 1, INNER_FIRST + 3]);
    while (loosening.outer < 8) {
      expect(loosening.inner).toBe(1);
      windows(loosening, 1, short);
    }
    windows(loosening, 1, short);
    expect([loosening.outer, loosening.inner]).toEqual([8, LEAP]);
    windows(loosening, 10, short);
    expect(loosening.outer).toBe(8);
    expect(loosening.inner / 3).toBeGreaterThan(0.87);
    expect(loosening.inner / 3).toBeLessThanOrEqual(0.95);
    windows(loosening, 30, () => decided(1, [INNER_FIRST + 1000]));
    expect([loosening.outer, loosening.inner]).toEqual([8, 4]);
    while (loosening.inner > 1) {
      expect(loosening.outer).toBe(8);
      windows(loosening, 1, () => decided(0, []));
    }
    windows(loosening, 15, () => decided(0, []));
    expect([loosening.outer, loosening.inner]).toEqual([1, 1]);
  });

  test("creations that wait pass; if they wait for long, bounds are doubled for them at most", () => {
    const loosening = new Loosening(50);
    const joining = (): Decisions => decided(2, [2.01, 2.02, 2.03], create);
    expect(windows(loosening, 20, joining).at(-1)).toBe(1);
    expect(windows(loosening, 20, joining).at(-1)).toBe(2);
  });

  describe("updates that wait behind creations", () => {
    const kinds = Uint8Array.from([update, update, create, create]);
    const behind = (...urgencies: number[]) => ({ ...decided(urgencies.length, urgencies), kinds });

    test("have a cut of their own, which the factor follows after two seconds", () => {
      const loosening = new Loosening(50);
      const join = (): Decisions => behind(1.5, 2.5, 2.6, 2.7);
      expect(windows(loosening, 4, join).at(-1)).toBe(1);
      expect(windows(loosening, 1, join).at(-1)).toBeCloseTo(LEAP);
      const factor = windows(loosening, 12, join).at(-1)!;
      expect(factor / 2.5).toBeGreaterThan(0.87);
      expect(factor / 2.5).toBeLessThanOrEqual(0.95);
    });

    test("have it followed at once where creations come before all of them", () => {
      const loosening = new Loosening(50);
      windows(loosening, 12, () => decided(1, [5]));
      const before = loosening.outer;
      expect(windows(loosening, 1, () => behind(6, 7, 12, 13)).at(-1)).toBeGreaterThan(before);
    });

    test("do not loosen anything if creations wait only now and then", () => {
      const loosening = new Loosening(50);
      let round = 0;
      const seldom = (): Decisions => (round++ % 3 === 0 ? behind(1.5, 2.5, 2.6, 2.7) : decided(0, []));
      expect(windows(loosening, 12, seldom).at(-1)).toBe(1);
    });
  });

  test("a round in which not even what cannot wait was sent says nothing of a cut", () => {
    const loosening = new Loosening(50);
    windows(loosening, 3, () => decided(2, [1.1, Number.POSITIVE_INFINITY]));
    expect(Number.isFinite(loosening.outer)).toBe(true);
  });
});
