/**
 * Under burst loss, reorder and duplication every replica equals its primary once the world stands still, whoever
 * joined when.
 */

import { describe, expect, it } from "vitest";
import { Lab } from "../src/index.ts";
import { ROUGH } from "./conditions.ts";
import { differences, protocol, rest, Score, Ship, spawnShip, stir, view } from "./scenario.ts";
import { seeds } from "./seeds.ts";

describe.each(seeds(1, 12))("seed %i", (seed) => {
  it("converges for early, late and returning clients", () => {
    const lab = new Lab({ protocol, view, roundMs: 50, seed });
    const dice = lab.dice.fork("game");
    for (let i = 0; i < 60; i++) spawnShip(lab.world, dice);
    lab.world.spawn(Score, { name: "round one" });
    lab.server.onJoin((player) => player.pivotOn(lab.world.spawn(Ship, { x: 500, y: 500 }, { owner: player.id })));
    let moving = true;
    lab.server.onRound((world) => {
      if (moving) stir(world, dice);
    });
    const early = lab.join("early", ROUGH);
    const perfect = lab.join("perfect");
    lab.run(5000);
    const late = lab.join("late", ROUGH);
    lab.run(2000);
    early.breakLink();
    lab.run(5000);
    moving = false;
    rest(lab);
    for (const client of [early, perfect, late]) {
      expect([client.client.state, client.client.reason]).toEqual(["active", undefined]);
      expect(differences(lab, client)).toEqual([]);
    }
    expect(lab.server.main.audit.faults).toBe(0);
    expect(early.client.counters.duplicate).toBeGreaterThan(0);
  });
});
