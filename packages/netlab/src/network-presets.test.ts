import { describe, expect, it } from "vitest";
import { ConditionedPipe } from "./conditioned-pipe.ts";
import { resolveConditions } from "./conditions.ts";
import { Dice } from "./dice.ts";
import { type NetworkPreset, networkPresets } from "./network-presets.ts";
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
      expect(counters.lost / 20_000).toBeCloseTo((loss.p / (loss.p + loss.r)) * (1 - loss.h), 2);
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
});
