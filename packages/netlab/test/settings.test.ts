/**
 * A settings file that changes while people play: other bounds are in force without a lost player, a broken file keeps the old ones, and what
 * a client asked for is judged by the new limits.
 */

import { proposeView, viewOf } from "@nearfield/client/views";
import type { ViewSettings } from "@nearfield/core";
import { watchSettings } from "@nearfield/server/node";
import { describe, expect, it } from "vitest";
import { Dice, Lab } from "../src/index.ts";
import { ROUGH } from "./conditions.ts";
import { protocol, Ship, spawnShip, stir, view } from "./scenario.ts";

/** A file in memory. A change is read at once. */
class VirtualFile {
  text = "";
  #onChange: () => void = () => {};

  watched(lab: Lab): ReturnType<typeof watchSettings> {
    const host = {
      read: () => Promise.resolve(this.text),
      watch: (_path: string, onChange: () => void) => {
        this.#onChange = onChange;
        return () => {};
      },
      after: (_ms: number, run: () => void) => {
        run();
        return () => {};
      },
    };
    return watchSettings("nearfield.jsonc", lab.server.main, { host });
  }

  async write(text: string): Promise<void> {
    this.text = text;
    this.#onChange();
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  }
}

function fileOf(timeMs: number, more = ""): string {
  const bounds = `[{ "time": 0 }, { "time": ${timeMs} }]`;
  return `{ "nearfield": "settings", "version": 1, "sets": [{ "match": "everything", "radii": [50], "bounds": ${bounds} }], ${more} }`;
}

async function stage() {
  const dice = new Dice(8);
  const reported: string[] = [];
  const lab = new Lab({
    protocol,
    view,
    roundMs: 50,
    seed: 8,
    auditSample: 100_000,
    onError: (error: unknown) => reported.push((error as Error).message),
  });
  for (let i = 0; i < 40; i++) spawnShip(lab.world, dice);
  lab.server.onJoin((player) => player.pivotOn(lab.world.spawn(Ship, { x: 500, y: 500 }, { owner: player.id })));
  lab.server.onRound((world) => stir(world, dice));
  const file = new VirtualFile();
  file.text = fileOf(200);
  const watch = file.watched(lab);
  await file.write(fileOf(200));
  const clients = ["ann", "bob", "cid"].map((name) => lab.join(name, ROUGH));
  lab.until(() => clients.every(({ client }) => client.hasJoined));
  return { lab, file, watch, clients, reported };
}

/** Updates that the server decided on in two seconds. */
function sendsIn(lab: Lab): number {
  const count = (): number =>
    [...lab.server.main.players.values()].reduce((sum, { telemetry }) => sum + telemetry.recordsChanged, 0);
  const before = count();
  lab.run(2000);
  return count() - before;
}

describe("settings that change while people play", () => {
  it("are in force from the next round on, and nobody is lost", async () => {
    const { lab, file, watch, clients, reported } = await stage();
    const { main } = lab.server;
    const boundsOf = (): unknown[] => clients.map(({ client }) => viewOf(client)!.settings.sets[0]!.bounds[1]);
    lab.run(500);
    expect(boundsOf()).toMatchObject([{ time: 200 }, { time: 200 }, { time: 200 }]);
    const often = sendsIn(lab);
    await file.write(fileOf(2000));
    for (const { settings } of main.players.values()) expect(settings.sets[0]!.bounds[1]).toEqual({ time: 2000 });
    const seldom = sendsIn(lab);
    expect(boundsOf()).toMatchObject([{ time: 2000 }, { time: 2000 }, { time: 2000 }]);
    expect(seldom).toBeLessThan(often / 2);

    await file.write(fileOf(-1));
    lab.run(1000);
    const fault = "nearfield.jsonc:1:127 sets[0].bounds[1].time: must be 0 or more, is -1";
    expect([watch.fault, reported]).toEqual([fault, [fault]]);
    expect(boundsOf()).toMatchObject([{ time: 2000 }, { time: 2000 }, { time: 2000 }]);

    await file.write(fileOf(200));
    lab.run(1000);
    expect(watch.fault).toBeUndefined();
    expect(boundsOf()).toMatchObject([{ time: 200 }, { time: 200 }, { time: 200 }]);
    expect(main.players.size).toBe(3);
    expect(main.telemetry.leaves).toBe(0);
    expect(main.audit.decided).toBe(0);
  });

  it("a client's own view is clamped to the new limits, and back", async () => {
    const { lab, file, clients } = await stage();
    const [ann] = clients;
    const strict: ViewSettings = {
      sets: [{ match: "everything", radii: [20], bounds: [{ time: 100 }, { time: 400 }] }],
      pivots: [],
    };
    const limits = (timeMs: number): string => `"limits": { "bounds": [{ "time": ${timeMs} }] }`;
    await file.write(fileOf(200, limits(50)));
    void proposeView(ann!.client, strict);
    lab.run(1000);
    const times = (): unknown =>
      viewOf(ann!.client)!.settings.sets[0]!.bounds.map((bound) => (bound as { time?: number }).time);
    expect(times()).toEqual([100, 400]);
    await file.write(fileOf(200, limits(300)));
    lab.run(1000);
    expect(times()).toEqual([300, 400]);
    await file.write(fileOf(200, limits(50)));
    lab.run(1000);
    expect(times()).toEqual([100, 400]);
  });
});
