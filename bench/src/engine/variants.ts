/**
 * What sectors that turn, other metrics and clocks, square zones, several pivots, groups and budgets cost: the engine on these variants of A beside the
 * engine on A, in turns block by block. Brute force does not judge them; that they are decided as the oracle decides is a test (`workload.test.ts`).
 */

import { BLOCKS, type BlockTimes, type Pace } from "../pace.ts";
import { mean } from "../statistics.ts";
import { BudgetRun } from "./budget-run.ts";
import { EngineRun } from "./engine-run.ts";
import { HALF_BUDGET, PLANS, VARIANTS, type WorkloadPlan } from "./workload.ts";

export interface VariantOptions {
  /** Which ones. */
  readonly names: readonly string[];
  readonly pace: Pace;
  readonly joinRounds: number;
  readonly settle: Pace;
  readonly progress: (line: string) => void;
}

export interface VariantResult {
  readonly plan: WorkloadPlan;
  readonly times: BlockTimes;
  /** How many times as long as A a round takes; with budgets: as a quarter of A. */
  readonly ratioToA: number;
  readonly pairsTracked: number;
  /** Per round. */
  readonly checks: number;
  readonly sends: number;
}

/** A itself stands first. */
export function measureVariants({ names, pace, joinRounds, settle, progress }: VariantOptions): VariantResult[] {
  const wanted = Object.values(VARIANTS).filter(({ name }) => names.includes(name));
  const engines = [PLANS.A, ...wanted].map((plan) => new EngineRun(plan));
  const budgeted = names.includes(HALF_BUDGET.name) ? withBudget() : undefined;
  const runs = [...engines, ...(budgeted === undefined ? [] : [budgeted.quarter, budgeted.budget])];
  for (const run of runs) {
    progress(`${run.plan.name}: ${run.plan.about}`);
    run.warmUp(joinRounds, settle);
  }
  progress("variants: warm");
  for (let block = 0; block < BLOCKS; block++) {
    for (const run of runs) run.block(block, pace);
  }
  return runs.map(({ plan, times, pairsTracked, checks, sends }) => ({
    plan,
    times,
    ratioToA: times.ratioTo(
      budgeted !== undefined && plan === budgeted.budget.plan ? budgeted.quarter.times : engines[0]!.times,
    ),
    pairsTracked,
    checks: mean(checks),
    sends: mean(sends),
  }));
}

/** A quarter of A with budgets, and without. */
function withBudget(): { readonly quarter: EngineRun; readonly budget: BudgetRun } {
  const quarter = new EngineRun({ ...HALF_BUDGET, name: "quarter", about: "a quarter of A, without budgets" });
  return { quarter, budget: new BudgetRun(HALF_BUDGET) };
}
