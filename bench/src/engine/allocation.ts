/**
 * Bytes that a round leaves for the garbage collector: how much the heap and array buffers grew over one round, as the median over many,
 * since a collection inside a round makes that one useless. What the measuring itself allocates is measured too, and taken off.
 */

import { Engine } from "@nearfield/core/internal";
import { collectGarbage } from "../pace.ts";
import { median } from "../statistics.ts";
import { ROUND_MS, Workload, type WorkloadPlan } from "./workload.ts";

/** Plans lie up to 254 rounds ahead; after so many rounds every storage has grown to what its world needs. */
const WARM_UP_ROUNDS = 300;

export function allocatedPerRound(plan: WorkloadPlan, rounds: number): number {
  const workload = new Workload(plan);
  const engine = new Engine(workload.world, { roundMs: ROUND_MS });
  for (const pivot of workload.pivots) engine.addView(workload.viewOn(pivot), { assumeDelivered: true });
  let round = 0;
  const play = (): number => {
    workload.step();
    round += 1;
    return growthOf(() => engine.round(round));
  };
  for (let count = 0; count < WARM_UP_ROUNDS; count++) play();
  collectGarbage();
  const ofRounds = Array.from({ length: rounds }, play);
  const ofNothing = Array.from({ length: rounds }, () => growthOf(() => undefined));
  return Math.max(0, median(ofRounds) - median(ofNothing));
}

function growthOf(run: () => void): number {
  const before = process.memoryUsage();
  run();
  const after = process.memoryUsage();
  return after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
}
