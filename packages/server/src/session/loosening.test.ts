import { DecisionKind, type Decisions, INNER_FIRST } from "@nearfield/core/internal";
import { describe, expect, test } from "vitest";
import { Loosening } from "./loosening.ts";

const ROUNDS = 20;
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

  test("follows the cut from below, a step a window, and says when it changed", () => {
    const loosening = new Loosening(50);
    const factors = windows(loosening, 12, () => decided(2, [1, 4, 5, 9]));
    expect(factors[0]).toBeCloseTo(2 ** 0.25);
    expect(factors[1]).toBeCloseTo(2 ** 0.5);
    // The cut is 4: the largest step that is not above 3.
    expect(factors.at(-1)).toBeCloseTo(2 ** 1.5);
    let changes = 0;
    const fresh = new Loosening(50);
    for (let round = 0; round < 12 * ROUNDS; round++) if (fresh.note(decided(2, [1, 4, 5, 9]))) changes += 1;
    expect(changes).toBe(6);
  });

  test("a shortage that does not last loosens nothing", () => {
    const loosening = new Loosening(50);
    let round = 0;
    expect(windows(loosening, 5, () => decided(round++ % 3 === 0 ? 1 : 0, [4, 5]))).toEqual([1, 1, 1, 1, 1]);
  });

  test("a quiet window tightens by a step; a cut less than a good step above the factor keeps it", () => {
    const loosening = new Loosening(50);
    windows(loosening, 6, () => decided(1, [4]));
    const top = loosening.outer;
    expect(windows(loosening, 1, () => decided(0, []))[0]).toBeCloseTo(top / 2 ** 0.25);
    const kept = loosening.outer;
    expect(windows(loosening, 5, () => decided(1, [kept * 1.5]))).toEqual(new Array(5).fill(kept));
    expect(windows(loosening, 20, () => decided(0, [])).at(-1)).toBe(1);
  });

  test("the inner zone only once the others are at their limit, and it comes back first", () => {
    const loosening = new Loosening(50);
    const short = (): Decisions => decided(3, [9, INNER_FIRST + 1, INNER_FIRST + 3]);
    windows(loosening, 12, short);
    expect([loosening.outer, loosening.inner]).toEqual([8, 1]);
    windows(loosening, 1, short);
    expect([loosening.outer, loosening.inner]).toEqual([8, 2 ** 0.25]);
    windows(loosening, 10, short);
    expect([loosening.outer, loosening.inner]).toEqual([8, 2]);
    windows(loosening, 30, () => decided(1, [INNER_FIRST + 1000]));
    expect([loosening.outer, loosening.inner]).toEqual([8, 4]);
    windows(loosening, 8, () => decided(0, []));
    expect([loosening.outer, loosening.inner]).toEqual([8, 1]);
    windows(loosening, 12, () => decided(0, []));
    expect([loosening.outer, loosening.inner]).toEqual([1, 1]);
  });

  test("creations that wait pass; if they wait for long, bounds are doubled for them at most", () => {
    const loosening = new Loosening(50);
    const joining = (): Decisions => decided(2, [2.01, 2.02, 2.03], create);
    expect(windows(loosening, 10, joining).at(-1)).toBe(1);
    expect(windows(loosening, 10, joining).at(-1)).toBe(2);
  });

  test("a round in which not even what cannot wait was sent says nothing of a cut", () => {
    const loosening = new Loosening(50);
    windows(loosening, 3, () => decided(2, [1.1, Number.POSITIVE_INFINITY]));
    expect(Number.isFinite(loosening.outer)).toBe(true);
  });
});
