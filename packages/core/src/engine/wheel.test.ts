import { expect, test } from "vitest";
import { Wheel } from "./wheel.ts";

function entries(wheel: Wheel, round: number): number[] {
  return [...wheel.bucket(round)];
}

test("every round up to the horizon has a bucket of its own", () => {
  const wheel = new Wheel();
  const now = 1000;
  for (let round = now; round <= wheel.horizon(now); round++) wheel.add(round, round);
  for (let round = now; round <= wheel.horizon(now); round++) expect(entries(wheel, round)).toEqual([round]);
});

test("buckets grow, and are empty again after their round", () => {
  const wheel = new Wheel();
  for (let pair = 0; pair < 100; pair++) wheel.add(7, pair);
  expect(entries(wheel, 7)).toEqual(Array.from({ length: 100 }, (_, i) => i));
  wheel.clear(7);
  expect(entries(wheel, 7)).toEqual([]);
  wheel.add(wheel.horizon(8), 3);
  expect(entries(wheel, wheel.horizon(8))).toEqual([3]);
});
