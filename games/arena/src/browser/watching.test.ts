/** Whom one watches: in the order of numbers, around the ends, never oneself. */

import { expect, it } from "vitest";
import type { Figure } from "./figure.ts";
import { Watching } from "./watching.ts";

const figures = [5, 2, 9, 4].map((number) => ({ own: number === 4, number }) as unknown as Figure);

it("goes to the next and to the one before, and around the ends", () => {
  const asked: number[] = [];
  const watching = new Watching((number) => asked.push(number));
  watching.turn(1, figures);
  watching.number = 5;
  watching.turn(1, figures);
  watching.turn(-1, figures);
  watching.number = 9;
  watching.turn(1, figures);
  expect(asked).toEqual([2, 9, 2, 2]);
});

it("asks for somebody where nobody is followed, but not in every frame", () => {
  const asked: number[] = [];
  const watching = new Watching((number) => asked.push(number));
  for (const nowMs of [5000, 5016, 5032]) watching.begin(figures, nowMs);
  expect(asked).toEqual([2]);
  watching.number = 2;
  watching.begin(figures, 60_000);
  expect(asked).toEqual([2]);
});
