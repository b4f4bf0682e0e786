import { beforeEach, describe, expect, it } from "vitest";
import { run, seconds } from "../../test/battle-lab.ts";
import { BASE_ORE_MS, BUILDINGS, REPAIR_COST, START_BUILDERS, START_ORE, STEP_MS, TILE, UNITS } from "../state.ts";
import { Terrain } from "../terrain/terrain.ts";
import { Battle } from "./battle.ts";
import type { BattleState } from "./battle-state.ts";
import { KIND } from "./kinds.ts";

const terrain = new Terrain({ seed: 2, map: "small", sides: 4 });

let battle: Battle;
let state: BattleState;

beforeEach(() => {
  battle = new Battle({ terrain });
  state = battle.state;
  battle.begin();
});

function handlesOf(kind: number, side: number): number[] {
  const { pieces } = state;
  const found: number[] = [];
  for (let slot = 0; slot < pieces.high; slot++) {
    if (pieces.alive[slot] === 1 && pieces.kind[slot] === kind && pieces.side[slot] === side) {
      found.push(pieces.handleOf(slot));
    }
  }
  return found;
}

/** Ore that a base has dug by itself until now. */
function baseOre(): number {
  return Math.floor((state.step * STEP_MS) / BASE_ORE_MS);
}

/** A place near the start of a side where a building of three tiles fits. */
function buildingPlace(side: number): { x: number; y: number } {
  const { x, y } = terrain.starts[side]!;
  const middle = terrain.size / 2;
  return { x: x + Math.sign(middle - x) * 6 * TILE, y: y + Math.sign(middle - y) * 6 * TILE };
}

describe("gathering", () => {
  it("brings every side the same ore in a minute, as much as builders can carry", () => {
    run(battle, seconds(60));
    const brought = Array.from(state.ore, (ore) => ore - START_ORE - baseOre());
    for (const amount of brought) {
      // Twelve to thirty-six deliveries of ten by five builders.
      expect(amount).toBeGreaterThanOrEqual(120 * (START_BUILDERS / 5));
      expect(amount).toBeLessThanOrEqual(600);
      expect(Math.abs(amount - brought[0]!)).toBeLessThanOrEqual(20);
    }
    const inPurses = brought.reduce((sum, amount) => sum + amount, 0);
    const inHands = state.pieces.cargo.reduce((sum, cargo) => sum + cargo, 0);
    const taken = terrain.ore.reduce((sum, { amount }, patch) => sum + amount - state.deposits.amount[patch]!, 0);
    expect(inPurses + inHands).toBe(taken);
  });

  it("goes on at the next patch when one is used up, and ends when none is near", () => {
    const patch = state.deposits.nearest(terrain.starts[0]!.x, terrain.starts[0]!.y, terrain.size);
    state.deposits.amount.fill(0);
    state.deposits.amount[patch] = 30;
    run(battle, seconds(90));
    expect(state.ore[0]).toBe(START_ORE + 30 + baseOre());
    for (const builder of handlesOf(KIND.builder, 0)) expect(state.queues.count[state.pieces.slotOf(builder)]).toBe(0);
  });
});

describe("building", () => {
  it("takes the ore when the foundation is laid, and the time that the kind takes", () => {
    const builder = handlesOf(KIND.builder, 0)[0]!;
    const place = buildingPlace(0);
    state.deposits.amount.fill(0);
    expect(battle.order(0, { units: [builder], what: "build", building: "barracks", ...place })).toBeUndefined();
    expect(state.ore[0]).toBe(START_ORE);
    const sites = () => handlesOf(KIND.barracks, 0);
    for (let step = 0; step < seconds(30) && sites().length === 0; step++) battle.step();
    const site = state.pieces.slotOf(sites()[0]!);
    expect(state.ore[0]).toBe(START_ORE - BUILDINGS.barracks.cost + baseOre());
    expect(state.pieces.built[site]).toBeLessThan(0.05);
    run(battle, BUILDINGS.barracks.makeMs / STEP_MS + 2);
    expect(state.pieces.built[site]).toBe(1);
    expect(state.pieces.health[site]).toBeCloseTo(BUILDINGS.barracks.health, 0);
  });

  it("is refused without room, and without ore", () => {
    const units = handlesOf(KIND.builder, 0);
    expect(battle.order(0, { units, what: "build", building: "barracks", ...terrain.starts[0]! })).toBe("noRoom");
    expect(battle.order(0, { units, what: "build", building: "base", ...buildingPlace(0) })).toBe("noOre");
    expect(battle.order(0, { units, what: "build", building: "tower", x: -5, y: 20 })).toBe("outside");
  });

  it("is told later if the ore is gone by then", () => {
    const units = handlesOf(KIND.builder, 0);
    battle.order(0, { units, what: "build", building: "barracks", ...buildingPlace(0) });
    state.ore[0] = 0;
    state.deposits.amount.fill(0);
    const told: string[] = [];
    for (let step = 0; step < seconds(30); step++) {
      battle.step();
      told.push(...state.happenings.refusals.map(({ reason }) => reason));
    }
    expect(told).toEqual(["noOre"]);
  });

  it("repairs what is damaged, for ore", () => {
    const base = state.pieces.slotOf(handlesOf(KIND.base, 0)[0]!);
    const target = state.pieces.handleOf(base);
    const units = handlesOf(KIND.builder, 0);
    expect(battle.order(0, { units, what: "repair", x: 0, y: 0, target })).toBe("noTarget");
    state.pieces.health[base] = BUILDINGS.base.health / 2;
    state.deposits.amount.fill(0);
    expect(battle.order(0, { units, what: "repair", x: 0, y: 0, target })).toBeUndefined();
    run(battle, seconds(30));
    expect(state.pieces.health[base]).toBe(BUILDINGS.base.health);
    expect(state.ore[0]).toBeCloseTo(START_ORE - BUILDINGS.base.cost * REPAIR_COST * 0.5 + baseOre(), 0);
  });
});

describe("training", () => {
  it("takes ore at once and time later, and sends the unit to the rally point", () => {
    const base = handlesOf(KIND.base, 0)[0]!;
    state.deposits.amount.fill(0);
    const { x, y } = buildingPlace(0);
    expect(battle.rally(0, base, x, y)).toBeUndefined();
    expect(battle.train(0, base, "builder", 2)).toBeUndefined();
    expect(state.ore[0]).toBe(START_ORE - 2 * UNITS.builder.cost);
    run(battle, UNITS.builder.makeMs / STEP_MS);
    expect(handlesOf(KIND.builder, 0)).toHaveLength(START_BUILDERS + 1);
    run(battle, seconds(20));
    const made = state.pieces.slotOf(handlesOf(KIND.builder, 0).at(-2)!);
    expect(Math.hypot(state.pieces.x[made]! - x, state.pieces.y[made]! - y)).toBeLessThan(80);
  });

  it("gives the ore back for what is cancelled, and refuses what the building does not make", () => {
    const base = handlesOf(KIND.base, 0)[0]!;
    expect(battle.cancelTraining(0, base)).toBe("noTarget");
    battle.train(0, base, "builder", 3);
    expect(battle.cancelTraining(0, base)).toBeUndefined();
    expect(state.ore[0]).toBe(START_ORE - 2 * UNITS.builder.cost);
    expect(battle.train(0, base, "tank")).toBe("wrongKind");
    expect(battle.train(1, base, "builder")).toBe("notYours");
    state.ore[0] = 0;
    expect(battle.train(0, base, "builder")).toBe("noOre");
  });
});
