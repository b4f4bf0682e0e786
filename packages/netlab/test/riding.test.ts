/**
 * Ripe pairs ride along in views with a byte budget, too, with bytes that no later round could use: over a session's life they cost no more wire
 * bytes than without, and no due pair waits because of them.
 */

import { type ViewSettings, zones } from "@nearfield/core";
import { object, Protocol, quantized } from "@nearfield/schema";
import { describe, expect, it } from "vitest";
import { Lab } from "../src/index.ts";
import { seeds } from "./seeds.ts";

const SIZE = 1000;
const Walker = object("walker", { x: quantized(0, SIZE, 0.1), y: quantized(0, SIZE, 0.1) }, { position: ["x", "y"] });
const protocol = new Protocol({ objects: [Walker] });
const view: ViewSettings = zones(Walker, { radii: [100, 400], bounds: [{ value: 4 }, { value: 20 }, { value: 60 }] });

interface Found {
  readonly packets: number;
  readonly wireBytes: number;
  readonly rode: number;
  readonly withheld: number;
  readonly decided: number;
}

/** Twelve walkers, each in a direction of its own, for a minute. */
function walk(seed: number, ripe: number, budget: number | undefined): Found {
  const lab = new Lab({
    protocol,
    view,
    roundMs: 50,
    frameMs: 25,
    seed,
    ripe,
    ...(budget !== undefined && { budget }),
  });
  const dice = lab.dice.fork("walkers");
  const walkers = Array.from({ length: 12 }, () => ({
    walker: lab.world.spawn(Walker, { x: dice.range(0, SIZE), y: dice.range(0, SIZE) }),
    dx: dice.range(-0.8, 0.8),
    dy: dice.range(-0.8, 0.8),
  }));
  lab.server.onRound(() => {
    for (const each of walkers) {
      const { walker } = each;
      if (dice.chance(0.01)) each.dx = dice.range(-0.8, 0.8);
      walker.x = Math.min(SIZE, Math.max(0, walker.x + each.dx));
      walker.y = Math.min(SIZE, Math.max(0, walker.y + each.dy));
    }
  });
  lab.server.onJoin((player) => player.setPivots([{ point: [500, 500] }]));
  lab.join("ann", { latencyMs: 20 });
  lab.run(60_000);
  const room = lab.server.main;
  const [player] = room.players.values();
  const { packetsOut, wireBytesOut, withheld } = player!.telemetry;
  const rode = room.telemetry.sends.at(-1)!;
  expect(room.audit.faults).toBe(0);
  return { packets: packetsOut, wireBytes: wireBytesOut, rode, withheld, decided: room.audit.decided };
}

describe.each(seeds(8401, 4))("seed %i", (seed) => {
  it("a budget that is ample lets ripe pairs ride, and saves packets", () => {
    const [free, ample, off] = [walk(seed, 0.5, undefined), walk(seed, 0.5, 20_000), walk(seed, 1, 20_000)];
    if (process.env["RIDING"] !== undefined) console.log(JSON.stringify({ seed, free, ample, off }));
    expect(ample.rode).toBeGreaterThan(0);
    expect(ample.packets).toBeLessThan(off.packets);
    expect(ample.wireBytes).toBeLessThan(off.wireBytes);
    expect(ample.withheld).toBe(0);
  });

  it("a budget that is short is not made shorter by them", () => {
    const [short, off] = [walk(seed, 0.5, 60), walk(seed, 1, 60)];
    if (process.env["RIDING"] !== undefined) console.log(JSON.stringify({ seed, short, off }));
    expect([short.withheld, short.decided]).toEqual([off.withheld, off.decided]);
    expect(short.wireBytes).toBeLessThanOrEqual(off.wireBytes);
  });
});
