/**
 * Guides are run, not only compiled: every document with a server and a client is started as it stands, over real sockets, and does what
 * it says. One without a story here fails the suite.
 */

import { createHmac } from "node:crypto";
import { readdirSync } from "node:fs";
import type { Client } from "@nearfield/client";
import { viewOf } from "@nearfield/client/views";
import { type Entity, zones } from "@nearfield/core";
import type { Fields, ObjectType, Protocol } from "@nearfield/schema";
import type { NodeServer } from "@nearfield/server/node";
import type { Space } from "@nearfield/social/peer";
import { afterEach, describe, expect, it, vi } from "vitest";
import { blocksOf, type Exports, GuideStage } from "./guide-stage.ts";

type Story = (stage: GuideStage) => Promise<void>;
type Body = Entity & { x: number; y: number; heading: number; vx: number };

const documents = [
  "README.md",
  ...readdirSync(new URL("../../../docs/guide/", import.meta.url)).map((name) => `docs/guide/${name}`),
];
const pairs = documents.filter((document) => {
  const names = blocksOf(document);
  return names.has("server.ts") && names.has("client.ts");
});

let stage: GuideStage | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

const holds = (condition: () => boolean): Promise<void> => expect.poll(condition, { interval: 5 }).toBe(true);

/** The world's objects of the type that a document calls so. */
function all({ world }: NodeServer, shared: Exports, name: string): Body[] {
  return [...world.all(shared[name] as ObjectType<Fields>)] as unknown as Body[];
}

/** README and getting-started: a click turns the own ship, and it flies there. */
const clickAndFly: Story = async (at) => {
  await at.run("server.ts");
  await at.run("client.ts");
  const shared = await at.run("shared.ts");
  const [ship] = all(at.server, shared, "Ship");
  const { x, y } = ship!;
  at.fire("pointerdown", { pageX: x, pageY: y + 300 });
  await holds(() => Math.abs(ship!.heading - Math.PI / 2) < 0.1 && ship!.y > y + 5);
  await holds(() => at.drawn > 5);
};

/** One that only has to start, join and show. */
async function start(at: GuideStage): Promise<Client> {
  await at.run("server.ts");
  await at.run("client.ts");
  await holds(() => at.client.world.round > at.server.roundNumber - 50);
  return at.client;
}

const stories: Record<string, Story> = {
  "README.md": clickAndFly,
  "docs/guide/getting-started.md": clickAndFly,
  "docs/guide/events.md": async (at) => {
    await start(at);
    await holds(() => at.printed.includes("server: you fired") && at.printed.includes("ann: hello"));
  },
  "docs/guide/writing.md": async (at) => {
    await at.run("server.ts");
    const shared = await at.run("shared.ts");
    const [crate] = all(at.server, shared, "Crate") as unknown as { label: string }[];
    await at.run("client.ts");
    await holds(() => crate!.label === "apples, checked");
    expect(at.printed).toContain("ann wrote apples, checked");
    at.fire("pointermove", { pageX: 30, pageY: 40 });
    await holds(() => all(at.server, shared, "Cursor")[0]?.x === 30);
    await holds(() => at.printed.includes("what is on screen includes that command"));
  },
  "docs/guide/strategy.md": async (at) => {
    const client = await start(at);
    const shared = await at.run("shared.ts");
    const [tank] = all(at.server, shared, "Tank");
    await holds(() => [...client.world.all(shared["Tank"] as ObjectType<Fields>)].length === 20);
    at.fire("pointerdown", { pageX: 340, pageY: 180 }); // 20 to the right of the screen's middle
    await holds(() => tank!.x === 320 && tank!.y === 300);
    await holds(() => at.drawn > 5);
    const [player] = at.server.main.players.values();
    expect(player!.settingsWithUnits.pivots.length).toBeGreaterThan(1);
  },
  "docs/guide/documents.md": async (at) => {
    await start(at);
    const shared = await at.run("shared.ts");
    await holds(() => (all(at.server, shared, "Note")[0] as unknown as { words: string })?.words === "hello");
    at.fire("pointermove", { pageX: 0, pageY: 400 });
    await holds(() => all(at.server, shared, "Cursor")[0]?.x === 4096 - 600);
    const [player] = [...at.server.main.players.values()];
    await holds(() => JSON.stringify(player!.settings.pivots[1]) === JSON.stringify({ point: [3504, 4104] }));
    expect(player!.settings.pivots[0]).toMatchObject({ camera: [4096, 4096], size: [1200, 800] });
    const { ago } = (await at.run("age.ts")) as { ago: (client: Client, id: number, boundMs: number) => number };
    expect(ago(at.client, all(at.server, shared, "Note")[0]!.id, 0)).toBe(0);
  },
  "docs/guide/sessions.md": async (at) => {
    await at.run("server.ts");
    const { openArena } = (await at.run("rooms.ts")) as { openArena: (server: NodeServer) => void };
    openArena(at.server);
    await at.run("client.ts");
    await holds(() => at.printed.some((line) => line.startsWith("active")));
    const arena = at.server.rooms.get("arena")!;
    expect([...arena.players.values()].map(({ nickname }) => nickname)).toEqual(["ann"]);
    expect(at.client.world.count).toBe(1);
    at.fire("pagehide", {});
    await holds(() => arena.players.size === 0);
  },
  "docs/guide/accounts.md": async (at) => {
    const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");
    const head = `${encode({ alg: "HS256" })}.${encode({ sub: "ann@example", aud: "my-game", exp: 4e9, level: 3 })}`;
    const signature = createHmac("sha256", "only for trying out: 32 bytes or more").update(head).digest("base64url");
    vi.stubGlobal("fetch", async () => ({ text: async () => `${head}.${signature}` }));
    await start(at);
    expect(at.printed).toContain("ann@example is here as ann");
    const [player] = [...at.server.main.players.values()];
    expect(player!.identity).toEqual({ account: "ann@example", attributes: { level: 3 } });
  },
  "docs/guide/matching.md": async (at) => {
    const { fetch } = globalThis;
    vi.stubGlobal("fetch", (path: string, init: RequestInit) =>
      fetch(at.server.url.replace("ws", "http") + path, init),
    );
    await at.run("server.ts");
    const { play } = (await at.run("client.ts")) as { play: (nickname: string) => Promise<void> };
    await play("ben");
    await holds(() => ["ann", "ben"].every((name) => at.printed.includes(`${name}: a match of 2 teams`)));
    expect(at.printed).toContain("ann: in-queue");
    await holds(() => at.printed.includes("ann: gold") || at.printed.includes("ben: gold"));
  },
  "docs/guide/views.md": async (at) => {
    const client = await start(at);
    expect(client.role).toBe("spectator");
    const [player] = [...at.server.main.players.values()];
    await holds(() => JSON.stringify(player!.settings.pivots) === JSON.stringify([{ point: [200, 700] }]));
  },
  "docs/guide/settings.md": async (at) => {
    const client = await start(at);
    const boundOf = (): unknown => (viewOf(client)!.settings.sets[0]!.bounds[1] as { time?: number }).time;
    expect(boundOf()).toBe(200);
    at.edit("nearfield.jsonc", (text) => text.replace('"time": 200,', '"time": 300,'));
    await holds(() => boundOf() === 300 && at.printed.some((line) => line.startsWith("the view is now")));
    at.edit("nearfield.jsonc", (text) => text.replace('"time": 300,', '"time": -200,'));
    await holds(() => at.printed.includes("nearfield.jsonc:10:43 sets[0].bounds[1].time: must be 0 or more, is -200"));
    expect(boundOf()).toBe(300);
    expect(at.errors.splice(0)).toEqual([expect.stringContaining("must be 0 or more, is -200")]);
  },
  "docs/guide/prediction.md": async (at) => {
    await start(at);
    const shared = await at.run("shared.ts");
    const [ship] = all(at.server, shared, "Ship");
    const { x } = ship!;
    at.fire("keydown", { key: "w" });
    await holds(() => Math.abs(ship!.x - x) > 5);
  },
  "docs/guide/hits.md": async (at) => {
    const { onDamage } = (await at.run("server.ts")) as { onDamage: (handler: () => void) => void };
    const shared = await at.run("shared.ts");
    await at.run("life.ts");
    const target = at.server.world.spawn(shared["Ship"] as ObjectType<Fields>, { x: 560, y: 500 } as never);
    let hits = 0;
    onDamage(() => {
      hits += 1;
    });
    const { act } = (await at.run("client.ts")) as { act: (target?: unknown) => void };
    await holds(() => {
      act(at.client.world.get(target.id));
      return hits > 0;
    });
    expect(all(at.server, shared, "Ship")).toHaveLength(2); // the target, and one ship of the player
  },
  "docs/guide/links.md": async (at) => {
    await start(at);
    await holds(() => at.page.title === "TCP");
  },
  "docs/guide/budget.md": async (at) => {
    const client = await start(at);
    expect(viewOf(client)!.loosened).toEqual({ outer: 1, inner: 1, every: 1 });
  },
  "docs/guide/riders.md": async (at) => {
    await at.run("server.ts");
    const { Truck, Soldier } = (await at.run("shared.ts")) as Record<string, ObjectType<Fields>>;
    at.server.world.spawn(Truck!, {});
    at.server.world.spawn(Soldier!, {});
    await at.run("client.ts");
    await holds(() => at.drawn > 5);
  },
  "docs/guide/peer-to-peer.md": async (at) => {
    await at.run("server.ts");
    const { play, lockstep, rollback } = (await at.run("client.ts")) as Record<"lockstep" | "rollback", object> & {
      play(nickname: string, timeline: object): Promise<Space>;
    };
    const { finish } = (await at.run("end.ts")) as { finish(space: Space, fight: object): void };
    for (const timeline of [lockstep, rollback]) {
      const windows = await Promise.all([play("ann", timeline), play("bob", timeline)]);
      at.fire("keydown", { key: "d" });
      await holds(() => windows.every(({ tail }) => tail > 10));
      expect(windows.flatMap(({ session }) => [...session!.desyncs, ...session!.gone])).toEqual([]);
      for (const space of windows) finish(space, { state: { at: { touches: [3] } } });
      await holds(() => at.printed.includes("done: 3 and 3 touches") && windows.every(({ ended }) => ended === "done"));
      at.printed.length = 0;
      for (const client of at.clients.splice(0)) client.leave();
      await holds(() => at.server.main.players.size === 0);
    }
  },
  "docs/guide/genres.md": async (at) => {
    await at.run("server.ts");
    const { Ship } = (await at.run("shared.ts")) as Record<string, ObjectType<Fields>>;
    at.server.world.spawn(Ship!, { x: 100, y: 100, vx: 50 } as never);
    await at.run("client.ts");
    await holds(() => at.client.world.count === 1);
    const [ship] = [...at.client.world.objects()] as unknown as { shown: { x: number } }[];
    await holds(() => Number.isFinite(ship!.shown.x));
  },
};

describe("every guide with a server and a client", () => {
  it("has a story", () => {
    expect(Object.keys(stories).toSorted()).toEqual(pairs.toSorted());
  });

  it.each(pairs)("%s does what it says", async (document) => {
    stage = new GuideStage(document);
    await stories[document]!(stage);
    expect(stage.errors).toEqual([]);
  });
});

describe("bots", () => {
  it("of the guide join, and run after the one that is nearest", async () => {
    stage = new GuideStage("docs/guide/bots.md");
    const shared = await stage.run("shared.ts");
    const { Runner, Run } = shared as { Runner: ObjectType<Fields>; Run: never };
    const protocol = shared["protocol"] as Protocol;
    const server = await stage.serve({ protocol, view: zones(Runner, { bounds: [{ time: 50 }] }), roundMs: 50 });
    server.steps(Runner, Run, shared["run"] as never);
    let next = 100;
    server.onJoin((player) => {
      next += 50;
      player.pivotOn(server.world.spawn(Runner, { x: next, y: 500 } as never, { owner: player.id }));
    });
    await stage.run("bots.ts");
    expect(stage.clients).toHaveLength(10);
    const places = (): number[] => all(server, shared, "Runner").map(({ x }) => x);
    const before = places();
    await holds(() => places().filter((x, i) => Math.abs(x - before[i]!) > 5).length > 5);
    expect(stage.errors).toEqual([]);
  });
});
