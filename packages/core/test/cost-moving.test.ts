/** What engines look at where a few objects move within wide zones, in pairs: hardly any before they are due, wherever they were put at first and pivots go. */

import { describe, expect, test } from "vitest";
import { Engine } from "../src/internal/index.ts";
import { ROUND_MS, type SetSettings, Ship, smallWorld, viewOf } from "./small-world.ts";

const SHIPS = 50;
const ROUNDS = 60;
const WIDE: SetSettings = { radii: [150, 600], bounds: [{ value: 4 }, { value: 40 }, { value: 80 }] };

/** Pairs looked at and sent in a round: ships walk up and down, and are put where they walk after they were made. */
function looksOf(pivotsIn: (round: number) => readonly [number, number]): { looks: number; sent: number } {
  const world = smallWorld();
  const engine = new Engine(world, { roundMs: ROUND_MS });
  const camera = (round: number) => ({ camera: [...pivotsIn(round)], size: [300, 300], coefficients: [4] }) as const;
  const settings = viewOf(WIDE);
  const view = engine.addView({ ...settings, pivots: [camera(0) as never] }, { assumeDelivered: true });
  const ships = Array.from({ length: SHIPS }, () => world.spawn(Ship, {}));
  for (const [index, ship] of ships.entries()) ship.x = -900 + 36 * index;
  const [figures, warmUp] = [{ looks: 0, sent: 0 }, 20];
  for (let round = 1; round <= warmUp + ROUNDS; round++) {
    for (const ship of ships) ship.y += round % 40 < 20 ? 1 : -1;
    engine.setPivots(view, [camera(round) as never]);
    world.commit(0);
    engine.round(round);
    if (round <= warmUp) continue;
    figures.looks += engine.checks / ROUNDS;
    figures.sent += engine.decisions(view).count / ROUNDS;
  }
  return figures;
}

describe("looks at objects in wide zones", () => {
  test("where an object was put at first is no measure of its speed", () => {
    const { looks, sent } = looksOf(() => [0, 0]);
    expect(sent).toBeGreaterThan(1);
    expect(looks).toBeLessThan(SHIPS / 4);
  });

  test("a camera that moves has few pairs looked at: those that its zones come near", () => {
    const { looks, sent } = looksOf((round) => [10 * round - 400, 0]);
    expect(sent).toBeGreaterThan(1);
    expect(looks).toBeLessThan(SHIPS / 3);
  });
});
