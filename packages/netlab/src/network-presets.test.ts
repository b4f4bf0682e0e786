import { zones } from "@nearfield/core";
import { object, Protocol, quantized } from "@nearfield/schema";
import { describe, expect, it } from "vitest";
import { ConditionedPipe } from "./conditioned-pipe.ts";
import { resolveConditions } from "./conditions.ts";
import { Dice } from "./dice.ts";
import { Lab } from "./lab.ts";
import { type NetworkPreset, networkPresets, replayed } from "./network-presets.ts";
import { parseNetworkTrace } from "./trace-conditions.ts";
import { VirtualClock } from "./virtual-clock.ts";

const all: readonly NetworkPreset[] = Object.values(networkPresets);

/** Sends packets of `bytes` every `everyMs` through one direction; returns the delays of those that came. */
function delays(preset: NetworkPreset, direction: "up" | "down", count: number, bytes: number, everyMs: number) {
  const clock = new VirtualClock();
  const pipe = new ConditionedPipe(clock, new Dice(`presets ${preset.name}`), preset[direction]);
  const came: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const sentMs = clock.nowMs;
    const deliver = () => void came.push(clock.nowMs - sentMs);
    pipe.push({ channel: "unsequenced", bytes: new Uint8Array(), frameBytes: bytes, deliver });
    clock.advance(everyMs);
  }
  clock.advance(100_000);
  return { came, counters: pipe.counters };
}

describe("networkPresets", () => {
  it("has the mobile networks of the study and those of today, each under its name", () => {
    expect(Object.keys(networkPresets)).toEqual(["gprsMobile", "gprs", "umts", "wired", "wifi", "lte", "satellite"]);
    for (const [name, preset] of Object.entries(networkPresets)) expect(preset.name).toBe(name);
    expect(new Set(all.map(({ title }) => title)).size).toBe(all.length);
  });

  it.each([
    ["gprsMobile", 18.5, 6.5, 916, 0.05, 0.15],
    ["gprs", 27.9, 6.5, 916, 0.05, 0.15],
    ["umts", 105, 48, 340, 0.01, 0.07],
  ] as const)("%s is the row of the study", (name, downKbits, upKbits, rttMs, loss, jitterShare) => {
    const { up, down, rttMs: ownRttMs } = networkPresets[name];
    expect(ownRttMs).toBe(rttMs);
    expect(up.latencyMs + down.latencyMs).toBe(rttMs);
    expect([(down.bandwidthBytesPerSecond * 8) / 1000, (up.bandwidthBytesPerSecond * 8) / 1000]).toEqual([
      downKbits,
      upKbits,
    ]);
    for (const direction of [up, down]) expect(direction).toMatchObject({ loss, jitterShare });
  });

  it.each(all)("$name behaves as it says, and holds no more than seconds of traffic", (preset) => {
    for (const direction of ["up", "down"] as const) {
      const { latencyMs, jitterMs, loss, queueBytes, bandwidthBytesPerSecond } = resolveConditions(preset[direction]);
      const { came, counters } = delays(preset, direction, 20_000, 10, 100);
      const serviceMs = 10_000 / bandwidthBytesPerSecond;
      const mean = came.reduce((sum, delay) => sum + delay, 0) / came.length;
      expect(Math.abs(mean - latencyMs - serviceMs)).toBeLessThan(0.03 * latencyMs);
      expect(Math.min(...came)).toBeGreaterThanOrEqual(latencyMs - jitterMs);
      expect(counters.tailDropped).toBe(0);
      expect((loss.p / (loss.p + loss.r)) * (1 - loss.h)).toBeCloseTo(preset.loss);
      expect(counters.lost / 20_000).toBeCloseTo(preset.loss, 2);
      expect(queueBytes / bandwidthBytesPerSecond).toBeLessThan(4);
    }
  });

  it("lets no more through a narrow network than it carries", () => {
    const { down } = networkPresets.gprsMobile;
    const { came, counters } = delays(networkPresets.gprsMobile, "down", 1000, 100, 20);
    expect(counters.tailDropped).toBeGreaterThan(400);
    expect(((came.length + counters.lost) * 100) / (20 + 2)).toBeLessThanOrEqual(down.bandwidthBytesPerSecond);
  });

  it("cannot be changed by a user for all others", () => {
    expect(() => Object.assign(networkPresets.umts.up, { latencyMs: 1 })).toThrow(TypeError);
    expect(() => Object.assign(networkPresets.umts, { rttMs: 1 })).toThrow(TypeError);
  });

  it("lets a game be played on each, the same by the same seed", () => {
    const place = quantized(0, 100, 0.1);
    const Ship = object("ship", { x: place, y: place }, { position: ["x", "y"] });
    const view = zones(Ship, { radii: [50], bounds: [{ time: 0 }, { time: 500 }] });
    const trace = parseNetworkTrace("t_ms,rtt_ms,loss,bw_mbps\n0,30,0,5\n700,90,0.1,0\n1000,60,0.02,1");
    const play = (): string[] => {
      const sent: string[] = [];
      const lab = new Lab({
        ...{ protocol: new Protocol({ objects: [Ship] }), view, roundMs: 50, seed: 4 },
        onPacket: ({ atMs, client, direction, bytes }) => sent.push(`${atMs} ${client} ${direction} ${bytes.join()}`),
      });
      lab.server.onJoin((player) => player.pivotOn(lab.world.spawn(Ship, { x: 50, y: 50 }, { owner: player.id })));
      lab.server.onRound((world) => {
        for (const ship of world.all(Ship)) ship.x = (ship.x + 0.5) % 100;
      });
      for (const preset of all) lab.join(preset.name, preset);
      lab.join("recorded", replayed(networkPresets.lte, trace, 300));
      lab.until(() => lab.clients.every(({ world }) => world.count === all.length + 1), 60_000);
      lab.run(2000);
      expect(lab.server.main.audit.faults).toBe(0);
      return sent;
    };
    expect(play()).toEqual(play());
  });
});
