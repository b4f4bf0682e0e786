/** When probes are sent, and which answers count. */

import { describe, expect, it } from "vitest";
import { ClockSync } from "./clock-sync.ts";

function make(): { sync: ClockSync; clock: { nowMs: number } } {
  const clock = { nowMs: 500 };
  return { sync: new ClockSync(() => clock.nowMs, 1000), clock };
}

describe("probes", () => {
  it("come every 32 ms until the clock is known, then every second", () => {
    const { sync, clock } = make();
    const sent: number[] = [];
    for (; clock.nowMs < 6500; clock.nowMs += 8) {
      const stamp = sync.probe();
      if (stamp < 0) continue;
      sent.push(clock.nowMs);
      sync.answer(stamp, clock.nowMs + 4, clock.nowMs + 2 + 9000, 0);
      clock.nowMs += 8;
    }
    expect(sent[1]! - sent[0]!).toBe(32);
    expect(sent.at(-1)! - sent.at(-2)!).toBeGreaterThanOrEqual(1000);
    expect(sent.length).toBeLessThan(40);
    expect(Math.abs(sync.timeMs - clock.nowMs - 9000)).toBeLessThan(1);
    expect(sync.errorMs).toBeLessThan(4);
  });

  it("come seldom again where nobody answers", () => {
    const { sync, clock } = make();
    let sent = 0;
    for (; clock.nowMs < 60_500; clock.nowMs += 16) if (sync.probe() >= 0) sent += 1;
    expect(sent).toBeLessThan(64 + 62);
  });

  it("are never sent oftener than asked for", () => {
    const clock = { nowMs: 0 };
    const sync = new ClockSync(() => clock.nowMs, 10);
    let sent = 0;
    for (; clock.nowMs < 1000; clock.nowMs += 1) if (sync.probe() >= 0) sent += 1;
    expect(sent).toBeLessThan(102);
  });
});

describe("answers", () => {
  it("that were not asked for, come twice, or too late, are ignored", () => {
    const { sync, clock } = make();
    for (const stamp of [0, 7, 2 ** 32 - 1]) sync.answer(stamp, 510, 9000, 0);
    expect(sync.roundTripMs).toBe(-1);
    const stamp = sync.probe();
    clock.nowMs = 520;
    sync.answer(stamp, 520, 9510, 0);
    sync.answer(stamp, 9520, 1, 0);
    expect([sync.roundTripMs, Math.round(sync.timeMs)]).toEqual([20, 9520]);
    for (let i = 0; i < 70; i++) {
      clock.nowMs += 1000;
      sync.probe();
    }
    sync.answer(stamp + 1, clock.nowMs, 1, 0);
    expect(sync.roundTripMs).toBe(20);
  });

  it("whose times make no sense do not touch the round trip", () => {
    const { sync } = make();
    sync.answer(sync.probe(), 520, Number.NaN, 0);
    expect(sync.roundTripMs).toBe(-1);
  });

  it("begin with what the welcome said", () => {
    const { sync, clock } = make();
    sync.begin(7000);
    clock.nowMs += 100;
    expect([sync.timeMs, sync.errorMs]).toEqual([7100, Number.POSITIVE_INFINITY]);
  });
});
