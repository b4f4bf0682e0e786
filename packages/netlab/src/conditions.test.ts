import { describe, expect, it } from "vitest";
import { type Conditions, resolveConditions } from "./conditions.ts";
import { LabError } from "./lab-error.ts";

describe("resolveConditions", () => {
  it("is perfect by default", () => {
    expect(resolveConditions({})).toEqual({
      latencyMs: 0,
      jitterMs: 0,
      jitterShape: "uniform",
      loss: { p: 0, r: 1, k: 1, h: 0 },
      reorder: 0,
      reorderMs: 50,
      duplicate: 0,
      bandwidthBytesPerSecond: Number.POSITIVE_INFINITY,
      queueBytes: 65_536,
      mtuBytes: Number.POSITIVE_INFINITY,
      retransmitMs: 200,
      trace: undefined,
      traceStartMs: 0,
    });
  });

  it("turns share and length of bursts into the chain's chances", () => {
    expect(resolveConditions({ burst: { loss: 0.2, meanBurst: 4 } }).loss).toEqual({ p: 0.0625, r: 0.25, k: 1, h: 0 });
    expect(resolveConditions({ burst: { p: 0.1, r: 0.5 } }).loss).toEqual({ p: 0.1, r: 0.5, k: 1, h: 0 });
    const raw = { p: 0.1, r: 0.5, k: 0.99, h: 0.3 };
    expect(resolveConditions({ burst: raw }).loss).toEqual(raw);
  });

  it("takes jitter as a share of the latency", () => {
    expect(resolveConditions({ latencyMs: 80, jitterShare: 0.25 }).jitterMs).toBe(20);
  });

  it("waits two round trips and four jitters before it sends again, at least 200 ms", () => {
    expect(resolveConditions({ latencyMs: 10 }).retransmitMs).toBe(200);
    expect(resolveConditions({ latencyMs: 100, jitterMs: 10 }).retransmitMs).toBe(440);
    expect(resolveConditions({ latencyMs: 100, retransmitMs: 50 }).retransmitMs).toBe(50);
  });

  it.each<[Conditions, string]>([
    [{ latencyMs: -1 }, "latencyMs is -1"],
    [{ latencyMs: Number.NaN }, "latencyMs is NaN"],
    [{ jitterMs: -1 }, "jitterMs is -1"],
    [{ jitterShare: 2 }, "jitterShare is 2"],
    [{ jitterMs: 1, jitterShare: 0.1 }, "jitterMs and jitterShare are both given"],
    [{ loss: 1.1 }, "loss is 1.1"],
    [{ loss: 0.1, burst: { loss: 0.1, meanBurst: 2 } }, "loss and burst are both given"],
    [{ burst: { p: 2, r: 0 } }, "burst.p is 2"],
    [{ burst: { p: 0, r: 0, h: -1 } }, "burst.h is -1"],
    [{ burst: { loss: 0.1, meanBurst: 0.5 } }, "burst.meanBurst is 0.5"],
    [{ burst: { loss: 0.9, meanBurst: 2 } }, "a loss of 0.9 needs bursts of at least 9"],
    [{ burst: { loss: 1, meanBurst: 2 } }, "a loss of 1 needs bursts of at least Infinity"],
    [{ reorder: -0.1 }, "reorder is -0.1"],
    [{ duplicate: 7 }, "duplicate is 7"],
    [{ bandwidthBytesPerSecond: 0 }, "bandwidthBytesPerSecond is 0"],
    [{ mtuBytes: -5 }, "mtuBytes is -5"],
    [{ queueBytes: Number.POSITIVE_INFINITY }, "queueBytes is Infinity"],
    [{ retransmitMs: 0 }, "retransmitMs is 0"],
    [{ traceStartMs: -1 }, "traceStartMs is -1"],
  ])("refuses %j by name", (conditions, message) => {
    expect(() => resolveConditions(conditions)).toThrow(LabError);
    expect(() => resolveConditions(conditions)).toThrow(message);
  });
});
