import { beforeEach, describe, expect, it } from "vitest";
import { run, seconds } from "../../test/battle-lab.ts";
import { NO_SIDE, QUEUED_ORDERS_MOST } from "../state.ts";
import { Terrain } from "../terrain/terrain.ts";
import { Battle } from "./battle.ts";
import type { BattleState } from "./battle-state.ts";
import { KIND } from "./kinds.ts";

const terrain = new Terrain({ seed: 2, map: "small", sides: 2 });
const middle = terrain.size / 2;

let battle: Battle;
let state: BattleState;

beforeEach(() => {
  battle = new Battle({ terrain });
  state = battle.state;
  battle.begin();
});

function add(kind: keyof typeof KIND, side: number, x: number, y: number): number {
  return state.pieces.handleOf(state.add(KIND[kind], side, x, y));
}

function placeOf(handle: number): [number, number] {
  const slot = state.pieces.slotOf(handle);
  return [state.pieces.x[slot]!, state.pieces.y[slot]!];
}

function distanceTo(handle: number, x: number, y: number): number {
  const [atX, atY] = placeOf(handle);
  return Math.hypot(atX - x, atY - y);
}

describe("orders", () => {
  it("are for own units only", () => {
    const mine = add("trooper", 0, middle, middle);
    const theirs = add("trooper", 1, middle + 200, middle);
    expect(battle.order(0, { units: [theirs], what: "move", x: 10, y: 10 })).toBe("notYours");
    expect(battle.order(0, { units: [mine, theirs], what: "move", x: 10, y: 10 })).toBe("notYours");
    expect(battle.order(0, { units: [0, 12345], what: "stop", x: 0, y: 0 })).toBe("notYours");
    expect(battle.order(5, { units: [mine], what: "move", x: 10, y: 10 })).toBe("notPlaying");
    expect(battle.order(0, { units: [mine], what: "move", x: middle, y: Number.NaN })).toBe("outside");
  });

  it("reach no target that the side does not see", () => {
    const mine = add("trooper", 0, middle - 60, middle);
    const base = state.pieces.handleOf(state.pieces.side.indexOf(1));
    run(battle, 2);
    expect(battle.order(0, { units: [mine], what: "attack", x: 0, y: 0, target: base })).toBe("noTarget");
    const near = add("builder", 1, middle, middle);
    run(battle, 2);
    expect(battle.order(0, { units: [mine], what: "attack", x: 0, y: 0, target: near })).toBeUndefined();
    expect(battle.order(0, { units: [mine], what: "attack", x: 0, y: 0, target: mine })).toBe("noTarget");
    expect(battle.order(0, { units: [mine], what: "gather", x: 0, y: 0, patch: 0 })).toBe("wrongKind");
  });

  it("tell nothing of what lies in the fog", () => {
    const place = { x: middle + 40, y: middle };
    const tower = state.add(KIND.tower, 1, place.x, place.y);
    const { x, y } = terrain.starts[0]!;
    const units = [add("builder", 0, x + 60, y)];
    run(battle, 2);
    expect(battle.order(0, { units, what: "build", building: "tower", ...place })).toBeUndefined();
    add("scout", 0, middle - 60, middle);
    run(battle, 2);
    expect(state.vision.sees(0, state.pieces.x[tower]!, state.pieces.y[tower]!)).toBe(true);
    expect(battle.order(0, { units, what: "build", building: "tower", ...place })).toBe("noRoom");
    const far = terrain.ore.findIndex((patch) => !state.vision.sees(0, patch.x, patch.y));
    state.deposits.amount[far] = 0;
    expect(battle.order(0, { units, what: "gather", x: 0, y: 0, patch: far })).toBeUndefined();
    const { x: farX, y: farY } = terrain.ore[far]!;
    expect(battle.order(0, { units, what: "build", building: "tower", x: farX, y: farY })).toBe("noRoom");
    const near = terrain.ore.findIndex((patch) => state.vision.sees(0, patch.x, patch.y));
    state.deposits.amount[near] = 0;
    expect(battle.order(0, { units, what: "gather", x: 0, y: 0, patch: near })).toBe("noTarget");
  });

  it("the host decides what a side may know", () => {
    battle = new Battle({ terrain }, () => false);
    state = battle.state;
    battle.begin();
    const mine = add("trooper", 0, middle - 60, middle);
    const near = add("builder", 1, middle, middle);
    run(battle, 2);
    expect(battle.order(0, { units: [mine], what: "attack", x: 0, y: 0, target: near })).toBe("noTarget");
  });

  it("a group walks across the map around water and cliffs, each to a place of its own", () => {
    const { x, y } = terrain.starts[0]!;
    const units = Array.from({ length: 30 }, (_, index) =>
      add("lancer", 0, x - 60 + (index % 6) * 12, y + 50 + Math.floor(index / 6) * 12),
    );
    expect(battle.order(0, { units, what: "move", x: middle, y: middle })).toBeUndefined();
    run(battle, seconds(40));
    for (const unit of units) {
      expect(distanceTo(unit, middle, middle)).toBeLessThan(100);
      expect(state.queues.count[state.pieces.slotOf(unit)]).toBe(0);
    }
    for (const [at, one] of units.entries()) {
      for (const other of units.slice(at + 1)) expect(distanceTo(one, ...placeOf(other))).toBeGreaterThan(4);
    }
  });

  it("a crowd whose places lie far from the common goal comes to rest too", () => {
    const { x, y } = terrain.starts[0]!;
    const units = Array.from({ length: 100 }, (_, index) =>
      add("tank", 0, x - 60 + (index % 10) * 12, y - 60 + Math.floor(index / 10) * 12),
    );
    battle.order(0, { units, what: "move", x: middle, y: middle });
    run(battle, seconds(30));
    expect(units.filter((unit) => state.queues.count[state.pieces.slotOf(unit)]! > 0)).toEqual([]);
    expect(Math.max(...units.map((unit) => distanceTo(unit, middle, middle)))).toBeLessThan(200);
  });

  it("queued ones come one after the other", () => {
    const unit = add("scout", 0, middle, middle);
    battle.order(0, { units: [unit], what: "move", x: middle + 60, y: middle });
    battle.order(0, { units: [unit], what: "move", x: middle + 60, y: middle + 60, queued: true });
    run(battle, seconds(0.8));
    expect(distanceTo(unit, middle + 60, middle)).toBeLessThan(25);
    run(battle, seconds(3));
    expect(distanceTo(unit, middle + 60, middle + 60)).toBeLessThan(10);
    for (let count = 0; count < QUEUED_ORDERS_MOST; count++) {
      expect(battle.order(0, { units: [unit], what: "move", x: 300, y: 300, queued: true })).toBeUndefined();
    }
    expect(battle.order(0, { units: [unit], what: "move", x: 300, y: 300, queued: true })).toBe("queueFull");
  });

  it("patrol goes to and fro, stop ends it", () => {
    const unit = add("scout", 0, middle - 60, middle);
    battle.order(0, { units: [unit], what: "patrol", x: middle + 60, y: middle });
    let [left, right] = [0, 0];
    for (let step = 0; step < seconds(12); step++) {
      battle.step();
      if (distanceTo(unit, middle - 60, middle) < 15) left += 1;
      if (distanceTo(unit, middle + 60, middle) < 15) right += 1;
    }
    expect(left).toBeGreaterThan(2);
    expect(right).toBeGreaterThan(2);
    battle.order(0, { units: [unit], what: "stop", x: 0, y: 0 });
    const [x, y] = placeOf(unit);
    run(battle, seconds(2));
    expect(distanceTo(unit, x, y)).toBeLessThan(1);
  });

  it("a unit that holds shoots but does not follow; one that attack-moves does both", () => {
    const holder = add("trooper", 0, middle, middle);
    battle.order(0, { units: [holder], what: "hold", x: 0, y: 0 });
    const far = add("builder", 1, middle + 140, middle);
    run(battle, seconds(5));
    expect(placeOf(holder)).toEqual([middle, middle]);
    expect(state.pieces.slotOf(far)).toBeGreaterThanOrEqual(0);
    battle.order(0, { units: [holder], what: "attackMove", x: middle + 300, y: middle });
    run(battle, seconds(12));
    expect(state.pieces.slotOf(far)).toBe(-1);
  });

  it("a move goes on past enemies", () => {
    const unit = add("trooper", 0, middle - 100, middle);
    add("builder", 1, middle, middle + 50);
    battle.order(0, { units: [unit], what: "move", x: middle + 90, y: middle });
    run(battle, seconds(7));
    expect(distanceTo(unit, middle + 90, middle)).toBeLessThan(10);
  });

  it("what is lost from sight is followed to where it was last seen only", () => {
    const hunter = add("trooper", 0, middle - 100, middle);
    const prey = add("scout", 1, middle, middle);
    run(battle, 2);
    battle.order(0, { units: [hunter], what: "attack", x: 0, y: 0, target: prey });
    run(battle, 2);
    const slot = state.pieces.slotOf(prey);
    [state.pieces.x[slot], state.pieces.y[slot]] = [terrain.starts[1]!.x, terrain.starts[1]!.y + 60];
    battle.order(1, { units: [prey], what: "hold", x: 0, y: 0 });
    run(battle, seconds(10));
    expect(distanceTo(hunter, middle, middle)).toBeLessThan(40);
  });
});

describe("victory", () => {
  it("belongs to the last side that has a building", () => {
    const base = state.pieces.side.indexOf(1);
    expect(state.winner).toBe(NO_SIDE);
    state.pieces.hurt[base] = 1e6;
    state.hurtSlots.push(base);
    battle.step();
    expect(state.winner).toBe(0);
    expect(state.units[1]).toBe(0);
    expect(battle.order(0, { units: [], what: "stop", x: 0, y: 0 })).toBe("notPlaying");
  });
});
