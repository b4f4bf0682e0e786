/** The inspector's page and a server: what a page may ask, how wrong input is refused, and that a closed page costs nothing. */

import { onViewSet } from "@nearfield/client/views";
import { limitsOf } from "@nearfield/core";
import { FEED_VERSION, type Feed } from "@nearfield/inspector/internal";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { flyingLab, TestPage, TOKEN, view } from "./watched-lab.ts";

const room = "main";
const STRICT = [{ match: "everything", bounds: [{ time: 0 }] }];
const LOOSE = [{ match: "everything", bounds: [{ time: 3000 }] }];
/** What is made of it: events are still told apart by the room's zones. */
const LOOSE_BY_ZONE = { match: "everything", radii: [100, 300], sectors: [120] };

function oneOnMain(): { lab: ReturnType<typeof flyingLab>; page: TestPage; player: number } {
  const lab = flyingLab();
  lab.join("ann");
  lab.run(500);
  const [player] = lab.server.main.players.keys();
  return { lab, page: TestPage.welcome(lab), player: player! };
}

describe("a page", () => {
  it("is told what a map needs, and any player's pivots, zones and sectors", () => {
    const { lab, page, player } = oneOnMain();
    page.ask({ ask: "watch", topic: "map", room, players: [player], everyMs: 50 });
    lab.step(2);
    const map = page.last("map");
    expect(map.ids).toHaveLength(41);
    const own = lab.server.main.players.get(player)!.owned()[0]!;
    const at = map.ids.indexOf(own.id);
    expect([map.x[at], map.y[at], map.owners[at]]).toEqual([
      Math.round(lab.world.x[own.id]! * 100) / 100,
      Math.round(lab.world.y[own.id]! * 100) / 100,
      player,
    ]);
    const { heading } = own as unknown as { heading: number };
    const [drawn] = map.views;
    expect(drawn!.pivots[0]).toMatchObject({ kind: "object", object: own.id, x: map.x[at], scale: 1, radii: null });
    expect(drawn!.pivots[0]!.direction![0]).toBeCloseTo(Math.cos(heading), 2);
    expect(map.looks[drawn!.look]![0]).toMatchObject({ match: "type ship", radii: [100, 300], sectors: [120] });
    expect(map.looks[drawn!.look]![0]!.bounds[1]![1]).toEqual({ time: 400, sequence: null, value: 20 });
  });

  it("is told where a player's units are, after its other pivots", () => {
    const lab = flyingLab({ units: { join: 10, part: 20, margin: 15, coefficients: [2] } });
    lab.join("ann");
    lab.run(500);
    const [ann] = lab.server.main.players.values();
    const player = ann!.id;
    const page = TestPage.welcome(lab);
    page.ask({ ask: "watch", topic: "map", room, players: [player], everyMs: 50 });
    lab.step(2);
    const map = page.last("map");
    const [own, unit] = map.views[0]!.pivots;
    expect(ann!.settings.pivots).toHaveLength(1);
    expect([own!.kind, unit!.kind]).toEqual(["object", "group"]);
    // Of one member: where that is, as far as the wire form tells.
    expect(Math.hypot(unit!.x - own!.x, unit!.y - own!.y)).toBeLessThan(0.1);
    expect(unit!.radii![0]).toBeCloseTo(15, 0);
    expect(unit!.radii![1]).toBeCloseTo(30, 0);
  });

  it("that wants its report more or less often goes on with the same count", () => {
    const lab = flyingLab();
    lab.join("ann");
    lab.run(1000);
    const page = TestPage.welcome(lab);
    page.ask({ ask: "watch", topic: "report", room, everyMs: 1000 });
    lab.run(3000);
    const { sinceMs } = page.last("report");
    page.ask({ ask: "watch", topic: "report", room, everyMs: 2000, clientsMs: 6000 });
    lab.run(3000);
    expect(page.last("report").sinceMs).toBe(sinceMs);
    const { clientsRound } = page.last("report");
    lab.join("bob");
    lab.run(3000);
    expect(page.last("report").clients.map(({ nickname }) => nickname)).toEqual(["ann", "bob"]);
    expect(page.last("report").clientsRound).toBeGreaterThan(clientsRound);
  });

  it("costs nothing before it watches and after it is closed", () => {
    const { lab, page } = oneOnMain();
    const { main } = lab.server;
    const probes = () => main.guests.filter((name) => name === "inspector's probe");
    expect(probes()).toEqual([]);
    page.ask({ ask: "watch", topic: "report", room });
    page.ask({ ask: "watch", topic: "map", room });
    expect(probes()).toHaveLength(1);
    page.ask({ ask: "unwatch", topic: "report" });
    expect(probes()).toHaveLength(1);
    page.ask({ ask: "unwatch", topic: "map" });
    expect(probes()).toEqual([]);
    page.ask({ ask: "watch", topic: "map", room });
    page.page.close(1000, "");
    expect(probes()).toEqual([]);
    expect(page.inspector.pageCount).toBe(0);
    lab.run(500);
  });

  it("that does not read misses samples, and nothing is queued for it", () => {
    const { lab, page } = oneOnMain();
    page.ask({ ask: "watch", topic: "map", room, everyMs: 50 });
    page.backlogBytes = 1e6;
    const before = page.tells.length;
    lab.run(1000);
    expect(page.tells.length).toBe(before);
    expect(page.page.skipped).toBeGreaterThan(15);
    page.backlogBytes = 0;
    lab.step(2);
    expect(page.tells.length).toBeLessThanOrEqual(before + 2);
  });

  it("is told no more than there is time for, and everything in turn", () => {
    const { lab, page } = oneOnMain();
    page.inspector.onWork = () => page.inspector.work(lab.clock.nowMs, () => true);
    for (const topic of ["report", "map", "heat"]) page.ask({ ask: "watch", topic, room, everyMs: 2000 });
    const before = page.tells.length;
    lab.step();
    expect(page.tells.length).toBe(before + 1);
    lab.step(3);
    expect(new Set(page.tells.slice(before).map(({ tell }) => tell))).toEqual(new Set(["report", "map", "heat"]));
  });

  it("is shown the cluster of its server, which looks at the others only meanwhile", () => {
    const lab = flyingLab();
    const picture = { me: 1, epoch: 3, slices: [], servers: [] };
    let watchers = 0;
    const cluster = {
      watch: () => {
        watchers += 1;
        return () => {
          watchers -= 1;
        };
      },
      picture: () => picture,
    };
    const page = TestPage.welcome(lab, { cluster });
    expect(page.last("welcome").hasCluster).toBe(true);
    expect(watchers).toBe(0);
    page.ask({ ask: "watch", topic: "cluster", room, everyMs: 250 });
    lab.run(1000);
    expect(page.last("cluster")).toMatchObject({
      room,
      picture,
      extent: [
        [0, 1000],
        [0, 1000],
      ],
    });
    expect(watchers).toBe(1);
    page.ask({ ask: "unwatch", topic: "cluster" });
    expect(watchers).toBe(0);
    page.ask({ ask: "watch", topic: "cluster", room });
    page.page.close(1000, "");
    expect(watchers).toBe(0);
  });

  it("of a server that stands alone is refused the cluster", () => {
    const { page } = oneOnMain();
    expect(page.last("welcome").hasCluster).toBe(false);
    page.ask({ ask: "watch", topic: "cluster", room });
    expect(page.last("refused")).toMatchObject({ ask: "watch", code: "no-cluster" });
  });

  it("hears that a room was closed", () => {
    const { lab, page } = oneOnMain();
    lab.server.createRoom("side");
    page.ask({ ask: "watch", topic: "map", room: "side" });
    page.ask({ ask: "watch", topic: "report", room });
    lab.step();
    lab.server.closeRoom("side");
    lab.step();
    expect(page.last("refused")).toMatchObject({ code: "no-room" });
    lab.run(1000);
  });
});

describe("the view editor", () => {
  it("goes through the same door as a client's proposal, and is obeyed in the next round", async () => {
    const { lab, page, player } = oneOnMain();
    const told: unknown[] = [];
    onViewSet(lab.clients[0]!.client, (set) => told.push(set.settings.sets));
    const { answers } = await page.answer("viewsSet", { ask: "setView", room, players: [player], sets: STRICT });
    expect(answers[0]).toMatchObject({ player, ok: true });
    expect(answers[0]!.clamped).toContain("sets[0].bounds[2][0].time: 0 is stricter than 1000");
    expect(answers[0]!.sets).toMatchObject([{ match: "everything", radii: [100, 300], sectors: [120] }]);
    expect(answers[0]!.sets[0]!.bounds).toEqual(view.sets[1]!.bounds);
    lab.run(200);
    expect(told).toMatchObject([answers[0]!.sets]);
    expect(lab.server.main.players.get(player)!.settings.pivots).toHaveLength(1);

    await page.answer("viewsSet", { ask: "setView", room, players: [player], sets: STRICT, unlimited: true });
    lab.step();
    const { model } = lab.server.main;
    const decisions = model.decisions(lab.server.main.players.get(player)!.view);
    expect(decisions.count).toBe(41);
  });

  it("reaches everybody, and those who join later", async () => {
    const { lab, page } = oneOnMain();
    lab.join("bob");
    lab.run(500);
    const { answers } = await page.answer("viewsSet", { ask: "setView", room, players: "all", sets: LOOSE, scale: 1 });
    expect(answers.map(({ ok }) => ok)).toEqual([true, true]);
    lab.join("cid");
    lab.run(500);
    for (const { settings } of lab.server.main.players.values()) expect(settings.sets).toMatchObject([LOOSE_BY_ZONE]);
  });

  it("zooms within the limits", async () => {
    const lab = flyingLab({ viewLimits: limitsOf(view, 2) });
    lab.join("ann");
    lab.run(500);
    const page = TestPage.welcome(lab);
    const [player] = lab.server.main.players.values();
    const ask = { ask: "setView", room, players: [player!.id], sets: view.sets, scale: 5 };
    const { answers } = await page.answer("viewsSet", ask);
    expect(answers[0]!.clamped).toEqual(["pivots[0].scale: 5 is more than 2"]);
    expect(player!.settings.pivots[0]).toMatchObject({ scale: 2 });
  });

  it("says what is wrong with a view, and lets the game refuse one", async () => {
    const { page, player } = oneOnMain();
    const bad = [{ match: { type: "ship" }, bounds: [{ time: 0 }] }];
    const ask = { ask: "setView", room, players: [player], sets: bad };
    expect(await page.answer("refused", ask)).toMatchObject({ code: "bad-view", ask: "setView" });
    const lab = flyingLab({
      authorise: () => {
        throw new Error("not today");
      },
    });
    lab.join("ann");
    lab.run(500);
    const other = TestPage.welcome(lab);
    const { answers } = await other.answer("viewsSet", { ask: "setView", room, players: [1], sets: LOOSE });
    expect(answers).toMatchObject([{ ok: false, detail: "not today" }]);
  });

  it("shows a player's view, and its file", async () => {
    const { page, player } = oneOnMain();
    const { sets, pivots } = await page.answer("view", { ask: "view", room, player });
    expect(sets).toEqual(view.sets);
    expect(pivots).toHaveLength(1);
    const file = await page.answer("viewFile", { ask: "saveView", room, sets });
    expect(JSON.parse(file.text)).toEqual({ nearfield: "settings", version: 1, sets });
    expect(file.onServer).toBe(false);
    expect(await page.answer("refused", { ask: "loadView", room })).toMatchObject({ code: "no-view-file" });
  });
});

describe("network conditions", () => {
  it("are set by the host, where it can", async () => {
    const lab = flyingLab();
    lab.join("ann");
    lab.run(500);
    const set: string[] = [];
    const conditions = {
      presets: ["slow"],
      set: ({ nickname }: { nickname: string }, preset: string) => void set.push(`${nickname} ${preset}`),
    };
    const page = TestPage.welcome(lab, { conditions });
    expect(page.last("welcome").presets).toEqual(["slow"]);
    await page.answer("done", { ask: "conditions", room, player: 1, preset: "slow" });
    expect(set).toEqual(["ann slow"]);
    const wrong = { ask: "conditions", room, player: 1, preset: "fast" };
    expect(await page.answer("refused", wrong)).toMatchObject({ code: "no-conditions" });
    page.ask({ ask: "watch", topic: "report", room });
    lab.run(2000);
    expect(page.last("report").clients[0]!.network).toMatchObject({ preset: "slow", link: "memory", loss: 0 });
  });
});

describe("a recording", () => {
  it("goes on without a page, and is scrubbed through in pieces", async () => {
    const { lab, page } = oneOnMain();
    expect(await page.answer("refused", { ask: "frames", room, from: 0, count: 9 })).toMatchObject({
      code: "no-recording",
    });
    await page.answer("recording", { ask: "record", room, on: true, everyMs: 100 });
    lab.run(10_000);
    const { state } = await page.answer("recording", { ask: "record", room, on: false });
    expect(state).toMatchObject({ on: false, first: 0, count: 100 });
    expect(lab.server.main.guests).not.toContain("inspector's probe");
    lab.run(1000);
    const numbers: number[] = [];
    for (let from: number | null = 0; from !== null; ) {
      const { frames, next }: Feed.FramesTell = await page.answer("frames", { ask: "frames", room, from, count: 1000 });
      expect(frames.length).toBeLessThanOrEqual(50);
      numbers.push(...frames.map(({ number }) => number));
      expect(frames[0]!.map.ids).toHaveLength(41);
      expect(frames[0]!.map.views).toHaveLength(1);
      from = next;
    }
    expect(numbers).toEqual(Array.from({ length: 100 }, (_, index) => index));
  });
});

describe("hostile asks", () => {
  const asks = [
    { ask: "watch", topic: "map", room, players: [1] },
    { ask: "watch", topic: "why", room, player: 1, object: 2 },
    { ask: "watch", topic: "preview", room, player: 1, sets: LOOSE, scale: 1 },
    { ask: "setView", room, players: [1], sets: view.sets, scale: 1 },
    { ask: "record", room, on: true, everyMs: 100, seconds: 10 },
    { ask: "frames", room, from: 0, count: 5 },
    { ask: "saveView", room, sets: LOOSE },
    { ask: "conditions", room, player: 1, preset: "x" },
  ];

  it("are refused with a typed reason and harm nobody", () => {
    const lab = flyingLab({}, 5);
    lab.join("ann");
    lab.run(300);
    /** One figure anywhere in an honest ask is replaced by anything at all. */
    const mutated = fc.tuple(fc.constantFrom(...asks), fc.nat(), fc.jsonValue()).map(([ask, where, value]) => {
      const copy = structuredClone(ask) as Record<string, unknown>;
      const keys = Object.keys(copy);
      copy[keys[where % keys.length]!] = value;
      return JSON.stringify(copy);
    });
    const nonsense = fc.oneof(mutated, fc.json(), fc.string());
    fc.assert(
      fc.property(fc.array(nonsense, { maxLength: 8 }), (texts) => {
        const page = TestPage.welcome(lab);
        for (const text of texts) page.ask(text);
        lab.step(2);
        const known = new Set(["welcome", "done", "refused", "map", "why", "preview", "report", "heat"]);
        for (const { tell } of page.tells) expect(known).toContain(tell);
        expect(page.closedWith).toBe(0);
        page.page.close(1000, "");
      }),
    );
    expect(lab.server.main.players.size).toBe(1);
    expect(lab.server.main.telemetry.handlerErrors).toBe(0);
  });

  it.each([
    ["a token that is none", { ask: "hello", token: `${TOKEN} `, version: FEED_VERSION }, "token", 4401],
    ["no token", { ask: "hello", version: FEED_VERSION }, "bad-message", 0],
    ["no hello", { ask: "view", room, player: 1 }, "no-hello", 4400],
  ])("%s", (_name, ask, code, closedWith) => {
    const page = new TestPage(flyingLab());
    page.ask(ask);
    expect(page.last("refused").code).toBe(code);
    expect(page.closedWith).toBe(closedWith);
    page.ask({ ask: "hello", token: TOKEN, version: FEED_VERSION });
    expect(page.tells.some(({ tell }) => tell === "welcome")).toBe(closedWith === 0);
  });

  it("too many of them end the page", () => {
    const { page } = oneOnMain();
    for (let i = 0; i < 100; i++) page.ask({ ask: "unwatch", topic: "map" });
    expect(page.closedWith).toBe(4429);
    expect(page.tells.filter(({ tell }) => tell === "done").length).toBeLessThanOrEqual(60);
  });

  it("about what is not there are told so", async () => {
    const { page } = oneOnMain();
    expect(await page.answer("refused", { ask: "view", room: "attic", player: 1 })).toMatchObject({ code: "no-room" });
    expect(await page.answer("refused", { ask: "view", room, player: 99 })).toMatchObject({ code: "no-player" });
    page.ask({ ask: "watch", topic: "heat", room, type: "whale", id: 7 });
    expect(page.last("refused")).toMatchObject({ id: 7, code: "bad-message" });
  });
});
