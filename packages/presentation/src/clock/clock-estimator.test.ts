/** The estimate from probes that are late, lost, wrong or told by clocks that jump. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ClockEstimator, type ClockSample } from "./clock-estimator.ts";

/** A probe over ways of these lengths; the server's clock is `offset` ahead and gains `drift` per ms. */
function probe(
  sentMs: number,
  upMs: number,
  downMs: number,
  clock = { offset: 5000, drift: 0 },
  heldMs = 0,
): ClockSample {
  const serverMs = (sentMs + upMs) * (1 + clock.drift) + clock.offset;
  return { sentMs, receivedMs: sentMs + upMs + heldMs + downMs, serverMs, heldMs };
}

function run(estimator: ClockEstimator, samples: readonly ClockSample[]): void {
  for (const sample of [...samples].sort((a, b) => a.receivedMs - b.receivedMs)) estimator.add(sample);
}

/** Delays of 100 ms ± 15 %, each way its own, the same every time. */
function jittered(count: number, everyMs = 50, clock = { offset: 5000, drift: 0 }): ClockSample[] {
  return Array.from({ length: count }, (_, i) =>
    probe(i * everyMs, 85 + ((i * 37) % 31), 85 + ((i * 53 + 7) % 31), clock),
  );
}

describe("on an even link", () => {
  it("knows nothing before the first probe", () => {
    const estimator = new ClockEstimator();
    expect([estimator.count, estimator.offsetAt(10), estimator.boundAt(10)]).toEqual([0, 0, Number.POSITIVE_INFINITY]);
  });

  it("one probe gives the offset, and a bound that is not small", () => {
    const estimator = new ClockEstimator();
    expect(estimator.add(probe(1000, 40, 40))).toBe("taken");
    expect(estimator.offsetAt(1080)).toBeCloseTo(5000, 6);
    expect(estimator.boundAt(1080)).toBeGreaterThan(5);
  });

  it("takes the server's processing time out", () => {
    const estimator = new ClockEstimator();
    for (let i = 0; i < 40; i++) estimator.add(probe(i * 100, 40, 40, undefined, i % 2 === 0 ? 0 : 3000 / (i + 1)));
    expect(estimator.offsetAt(4000)).toBeCloseTo(5000, 6);
    expect(estimator.shortestMs).toBeCloseTo(80, 6);
  });

  it("finds the drift, and tells the time on from there", () => {
    const clock = { offset: 5000, drift: 40 / 60_000 };
    const estimator = new ClockEstimator();
    run(estimator, jittered(400, 50, clock));
    expect(estimator.drift * 60_000).toBeGreaterThan(30);
    expect(estimator.drift * 60_000).toBeLessThan(50);
    expect(Math.abs(estimator.offsetAt(25_000) - (5000 + 25_000 * clock.drift))).toBeLessThan(3);
  });

  it("the bound shrinks with probes and grows with silence", () => {
    const estimator = new ClockEstimator();
    const bounds: number[] = [];
    for (const sample of jittered(300)) {
      estimator.add(sample);
      bounds.push(estimator.boundAt(sample.receivedMs));
    }
    expect(bounds.at(-1)).toBeLessThan(bounds[20]! / 2);
    expect(estimator.boundAt(60_000)).toBeGreaterThan(estimator.boundAt(16_000));
  });

  it("forgets what is older than five minutes", () => {
    const estimator = new ClockEstimator();
    run(estimator, jittered(100));
    estimator.add(probe(400_000, 90, 90));
    expect(estimator.count).toBe(1);
  });
});

describe("hostile samples", () => {
  it.each([
    ["negative processing time", { ...probe(9000, 40, 40), heldMs: -5 }],
    ["more processing time than there was", { ...probe(9000, 40, 40), heldMs: 81 }],
    ["an answer before the question", { ...probe(9000, 40, 40), receivedMs: 8999 }],
    ["no number for a time", { ...probe(9000, 40, 40), serverMs: Number.NaN }],
    ["an endless time", { ...probe(9000, 40, 40), serverMs: Number.POSITIVE_INFINITY }],
    ["an endless processing time", { ...probe(9000, 40, 40), heldMs: Number.POSITIVE_INFINITY }],
    ["no number for the processing time", { ...probe(9000, 40, 40), heldMs: Number.NaN }],
    ["a huge round trip", probe(9000, 9000, 9000)],
    ["a clock of this side that went back", probe(10, 1, 1)],
  ])("%s is refused and changes nothing", (_, sample) => {
    const estimator = new ClockEstimator();
    run(estimator, jittered(40));
    const before = [estimator.offsetAt(9000), estimator.boundAt(9000), estimator.count];
    expect(estimator.add(sample)).toBe("refused");
    expect([estimator.offsetAt(9000), estimator.boundAt(9000), estimator.count]).toEqual(before);
  });

  it("a server that lies in every third answer is not believed, however short the round trip", () => {
    const estimator = new ClockEstimator();
    run(
      estimator,
      jittered(120).map((sample, i) =>
        i % 3 === 1 ? { ...probe(sample.sentMs, 1, 1), serverMs: sample.serverMs + 7000 * (i % 5) } : sample,
      ),
    );
    expect(Math.abs(estimator.offsetAt(6000) - 5000)).toBeLessThan(5);
  });

  it("round trips of seconds among short ones do not matter", () => {
    const estimator = new ClockEstimator();
    run(
      estimator,
      jittered(120).map((sample, i) => (i % 4 === 0 ? probe(sample.sentMs, 100, 4000 + i) : sample)),
    );
    expect(Math.abs(estimator.offsetAt(10_000) - 5000)).toBeLessThan(5);
  });

  it.each([-700, 300, 3_600_000])("a server's clock that jumps by %i ms is followed after a few probes", (jumpMs) => {
    const estimator = new ClockEstimator();
    run(estimator, jittered(100));
    const fates: string[] = [];
    for (let i = 0; i < 30; i++) {
      fates.push(
        estimator.add(
          probe(6000 + i * 50, 85 + ((i * 37) % 31), 85 + ((i * 53) % 31), { offset: 5000 + jumpMs, drift: 0 }),
        ),
      );
    }
    expect(fates.indexOf("restarted")).toBeLessThan(9);
    expect(Math.abs(estimator.offsetAt(7700) - 5000 - jumpMs)).toBeLessThan(10);
  });

  it("whatever comes, the figures stay numbers", () => {
    const time = fc.oneof(fc.double(), fc.double({ min: -1e5, max: 1e5 }), fc.constant(0));
    const sample = fc.record({ sentMs: time, receivedMs: time, serverMs: time, heldMs: time });
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 40 }), (samples) => {
        const estimator = new ClockEstimator();
        for (const each of samples) {
          estimator.add(each);
          expect(estimator.offsetAt(each.receivedMs || 0)).not.toBeNaN();
          expect(estimator.boundAt(each.receivedMs || 0)).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });
});
