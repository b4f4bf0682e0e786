import { expect, test } from "vitest";
import { SpeedCaps } from "./motion.ts";

test("a cap rises at once, with headroom for an even walk", () => {
  const caps = new SpeedCaps();
  caps.start(0, 0);
  expect(caps.exceeds(0, 0, 1)).toBe(false);
  expect(caps.exceeds(0, 4, 2)).toBe(true);
  expect(caps.cap[0]).toBe(5);
  for (let round = 3; round < 60; round++) expect(caps.exceeds(0, 4.5, round)).toBe(false);
  expect(caps.exceeds(0, 6, 60)).toBe(true);
});

test("it sinks to what was seen in the last window, and never below it", () => {
  const caps = new SpeedCaps();
  caps.start(3, 0);
  caps.exceeds(3, 100, 1);
  for (let round = 2; round <= 64; round++) caps.exceeds(3, 1, round);
  expect(caps.cap[3]).toBe(125);
  for (let round = 65; round <= 128; round++) caps.exceeds(3, 1, round);
  expect(caps.cap[3]).toBe(1.25);
  expect(caps.exceeds(3, 1.3, 129)).toBe(true);
});

test("an index that starts again knows nothing of its predecessor", () => {
  const caps = new SpeedCaps();
  caps.start(500, 0);
  caps.exceeds(500, 9, 1);
  caps.start(500, 2);
  expect(caps.cap[500]).toBe(0);
  expect(caps.exceeds(500, 0.1, 3)).toBe(true);
});
