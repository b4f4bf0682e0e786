import { Engine, ReferenceEngine } from "@nearfield/core/internal";
import { describe, expect, it } from "vitest";
import { requireSame } from "./same-decisions.ts";
import { PLANS, ROUND_MS, VARIANTS, Workload, type WorkloadPlan } from "./workload.ts";

const small = (plan: WorkloadPlan): WorkloadPlan => ({ ...plan, views: 8, objects: 80, side: 1200 });

describe("variants of A", () => {
  it.each(Object.values(VARIANTS))("engine and oracle decide alike: $name", (plan) => {
    const workload = new Workload(small(plan));
    const { pivots } = workload;
    const [engine, oracle] = [Engine, ReferenceEngine].map((Model) => {
      const model = new Model(workload.world, { roundMs: ROUND_MS, ...workload.visibility });
      for (const pivot of pivots) model.addView(workload.viewOn(pivot), { assumeDelivered: true });
      return model;
    }) as [Engine, ReferenceEngine];
    const causes = new Set<number>();
    let decided = 0;
    for (let round = 1; round <= 150; round++) {
      workload.step();
      for (const model of [engine, oracle]) model.round(round);
      for (const view of pivots.keys()) {
        requireSame(engine.decisions(view), oracle.decisions(view), `${plan.name}, round ${round}, view ${view}`);
        const { count, causes: column } = oracle.decisions(view);
        for (const cause of column.subarray(0, count)) causes.add(cause);
        decided += count;
      }
    }
    expect(decided).toBeGreaterThan(500);
    expect(causes.size).toBeGreaterThan(2);
  });

  it("everybody moves as in A", () => {
    const [a, ...others] = [PLANS.A, ...Object.values(VARIANTS)].map((plan) => new Workload(small(plan)));
    for (let round = 1; round <= 20; round++) {
      for (const workload of [a!, ...others]) workload.step();
    }
    for (const { world } of others) {
      expect(world.x).toEqual(a!.world.x);
      expect(world.y).toEqual(a!.world.y);
    }
  });

  it("pivots with sectors turn in every round, and no other object does", () => {
    const { world, step, plan } = fresh(VARIANTS.sectors);
    const headings = (): number[] =>
      Array.from(
        { length: plan.objects },
        (_, slot) => (world.store.entityAt(slot) as unknown as { heading: number }).heading,
      );
    const before = headings();
    step();
    const turned = headings().map((heading, slot) => heading !== before[slot]);
    expect(turned).toEqual(before.map((_, slot) => slot < plan.views));
  });

  it("velocities are what was covered in the last round, to a tenth", () => {
    const { world, step } = fresh(VARIANTS.predicted);
    step();
    const [beforeX, beforeY] = [world.x.slice(), world.y.slice()];
    step();
    for (let slot = 0; slot < 80; slot++) {
      expect(Math.abs(world.velX[slot]! - (world.x[slot]! - beforeX[slot]!) * 20)).toBeLessThan(0.06);
      expect(Math.abs(world.velY[slot]! - (world.y[slot]! - beforeY[slot]!) * 20)).toBeLessThan(0.06);
    }
  });
});

function fresh(plan: WorkloadPlan) {
  const workload = new Workload(small(plan));
  return { world: workload.world, plan: workload.plan, step: () => workload.step() };
}
