/**
 * `viewOf(client)`: a client reads the view that the server judges by, whoever changed it last, and whatever was lost on the way. What
 * a game left out of its settings has its default there.
 */

import { onViewSet, proposeView, setPivots, viewOf } from "@nearfield/client/views";
import { limitsOf, type ViewSettings, zones } from "@nearfield/core";
import type { Player } from "@nearfield/server";
import { describe, expect, it } from "vitest";
import { Lab, type LabClient } from "../src/index.ts";
import { ROUGH } from "./conditions.ts";
import { protocol, Ship, spawnShip, view } from "./scenario.ts";

const wide: ViewSettings = zones(Ship, { radii: [200, 400], bounds: [{ time: 100 }, { time: 400 }, { time: 900 }] });
const narrow: ViewSettings = zones(Ship, { radii: [20, 40], bounds: [{ time: 200 }, { time: 800 }, { time: 1800 }] });

function stage(): { lab: Lab; ann: LabClient; player: () => Player } {
  const lab = new Lab({ protocol, view, roundMs: 50, viewLimits: limitsOf(view, 2) });
  lab.server.onJoin((player) => player.pivotOn(lab.world.spawn(Ship, { x: 500, y: 500 }, { owner: player.id })));
  const ann = lab.join("ann", { latencyMs: 20 });
  const player = (): Player => [...lab.server.main.players.values()][0]!;
  return { lab, ann, player };
}

describe("the view in force", () => {
  it("is the room's view, with the pivots that onJoin gave, as soon as the client has joined", () => {
    const { lab, ann, player } = stage();
    expect(viewOf(ann.client)).toBeUndefined();
    lab.until(() => ann.client.hasJoined);
    expect(viewOf(ann.client)).toMatchObject({
      settings: player().settings,
      clamped: [],
      loosened: { outer: 1, inner: 1, every: 1 },
    });
    expect(viewOf(ann.client)!.settings.pivots).toMatchObject([{ object: player().owned(Ship)[0]!.id }]);
  });

  it("is known to whoever first asks for it long after it came; a handler that comes as late is not told of it", () => {
    const { lab, ann, player } = stage();
    lab.run(500);
    player().setView({ ...wide, pivots: player().settings.pivots });
    lab.run(500);
    let told = 0;
    onViewSet(ann.client, () => {
      told += 1;
    });
    expect(viewOf(ann.client)!.settings).toMatchObject(player().settings);
    lab.run(500);
    expect(told).toBe(0);
  });

  it("is what the game gives: another view, another pivot, a zoom", () => {
    const { lab, ann, player } = stage();
    lab.run(500);
    const told: number[] = [];
    onViewSet(ann.client, ({ settings }) => told.push(settings.sets[0]!.radii![0]!));
    player().setView({ ...wide, pivots: player().settings.pivots });
    lab.run(300);
    expect(viewOf(ann.client)!.settings).toMatchObject(player().settings);
    player().pivotOn(player().owned(Ship)[0]!, { scale: 3 });
    lab.run(300);
    expect(viewOf(ann.client)!.settings).toMatchObject(player().settings);
    player().setPivots([{ point: [1, 2] }]);
    lab.run(300);
    expect(viewOf(ann.client)!.settings).toMatchObject(player().settings);
    expect(told).toEqual([200, 200, 200]);
  });

  it("is told four times a second at most, the newest in the end, and points that only move are not told", () => {
    const { lab, ann, player } = stage();
    lab.run(500);
    let told = 0;
    onViewSet(ann.client, () => {
      told += 1;
    });
    for (let i = 0; i < 40; i++) {
      player().setView({ ...(i % 2 === 0 ? wide : narrow), pivots: player().settings.pivots });
      lab.step();
    }
    lab.run(500);
    expect(told).toBeGreaterThanOrEqual(8);
    expect(told).toBeLessThanOrEqual(10);
    expect(viewOf(ann.client)!.settings).toMatchObject(player().settings);
    player().setPivots([{ point: [499, 0] }]);
    lab.run(500);
    told = 0;
    for (let i = 0; i < 40; i++) {
      player().setPivots([{ point: [500 + i, 0] }]);
      lab.step();
    }
    expect(told).toBe(0);
  });

  it("is a proposal as it was clamped, and pivots of the client's own once they are obeyed", async () => {
    const { lab, ann, player } = stage();
    lab.run(500);
    const [own] = player().owned(Ship);
    const proposed = proposeView(ann.client, { ...wide, pivots: [{ object: own!.id }] });
    lab.run(300);
    const { clamped } = await proposed;
    expect(clamped.length).toBeGreaterThan(0);
    expect(viewOf(ann.client)).toMatchObject({ settings: player().settings, clamped });
    setPivots(ann.client, [{ object: own!.id, scale: 1.5 }]);
    lab.run(300);
    expect(player().settings.pivots).toEqual([{ object: own!.id, scale: 1.5 }]);
    expect(viewOf(ann.client)!.settings).toMatchObject(player().settings);
    const other = lab.world.spawn(Ship, { x: 1, y: 1 });
    setPivots(ann.client, [{ object: other.id }]);
    lab.run(300);
    expect(player().settings.pivots).toEqual([]);
    expect(viewOf(ann.client)!.settings).toMatchObject(player().settings);
    setPivots(ann.client, [{ object: own!.id }]);
    lab.run(300);
    expect(viewOf(ann.client)!.settings).toMatchObject(player().settings);
    expect(viewOf(ann.client)!.clamped).toEqual([]);
  });

  it("survives losses, a broken link and an absence in which the game changes it", () => {
    const { lab, ann, player } = stage();
    lab.run(500);
    ann.change(ROUGH);
    for (const settings of [wide, narrow, wide]) {
      player().setView({ ...settings, pivots: player().settings.pivots });
      lab.run(100);
      ann.breakLink();
      lab.until(() => ann.client.state === "active" && player().presence === "here", 30_000);
    }
    lab.run(3000);
    expect(viewOf(ann.client)!.settings).toMatchObject(player().settings);
    ann.setReachable(false);
    ann.breakLink();
    lab.run(1000);
    for (let i = 0; i < 20; i++) {
      player().setView({ ...(i % 2 === 0 ? wide : narrow), pivots: player().settings.pivots });
      lab.step();
    }
    ann.setReachable(true);
    lab.run(5000);
    expect(viewOf(ann.client)!.settings).toMatchObject(player().settings);
  });

  it("says by how much the bounds are loosened while bytes are short", () => {
    const lab = new Lab({
      protocol,
      view: zones(Ship, { radii: [50], bounds: [{ time: 0 }, { time: 50 }] }),
      roundMs: 50,
    });
    const dice = lab.dice.fork("game");
    for (let i = 0; i < 200; i++) spawnShip(lab.world, dice);
    lab.server.onRound((world) => {
      for (const ship of world.all(Ship)) ship.x = dice.range(0, 1000);
    });
    lab.server.onJoin((player) => {
      player.setPivots([{ point: [500, 500] }]);
      player.setBudget(2000);
    });
    const ann = lab.join("ann");
    lab.run(10_000);
    expect(viewOf(ann.client)!.loosened.outer).toBeGreaterThan(1);
    expect(viewOf(ann.client)!.loosened).toEqual(viewOf(ann.client)!.loosened);
  });
});
