/** The playout clock: the moment up to which state has usually arrived. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { Playout } from "./playout.ts";

test("nothing is here before the first frame, and then that", () => {
  const playout = new Playout();
  expect(playout.at(10)).toBeNaN();
  playout.heard(5000, 100);
  expect([playout.at(100), playout.at(150)]).toEqual([5000, 5050]);
});

test("it follows frames that come later, by running a quarter slower, and covers what they vary", () => {
  const playout = new Playout();
  playout.heard(0, 80);
  for (let round = 1; round <= 40; round++) playout.heard(round * 50, round * 50 + (round % 2 === 0 ? 80 : 100));
  expect(playout.at(84)).toBe(3);
  expect(playout.at(2100)).toBe(2100 - 110);
});

test("one frame that was held up for seconds does not make everything late", () => {
  const playout = new Playout();
  for (let round = 0; round <= 20; round++) playout.heard(round * 50, round * 50 + (round === 11 ? 3000 : 60));
  expect(playout.at(1100)).toBe(1040);
});

test("it never goes back, whatever comes", () => {
  const frame = fc.record({ serverMs: fc.integer({ min: -9999, max: 9999 }), stepMs: fc.nat(300) });
  fc.assert(
    fc.property(fc.array(frame, { minLength: 1 }), (frames) => {
      const playout = new Playout();
      let [localMs, lastMs] = [0, Number.NEGATIVE_INFINITY];
      for (const { serverMs, stepMs } of frames) {
        localMs += stepMs;
        playout.heard(serverMs, localMs);
        expect(playout.at(localMs)).toBeGreaterThanOrEqual(lastMs);
        lastMs = playout.at(localMs);
      }
    }),
  );
});
