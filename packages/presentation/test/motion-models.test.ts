/** The models in the box. */

import { expect, test } from "vitest";
import { hold, linear } from "../src/index.ts";
import { describeMotionModel, Fed } from "./motion-contract.ts";

describeMotionModel(hold);
describeMotionModel(linear);

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
