import { expect, it } from "vitest";
import { THING_MS } from "../views.ts";
import { agoMs, agoWords } from "./freshness.ts";

it("what is live has no age, what is far is at most its bound old", () => {
  expect(agoMs(0, 60_000, 0)).toBe(0);
  expect(agoMs(3, 60_000, 0)).toBe(THING_MS[3]);
  expect(agoMs(3, 4000, 0)).toBe(4000);
});

it("without a link everything grows old", () => {
  expect(agoMs(0, 60_000, 8000)).toBe(8000);
  expect(agoMs(2, 60_000, 8000)).toBe(THING_MS[2] + 8000);
});

it("is said in words", () => {
  expect([0, 700, 12_000, 150_000].map(agoWords)).toEqual(["", "1 s ago", "12 s ago", "3 min ago"]);
});
