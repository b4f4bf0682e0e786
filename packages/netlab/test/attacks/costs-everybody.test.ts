/**
 * Attacks that once cost everybody: work that one client makes the server do, and logs that it makes it write. Each ends the client that is to blame, with a
 * reason; honest players notice nothing.
 */

import type { ViewSettings } from "@nearfield/core";
import { encodeFromClient, MOST_COMMANDS, PROTOCOL_VERSION } from "@nearfield/protocol/internal";
import { Server } from "@nearfield/server";
import { type MemoryLink, MemoryListener } from "@nearfield/transport/internal";
import { afterEach, describe, expect, it } from "vitest";
import { Lab } from "../../src/index.ts";
import { RawClient } from "../raw-client.ts";
import { Ship as LabShip, protocol as labProtocol, view as labView, Steer } from "../scenario.ts";
import { nightly, seeds } from "../seeds.ts";
import { Crash, Go, protocol, ROUND_MS, Ship, Stage, type StageOptions } from "./stage.ts";

const stages: Stage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

async function open(options: StageOptions = {}): Promise<Stage> {
  const stage = await Stage.open(options);
  stages.push(stage);
  return stage;
}

/**
 * A clock for servers whose limits in time decide: the test moves it, so the machine's speed has no say. A piece of work takes no time by it, and is counted
 * as what it is estimated at; what is measured is in time-budget.test.ts.
 */
class TestClock {
  nowMs = 0;
  readonly now = (): number => this.nowMs;
}

/** Some 28 kB on the wire. */
const longView: ViewSettings = {
  sets: Array.from({ length: 10 }, (_, set) => ({
    match: set === 9 ? ("everything" as const) : { type: "ship" },
    radii: Array.from({ length: 15 }, (_, zone) => 100.1 + zone * 10.1),
    sectors: Array.from({ length: 6 }, (_, sector) => 30.1 + sector * 10.1),
    bounds: Array.from({ length: 16 }, (_, zone) =>
      Array.from({ length: 7 }, (_, sector) => ({
        time: 1000.1 + zone * 10 + sector,
        value: 10.1 + zone * 10 + sector,
      })),
    ),
  })),
  pivots: [],
};

function tokens(): () => Uint8Array {
  let next = 0;
  return () => new Uint8Array(16).fill(++next);
}

/** A client without a clock that commands as told, and hears nothing. */
class BareClient {
  readonly #link: MemoryLink;
  #number = 0;

  constructor(listener: MemoryListener, nickname: string) {
    this.#link = listener.connect();
    const hash = labProtocol.hash;
    const rest = { room: "main", role: "player", credentials: "", resume: undefined } as const;
    const hello = { kind: "hello", version: PROTOCOL_VERSION, hash, nickname, ...rest } as const;
    this.#link.send("reliable", encodeFromClient(hello, labProtocol));
    this.#link.onMessage(() => {});
  }

  steer(): void {
    this.#number += 1;
    const command = { kind: "command", type: Steer as never, values: { heading: 1 } as never } as const;
    this.#link.send("reliable", encodeFromClient(command, labProtocol, this.#number % 65_536));
  }
}

describe("a client that takes the server's time", () => {
  it("with a long view in every round is ended with costly", async () => {
    const clock = new TestClock();
    const roundMs = 10;
    const stage = await open({ ships: 300, roundMs, now: clock.now });
    const raw = await stage.stranger();
    expect(await raw.join()).toMatchObject({ kind: "welcome" });
    for (let request = 1; request < 2000 && raw.isOpen; request++) {
      raw.say({ kind: "proposeView", request, settings: longView });
      await raw.hearsOfView(request);
      // Without acks it would be ended for the answers that wait.
      raw.acknowledge();
      clock.nowMs += roundMs;
    }
    expect(await raw.hears("bye")).toMatchObject({ reason: { code: "costly" } });
    await stage.expectUnharmed();
    expect(stage.server.main.telemetry.ended.get("costly")).toBe(1);
  });

  it("with messages of 499 repeated steps, fewer than a flood, is ended with costly", async () => {
    const clock = new TestClock();
    const stage = await open({ times: { ackMs: 600_000 }, now: clock.now });
    stage.server.steps(Ship, Go, (ship, { x }) => {
      ship.x = x;
    });
    const raw = await stage.stranger();
    expect(await raw.join()).toMatchObject({ kind: "welcome" });
    const [mine] = [...stage.server.world.all(Ship)].slice(-1);
    const command = { id: mine!.id, type: Go as never, values: { x: 1 } as never, stepMs: 4 };
    const list = Array.from({ length: MOST_COMMANDS - 1 }, () => command);
    const bytes = encodeFromClient({ kind: "commands", first: 1, list }, protocol);
    expect(bytes.length).toBeLessThan(300);
    for (let round = 0; round < 1000 && raw.isOpen; round++) {
      for (let i = 0; i < 16; i++) raw.send("unsequenced", bytes);
      await raw.hasArrived();
      await stage.rounds(1);
      clock.nowMs += ROUND_MS;
    }
    expect(await raw.hears("bye")).toMatchObject({ reason: { code: "costly" } });
    await stage.expectUnharmed();
  });

  it("that never acknowledges is hung up on, may come back once, and is then ended", async () => {
    const clock = new TestClock();
    const stage = await open({ times: { ackMs: 600, resumeMs: 600_000 }, now: clock.now });
    stage.server.onRound(() => {
      clock.nowMs += ROUND_MS;
    });
    const raw = await stage.stranger();
    const welcome = await raw.join();
    if (welcome?.kind !== "welcome") throw new Error("not let in");
    expect(await raw.hears("bye")).toMatchObject({ reason: { code: "no-acks" } });
    const packets = { newest: 0, runs: [] };
    const again = await stage.stranger();
    const resume = { token: welcome.token, attempt: 2, heard: 0, packets, afresh: false };
    expect(await again.join({ resume })).toMatchObject({ kind: "welcome", resumed: true });
    expect(await again.hears("bye")).toMatchObject({ reason: { code: "no-acks" } });
    const third = await stage.stranger();
    expect(await third.join({ resume: { ...resume, attempt: 3 } })).toMatchObject({ reason: { code: "session-gone" } });
    expect(stage.server.main.telemetry.ended.get("no-acks")).toBe(1);
    await stage.rounds(3);
    expect(stage.troubles).toEqual([]);
    expect(stage.uncaught).toEqual([]);
  });

  it.each(seeds(1, 2))("is ended by what its work is estimated at, without a clock (seed %i)", (seed) => {
    const lab = new Lab({ protocol: labProtocol, view: labView, roundMs: 50, seed });
    for (let i = 0; i < 2000; i++) lab.world.spawn(LabShip, { x: i % 1000, y: 1 });
    lab.server.onCommand(Steer, () => {});
    const honest = lab.join("honest", { latencyMs: 10 });
    const raw = new RawClient(lab, labProtocol);
    raw.hello();
    lab.run(500);
    for (let request = 1; request < 2000 && raw.closeCode === undefined; request++) {
      for (let i = 0; i < 4; i++) raw.say({ kind: "proposeView", request, settings: longView });
      lab.run(50);
    }
    expect(raw.closeCode).toBe("costly");
    expect(honest.client.state).toBe("active");
  });
});

describe("many clients that each take little less than one may", () => {
  it("are ended, those first that took most, until the rest is no burden; nobody else is", () => {
    let nowMs = 0;
    const listener = new MemoryListener();
    const server = new Server({
      protocol: labProtocol,
      view: labView,
      roundMs: 50,
      tokenSource: tokens(),
      now: () => nowMs,
      onError: "throw",
      times: { ackMs: 600_000 },
    });
    server.listen(listener);
    // What a command costs, by the clock: a handler that takes its time.
    server.onCommand(Steer, () => {
      nowMs += 0.4;
    });
    const raws = Array.from({ length: 20 }, (_, i) => new BareClient(listener, `client ${i}`));
    const round = (): void => {
      nowMs = Math.ceil((nowMs + 1) / 50) * 50;
      listener.flush();
      server.round();
      listener.flush();
    };
    round();
    for (let i = 0; i < nightly(40); i++) {
      for (const [at, raw] of raws.entries()) {
        // 15 of them take some 40 ms a second each, the others next to nothing.
        for (let n = 0; n < (at < 15 ? 5 : 1); n++) raw.steer();
      }
      round();
    }
    const here = [...server.main.players.values()].map(({ nickname }) => nickname);
    for (let i = 15; i < 20; i++) expect(here).toContain(`client ${i}`);
    expect(here.length).toBeLessThan(14);
    expect(server.main.telemetry.ended.get("costly")).toBe(20 - here.length);
  });
});

describe("clients that say hello and vanish", () => {
  it("cost nothing while they are away: not one of their pairs is judged", async () => {
    let judgedOfAbsent = 0;
    let judged = 0;
    const stage = await open({
      ships: 100,
      limits: { perAddress: Number.POSITIVE_INFINITY, awayPerAddress: Number.POSITIVE_INFINITY },
      times: { resumeMs: 600_000 },
      visible: (player) => {
        judged += 1;
        if (player.presence === "away") judgedOfAbsent += 1;
        return true;
      },
    });
    const ghosts = nightly(60);
    for (let i = 0; i < ghosts; i++) {
      const raw = await stage.stranger();
      await raw.join({ nickname: `ghost ${i}` });
      raw.reset();
    }
    const away = () => [...stage.server.main.players.values()].filter(({ presence }) => presence === "away").length;
    await expect.poll(away).toBe(ghosts);
    await stage.rounds(5);
    judgedOfAbsent = 0;
    judged = 0;
    await stage.rounds(50);
    expect(judged).toBeGreaterThan(1000);
    expect(judgedOfAbsent).toBeLessThan(judged / 100);
    await stage.expectUnharmed();
  });
});

describe("a handler that throws at every command", () => {
  it("is reported five times in ten seconds, then as one number", async () => {
    const told: string[] = [];
    let nowMs = 0;
    const lab = new Lab({
      protocol: labProtocol,
      view: labView,
      roundMs: 50,
      seed: 1,
      onError: (error, where) => void told.push(`${where}: ${(error as Error).message}`),
    });
    lab.server.onCommand(Steer, () => {
      throw new Error("boom");
    });
    const raw = new RawClient(lab, labProtocol);
    raw.hello();
    lab.run(200);
    for (; nowMs < 9000; nowMs += 50) {
      for (let i = 0; i < 60; i++) raw.say({ kind: "command", type: Steer as never, values: { heading: 1 } as never });
      lab.run(50);
    }
    expect(told).toHaveLength(5);
    lab.run(2500);
    expect(told).toHaveLength(6);
    expect(told[5]).toMatch(
      /main: command steer: \d+ more errors at this place within 1\d s were counted and not shown/,
    );
    const { suppressed } = lab.server.door;
    expect(suppressed).toBe(lab.server.main.telemetry.handlerErrors - 5);
    expect(suppressed).toBeGreaterThan(5000);
  });

  it("over real sockets too, while honest players play", async () => {
    const stage = await open({ times: { reportMs: 600_000 } });
    stage.server.onCommand(Crash, () => {
      throw new Error("boom");
    });
    const raw = await stage.stranger();
    await raw.join();
    for (let i = 0; i < 50; i++) {
      for (let n = 0; n < 60; n++)
        raw.say({ kind: "command", type: Crash as never, values: { words: "now" } as never });
      await raw.hasArrived();
      await stage.rounds(1);
    }
    await expect.poll(() => stage.server.door.suppressed).toBeGreaterThan(100);
    expect(stage.reported).toEqual(Array.from({ length: 5 }, () => "main: command crash: boom"));
    await stage.expectUnharmed();
  });
});
