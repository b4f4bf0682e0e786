/** The games' dice: the same throws for the same seed and label, and what each kind of throw keeps to. */

import { describe, expect, it } from "vitest";
import { Dice } from "./dice.ts";

/** Written down once: other throws would give every game of an old seed another course. */
const KNOWN = [8676, 387912, 927088, 250817, 102529];

describe("dice", () => {
  it("throw the same again for the same seed and label, and differently for another", () => {
    const throws = (seed: number, label: string): number[] => {
      const dice = new Dice(seed, label);
      return Array.from({ length: 5 }, () => dice.int(1_000_000));
    };
    expect(throws(7, "maze")).toEqual(KNOWN);
    expect(throws(7, "bots")).not.toEqual(KNOWN);
    expect(throws(8, "maze")).not.toEqual(KNOWN);
  });

  it("keep to their ranges", () => {
    const dice = new Dice(3);
    for (let round = 0; round < 2000; round++) {
      expect(dice.int(6)).toBeOneOf([0, 1, 2, 3, 4, 5]);
      expect(Math.abs(dice.bell())).toBeLessThanOrEqual(3);
    }
  });

  it("shuffle in place, keeping every card, and refuse to pick from nothing", () => {
    const dice = new Dice(3);
    const cards = [1, 2, 3, 4, 5, 6, 7, 8];
    expect(dice.shuffle(cards)).toBe(cards);
    expect(cards.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(cards).not.toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(() => dice.pick([])).toThrow("empty");
  });
});
