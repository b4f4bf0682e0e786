import { expect, it } from "vitest";
import { BudgetRun } from "./budget-run.ts";
import { HALF_BUDGET } from "./workload.ts";

it("sends half of what is asked for, loosens bounds for that, and counts who waits", () => {
  const run = new BudgetRun({ ...HALF_BUDGET, views: 6, objects: 400, side: 1000 });
  run.warmUp(5, { rounds: 20, blockMs: 10_000 });
  const before = run.short;
  run.block(0, { rounds: 100, blockMs: 10_000 });
  const sent = run.sends.reduce((sum, count) => sum + count, 0) / run.sends.length / 6;
  expect(run.budget).toBeGreaterThan(10);
  expect(sent / run.budget).toBeGreaterThan(0.9);
  expect(sent / run.budget).toBeLessThan(1.1);
  expect(run.outer).toBeGreaterThan(1.2);
  expect(run.short - before).toBeGreaterThan(1000);
});
