import { EVERYBODY, type StepInputs, syncTest } from "@nearfield/rollback/session";
import { describe, expect, test } from "vitest";
import { Dungeon, lootOf } from "./dungeon.ts";
import { INPUT_BYTES } from "./input.ts";
import { Layout } from "./layout.ts";
import { GRID, LOOT_KINDS, PICKUP_KINDS, PLAYER } from "./numbers.ts";
import { Raid } from "./raid.ts";
import { Fate } from "./state.ts";
import { Ways } from "./way.ts";

const isNightly = process.env["NEARFIELD_NIGHTLY"] === "1";

/** What bots did, to be done again. */
function recorded(seed: number, players: number, steps: number): (player: number, step: number) => Uint8Array {
  const raid = new Raid(seed, players);
  const rows: Uint8Array[][] = [];
  for (let step = 0; step < steps; step++) {
    raid.step();
    rows.push(raid.inputs.map((input) => input.slice()));
  }
  return (player, step) => rows[step]![player]!;
}

describe("the layout", () => {
  test("every room, den and hoard can be reached from the first room, for any seed", () => {
    for (let seed = 0; seed < 200; seed++) {
      const layout = new Layout(seed);
      const ways = new Ways(layout);
      ways.from(layout.start.x, layout.start.y);
      for (const { x, y } of [layout.exit, ...layout.dens, ...layout.hoards])
        expect(ways.to(x, y), `seed ${seed}`).toBeLessThan(GRID * GRID);
      expect(layout.fits(layout.start.x, layout.start.y, PLAYER.radius * 4), `seed ${seed}`).toBe(true);
    }
  });
});

describe("the dungeon", () => {
  test.each(isNightly ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] : [1])(
    "is deterministic over 10,000 steps, seed %i",
    (seed) => {
      const input = recorded(seed, 4, 10_000);
      expect(
        syncTest({ fight: () => new Dungeon({ seed, players: 4 }), input, steps: 10_000, depth: 2 }),
      ).toBeUndefined();
    },
  );

  test("is deterministic with twenty players and deep rollbacks, for many seeds", () => {
    for (let seed = 10; seed < (isNightly ? 110 : 16); seed++) {
      const input = recorded(seed, 20, 120);
      const fault = syncTest({ fight: () => new Dungeon({ seed, players: 20 }), input, steps: 120, depth: 6 });
      expect(fault, `seed ${seed}`).toBeUndefined();
    }
  });

  test("bots clear it, and leave with what they found", () => {
    const raid = new Raid(4, 5);
    while (!raid.isOver) raid.step();
    expect(raid.at.kind.every((kind) => kind === 0)).toBe(true);
    expect(raid.at.fate.every((fate) => fate === Fate.out)).toBe(true);
    const loot = raid.inputs.map((_, player) => lootOf(raid.at, player));
    expect(loot.reduce((sum, { relic }) => sum + relic, 0)).toBeGreaterThan(0);
    expect(loot.reduce((sum, { gold }) => sum + gold, 0)).toBeGreaterThan(50);
  });

  test("who is inside has no loot yet; who falls keeps half", () => {
    const { dungeon, at } = new Raid(1, 2);
    at.loot.set([9, 4, 1, 0]);
    // Nothing lies where it wakes.
    at.pickup.fill(0);
    expect(lootOf(at, 0)).toEqual({ gold: 0, amber: 0, ruby: 0, relic: 0 });
    at.fate[0] = Fate.down;
    at.wakes[0] = 0;
    const still = new Uint8Array(INPUT_BYTES);
    dungeon.advance(0, { of: () => still, lag: () => 0 }, EVERYBODY);
    expect([...at.loot.subarray(0, LOOT_KINDS.length)]).toEqual([4, 2, 0, 0]);
    expect(at.fate[0]).toBe(Fate.fighting);
    at.fate[0] = Fate.out;
    expect(lootOf(at, 0)).toEqual({ gold: 4, amber: 2, ruby: 0, relic: 0 });
  });

  test("companions leave to people what is worth something, and take hearts", () => {
    const dungeon = new Dungeon({ seed: 3, players: 2, people: 1 });
    const { at } = dungeon.state;
    const still = new Uint8Array(INPUT_BYTES);
    at.pickup.fill(0);
    at.x.set([300, 300]);
    at.y.set([300, 300]);
    at.health.set([60, 60]);
    for (const [row, kind] of (["ruby", "heart"] as const).entries()) {
      at.pickup[row] = PICKUP_KINDS.indexOf(kind);
      [at.pickupX[row], at.pickupY[row]] = [300, 300];
    }
    at.fate[0] = Fate.out;
    dungeon.advance(0, { of: () => still, lag: () => 0 }, EVERYBODY);
    expect([at.health[1], at.pickup[0] !== 0, at.pickup[1]]).toEqual([95, true, 0]);
    at.fate[0] = Fate.fighting;
    dungeon.advance(1, { of: () => still, lag: () => 0 }, EVERYBODY);
    expect([at.loot[LOOT_KINDS.indexOf("ruby")], at.pickup[0]]).toEqual([1, 0]);
  });

  test("any bytes are an input", () => {
    const dungeon = new Dungeon({ seed: 3, players: 20 });
    const bytes = new Uint8Array(INPUT_BYTES);
    for (let step = 0; step < 200; step++) {
      bytes.set([step * 7, step * 13, step * 29, step * 31]);
      dungeon.advance(step, { of: () => bytes, lag: () => 0 }, EVERYBODY);
      expect(dungeon.state.firstNaN()).toBeUndefined();
    }
  });
});

describe("spheres of influence", () => {
  /** For each player and step that touches nothing: advanced alone, its rows are what they are when all advance. */
  test("who touches nothing that is shared can be advanced alone", () => {
    let alone = 0;
    for (let seed = 20; seed < 24; seed++) {
      const players = 5;
      const input = recorded(seed, players, 600);
      const all = new Dungeon({ seed, players });
      const lone = new Dungeon({ seed, players });
      const spheres = new Float64Array(players * 3);
      const [before, after, patched] = Array.from({ length: 3 }, () => new Uint8Array(all.state.byteLength));
      for (let step = 0; step < 600; step++) {
        const inputs: StepInputs = { of: (player) => input(player, step), lag: () => 0 };
        all.state.save(before!);
        all.spheres(spheres);
        all.advance(step, inputs, EVERYBODY);
        all.state.save(after!);
        for (let player = 0; player < players; player++) {
          if (spheres[player * 3 + 2] !== 0) continue;
          alone++;
          patched!.set(after!);
          lone.state.load(before!);
          lone.advance(step, inputs, player);
          lone.state.saveRows(player, patched!);
          expect(
            lone.state.difference(patched!, after!),
            `seed ${seed}, step ${step}, player ${player}`,
          ).toBeUndefined();
        }
      }
    }
    expect(alone).toBeGreaterThan(500);
  });

  test("a player who alone touches what is shared meets everybody", () => {
    const dungeon = new Dungeon({ seed: 2, players: 3 });
    const { at } = dungeon.state;
    const spheres = new Float64Array(9);
    at.pickup.fill(0);
    at.x.set([300, 900, 1200]);
    at.kind.fill(0);
    at.pickup[0] = PICKUP_KINDS.indexOf("gold");
    at.pickupX[0] = at.x[1]!;
    at.pickupY[0] = at.y[1]!;
    dungeon.spheres(spheres);
    expect([spheres[2], spheres[5], spheres[8]]).toEqual([0, Number.POSITIVE_INFINITY, 0]);
  });
});
