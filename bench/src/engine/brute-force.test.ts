import { Engine, ReferenceEngine } from "@nearfield/core/internal";
import { describe, expect, it } from "vitest";
import { BruteForce, squareOfAtLeast, squareOfAtMost } from "./brute-force.ts";
import { requireSame } from "./same-decisions.ts";
import { PLANS, ROUND_MS, Workload, type WorkloadPlan } from "./workload.ts";

const small = (plan: WorkloadPlan): WorkloadPlan => ({
  ...plan,
  views: 8,
  objects: 60,
  side: plan.crowdRadius === undefined ? 1200 : plan.side,
});

describe("brute force", () => {
  it.each(Object.values(PLANS))("decides as engine and oracle do: $name", (plan) => {
    const workload = new Workload(small(plan));
    const models = [Engine, ReferenceEngine].map((Model) => new Model(workload.world, { roundMs: ROUND_MS }));
    const { pivots } = workload;
    for (const model of models) {
      for (const pivot of pivots) model.addView(workload.viewOn(pivot), { assumeDelivered: true });
    }
    const bruteForce = new BruteForce(workload.world, workload.plan, pivots);
    let decided = 0;
    for (let round = 1; round <= 150; round++) {
      workload.step();
      bruteForce.round(round, pivots.length);
      for (const model of models) model.round(round);
      for (const [view] of pivots.entries()) {
        for (const model of models) requireSame(model.decisions(view), bruteForce.decisions.of(view), `round ${round}`);
        decided += bruteForce.decisions.of(view).count;
      }
    }
    expect(decided).toBeGreaterThan(500);
  });

  it("compares squares exactly as roots are compared", () => {
    for (const radius of [120, 200, 500, 550.0000000000001, 0.1, 1 / 3, 1e-9, 12345.678]) {
      const most = squareOfAtMost(radius);
      expect(Math.sqrt(most)).toBeLessThanOrEqual(radius);
      expect(Math.sqrt(most * (1 + Number.EPSILON))).toBeGreaterThan(radius);
      const least = squareOfAtLeast(radius);
      expect(Math.sqrt(least)).toBeGreaterThanOrEqual(radius);
      expect(Math.sqrt(least * (1 - Number.EPSILON))).toBeLessThan(radius);
    }
    expect(squareOfAtMost(Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY);
    expect(squareOfAtLeast(0)).toBe(0);
  });
});
