import { Dice } from "@nearfield/kit";
import { describe, expect, it } from "vitest";
import { BUILDING_KINDS, ORDERS, UNIT_KINDS } from "../state.ts";
import { Terrain } from "../terrain/terrain.ts";
import { Battle } from "./battle.ts";
import { KIND } from "./kinds.ts";

/** A battle in which every side gives random orders, sensible or not. Gives a checksum for every tenth step. */
function randomBattle(seed: number, orderSeed: number): number[] {
  const terrain = new Terrain({ seed, map: "small", sides: 3 });
  const battle = new Battle({ terrain });
  const { state } = battle;
  battle.begin();
  const dice = new Dice(orderSeed, "orders");
  const place = () => dice.next() * (terrain.size + 40) - 20;
  for (let count = 0; count < 150; count++) {
    const start = terrain.starts[count % 3]!;
    const kind = KIND[dice.pick(UNIT_KINDS)];
    state.add(kind, count % 3, start.x + dice.bell() * 40, start.y + dice.bell() * 40);
  }
  const someone = () => state.pieces.handleOf(dice.int(state.pieces.high));
  const sums: number[] = [];
  for (let step = 0; step < 600; step++) {
    for (let side = 0; side < 3; side++) {
      if (!dice.chance(0.3)) continue;
      const handles: number[] = [];
      for (let slot = 0; slot < state.pieces.high; slot++) {
        const isOwn = state.pieces.alive[slot] === 1 && state.pieces.side[slot] === side;
        if (isOwn && !state.pieces.isBuilding(slot) && dice.chance(0.2)) handles.push(state.pieces.handleOf(slot));
      }
      battle.order(side, {
        units: handles,
        what: dice.pick(ORDERS),
        x: place(),
        y: place(),
        target: someone(),
        patch: dice.int(40) - 2,
        building: dice.pick(BUILDING_KINDS),
        queued: dice.chance(0.3),
      });
      battle.train(side, someone(), dice.pick(UNIT_KINDS), 1 + dice.int(3));
      battle.rally(side, someone(), place(), place());
      if (dice.chance(0.1)) battle.cancelTraining(side, someone());
    }
    battle.step();
    if (step % 10 === 0) sums.push(battle.checksum());
  }
  for (let slot = 0; slot < state.pieces.high; slot++) {
    if (state.pieces.alive[slot] === 0) continue;
    expect(terrain.isInside(state.pieces.x[slot]!, state.pieces.y[slot]!)).toBe(true);
    expect(state.pieces.health[slot]).toBeGreaterThan(0);
  }
  for (const ore of state.ore) expect(ore).toBeGreaterThanOrEqual(0);
  return sums;
}

describe("determinism", () => {
  it.each([1, 2, 3])("equal seeds and orders give equal checksums, step for step (seed %i)", (seed) => {
    expect(randomBattle(seed, seed)).toEqual(randomBattle(seed, seed));
  });

  it("other orders give other checksums, from when they differ", () => {
    const [one, other] = [randomBattle(1, 1), randomBattle(1, 2)];
    expect(one.at(-1)).not.toBe(other.at(-1));
  });

  // A change of the rules or of their numbers changes it; `vitest -u` writes the new one.
  it("has a checksum that is pinned, so that another machine that differs is found out", () => {
    expect(randomBattle(5, 5).at(-1)).toMatchInlineSnapshot(`333558475`);
  });
});
