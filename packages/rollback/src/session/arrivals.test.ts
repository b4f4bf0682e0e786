import { describe, expect, test } from "vitest";
import { Arrivals, copiesFor } from "./arrivals.ts";

/** A peer's messages, of which every `nth` is lost, each late by so many steps. */
function hear(count: number, nth: number, late: (step: number) => number = () => 0): Arrivals {
  const arrivals = new Arrivals();
  const order = Array.from({ length: count }, (_, step) => step).sort((a, b) => a + late(a) - b - late(b));
  for (const step of order) if (step % nth !== nth - 1) arrivals.note(step);
  return arrivals;
}

describe("a peer's losses", () => {
  test("are none where every message comes, in whatever order: a seal goes once", () => {
    const { lost } = hear(400, Number.POSITIVE_INFINITY, (step) => (step * 7) % 12);
    expect(lost).toBe(0);
    expect(copiesFor(lost)).toBe(1);
  });

  test.each([
    [20, 3],
    [10, 4],
    [4, 6],
  ])("one message in %i: a seal goes %i times or more, and never more than in every step", (nth, copies) => {
    const { lost } = hear(800, nth, (step) => (step * 7) % 12);
    expect(lost / 32).toBeGreaterThanOrEqual(1 / nth - 1 / 32);
    expect(copiesFor(lost)).toBeGreaterThanOrEqual(copies - 1);
    expect(copiesFor(lost)).toBeLessThanOrEqual(8);
  });

  test("are taken for some before anything is known", () => {
    expect(copiesFor(new Arrivals().lost)).toBe(2);
  });

  test("a step that a hostile peer makes up costs no time", () => {
    const arrivals = new Arrivals();
    arrivals.note(0);
    arrivals.note(2 ** 50);
    expect(arrivals.lost).toBeLessThanOrEqual(15);
  });
});
