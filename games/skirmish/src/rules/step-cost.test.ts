import { Dice } from "@nearfield/kit";
import { describe, expect, it } from "vitest";
import { Terrain } from "../terrain/terrain.ts";
import { Battle } from "./battle.ts";
import { KIND } from "./kinds.ts";

/** Units of all sides in lots around their starts; a part of them walks across the map. */
function crowdedBattle(map: "small" | "medium" | "large", units: number, moving: number): Battle {
  const terrain = new Terrain({ seed: 1, map, sides: 8 });
  const battle = new Battle({ terrain, unitsMost: units / 8 + 10 });
  const { state } = battle;
  battle.begin();
  const dice = new Dice(1, "crowd");
  const spread = terrain.size / 10;
  const kinds = [KIND.scout, KIND.trooper, KIND.lancer, KIND.tank, KIND.mortar, KIND.wasp];
  for (let side = 0; side < 8; side++) {
    const start = terrain.starts[side]!;
    const goal = terrain.starts[(side + 3) % 8]!;
    const handles: number[] = [];
    while (handles.length < units / 8) {
      const x = start.x + dice.bell() * spread;
      const y = start.y + dice.bell() * spread;
      if (terrain.isInside(x, y) && state.ground.isOpenAt(x, y)) {
        handles.push(state.pieces.handleOf(state.add(dice.pick(kinds), side, x, y)));
      }
    }
    for (let from = 0; from < moving / 8; from += 400) {
      battle.order(side, { units: handles.slice(from, Math.min(from + 400, moving / 8)), what: "attackMove", ...goal });
    }
  }
  return battle;
}

describe("the cost of a step", () => {
  it.each([
    ["medium", 2000, 2000],
    ["large", 20_000, 2000],
    ["large", 20_000, 20_000],
  ] as const)("on the %s map with %i units of which %i move", (map, units, moving) => {
    const battle = crowdedBattle(map, units, moving);
    const steps = 20;
    for (let step = 0; step < 10; step++) battle.step();
    const { user, system } = process.cpuUsage();
    for (let step = 0; step < steps; step++) battle.step();
    const spent = process.cpuUsage();
    const micros = (spent.user + spent.system - user - system) / steps;
    console.log(`${map}, ${units} units, ${moving} moving: ${Math.round(micros)} µs of processor time a step`);
    expect(battle.state.step).toBe(10 + steps);
    expect(battle.state.units.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(units / 2);
  });
});
