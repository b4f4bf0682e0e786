/** The server's time between its rounds, however late they are. */

import { Protocol } from "@nearfield/schema";
import { describe, expect, it } from "vitest";
import { Host } from "./host.ts";
import { resolveOptions } from "./options.ts";

const given = { protocol: new Protocol({ objects: [] }), roundMs: 50, tokenSource: () => new Uint8Array(16) };
const view = { sets: [{ match: "everything", bounds: [{}] }], pivots: [] } as const;

function make(): { host: Host; clock: { nowMs: number }; roundAt: (ms: number) => number } {
  const clock = { nowMs: 1000 };
  const host = new Host(resolveOptions({ ...given, view, now: () => clock.nowMs }), () => {});
  const roundAt = (ms: number): number => {
    clock.nowMs = ms;
    host.beginRound();
    return host.timeMs;
  };
  return { host, clock, roundAt };
}

describe("the server's time", () => {
  it("is a round's nominal time, and goes on from there", () => {
    const { host, clock, roundAt } = make();
    expect(host.timeMs).toBe(0);
    clock.nowMs = 1020;
    expect(host.timeMs).toBe(20);
    expect([roundAt(1050), roundAt(1100)]).toEqual([50, 100]);
    clock.nowMs = 1130;
    expect(host.timeMs).toBe(130);
  });

  it("is not moved by rounds that are late", () => {
    const { roundAt } = make();
    expect([1050, 1107, 1150, 1249, 1250].map(roundAt)).toEqual([50, 107, 150, 249, 250]);
  });

  it("goes on where the last round ended when others were given up, and is right again after it", () => {
    const { roundAt, host, clock } = make();
    roundAt(1050);
    expect(roundAt(3017)).toBe(100);
    expect(roundAt(3050)).toBe(150);
    expect(roundAt(3100)).toBe(200);
    clock.nowMs = 3120;
    expect(host.timeMs).toBe(220);
  });

  it("stands still between rounds where there is no clock", () => {
    const host = new Host(resolveOptions({ ...given, view }), () => {});
    host.beginRound();
    expect([host.timeMs, host.roundNumber]).toEqual([50, 1]);
  });
});
