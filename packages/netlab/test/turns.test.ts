/**
 * When time runs short: a server whose rounds cost more than they may, by a processor clock of the test's own. Clients take turns, outer bounds are
 * loosened, all of it is told and counted, and it ends when there is time again.
 */

import { viewOf } from "@nearfield/client/views";
import { zones } from "@nearfield/core";
import { event, object, Protocol, quantized, uint } from "@nearfield/schema";
import { toAll } from "@nearfield/server";
import { describe, expect, it } from "vitest";
import { Lab, type LabClient } from "../src/index.ts";

const ROUND_MS = 50;
const CLIENTS = 12;
const axis = quantized(0, 1000, 0.1);
const Walker = object("walker", { x: axis, y: axis }, { position: ["x", "y"] });
const Bang = event("bang", { loudness: uint(8) });
const protocol = new Protocol({ objects: [Walker], events: [Bang] });
const view = zones(Walker, { radii: [100], bounds: [{ time: 0 }, { time: 500, value: 20 }] });

/** A crowd of walkers, and a processor that works for some time for each client that is served. */
class BusyLab {
  readonly lab: Lab;
  readonly clients: LabClient[];
  msPerClient = 0;
  /** By player: the longest time between two rounds that served it, in rounds. */
  readonly gaps = new Map<number, number>();
  readonly #served = new Map<number, number>();
  #workedMs = 0;
  #viewRounds = 0;

  constructor(budget = Number.POSITIVE_INFINITY) {
    this.lab = new Lab({ protocol, view, roundMs: ROUND_MS, processorMs: () => this.#processorMs(), budget });
    const { server } = this.lab;
    const walkers = Array.from({ length: 60 }, (_, i) =>
      server.world.spawn(Walker, { x: (i * 137) % 1000, y: (i * 71) % 1000 }),
    );
    server.onJoin((player) => player.pivotOn(walkers[player.id % walkers.length]!));
    server.onRound(() => {
      for (const walker of walkers) walker.x = (walker.x + 3) % 1000;
    });
    this.clients = Array.from({ length: CLIENTS }, (_, i) => this.lab.join(`c${i}`, { latencyMs: 20 }));
    this.lab.run(1000);
  }

  /** Read at the beginning of a round and at its end; then the views that it served have been counted. */
  #processorMs(): number {
    const { viewRounds } = this.lab?.server.main.telemetry ?? { viewRounds: 0 };
    this.#workedMs += (viewRounds - this.#viewRounds) * this.msPerClient;
    this.#viewRounds = viewRounds;
    return this.#workedMs;
  }

  /** Rounds, of which it notes who was served when. */
  play(rounds: number): void {
    for (let i = 0; i < rounds; i++) {
      const before = new Map([...this.players].map(({ id, telemetry }) => [id, telemetry.roundsOut]));
      this.lab.step();
      for (const { id, telemetry } of this.players) {
        if (telemetry.roundsOut !== before.get(id)) continue;
        const round = this.lab.server.roundNumber;
        this.gaps.set(id, Math.max(this.gaps.get(id) ?? 0, round - (this.#served.get(id) ?? round)));
        this.#served.set(id, round);
      }
    }
  }

  get players(): LabPlayers {
    return this.lab.server.main.players.values();
  }

  get decided(): number {
    return this.lab.server.main.audit.decided;
  }
}

type LabPlayers = ReturnType<Lab["server"]["main"]["players"]["values"]>;

describe("time that does not suffice", () => {
  it("is shared evenly, and the round holds", () => {
    const busy = new BusyLab();
    // All twelve together take 96 ms, of 30.
    busy.msPerClient = 8;
    busy.play(400);
    const { telemetry, audit } = busy.lab.server.main;
    expect(telemetry.every).toBeGreaterThan(3);
    expect(CLIENTS / telemetry.every).toBeLessThan(30 / 8 + 1);
    const out = [...busy.players].map((player) => player.telemetry.roundsOut);
    expect(Math.max(...out) - Math.min(...out)).toBeLessThanOrEqual(8);
    expect(Math.max(...busy.gaps.values())).toBeLessThanOrEqual(8);
    expect(audit.faults).toBe(0);
    expect(audit.outViewRounds).toBe(out.reduce((sum, rounds) => sum + rounds, 0));
  });

  it("is told to clients, counted, and forgotten when there is time again", () => {
    const busy = new BusyLab();
    expect(busy.decided).toBe(0);
    busy.msPerClient = 8;
    busy.play(400);
    const { every } = busy.lab.server.main.telemetry;
    for (const { client } of busy.clients)
      expect(viewOf(client)!.loosened).toEqual({ outer: 8, inner: 1, every: Math.ceil(every) });
    expect(busy.decided).toBeGreaterThan(0);
    busy.msPerClient = 0.1;
    busy.play(1000);
    for (const { client } of busy.clients) expect(viewOf(client)!.loosened).toEqual({ outer: 1, inner: 1, every: 1 });
    const { decided } = busy;
    busy.play(200);
    expect(busy.decided).toBe(decided);
    expect(busy.lab.server.main.audit.faults).toBe(0);
  });

  it("leaves a byte budget what it is worth by time, not by turns", () => {
    const budget = 100;
    const busy = new BusyLab(budget);
    busy.msPerClient = 40;
    busy.play(400);
    expect(busy.lab.server.main.telemetry.every).toBe(8);
    const sent = (): number => [...busy.players].reduce((sum, { telemetry }) => sum + telemetry.bytesOut, 0);
    const before = sent();
    busy.play(400);
    const perSecond = (sent() - before) / CLIENTS / ((400 * ROUND_MS) / 1000);
    expect(perSecond).toBeLessThanOrEqual(1.05 * budget);
    expect(perSecond).toBeGreaterThan(0.7 * budget);
  });

  it("does not keep events waiting", () => {
    const busy = new BusyLab();
    busy.msPerClient = 40;
    busy.play(400);
    const heard: number[] = [];
    busy.clients[0]!.client.onEvent(Bang, ({ loudness }) => heard.push(loudness));
    for (let loudness = 1; loudness <= 16; loudness++) {
      busy.lab.server.emit(Bang, { loudness }, toAll(), { unreliable: true });
      busy.play(1);
    }
    busy.play(1);
    expect(heard).toEqual(Array.from({ length: 16 }, (_, i) => i + 1));
  });
});
