import { describe, expect, it } from "vitest";
import { STEP_MS, UNITS, type UnitKind } from "../state.ts";
import { Terrain } from "../terrain/terrain.ts";
import { Battle } from "./battle.ts";
import { WEAPONS } from "./damage.ts";
import { FIRST_BUILDING, KIND } from "./kinds.ts";

/** Ore that each side spends. */
const SPENT = 1440;
const MOST_STEPS = 120_000 / STEP_MS;
const terrain = new Terrain({ seed: 3, map: "medium", sides: 2 });

/** Two armies of one kind each, for the same ore, meet in the middle of the map. Gives the shares that are left. */
function meet(first: UnitKind, second: UnitKind): readonly [number, number] {
  const battle = new Battle({ terrain });
  const { state } = battle;
  battle.begin();
  const middle = terrain.size / 2;
  const armies = ([first, second] as const).map((kind, side) => {
    const count = Math.floor(SPENT / UNITS[kind].cost);
    const edge = Math.ceil(Math.sqrt(count));
    return Array.from({ length: count }, (_, index) => {
      const x = middle + (side === 0 ? -1 : 1) * (60 + (index % edge) * 18);
      const y = middle + (Math.floor(index / edge) - edge / 2) * 18;
      return state.pieces.handleOf(state.add(KIND[kind], side, x, y));
    });
  });
  armies.forEach((units, side) => {
    battle.order(side, { units, what: "attackMove", x: middle + (side === 0 ? 1 : -1) * 100, y: middle });
  });
  const left = () =>
    armies.map((units) => units.filter((unit) => state.pieces.slotOf(unit) >= 0).length / units.length);
  for (let step = 0; step < MOST_STEPS && left().every((share) => share > 0); step++) battle.step();
  return left() as [number, number];
}

describe("who beats whom, at equal cost", () => {
  it.each([
    ["scout", "mortar"],
    ["trooper", "scout"],
    ["trooper", "lancer"],
    ["trooper", "wasp"],
    ["lancer", "tank"],
    ["tank", "trooper"],
    ["tank", "scout"],
    ["wasp", "mortar"],
    ["wasp", "tank"],
  ] as const)("%s beats %s", (winner, loser) => {
    const [winners, losers] = meet(winner, loser);
    expect(losers).toBe(0);
    expect(winners).toBeGreaterThan(0.2);
    // Who stands first in the columns has no advantage.
    const [mirroredLosers, mirroredWinners] = meet(loser, winner);
    expect(mirroredLosers).toBe(0);
    expect(mirroredWinners).toBeGreaterThan(0.2);
  });
});

describe("towers and sieges", () => {
  it("mortars outrange towers, nothing else does", () => {
    for (const [kind, { range }] of Object.entries(WEAPONS)) {
      if (kind !== "tower") expect(range > WEAPONS.tower.range, kind).toBe(kind === "mortar");
    }
  });

  it("a mortar that is told where takes a tower without a scratch, if somebody sees it", () => {
    const battle = new Battle({ terrain });
    const { state } = battle;
    battle.begin();
    const middle = terrain.size / 2;
    const tower = state.pieces.handleOf(state.add(KIND.tower, 1, middle, middle));
    const mortar = state.add(KIND.mortar, 0, middle - 300, middle);
    // It stands out of the tower's range and only looks.
    const scout = state.pieces.handleOf(state.add(KIND.scout, 0, middle - 225, middle));
    battle.order(0, { units: [scout], what: "hold", x: 0, y: 0 });
    for (let step = 0; step < 4; step++) battle.step();
    const refusal = battle.order(0, {
      units: [state.pieces.handleOf(mortar)],
      what: "attack",
      x: 0,
      y: 0,
      target: tower,
    });
    expect(refusal).toBeUndefined();
    for (let step = 0; step < MOST_STEPS && state.pieces.slotOf(tower) >= 0; step++) battle.step();
    expect(state.pieces.slotOf(tower)).toBe(-1);
    expect(state.pieces.health[mortar]).toBe(UNITS.mortar.health);
  });

  it("a tower brings down wasps that cost as much", () => {
    const battle = new Battle({ terrain });
    const { state } = battle;
    battle.begin();
    const middle = terrain.size / 2;
    const tower = state.add(KIND.tower, 1, middle, middle);
    const wasp = state.pieces.handleOf(state.add(KIND.wasp, 0, middle - 150, middle));
    battle.order(0, { units: [wasp], what: "attackMove", x: middle, y: middle });
    for (let step = 0; step < MOST_STEPS && state.pieces.slotOf(wasp) >= 0; step++) battle.step();
    expect(state.pieces.slotOf(wasp)).toBe(-1);
    expect(state.pieces.alive[tower]).toBe(1);
    expect(state.pieces.kind[tower]).toBeGreaterThanOrEqual(FIRST_BUILDING);
  });
});
