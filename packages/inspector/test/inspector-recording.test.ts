/** What a recording keeps besides the map; the level beneath the map; and the figures that come from checking pairs. */

import { CAUSE_NAMES } from "@nearfield/core";
import { Engine } from "@nearfield/core/internal";
import type { Feed } from "@nearfield/inspector/internal";
import { ServerError } from "@nearfield/server";
import { Level } from "@nearfield/simulation";
import { describe, expect, it } from "vitest";
import { flyingLab, Ship, TestPage, view } from "./watched-lab.ts";

async function framesOf(page: TestPage): Promise<{ frames: Feed.RecordedFrame[]; levels: Feed.LevelTell[] }> {
  const [frames, levels]: [Feed.RecordedFrame[], Feed.LevelTell[]] = [[], []];
  for (let from: number | null = 0; from !== null; ) {
    const answer: Feed.FramesTell = await page.answer("frames", { ask: "frames", room: "main", from, count: 50 });
    frames.push(...answer.frames);
    levels.push(...answer.levels);
    from = answer.next;
  }
  return { frames, levels };
}

describe("a recording", () => {
  it("holds the reports that pages were told, and every send with its round and cause", async () => {
    const lab = flyingLab();
    lab.join("ann");
    lab.join("bob", { latencyMs: 40, loss: 0.1 });
    lab.run(1000);
    const page = TestPage.welcome(lab);
    page.ask({ ask: "watch", topic: "report", room: "main", everyMs: 500 });
    page.ask({ ask: "record", room: "main", on: true });
    const { model, players, world } = lab.server.main;
    const sent: string[] = [];
    for (let round = 0; round < 100; round++) {
      lab.step();
      for (const { id, view: ofPlayer } of players.values()) {
        const { count, ids, causes } = model.decisions(ofPlayer);
        for (let i = 0; i < count; i++) sent.push(`${lab.server.roundNumber} ${id} ${ids[i]} ${causes[i]}`);
      }
    }
    const { frames } = await framesOf(page);
    expect(frames.length).toBe(50);
    const kept = frames.flatMap(({ map, sends }) =>
      sends!.flatMap(({ player, ids, ago, causes }) =>
        ids.map((id, i) => `${map.round - ago[i]!} ${player} ${id} ${causes[i]}`),
      ),
    );
    const last = frames.at(-1)!;
    expect(kept.toSorted()).toEqual(sent.filter((send) => Number.parseInt(send, 10) <= last.map.round).toSorted());
    // Every ship moves in every round, so one that was sent then is as many updates behind.
    for (const { ago, behind } of last.sends!) expect(behind).toEqual(ago);
    const [first] = world.all(Ship);
    const newest = world.version[world.store.liveSlot(first!.id)]!;
    const since = lab.server.roundNumber - last.map.round;
    expect(last.versions![last.map.ids.indexOf(first!.id)]).toBe(newest - since);
    const told = page.tells.filter((tell) => tell.tell === "report");
    const reports = frames.flatMap(({ report }) => report ?? []);
    expect(reports.length).toBeGreaterThan(8);
    expect(reports.at(-1)!.clients ?? reports.at(-2)!.clients).toHaveLength(2);
    for (const { clients, ...report } of reports.slice(1)) {
      const same = told.find(({ round }) => round === report.round)!;
      expect(same).toMatchObject(report);
      if (clients !== undefined) expect(clients).toEqual(same.clients);
    }
  });

  it("says which set holds an object where its type does not tell", async () => {
    const sets = [{ match: { tag: "boss" }, bounds: [{ time: 0 }] }, ...view.sets];
    const lab = flyingLab({ view: { sets, pivots: [] } }, 4);
    const boss = lab.world.spawn(Ship, { x: 1, y: 1, heading: 0 }, { tags: ["boss"] });
    lab.join("ann");
    lab.run(200);
    const page = TestPage.welcome(lab);
    page.ask({ ask: "record", room: "main", on: true });
    lab.run(200);
    const { map, members } = (await framesOf(page)).frames.at(-1)!;
    expect(members).toEqual([map.ids.map((id) => (id === boss.id ? 0 : 1))]);
  });

  it("has every send also where nobody came to count for a while", async () => {
    const lab = flyingLab();
    lab.join("ann");
    lab.run(500);
    const page = TestPage.welcome(lab);
    page.ask({ ask: "record", room: "main", on: true });
    lab.run(500);
    page.inspector.onWork = () => {};
    lab.run(150);
    page.inspector.onWork = () => page.inspector.work(lab.clock.nowMs);
    lab.run(500);
    const { frames } = await framesOf(page);
    const late = frames.find(({ map }, index) => map.round - (frames[index - 1]?.map.round ?? map.round) > 2)!;
    const own = late.sends!.find(({ player }) => player === lab.server.main.players.keys().next().value)!;
    expect(new Set(own.ago).size).toBeGreaterThan(2);
  });
});

describe("the level", () => {
  const level = Level.fromTiled({
    ...{ type: "map", version: "1.10", orientation: "orthogonal", infinite: false, width: 3, height: 2 },
    ...{ tilewidth: 10, tileheight: 10, tilesets: [] },
    layers: [
      {
        ...{ type: "objectgroup", id: 1, name: "walls" },
        objects: [{ id: 1, name: "", x: 5, y: 0, width: 10, height: 20, rotation: 0, properties: solid() }],
      },
    ],
  });

  function solid(): object[] {
    return [{ name: "solid", type: "bool", value: true }];
  }

  it("is told once to each page, and again when the game goes on to another", async () => {
    const lab = flyingLab();
    const room = lab.server.main;
    room.outlines = level;
    const page = TestPage.welcome(lab);
    page.ask({ ask: "watch", topic: "map", room: "main", everyMs: 50 });
    page.ask({ ask: "record", room: "main", on: true });
    lab.run(500);
    room.outlines = { lines: [[0, 0, 10, 0, 10, 5]] };
    lab.run(500);
    room.outlines = level;
    lab.run(500);
    const told = page.tells.filter((tell) => tell.tell === "level");
    expect(told).toEqual([
      { tell: "level", room: "main", level: 1, walls: [5, 0, 15, 20], lines: [], leftOut: 0 },
      { tell: "level", room: "main", level: 2, walls: [], lines: [[0, 0, 10, 0, 10, 5]], leftOut: 0 },
    ]);
    expect(page.last("map").level).toBe(1);
    const { frames, levels } = await framesOf(page);
    expect([...new Set(frames.map(({ map }) => map.level))]).toEqual([1, 2]);
    expect(new Set(levels.map((one) => one.level))).toEqual(new Set([1, 2]));
  });

  it("is bounded, and a line that is none is refused", () => {
    const lab = flyingLab({}, 1);
    const room = lab.server.main;
    expect(() => (room.outlines = { lines: [[1, 2, 3]] })).toThrow(ServerError);
    expect(() => (room.outlines = { lines: [[1, 2, 3, Number.NaN]] })).toThrow("lines[0]");
    room.outlines = { walls: { count: 6000, boundsOf: (wall) => [wall, 0, wall + 1, 1] } };
    const page = TestPage.welcome(lab);
    page.ask({ ask: "watch", topic: "map", room: "main", everyMs: 50 });
    lab.run(200);
    const { walls, leftOut } = page.last("level");
    expect([walls.length, leftOut]).toEqual([20_000, 1000]);
  });
});

describe("figures from pairs", () => {
  it("held: a share of what the view promises, not of what is out of range or in a cell without a bound", () => {
    const loose = { match: "everything" as const, radii: [150], bounds: [{ time: 100 }, {}] };
    for (const set of [{ ...view.sets[1]!, range: 300 }, loose]) {
      const lab = flyingLab({ view: { sets: [set], pivots: [] } }, 200);
      lab.join("ann");
      lab.join("bob", { latencyMs: 60, loss: 0.2 });
      lab.run(500);
      const page = TestPage.welcome(lab);
      page.ask({ ask: "watch", topic: "report", room: "main", everyMs: 500 });
      const { model, players, world } = lab.server.main;
      let [promised, rounds] = [0, 0];
      for (let round = 0; round < 400; round++) {
        lab.step();
        if (round % 8 !== 0) continue;
        rounds += 1;
        for (const { view: ofPlayer } of players.values()) {
          for (const ship of world.all(Ship)) {
            const { present, bound } = model.explain(ofPlayer, ship.id)!;
            if (present && Object.values(bound).some(Number.isFinite)) promised += 1;
          }
        }
      }
      const { audit } = page.last("report");
      const perRound = promised / rounds;
      expect(perRound).toBeLessThan(2 * 202 * 0.6);
      expect(audit.pairs / perRound).toBeCloseTo(1, 1);
      expect(audit.promised).toBeGreaterThan(20 * perRound);
      expect(audit).toMatchObject({ heldDecided: 1, faults: 0, faultKinds: [], faultyPairs: [], roundsPerPass: 2 });
      // Bob is sent half of it, a fifth of that is lost, and is due again at once in the nearest zone alone. The account is never below it.
      const short = 1 - audit.heldDelivered!;
      expect(short).toBeGreaterThan(0.02);
      expect(short).toBeLessThan(Math.min(0.1, audit.delivered / (400 * perRound)));
    }
  });

  it("faults: of a model that forgets an object, by kind, with the client, the object, and since when", () => {
    let forgotten: number | undefined;
    const lab = flyingLab({
      model: (world, options) => {
        const engine = new Engine(world, options);
        const decisions = engine.decisions.bind(engine);
        engine.decisions = (ofView) => {
          const list = decisions(ofView);
          const at = list.ids.subarray(0, list.count).indexOf(forgotten ?? -1);
          if (at < 0) return list;
          // The last one stands twice and the forgotten one not at all.
          const ids = list.ids.slice();
          ids[at] = list.ids[list.count - 1]!;
          return { ...list, ids, count: list.count - 1 };
        };
        return engine;
      },
    });
    lab.join("ann");
    lab.run(1000);
    const page = TestPage.welcome(lab);
    page.ask({ ask: "watch", topic: "report", room: "main", everyMs: 500 });
    lab.run(1000);
    const { roundNumber: before } = lab.server;
    const [player] = lab.server.main.players.values();
    const own = player!.owned(Ship)[0]!;
    forgotten = own.id;
    lab.run(1000);
    const { faults, faultKinds, faultyPairs, heldDecided } = page.last("report").audit;
    expect(faults).toBeGreaterThan(10);
    expect(faultKinds).toEqual([{ kind: "late", looks: faults, first: before + 1, last: before + faults }]);
    const pair = {
      kind: "late",
      player: player!.id,
      nickname: "ann",
      object: own.id,
      type: 0,
      zone: 0,
      cause: "change",
    };
    const since = { since: before + 1, last: before + faults, looks: faults, isOver: false };
    expect(faultyPairs).toEqual([{ ...pair, ...since }]);
    expect(heldDecided).toBeLessThan(1);
    forgotten = undefined;
    lab.run(1000);
    expect(page.last("report").audit.faultyPairs).toMatchObject([{ object: own.id, isOver: true }]);
  });

  it("held: nothing is said where nobody audits", () => {
    const lab = flyingLab({ auditSample: 0 });
    lab.join("ann");
    lab.run(200);
    const page = TestPage.welcome(lab);
    page.ask({ ask: "watch", topic: "report", room: "main", everyMs: 500 });
    lab.run(1000);
    const nothing = { pairs: 0, promised: 0, heldDecided: null, heldDelivered: null, roundsPerPass: null };
    expect(page.last("report").audit).toMatchObject(nothing);
  });

  it("aura: exact in a small room; in a large one within the error it states", () => {
    const share = (ships: number, clients: number): { share: number; error: number; exact: number } => {
      const lab = flyingLab({}, ships);
      for (let n = 0; n < clients; n++) lab.join(`c${n}`);
      lab.run(200);
      const page = TestPage.welcome(lab, { auraRadius: 300 });
      page.ask({ ask: "watch", topic: "report", room: "main", everyMs: 500 });
      const { players, model, world } = lab.server.main;
      let [near, all] = [0, 0];
      for (let round = 0; round < 60; round++) {
        lab.step();
        for (const { view: ofPlayer } of players.values()) {
          for (const { x, y } of world.all(Ship)) {
            all += 1;
            if (model.distanceTo(ofPlayer, [x, y]) <= 300) near += 1;
          }
        }
      }
      const { broadcast, aura } = page.last("report").baselines;
      return {
        share: aura.sendsPerSecond.mean / broadcast.sendsPerSecond.mean,
        error: aura.error!,
        exact: near / all,
      };
    };
    const small = share(40, 3);
    expect(small.error).toBe(0);
    expect(small.share / small.exact).toBeCloseTo(1, 1);
    const large = share(700, 12);
    expect(large.error).toBeGreaterThan(0);
    expect(large.error).toBeLessThan(0.1);
    expect(Math.abs(large.share / large.exact - 1)).toBeLessThan(2 * large.error + 0.02);
  });

  it("why: the cause of a send is known to whoever asks later, of every player", () => {
    const lab = flyingLab();
    lab.join("ann");
    lab.run(500);
    const [player] = lab.server.main.players.values();
    const page = TestPage.welcome(lab);
    page.ask({ ask: "watch", topic: "report", room: "main" });
    lab.run(2500);
    for (const ship of [...lab.world.all(Ship)].slice(0, 8)) {
      page.ask({ ask: "watch", topic: "why", room: "main", player: player!.id, object: ship.id, everyMs: 50 });
      lab.step();
      expect(CAUSE_NAMES).toContain(page.last("why").lastSend!.cause);
    }
  });
});
