/**
 * Attacks that once ended the process: errors of sockets that nobody listened to, failures in serving one client that were thrown on, and the game's own code
 * where nobody caught it. Honest players play on through each of them.
 */

import { once } from "node:events";
import { createServer } from "node:http";
import type { Metric, Pivot, ViewSettings } from "@nearfield/core";
import { Engine } from "@nearfield/core/internal";
import { serveInspector } from "@nearfield/inspector/node";
import { encodeFromServer, mostViewBytes, viewBytes } from "@nearfield/protocol/internal";
import { objectId } from "@nearfield/schema/internal";
import { serve } from "@nearfield/server/node";
import { afterEach, describe, expect, it } from "vitest";
import { nightly } from "../seeds.ts";
import { Crash, protocol, Ship, Stage, type StageOptions, view } from "./stage.ts";

const stages: Stage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

async function open(options: StageOptions = {}): Promise<Stage> {
  const stage = await Stage.open(options);
  stages.push(stage);
  return stage;
}

describe("an upgrade that nobody waits for, then a TCP reset", () => {
  const paths = [
    "/arena%2Fws",
    "/arena%2fws",
    "/%61rena%2Fws",
    "/unknown",
    "/arena/ws/",
    "//[",
    "/%zz",
    "/arena/inspector/feed/",
  ];

  it.each(paths)("%s, beside two games and their operators on one web server", async (path) => {
    const http = createServer((_, response) => response.end("the site"));
    await once(http.listen(0, "127.0.0.1"), "listening");
    const stage = await open({ server: http, path: "/arena/ws" });
    const other = await serve({ protocol, view, roundMs: 50, udp: false, server: http, path: "/pacman/ws" });
    const token = "a token for tests";
    await serveInspector(stage.server, { http, prefix: "/arena", token });
    await serveInspector(other, { http, prefix: "/pacman", token });
    for (let i = 0; i < nightly(3); i++) {
      const refused = await stage.stranger({ path });
      expect(refused.statusLine).toBe("HTTP/1.1 404 Not Found");
      await refused.closed;
      const hasty = await stage.connection();
      hasty.askUpgrade({ path });
      hasty.reset();
    }
    await stage.expectUnharmed();
    await other.close();
  });

  it("beside an operator alone, and on an operator's own port", async () => {
    const http = createServer((_, response) => response.end("the site"));
    await once(http.listen(0, "127.0.0.1"), "listening");
    const stage = await open({ server: http, path: "/play" });
    const token = "a token for tests";
    const operator = await serveInspector(stage.server, { http, token });
    for (const path of ["/nothing", "/inspector%2Ffeed"]) {
      const hasty = await stage.connection();
      hasty.askUpgrade({ path });
      hasty.reset();
      const refused = await stage.stranger({ path });
      expect(refused.statusLine).toBe("HTTP/1.1 404 Not Found");
    }
    await operator.close();
    await stage.expectUnharmed();
  });

  it("a path that is encoded without need is the same path", async () => {
    const http = createServer((_, response) => response.end("the site"));
    await once(http.listen(0, "127.0.0.1"), "listening");
    const stage = await open({ server: http, path: "/arena/ws" });
    const raw = await stage.stranger({ path: "/%61rena/ws" });
    expect(raw.isOpen).toBe(true);
    await stage.expectUnharmed();
  });

  it("while other handlers of the site's own take their time", async () => {
    const http = createServer((_, response) => response.end("the site"));
    await once(http.listen(0, "127.0.0.1"), "listening");
    http.on("upgrade", () => {});
    const stage = await open({ server: http, path: "/arena/ws" });
    const hasty = await stage.connection();
    hasty.askUpgrade({ path: "/theirs" });
    await stage.rounds(2);
    hasty.reset();
    await stage.expectUnharmed();
  });
});

describe("answers that do not fit", () => {
  /** Some 44 kB on the wire: all cells of all sets, with numbers that take eight bytes. */
  const longView: ViewSettings = {
    sets: Array.from({ length: 16 }, (_, set) => ({
      match: set === 15 ? ("everything" as const) : { type: "ship" },
      radii: Array.from({ length: 15 }, (_, zone) => 100.1 + zone * 10.1),
      sectors: Array.from({ length: 6 }, (_, sector) => 30.1 + sector * 10.1),
      bounds: Array.from({ length: 16 }, (_, zone) =>
        Array.from({ length: 7 }, (_, sector) => ({
          time: 1000.1 + zone * 10 + sector,
          value: 10.1 + zone * 10 + sector,
          sequence: 10.1 + zone * 10 + sector,
        })),
      ),
    })),
    pivots: [],
  };
  /** Some 37 kB: groups of objects that the player does not own, so that the server has something to say about them. */
  const longPivots: Pivot[] = Array.from({ length: 32 }, () => ({
    group: Array.from({ length: 256 }, (_, member) => objectId(member + 1, 0)),
    margin: 10.1,
    coefficients: Array.from({ length: 14 }, (_, zone) => 1.1 + zone),
  }));

  it("a long view followed by long pivots ends that client alone", async () => {
    const stage = await open({
      viewLimits: { radii: [], bounds: [{ time: 0 }], pivots: 32 },
      mayPivot: (_, pivot) => "group" in pivot,
      // A slow machine may take long to read them: that must not end the client first.
      limits: { clientMsPerSecond: 1000 },
    });
    const raw = await stage.stranger();
    expect(await raw.join()).toMatchObject({ kind: "welcome" });
    raw.say({ kind: "proposeView", request: 1, settings: longView });
    expect(await raw.hears("viewSet", "viewRefused", "bye")).toMatchObject({ kind: "viewSet" });
    raw.control({ kind: "pivots", number: 1, pivots: [...longPivots.slice(1), { point: [1, 1] }] });
    // What the room grants decides whether this is too long to be told, or is cut short and told.
    const isAnswered = (): boolean =>
      raw.received.some((message) => message.kind === "bye" || (message.kind === "viewSet" && message.request === 0));
    await expect.poll(isAnswered).toBe(true);
    const bye = raw.received.find(({ kind }) => kind === "bye");
    if (bye !== undefined) expect(bye).toMatchObject({ reason: { code: "bad-view" } });
    await stage.expectUnharmed();
    expect(stage.reported).toEqual([]);
  });

  it("the longest view that may be in force can be told, whatever else is said about it", () => {
    const pivots: Pivot[] = [];
    const settings = { sets: longView.sets, pivots };
    while (viewBytes({ ...settings, pivots: [...pivots, longPivots[0]!] }) <= mostViewBytes())
      pivots.push(longPivots[0]!);
    expect(viewBytes(settings)).toBeGreaterThan(mostViewBytes() - 2000);
    const clamped = Array.from({ length: 40 }, () => "é".repeat(1000));
    const bytes = encodeFromServer({ kind: "viewSet", request: 0xffff_ffff, settings, clamped }, protocol, 65_535);
    expect(bytes.length).toBeGreaterThan(mostViewBytes());
  });

  it("a failure that is no fault of the client's ends that client, with a reason, and is reported", async () => {
    /** A model that fails one view in the round's stages: at 3 when it is centred there, at 2 when its frame is written. */
    class Brittle extends Engine {
      readonly #doomed = new Set<number>();

      override setPivots(of: number, pivots: readonly Pivot[]): void {
        const [first] = pivots;
        const x = first !== undefined && "point" in first ? first.point[0] : 0;
        if (x === 3) throw new TypeError("cannot be placed there");
        if (x === 2) this.#doomed.add(of);
        super.setPivots(of, pivots);
      }

      override decisions(of: number): ReturnType<Engine["decisions"]> {
        if (this.#doomed.has(of)) throw new TypeError("cannot decide");
        return super.decisions(of);
      }
    }
    const stage = await open({ mayPivot: () => true, model: (world, options) => new Brittle(world, options) });
    for (const x of [3, 2]) {
      const raw = await stage.stranger();
      expect(await raw.join()).toMatchObject({ kind: "welcome" });
      raw.control({ kind: "pivots", number: 1, pivots: [{ point: [x, x] }] });
      expect(await raw.hears("bye")).toMatchObject({ reason: { code: "failed" } });
      await raw.closed;
      expect(raw.closeCode).toBe("failed");
    }
    await stage.expectUnharmed();
    expect(stage.reported).toEqual([
      "main: serving a client: merge: cannot be placed there",
      "main: serving a client: send: cannot decide",
    ]);
  });
});

describe("the game's own code", () => {
  it("handlers that reject are reported, and nothing stops", async () => {
    const stage = await open({ honest: 0 });
    const { server } = stage;
    // As a game in JavaScript would write `async () => { … }`: the types ask for functions that return nothing.
    const rejects = (text: string) => () => Promise.reject(new Error(text)) as unknown as undefined;
    server.onJoin(rejects("no such account"));
    server.onLeave(rejects("cannot save"));
    server.onCommand(Crash, rejects("cannot crash"));
    const honest = await stage.joinHonest("ann");
    honest.send(Crash, { words: "now" });
    const raw = await stage.stranger();
    await raw.join();
    raw.destroy();
    await expect.poll(() => stage.reported).toContain("main: onJoin: no such account");
    await expect.poll(() => stage.reported).toContain("main: command crash: cannot crash");
    await stage.expectUnharmed();
    for (const player of server.main.players.values()) if (player.nickname !== "ann") player.kick("enough");
    await expect.poll(() => stage.reported).toContain("main: onLeave: cannot save");
    await stage.expectUnharmed();
  });

  it("an onError that throws or rejects is counted", async () => {
    let calls = 0;
    const stage = await open({
      onError: () => {
        calls += 1;
        if (calls % 2 === 0) return Promise.reject(new Error("no log")) as unknown as undefined;
        throw new Error("no log");
      },
    });
    stage.server.onCommand(Crash, () => {
      throw new Error("boom");
    });
    for (let i = 0; i < 4; i++) stage.honest[0]!.send(Crash, { words: "now" });
    await expect.poll(() => calls).toBe(4);
    await stage.expectUnharmed();
  });

  it("a metric, a predicate and a visibility test that throw are reported, and objects still arrive", async () => {
    const broken: Metric = {
      name: "broken",
      sample() {
        throw new Error("no sample");
      },
      divergence() {
        throw new Error("no divergence");
      },
      growth() {
        throw new Error("no growth");
      },
    };
    const stage = await open({
      honest: 0,
      metrics: [broken],
      view: {
        sets: [
          { match: { type: "ship" }, radii: [100], bounds: [{ value: 1 }, { value: 5 }], metric: "broken" },
          { match: "everything", bounds: [{ time: 0 }] },
        ],
        pivots: [],
      },
      visible: (_, entity) => {
        if (entity.owner === 0 && entity.type === (Ship as unknown)) throw new Error("cannot see");
        return true;
      },
    });
    stage.server.world.predicate("broken", () => {
      throw new Error("no predicate");
    });
    await stage.joinHonest("ann");
    await stage.joinHonest("ben");
    await stage.expectUnharmed();
    const places = new Set(stage.reported.map((line) => line.split(":")[1]!.trim()));
    expect(places).toEqual(new Set(["metric broken", "predicate broken", "visible"]));
  });

  it("what wraps links may fail: that link is lost", async () => {
    const stage = await open();
    stage.server.wrapLinks(() => {
      throw new Error("no wrapping");
    });
    const raw = await stage.stranger();
    await raw.closed;
    expect(raw.closeCode).toBe("failed");
    await stage.expectUnharmed();
  });
});
