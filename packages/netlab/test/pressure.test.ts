/** When a link or a page cannot keep up: nothing stale is queued, nothing is replayed, nobody else waits. */

import { toAll } from "@nearfield/server";
import { describe, expect, it } from "vitest";
import { Lab } from "../src/index.ts";
import { Chat, differences, protocol, Ship, Shot, spawnShip, stir, view } from "./scenario.ts";

describe("a narrow path", () => {
  it("is given what it can take instead of a queue, what that leaves short is counted, and it converges when there is room", () => {
    const lab = new Lab({ protocol, view, roundMs: 50, seed: 6, limits: { backlogBytes: 3000 } });
    const dice = lab.dice.fork("game");
    for (let i = 0; i < 400; i++) spawnShip(lab.world, dice);
    lab.server.onJoin((player) => player.pivotOn(lab.world.spawn(Ship, { x: 500, y: 500 }, { owner: player.id })));
    let moving = true;
    lab.server.onRound((world) => {
      if (moving) stir(world, dice, 1);
    });
    const narrow = lab.join("narrow", {
      up: { latencyMs: 20 },
      down: { latencyMs: 20, bandwidthBytesPerSecond: 2000, queueBytes: 10_000 },
    });
    const wide = lab.join("wide", { latencyMs: 20 });
    lab.run(10_000);
    const [slow, fast] = [...lab.server.main.players.values()];
    expect(slow!.telemetry.withheld).toBeGreaterThan(1000);
    expect(slow!.telemetry.linkBytesPerSecond).toBeLessThan(40_000);
    // The first frame went out before anything was known of the path.
    expect(slow!.telemetry.pausedRounds).toBeLessThan(20);
    expect([fast!.telemetry.withheld, fast!.telemetry.pausedRounds]).toEqual([0, 0]);
    expect(lab.server.main.audit.decided).toBeGreaterThan(slow!.telemetry.withheld);
    expect(lab.server.main.audit.faults).toBe(0);
    expect(narrow.client.state).toBe("active");
    // What does arrive is fresh: the newest round it knows is never far behind.
    expect(lab.server.roundNumber - narrow.world.round).toBeLessThan(10);
    moving = false;
    lab.run(20_000);
    for (const client of [narrow, wide]) expect(differences(lab, client)).toEqual([]);
  });
});

describe("a hidden tab", () => {
  it("keeps up without running activities, and comes back without replaying a backlog", () => {
    const lab = new Lab({ protocol, view, roundMs: 50, seed: 7 });
    const dice = lab.dice.fork("game");
    for (let i = 0; i < 30; i++) spawnShip(lab.world, dice);
    lab.server.onRound((world) => {
      stir(world, dice);
      lab.server.emit(Shot, { x: 1, y: 1, number: lab.server.roundNumber }, toAll(), { unreliable: true });
      if (lab.server.roundNumber % 20 === 0) lab.server.emit(Chat, { words: `round ${lab.server.roundNumber}` });
    });
    const tab = lab.join("tab", { latencyMs: 20 });
    let activities = 0;
    let updates = 0;
    const shots: number[] = [];
    const chats: string[] = [];
    tab.client.activity(() => {
      activities += 1;
    });
    tab.client.onUpdate(Ship, () => {
      updates += 1;
    });
    tab.client.onEvent(Shot, ({ number }) => shots.push(number));
    tab.client.onEvent(Chat, ({ words }) => chats.push(words));
    lab.run(1000);
    tab.hide();
    activities = 0;
    updates = 0;
    shots.length = 0;
    chats.length = 0;
    lab.run(60_000);
    expect(activities).toBe(0);
    expect(tab.client.state).toBe("active");
    const known = tab.world.round;
    expect(lab.server.roundNumber - known).toBeLessThan(80);
    tab.client.update();
    expect(activities).toBe(1);
    expect(updates).toBeLessThanOrEqual(tab.world.count);
    expect(lab.server.roundNumber - tab.world.round).toBeLessThan(3);
    expect(chats.length).toBe(60);
    expect(shots.length).toBeLessThanOrEqual(21);
    expect(tab.client.counters.staleEvents).toBeGreaterThan(1000);
    tab.show();
    lab.server.main.disable();
    lab.run(3000);
    expect(differences(lab, tab)).toEqual([]);
    expect(lab.server.main.telemetry.resumes).toBe(0);
  });
});
