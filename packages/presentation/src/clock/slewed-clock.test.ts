/** The shown clock: it follows, and never goes back. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ClockEstimator } from "./clock-estimator.ts";
import { SlewedClock } from "./slewed-clock.ts";

/** An exact probe at this moment, for a server's clock that is `offset` ahead. */
function tell(estimator: ClockEstimator, localMs: number, offset: number): void {
  estimator.add({ sentMs: localMs - 20, receivedMs: localMs, serverMs: localMs - 10 + offset, heldMs: 0 });
}

function synced(offset: number): { estimator: ClockEstimator; clock: SlewedClock } {
  const estimator = new ClockEstimator();
  const clock = new SlewedClock(estimator);
  for (let i = 0; i <= 20; i++) tell(estimator, i * 50, offset);
  return { estimator, clock };
}

describe("a slewed clock", () => {
  it("has no time before anything is known", () => {
    const clock = new SlewedClock(new ClockEstimator());
    expect([clock.timeAt(5), clock.boundAt(5)]).toEqual([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);
  });

  it("begins with what the server said, and runs on", () => {
    const clock = new SlewedClock(new ClockEstimator());
    clock.begin(100, 5000);
    expect([clock.timeAt(100), clock.timeAt(350)]).toEqual([5000, 5250]);
  });

  it("takes the first estimate as it is", () => {
    expect(synced(700).clock.timeAt(1000)).toBeCloseTo(1700, 6);
  });

  it("steps forward to the first estimate, from what it began with", () => {
    const estimator = new ClockEstimator();
    const clock = new SlewedClock(estimator);
    clock.begin(0, 500);
    expect(clock.timeAt(10)).toBe(510);
    tell(estimator, 30, 650);
    expect(clock.timeAt(30)).toBeCloseTo(680, 6);
    const early = new SlewedClock(estimator);
    early.begin(0, 900);
    expect(early.timeAt(40)).toBeCloseTo(936, 6);
  });

  it("makes a small correction by running a tenth faster or slower", () => {
    for (const by of [20, -20]) {
      const { estimator, clock } = synced(700);
      clock.timeAt(1000);
      for (let i = 0; i < 8; i++) tell(estimator, 1000 + i, 700 + by);
      const before = clock.timeAt(1010);
      const speed = (clock.timeAt(1110) - before) / 100;
      expect(speed).toBeCloseTo(by > 0 ? 1.1 : 0.9, 2);
      expect(clock.timeAt(1500)).toBeCloseTo(2200 + by, 0);
    }
  });

  it("steps forward over a long way, and waits a long way back", () => {
    const ahead = synced(700);
    ahead.clock.timeAt(1000);
    for (let i = 0; i < 8; i++) tell(ahead.estimator, 1001 + i, 9000);
    expect(ahead.clock.timeAt(1010)).toBeCloseTo(10_010, 0);
    const behind = synced(9000);
    behind.clock.timeAt(1000);
    for (let i = 0; i < 8; i++) tell(behind.estimator, 1001 + i, 8000);
    expect(behind.clock.timeAt(1100)).toBeGreaterThan(10_000);
    expect(behind.clock.timeAt(1100)).toBeLessThan(10_060);
    for (let i = 0; i < 100; i++) behind.clock.timeAt(1100 + i * 50);
    expect(behind.clock.timeAt(6100)).toBeCloseTo(14_100, 0);
  });

  it("never goes back, whatever the probes say and whenever it is asked", () => {
    const ask = fc.record({
      stepMs: fc.integer({ min: -20, max: 400 }),
      offset: fc.integer({ min: -2000, max: 2000 }),
    });
    fc.assert(
      fc.property(fc.array(ask, { maxLength: 60 }), (asks) => {
        const estimator = new ClockEstimator();
        const clock = new SlewedClock(estimator);
        let [localMs, last] = [1000, Number.NEGATIVE_INFINITY];
        for (const { stepMs, offset } of asks) {
          localMs += stepMs;
          tell(estimator, localMs, offset);
          const time = clock.timeAt(localMs);
          expect(time).toBeGreaterThanOrEqual(last);
          last = time;
        }
      }),
    );
  });
});
