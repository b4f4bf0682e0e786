import { describe, expect, it } from "vitest";
import { Dice } from "./dice.ts";
import { LabError } from "./lab-error.ts";

const ROLLS = 100_000;

function rolls<T>(count: number, roll: () => T): T[] {
  return Array.from({ length: count }, roll);
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe("Dice", () => {
  it("rolls what it always rolled: a kept seed must go on meaning the same scenario", () => {
    const dice = new Dice("nearfield");
    expect(rolls(5, () => Math.floor(dice.next() * 1e9))).toEqual([
      687_363_821, 190_230_457, 789_835_910, 416_614_952, 601_681_515,
    ]);
  });

  it("depends on the seed alone", () => {
    const sequence = (dice: Dice) => rolls(100, () => dice.next());
    expect(sequence(new Dice(7))).toEqual(sequence(new Dice("7")));
    expect(sequence(new Dice(7))).not.toEqual(sequence(new Dice(8)));
    expect(sequence(new Dice(""))).not.toEqual(sequence(new Dice("\0")));
  });

  it("gives forks that do not depend on what was rolled, nor on each other", () => {
    const fresh = new Dice("seed").fork("loss");
    const used = new Dice("seed");
    rolls(10, () => used.next());
    const late = used.fork("loss");
    expect(rolls(10, () => late.next())).toEqual(rolls(10, () => fresh.next()));
    expect(new Dice("seed").fork("a").next()).not.toBe(new Dice("seed").fork("b").next());
    expect(new Dice("seed").fork("a").seed).toBe("seed/a");
  });

  it("starts a thousand neighbouring seeds evenly", () => {
    const firsts = Array.from({ length: 1000 }, (_, seed) => new Dice(seed).next());
    expect(new Set(firsts).size).toBe(1000);
    expect(mean(firsts)).toBeCloseTo(0.5, 1);
    const tenths = countBy(firsts.map((value) => Math.floor(value * 10)));
    for (const count of tenths.values()) expect(count).toBeGreaterThan(60);
  });

  it("rolls evenly from 0 up to 1", () => {
    const dice = new Dice("even");
    const values = rolls(ROLLS, () => dice.next());
    expect(Math.min(...values.slice(0, 1000))).toBeGreaterThanOrEqual(0);
    expect(values.every((value) => value >= 0 && value < 1)).toBe(true);
    // Chi-square over 100 cells: 99 degrees of freedom, 0.1 % of true generators are above 148.
    const cells = countBy(values.map((value) => Math.floor(value * 100)));
    const expected = ROLLS / 100;
    let chiSquare = 0;
    for (let cell = 0; cell < 100; cell += 1) chiSquare += ((cells.get(cell) ?? 0) - expected) ** 2 / expected;
    expect(chiSquare).toBeLessThan(148);
    // Neighbouring rolls do not depend on each other.
    const products = values.slice(1).map((value, index) => (value - 0.5) * (values[index]! - 0.5));
    expect(Math.abs(mean(products))).toBeLessThan(0.001);
  });

  it("rolls whole numbers, ranges, chances and picks within their bounds", () => {
    const dice = new Dice("bounds");
    const faces = countBy(rolls(60_000, () => dice.int(6)));
    expect([...faces.keys()].sort()).toEqual([0, 1, 2, 3, 4, 5]);
    for (const count of faces.values()) expect(Math.abs(count - 10_000)).toBeLessThan(400);
    expect(dice.int(1)).toBe(0);
    const ranged = rolls(1000, () => dice.range(-3, 5));
    expect(ranged.every((value) => value >= -3 && value < 5)).toBe(true);
    expect(dice.range(4, 4)).toBe(4);
    expect(rolls(1000, () => dice.chance(0)).some(Boolean)).toBe(false);
    expect(rolls(1000, () => dice.chance(1)).every(Boolean)).toBe(true);
    expect(rolls(ROLLS, () => dice.chance(0.3)).filter(Boolean).length / ROLLS).toBeCloseTo(0.3, 2);
    expect(countBy(rolls(1000, () => dice.pick(["a", "b"]))).size).toBe(2);
  });

  it("shuffles in place, every order as often", () => {
    const dice = new Dice("cards");
    const orders = countBy(
      rolls(24_000, () => {
        const cards = ["a", "b", "c", "d"];
        dice.shuffle(cards);
        return cards.join("");
      }),
    );
    expect(orders.size).toBe(24);
    const cards = [1, 2, 3];
    expect(dice.shuffle(cards)).toBe(cards);
    for (const count of orders.values()) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });

  it("rolls a normal distribution", () => {
    const dice = new Dice("bell");
    const values = rolls(ROLLS, () => dice.normal(10, 2));
    const average = mean(values);
    const deviation = Math.sqrt(mean(values.map((value) => (value - average) ** 2)));
    expect(average).toBeCloseTo(10, 1);
    expect(deviation).toBeCloseTo(2, 1);
    const withinOne = values.filter((value) => Math.abs(value - 10) < 2).length / ROLLS;
    expect(withinOne).toBeCloseTo(0.683, 2);
  });

  it("refuses what cannot be rolled, by name", () => {
    const dice = new Dice(0);
    expect(() => new Dice(Number.NaN)).toThrow(LabError);
    expect(() => dice.int(0)).toThrow("int(0): the count must be a whole number of at least 1");
    expect(() => dice.int(2.5)).toThrow(LabError);
    expect(() => dice.range(2, 1)).toThrow(LabError);
    expect(() => dice.pick([])).toThrow(LabError);
  });
});

function countBy<T>(values: readonly T[]): Map<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
