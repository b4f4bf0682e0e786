import { expect, test } from "vitest";
import { ByView } from "./by-view.ts";

test("pairs come by view, in their order, without those that have none", () => {
  const viewOf = Int32Array.of(2, 0, -1, 2, 0, 1);
  expect([...new ByView().sort(Int32Array.of(3, 4, 2, 0, 5, 1), viewOf, 3)]).toEqual([4, 1, 5, 3, 0]);
});

test("reused for more pairs and more views", () => {
  const byView = new ByView();
  expect([...byView.sort(Int32Array.of(0), Int32Array.of(0), 1)]).toEqual([0]);
  const pairs = Int32Array.from({ length: 500 }, (_, i) => 499 - i);
  const viewOf = Int32Array.from({ length: 500 }, (_, i) => i % 200);
  const sorted = byView.sort(pairs, viewOf, 200);
  expect(sorted.length).toBe(500);
  expect([...sorted.subarray(0, 6)]).toEqual([400, 200, 0, 401, 201, 1]);
});
