import { expect, it } from "vitest";
import { Ears } from "./ears.ts";

const here = { x: 0, y: 0 };

it("keep the nearest fight while it goes on, and forget it when it is quiet", () => {
  const ears = new Ears();
  expect(ears.fight(0)).toBeUndefined();
  ears.hear(here, 300, 0, 1000);
  ears.hear(here, 100, 0, 1100);
  ears.hear(here, 200, 0, 1200);
  expect(ears.fight(1300)).toEqual({ x: 100, y: 0 });
  ears.hear(here, 200, 0, 3000);
  expect(ears.fight(3000)).toEqual({ x: 200, y: 0 });
  expect(ears.fight(4600)).toBeUndefined();
});
