/**
 * The server's time as clients know it, over links of every length: from 10 s after joining, 99 in 100 looks are right to 5 ms, while each
 * clock goes its own way. And what else may be asked of a clock: it never goes back, and its bound holds.
 */

import { describe, expect, it } from "vitest";
import { Lab, type LabClient } from "../src/index.ts";
import type { LabOptions } from "../src/internal/index.ts";
import { protocol, view } from "./scenario.ts";
import { nightly, seeds } from "./seeds.ts";

/** 40 ms in a minute. */
const DRIFT = 40 / 60_000;
const SETTLED_MS = 10_000;

interface Looks {
  readonly errors: number[];
  /** Looks whose error was beyond the bound that the clock gave. */
  beyond: number;
  /** Looks at which the clock had gone back. */
  backward: number;
}

/** Looks at the clocks of clients that join within a second, each with a drift of its own, until `ms` have passed. */
function look(seed: number, roundTripMs: number, clients: number, ms: number, times: LabOptions["times"] = {}): Looks {
  const lab = new Lab({ protocol, view, roundMs: 50, seed, times });
  const looks: Looks = { errors: [], beyond: 0, backward: 0 };
  const last = new Map<LabClient, number>();
  for (let i = 0; i < clients; i++) {
    const drift = DRIFT * (i % 2 === 0 ? 1 : -1);
    const client = lab.join(
      `c${i}`,
      { latencyMs: roundTripMs / 2, jitterShare: 0.15, loss: 0.05 },
      { clock: (virtualMs) => 123_456 * (i + 1) + virtualMs * (1 + drift) },
    );
    lab.run(37);
    const joinedMs = lab.clock.nowMs;
    lab.clock.every(113, () => {
      const { timeMs, errorMs } = client.client.clock;
      if (timeMs < (last.get(client) ?? Number.NEGATIVE_INFINITY)) looks.backward += 1;
      last.set(client, timeMs);
      if (lab.clock.nowMs - joinedMs < SETTLED_MS) return;
      const error = Math.abs(timeMs - lab.server.timeMs);
      looks.errors.push(error);
      if (error > errorMs) looks.beyond += 1;
    });
  }
  lab.run(ms);
  return looks;
}

function percentile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * share)]!;
}

describe("from 10 s after joining, at ± 15 % jitter, 5 % loss and a drift of 40 ms per minute", () => {
  it.each([0, 20, 50, 100, 200, 300, 400])("round trip %i ms: p99 of the error is within 5 ms", (roundTripMs) => {
    const all = seeds(6001, 6).map((seed) => look(seed, roundTripMs, 6, 40_000));
    const errors = all.flatMap((each) => each.errors);
    const beyond = all.reduce((sum, each) => sum + each.beyond, 0);
    expect(errors.length).toBeGreaterThan(8000);
    expect(percentile(errors, 0.99)).toBeLessThan(5);
    expect(beyond / errors.length).toBeLessThan(0.01);
    expect(all.map(({ backward }) => backward)).toEqual(all.map(() => 0));
  });

  it.each([200, 400])(
    "round trip %i ms, a packet in every round: answers wait behind packets, and the bound holds",
    (roundTripMs) => {
      // Packets keep their order, so answers take longer than probes: the mean of the probes leans by 2 ms at 400.
      const all = seeds(6051, 6).map((seed) => look(seed, roundTripMs, 6, 40_000, { heartbeatMs: 50 }));
      const errors = all.flatMap((each) => each.errors);
      const beyond = all.reduce((sum, each) => sum + each.beyond, 0);
      expect(percentile(errors, 0.99)).toBeLessThan(6);
      expect(beyond / errors.length).toBeLessThan(0.01);
    },
  );

  it("stays so for minutes", () => {
    const { errors, beyond } = look(6101, 400, 2, nightly(180_000));
    expect(percentile(errors, 0.99)).toBeLessThan(5);
    expect(beyond / errors.length).toBeLessThan(0.01);
  });
});

describe("other things that happen", () => {
  it("a link that breaks leaves the clock running, and right again after it is back", () => {
    // What 15 s teach of the drift carries the clock through 20 s without a word: 9 in 10 are right to 5 ms.
    const apart: number[] = [];
    const again: number[] = [];
    for (const seed of seeds(6201, 20)) {
      const lab = new Lab({ protocol, view, roundMs: 50, seed });
      const ann = lab.join("ann", { latencyMs: 50, jitterShare: 0.15 }, { clock: (ms) => ms * (1 + DRIFT) });
      const { client } = ann;
      lab.run(15_000);
      ann.setReachable(false);
      ann.breakLink();
      lab.run(20_000);
      expect(client.state).not.toBe("active");
      apart.push(Math.abs(client.clock.timeMs - lab.server.timeMs));
      ann.setReachable(true);
      lab.run(10_000);
      expect(client.state).toBe("active");
      again.push(Math.abs(client.clock.timeMs - lab.server.timeMs));
    }
    expect(Math.max(...again)).toBeLessThan(4);
    expect(again.filter((ms) => ms < 2).length).toBeGreaterThan(again.length * 0.9);
    expect(Math.max(...apart)).toBeLessThan(10);
    expect(apart.filter((ms) => ms < 5).length).toBeGreaterThan(apart.length * 0.8);
  });

  it("a client's clock that leaps forward, as after a sleep, is found out", () => {
    const lab = new Lab({ protocol, view, roundMs: 50, seed: 6202 });
    const clock = (ms: number): number => (ms < 20_000 ? ms : ms + 3000);
    const { client } = lab.join("ann", { latencyMs: 40, jitterShare: 0.15 }, { clock });
    lab.run(45_000);
    expect(Math.abs(client.clock.timeMs - lab.server.timeMs)).toBeLessThan(5);
  });

  it("asks often at first, then seldom", () => {
    const pings: number[] = [];
    const lab = new Lab({
      protocol,
      view,
      roundMs: 50,
      seed: 6203,
      onPacket: ({ direction, bytes, atMs }) => {
        if (direction === "up" && (bytes[0]! & 31) === 3) pings.push(atMs);
      },
    });
    lab.join("ann", { latencyMs: 30, jitterShare: 0.15 });
    lab.run(60_000);
    expect(pings.filter((atMs) => atMs < 10_000).length).toBeGreaterThan(15);
    expect(pings.filter((atMs) => atMs > 30_000).length).toBeLessThan(40);
  });

  it("before it has joined a client has no time, and no bound", () => {
    const lab = new Lab({ protocol, view, roundMs: 50, seed: 6204 });
    const { client } = lab.join("ann", { latencyMs: 40 });
    expect([client.clock.timeMs, client.clock.errorMs]).toEqual([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);
  });
});
