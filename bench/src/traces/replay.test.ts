import { linear } from "@nearfield/presentation";
import { describe, expect, it } from "vitest";
import { downBytes, emptyPacketBytes } from "../wire/packet-tally.ts";
import { type PlayOptions, playTrace, WAYS } from "./play-trace.ts";
import { Kind, type Trace } from "./trace.ts";
import { type Row, Track } from "./track.ts";

const SECONDS = 8;

/** One walks past another who stands, and a third creeps by less than a step of the wire at a time; a fourth rides far away, dies, and comes back elsewhere; a shot flies by. */
function smallTrace(): Trace {
  const rows = (make: (s: number) => Partial<Row>): Row[] =>
    Array.from({ length: 4 * SECONDS + 1 }, (_, quarter) => ({
      ms: quarter * 250,
      x: 0,
      y: 0,
      z: 0,
      heading: 0,
      kind: Kind.player,
      carrier: "",
      ...make(quarter / 4),
    }));
  return {
    name: "small",
    tracks: [
      new Track("stands", rows(() => ({})).slice(0, 1)),
      new Track(
        "walks",
        rows((s) => ({ x: 5 * s, y: 3 })),
      ),
      new Track(
        "creeps",
        rows((s) => ({ x: 20 + (s < 2 ? -6 * s : 0.15 * s - 12.3), y: 8 })),
      ),
      new Track(
        "rides",
        rows((s) => ({ x: s < 5 ? 200 + 20 * s : 100, kind: s >= 4 && s < 5 ? Kind.dead : Kind.rider })),
      ),
      new Track("shot", rows((s) => ({ x: 30 * s, y: 10, kind: Kind.projectile })).slice(4, 9)),
    ],
    dimensions: 3,
    hasHeading: true,
    hasRiders: false,
    spacingMs: 250,
    durationMs: SECONDS * 1000,
    lowest: [0, 0, 0],
    highest: [300, 10, 0],
  };
}

const OPTIONS: Omit<PlayOptions, "way"> = {
  riders: "own",
  fromMs: 0,
  roundMs: 50,
  radii: [50, 150],
  values: [1, 4, 10],
  ripe: 1,
  aura: 150,
  model: linear,
};

describe("playTrace", () => {
  it.each(WAYS)("keeps its promise under %s", (way) => {
    const played = playTrace(smallTrace(), { ...OPTIONS, way });
    expect(played).toMatchObject({ rounds: 160, clients: 4, clientSeconds: 4 * SECONDS, audited: 0, violations: 0 });
    expect(played.seenShare === 1).toBe(way !== "aura");
  });

  it("costs less the looser it is, and errs no more than it may", () => {
    const [held, aura, all] = (["displacement", "aura", "broadcast"] as const).map((way) =>
      playTrace(smallTrace(), { ...OPTIONS, way }),
    );
    expect(held!.bytes).toBeLessThan(aura!.bytes);
    expect(aura!.bytes).toBeLessThan(all!.bytes);
    expect(aura!.updates).toBeLessThan(all!.updates);
    held!.errors.forEach((tally, zone) => {
      expect(tally.largest).toBeGreaterThan(0);
      expect(tally.largest).toBeLessThan(OPTIONS.values[zone]!);
    });
    for (const { largest } of all!.errors) expect(largest).toBeLessThan(0.02);
  });

  it("needs fewer updates where what moves goes straight on", () => {
    const [held, carried] = (["displacement", "predicted"] as const).map((way) =>
      playTrace(smallTrace(), { ...OPTIONS, way }),
    );
    expect(carried!.updates).toBeLessThan(held!.updates / 3);
    carried!.errors.forEach((tally, zone) => {
      expect(tally.largest).toBeLessThan(OPTIONS.values[zone]!);
    });
  });

  it("begins where it is told to, and lets in who is dead then when he comes back", () => {
    const played = playTrace(smallTrace(), { ...OPTIONS, way: "predicted", fromMs: 4200 });
    expect(played).toMatchObject({ rounds: 76, clients: 4, audited: 0, violations: 0 });
    expect(played.clientSeconds).toBeCloseTo(3 * 3.8 + 3.05, 9);
  });

  it("sends a packet where something is due, and a heartbeat where nothing was for a second", () => {
    const [held, carried, all] = (["displacement", "predicted", "broadcast"] as const).map((way) =>
      playTrace(smallTrace(), { ...OPTIONS, way }),
    );
    expect(carried!.packets).toBeLessThan(held!.packets);
    expect(held!.packets).toBeLessThan(all!.packets);
    expect(carried!.packets).toBeGreaterThanOrEqual(4 * (SECONDS - 1));
    for (const { packets, bytes, wireBytes, everyRoundBytes, rounds, ownUpdates, updates } of [held!, carried!, all!]) {
      // 93 bytes of headers, one of ours, and up to 3 to fill up.
      expect(wireBytes - bytes).toBeGreaterThanOrEqual(94 * packets);
      expect(wireBytes - bytes).toBeLessThanOrEqual(97 * packets);
      const idle = 4 * rounds - packets;
      expect((everyRoundBytes - wireBytes) / Math.max(1, idle)).toBe(idle === 0 ? 0 : downBytes(emptyPacketBytes()));
      expect(ownUpdates).toBeGreaterThan(0);
      expect(ownUpdates).toBeLessThan(updates / 2);
    }
  });

  it("repeats", () => {
    const [first, second] = [0, 1].map(() => playTrace(smallTrace(), { ...OPTIONS, way: "displacement" }));
    expect(second).toEqual(first);
  });
});
