/**
 * How the engine's cost grows: one quantity is varied over several sizes, the others stay the same, and an exponent is fitted through the medians.
 * The sizes take turns block by block, so that a disturbance of the machine affects all of them.
 *
 * - views: in one world, so the number of due pairs grows with them. An exponent of 1 cannot be avoided.
 * - objects: in a world that grows with them, so that each view has as many objects near it as before. Brute force has an exponent of 1 here.
 * - due pairs: by a wider first zone, with the same number of moving objects and tracked pairs. The exponent is at most 1, and less if other work
 *   takes most of the time.
 */

import { BLOCKS, type Pace } from "../pace.ts";
import { fitExponent, mean, median } from "../statistics.ts";
import { EngineRun } from "./engine-run.ts";
import { SMALL_WORLD, type WorkloadPlan } from "./workload.ts";

/** Rounds over which views join, and what is played after that before times are taken. */
const JOIN_ROUNDS = 8;
const SETTLE: Pace = { rounds: 6, blockMs: 10_000 };

export interface GrowthPoint {
  /** What was varied. */
  readonly size: number;
  /** Median time of a round, ms. */
  readonly cost: number;
  readonly sends: number;
}

export interface Growth {
  readonly by: "views" | "objects" | "due";
  readonly points: readonly GrowthPoint[];
  readonly exponent: number;
}

const BASE: WorkloadPlan = { ...SMALL_WORLD, views: 100 };

function withViews(factor: number): WorkloadPlan {
  return { ...BASE, views: 25 * factor };
}

function withObjects(factor: number): WorkloadPlan {
  const objects = 1250 * factor;
  return { ...BASE, objects, side: BASE.side * Math.sqrt(objects / BASE.objects) };
}

/** The second zone asks for little, so that what is due lies in the first. */
function withDue(factor: number): WorkloadPlan {
  const loose = { time: 5000, sequence: 100 };
  return { ...BASE, radii: [60 * Math.sqrt(factor), 400], bounds: [{ sequence: 1 }, loose, loose] };
}

/** @param factors the sizes, as multiples of the smallest. */
export function measureGrowth(factors: readonly number[], pace: Pace): Growth[] {
  return [
    grow("views", factors.map(withViews), (plan) => plan.views, pace),
    grow("objects", factors.map(withObjects), (plan) => plan.objects, pace),
    grow("due", factors.map(withDue), (_, sends) => sends, pace),
  ];
}

function grow(
  by: Growth["by"],
  plans: readonly WorkloadPlan[],
  sizeOf: (plan: WorkloadPlan, sends: number) => number,
  pace: Pace,
): Growth {
  const runs = plans.map((plan) => new EngineRun(plan));
  for (const run of runs) run.warmUp(JOIN_ROUNDS, SETTLE);
  for (let block = 0; block < BLOCKS; block++) {
    for (const run of runs) run.block(block, pace);
  }
  const points = runs.map((run) => ({
    size: sizeOf(run.plan, mean(run.sends)),
    cost: run.times.over(median),
    sends: mean(run.sends),
  }));
  return { by, points, exponent: fitExponent(points) };
}
