/** What a client's work counts as: the larger of its estimate and its measured time, but at most a hundred times the estimate. */

import { Protocol } from "@nearfield/schema";
import { describe, expect, it } from "vitest";
import { Host } from "../host.ts";
import { resolveOptions, type ServerOptions } from "../options.ts";
import { TimeBudget } from "./time-budget.ts";

const options: ServerOptions = {
  protocol: new Protocol({ objects: [] }),
  roundMs: 50,
  tokenSource: () => new Uint8Array(16),
  view: { sets: [{ match: "everything", bounds: [{}] }], pivots: [] },
};

/** 50 ms a second, 250 at once. */
function make() {
  const clock = { nowMs: 0 };
  const host = new Host(resolveOptions({ ...options, now: () => clock.nowMs }), () => {});
  const budget = new TimeBudget(host);
  return {
    budget,
    /** A piece of work that takes as long as it takes by the clock. */
    work(estimateMs: number, tookMs: number): void {
      budget.begin();
      clock.nowMs += tookMs;
      budget.end(estimateMs);
    },
    pass(ms: number): void {
      clock.nowMs += ms;
      host.beginRound();
    },
  };
}

const costly = expect.objectContaining({ code: "costly" });

describe("work", () => {
  it("counts as what it took, where that is more than its estimate", () => {
    const { budget, work } = make();
    for (let i = 0; i < 25; i++) work(1, 10);
    expect(budget.spentMs).toBe(250);
    expect(() => work(1, 10)).toThrow(costly);
  });

  it("counts as its estimate, where it took less", () => {
    const { budget, work } = make();
    for (let i = 0; i < 25; i++) work(10, 1);
    expect(budget.spentMs).toBe(250);
    expect(() => work(10, 1)).toThrow(costly);
  });

  it("counts as a hundred times its estimate at most", () => {
    const { budget, work } = make();
    for (let i = 0; i < 100; i++) work(0.01, 5000);
    expect(budget.spentMs).toBeCloseTo(100, 6);
  });

  it("is forgiven with time, as much as was there at first", () => {
    const { work, pass } = make();
    for (let i = 0; i < 200; i++) {
      work(40, 0);
      pass(800);
    }
    for (let i = 0; i < 10; i++) pass(1000);
    work(250, 0);
    expect(() => work(1, 0)).toThrow(costly);
  });
});
