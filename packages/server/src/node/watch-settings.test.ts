import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { thresholds, type ViewSettings } from "@nearfield/core";
import { object, Protocol, quantized } from "@nearfield/schema";
import { type RoomOptions, Server } from "@nearfield/server";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type WatchHost, watchSettings } from "./watch-settings.ts";

const place = quantized(0, 1000, 0.1);
const Ship = object("ship", { x: place, y: place }, { position: ["x", "y"] });
const protocol = new Protocol({ objects: [Ship] });
const FILE = "/game/nearfield.jsonc";

/** A disk with one file and a clock that stands until it is told to go on. */
class VirtualHost implements WatchHost {
  text = "";
  reads = 0;
  isWatched = false;
  #nowMs = 0;
  #onChange: () => void = () => {};
  #onError: (error: Error) => void = () => {};
  #due: { atMs: number; run: () => void }[] = [];

  read(path: string): Promise<string> {
    expect(path).toBe(FILE);
    this.reads += 1;
    return this.text === "" ? Promise.reject(new Error("no such file")) : Promise.resolve(this.text);
  }

  watch(_path: string, onChange: () => void, onError: (error: Error) => void): () => void {
    this.isWatched = true;
    this.#onChange = onChange;
    this.#onError = onError;
    return () => {
      this.isWatched = false;
    };
  }

  after(ms: number, run: () => void): () => void {
    const timer = { atMs: this.#nowMs + ms, run };
    this.#due.push(timer);
    return () => {
      this.#due = this.#due.filter((other) => other !== timer);
    };
  }

  write(text: string): void {
    this.text = text;
    this.#onChange();
  }

  fail(error: Error): void {
    this.#onError(error);
  }

  /** Lets time pass, and what was read be put in force. */
  async pass(ms: number): Promise<void> {
    this.#nowMs += ms;
    const due = this.#due.filter(({ atMs }) => atMs <= this.#nowMs);
    this.#due = this.#due.filter(({ atMs }) => atMs > this.#nowMs);
    for (const { run } of due) run();
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  }
}

const view: ViewSettings = { sets: [{ match: "everything", bounds: [{ time: 100 }] }], pivots: [] };
const fileOf = (timeMs: number, more = ""): string =>
  `{ "nearfield": "settings", "version": 1, // of the test
     "sets": [{ "match": "everything", "bounds": [{ "time": ${timeMs} }] }], ${more} }`;

function begin(options: Partial<RoomOptions> = {}) {
  const reported: string[] = [];
  const onError = (error: unknown, where: string): void => {
    reported.push(`${where}: ${(error as Error).message}`);
  };
  const tokenSource = (): Uint8Array => new Uint8Array(16);
  const server = new Server({ protocol, view, roundMs: 50, tokenSource, onError, ...options });
  const host = new VirtualHost();
  const told: string[] = [];
  let applied = 0;
  const watch = watchSettings(FILE, server.main, {
    host,
    onError: ({ message }) => told.push(message),
    onApplied: () => {
      applied += 1;
    },
  });
  const ann = server.main.localPlayer("ann");
  const boundOf = (): unknown => ann.settings.sets[0]!.bounds[0];
  return { server, room: server.main, host, watch, ann, boundOf, reported, told, applied: () => applied };
}

describe("a watched settings file", () => {
  test("is in force once it has been quiet for the settle time", async () => {
    const { host, boundOf, applied } = begin();
    host.write(fileOf(200));
    await host.pass(60);
    host.write(fileOf(300));
    await host.pass(60);
    expect([boundOf(), host.reads]).toEqual([{ time: 100 }, 0]);
    await host.pass(40);
    expect([boundOf(), host.reads, applied()]).toEqual([{ time: 300 }, 1, 1]);
  });

  test("that is broken keeps the old settings and says so, with line, column and path", async () => {
    const { host, watch, boundOf, told, reported } = begin();
    host.write(fileOf(200));
    await host.pass(100);
    host.write(fileOf(-5));
    await host.pass(100);
    const fault = "nearfield.jsonc:2:61 sets[0].bounds[0].time: must be 0 or more, is -5";
    expect([boundOf(), watch.fault, told, reported]).toEqual([
      { time: 200 },
      fault,
      [fault],
      [`main: settings: ${fault}`],
    ]);
    host.write(fileOf(300));
    await host.pass(100);
    expect([boundOf(), watch.fault]).toEqual([{ time: 300 }, undefined]);
  });

  test.each([
    ["", /nearfield\.jsonc cannot be read: no such file/],
    ["{", /nearfield\.jsonc:1:2 expected a key/],
    [
      fileOf(1).replace('"everything"', '{ "type": "shp" }, "bounds": [{}] }, { "match": "everything"'),
      /:2:\d+ sets\[0\]\.match/,
    ],
    [
      fileOf(1, '"limits": { "bounds": [{ "value": 1 }], "metric": "nothing" }'),
      /:2:\d+ limits\.metric: "nothing" is not a metric/,
    ],
    [fileOf(1, '"units": { "join": 5, "part": 8, "most": 32 }'), /:2:\d+ units\.most: with the 1 other pivots/],
    [fileOf(1, '"units": { "join": 5, "part": 8, "types": ["tank"] }'), /:2:\d+ units\.types: no object type tank/],
    [
      fileOf(1, '"thresholds": [{ "name": "new", "position": 1 }]'),
      /thresholds: a running room keeps its metrics' names/,
    ],
  ])("%j: the old settings stay", async (text, fault) => {
    const { host, watch, room, boundOf } = begin();
    host.write(text);
    await host.pass(100);
    expect(watch.fault).toMatch(fault);
    expect(boundOf()).toEqual({ time: 100 });
    expect(room.localPlayer("bob").settings.sets).toEqual(view.sets);
  });

  test("changes the view of who joins later, and budgets that the game did not set", async () => {
    const { host, room, ann } = begin({ budget: 5000 });
    const bob = room.localPlayer("bob");
    bob.setBudget(777);
    host.write(fileOf(200, '"budget": 9000'));
    await host.pass(100);
    expect([ann.budget, bob.budget]).toEqual([9000, 777]);
    expect(room.localPlayer("cid")).toMatchObject({ budget: 9000, settings: { sets: ann.settings.sets } });
  });

  test("leaves a view that the game gave, and every player's pivots", async () => {
    const { host, room, ann } = begin();
    const bob = room.localPlayer("bob");
    bob.setView({ sets: [{ match: "everything", bounds: [{ time: 7 }] }], pivots: [{ point: [1, 2] }] });
    ann.setPivots([{ point: [3, 4] }]);
    host.write(fileOf(200));
    await host.pass(100);
    expect(bob.settings).toEqual({
      sets: [{ match: "everything", bounds: [{ time: 7 }] }],
      pivots: [{ point: [1, 2] }],
    });
    expect(ann.settings).toMatchObject({ sets: [{ bounds: [{ time: 200 }] }], pivots: [{ point: [3, 4] }] });
  });

  test("tunes thresholds, and not a metric of the game's own", async () => {
    const own = thresholds({ name: "own", position: 1 });
    const near = { name: "near", position: 4, model: "hold" as const };
    const { server, host, room, watch } = begin({ metrics: [own], thresholds: [near] });
    const ship = room.world.spawn(Ship, { x: 10, y: 10 });
    const sets = `"sets": [{ "match": "everything", "metric": "thresholds:near", "bounds": [{ "value": 1 }] }]`;
    const tuned = (position: number): string =>
      `{ "nearfield": "settings", "version": 1, ${sets}, "thresholds": [{ "name": "near", "position": ${position}, "model": "hold" }] }`;
    host.write(tuned(4));
    await host.pass(100);
    expect(watch.fault).toBeUndefined();
    const { guest } = room.invite((seam) => ({
      name: "test",
      view: seam.addView(seam.settings.view, { assumeDelivered: true }),
    }));
    const divergence = (): number => room.model.explain(guest.view.id, ship.id)!.divergence.value;
    server.round();
    ship.x = 12;
    server.round();
    expect(divergence()).toBeCloseTo(0.5);
    host.write(tuned(2));
    await host.pass(100);
    expect(watch.fault).toBeUndefined();
    expect(divergence()).toBeCloseTo(1);
  });

  test("is not followed any more after close, nor after the room has closed, nor where the watch broke", async () => {
    const { host, watch, boundOf } = begin();
    host.fail(new Error("out of watches"));
    expect(watch.fault).toBe(`${FILE} is not watched any more: out of watches`);
    watch.close();
    expect(host.isWatched).toBe(false);
    host.write(fileOf(200));
    await host.pass(100);
    expect([boundOf(), host.reads]).toEqual([{ time: 100 }, 0]);
    const other = begin();
    await other.server.close();
    expect(other.host.isWatched).toBe(false);
  });
});

describe("on a disk", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "nearfield-settings-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test("a file that an editor replaces is noticed each time", async () => {
    const path = join(folder, "nearfield.jsonc");
    writeFileSync(path, fileOf(200));
    const server = new Server({ protocol, view, roundMs: 50, tokenSource: () => new Uint8Array(16) });
    const watch = watchSettings(path, server.main, { settleMs: 5 });
    const ann = server.main.localPlayer("ann");
    for (const timeMs of [200, 300, 400]) {
      writeFileSync(`${path}.new`, fileOf(timeMs));
      renameSync(`${path}.new`, path);
      await expect.poll(() => ann.settings.sets[0]!.bounds[0]).toEqual({ time: timeMs });
    }
    watch.close();
  });
});
