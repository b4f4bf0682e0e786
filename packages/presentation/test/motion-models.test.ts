/** The models in the box. */

import { expect, test } from "vitest";
import {
  accelerated,
  fading,
  history,
  historyCurve,
  historyLine,
  hold,
  linear,
  MOTION_MODELS,
  pacedFading,
  quadratic,
} from "../src/index.ts";
import { describeMotionModel, Fed } from "./motion-contract.ts";

for (const model of [...Object.values(MOTION_MODELS), pacedFading(1.5)]) describeMotionModel(model);

test("hold: stays where it was sent, and always rests", () => {
  const fed = new Fed(hold);
  fed.send([1, 2, 3, 10, 10, 10]);
  expect([fed.at(1000), fed.rests]).toEqual([[1, 2, 3], true]);
});

test("linear: goes on at the velocity it was sent with", () => {
  const fed = new Fed(linear);
  fed.send([1, 2, 3, 10, -20, 0]);
  expect([fed.at(500), fed.rests]).toEqual([[6, -8, 3], false]);
  fed.send([6, -8, 3, 0, 0, 0], false, 500);
  expect([fed.at(500), fed.rests]).toEqual([[6, -8, 3], true]);
});

test("linear: the velocity of one that settles does not count", () => {
  const fed = new Fed(linear);
  fed.send([1, 2, 3, 10, -20, 5], true);
  expect([fed.at(500), fed.rests]).toEqual([[1, 2, 3], true]);
});

test("fading: goes on ever more slowly, never farther than in 16 s at full speed", () => {
  const fed = new Fed(fading);
  fed.send([1, 0, 0, 16, -32, 0]);
  expect([fed.at(0), fed.at(16_000), fed.rests]).toEqual([[1, 0, 0], [129, -256, 0], false]);
  expect(fed.at(1e9)[0]).toBeLessThan(1 + 16 * 16);
});

test("pacedFading: the slower, the sooner it fades", () => {
  const fed = new Fed(pacedFading(2));
  fed.send([1, 0, 0, 2, 0, 0]);
  expect([fed.at(1000)[0], fed.at(3000)[0]]).toEqual([2, 2.5]);
  fed.send([1, 0, 0, 0, 6, 0], false, 1000);
  expect(fed.at(9000)[1]).toBeCloseTo(27, 9);
  expect(() => pacedFading(0)).toThrow("pace is 0, but must be a number above 0");
});

test("quadratic: the velocity goes on changing as it did between the last two sends", () => {
  const fed = new Fed(quadratic);
  fed.send([0, 0, 0, 10, 0, 0]);
  expect(fed.at(1000)).toEqual([10, 0, 0]);
  fed.send([10, 0, 0, 10, 5, 0], false, 500);
  expect(fed.at(1000)).toEqual([20, 10, 0]);
});

test("accelerated: the velocity changes as was sent", () => {
  const fed = new Fed(accelerated);
  fed.send([1, 2, 3, 10, 0, 0, -4, 2, 0]);
  expect(fed.at(2000)).toEqual([13, 6, 3]);
});

/** A parabola in the plane, sent unevenly, with no velocity. */
const parabola = (seconds: number): number[] => [10 * seconds, 3 * seconds * seconds, 0, 0, 0, 0];

test("historyLine: goes on as the last two positions lie", () => {
  const fed = new Fed(historyLine);
  fed.send([1, 1, 0, 9, 9, 9]);
  expect([fed.at(1000), fed.rests]).toEqual([[1, 1, 0], true]);
  fed.send([3, 0, 0, 9, 9, 9], false, 500);
  expect([fed.at(250), fed.at(1000), fed.rests]).toEqual([[4, -0.5, 0], [7, -2, 0], false]);
});

test("historyCurve: goes on along the parabola through the last three positions, however they are spaced", () => {
  const fed = new Fed(historyCurve);
  fed.send(parabola(0));
  fed.send(parabola(0.5), false, 500);
  fed.send(parabola(0.75), false, 250);
  const [x, y] = fed.at(1000);
  expect(x).toBeCloseTo(17.5, 9);
  expect(y).toBeCloseTo(3 * 1.75 * 1.75, 9);
});

test("history: a gentle bend goes on, a sharp turn does not", () => {
  const gentle = new Fed(history);
  const [curve, line] = [new Fed(historyCurve), new Fed(historyLine)];
  for (const fed of [gentle, curve]) {
    fed.send(parabola(0));
    fed.send(parabola(1), false, 1000);
    fed.send(parabola(2), false, 1000);
  }
  expect(gentle.at(700)).toEqual(curve.at(700));
  const sharp = new Fed(history);
  for (const fed of [sharp, line]) {
    fed.send([0, 0, 0, 0, 0, 0]);
    fed.send([10, 0, 0, 0, 0, 0], false, 1000);
    fed.send([9, 10, 0, 0, 0, 0], false, 1000);
  }
  expect(sharp.at(700)).toEqual(line.at(700));
});

test("history: one that settled starts anew", () => {
  const fed = new Fed(history);
  fed.send([0, 0, 0, 0, 0, 0]);
  fed.send([10, 0, 0, 0, 0, 0], true, 1000);
  fed.send([10, 5, 0, 0, 0, 0], false, 1000);
  expect(fed.at(1000)).toEqual([10, 10, 0]);
});
