/** What is usual, from samples some of which are not. */

import { expect, test } from "vitest";
import { Lateness } from "./lateness.ts";

function after(...samples: number[]): Lateness {
  const lateness = new Lateness(8);
  for (const sample of samples) lateness.note(sample);
  return lateness;
}

test("nothing is known before the first sample, and one is enough to begin with", () => {
  expect([after().count, after().usualMs]).toEqual([0, 0]);
  expect([after(70).count, after(70).middleMs, after(70).spreadMs]).toEqual([1, 70, 0]);
});

test("delays that are spread evenly are seldom longer than what is usual", () => {
  const even = after(40, 42, 44, 46, 48, 50, 52, 54);
  expect([even.middleMs, even.spreadMs, even.usualMs]).toEqual([47, 4, 55]);
});

test("one that came a second late changes nothing", () => {
  expect(after(50, 51, 1050, 52, 50).usualMs).toBe(after(50, 51, 53, 52, 50).usualMs);
});

test("the last samples count, and none after it is told to forget", () => {
  const lateness = after(900, 900, 900, 900, 900, 10, 10, 10, 10, 10, 10, 10, 10);
  expect([lateness.count, lateness.usualMs]).toEqual([8, 10]);
  lateness.forget();
  lateness.note(33);
  expect([lateness.count, lateness.usualMs]).toEqual([1, 33]);
});
