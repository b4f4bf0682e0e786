/**
 * What a helping thread saves: the engine with one thread beside it against the engine alone, in turns block by block, on workload A with few
 * views and with many, and on workload B. Below some number of A's views, waking a thread costs more than it saves; that number is the
 * break-even.
 */

import { availableParallelism } from "node:os";
import { setImmediate as nextTick } from "node:timers/promises";
import { WorkerCrew } from "@nearfield/core/node";
import { BLOCKS, type BlockTimes, type Pace } from "../pace.ts";
import { EngineRun } from "./engine-run.ts";
import { PLANS, type WorkloadPlan } from "./workload.ts";

/** Rounds in which a worker must have started; it takes some tens of milliseconds. */
const MOST_ROUNDS_TO_START = 10_000;

export interface ThreadsOptions {
  /** Numbers of A's views, ascending. */
  readonly sizes: readonly number[];
  /** How many of B's views there are. */
  readonly viewsOfB: number;
  /** Rounds over which B's views join. */
  readonly joinRoundsOfB: number;
  readonly pace: Pace;
  readonly joinRounds: number;
  readonly settle: Pace;
  readonly progress: (line: string) => void;
}

export interface ThreadsPoint {
  readonly views: number;
  readonly alone: BlockTimes;
  readonly crewed: BlockTimes;
  /** Time with the thread ÷ time without; below 1 the thread saves time. */
  readonly ratio: number;
  /** Crossings and views that the crew worked on, per round. */
  readonly doneByCrew: number;
}

export interface ThreadsResult {
  /** Workload A, by views. */
  readonly points: readonly ThreadsPoint[];
  /** Workload B. */
  readonly b: ThreadsPoint;
  readonly breakEvenViews: number | undefined;
}

/** Undefined where there is no other core for a thread. */
export async function measureThreads(options: ThreadsOptions): Promise<ThreadsResult | undefined> {
  if (availableParallelism() < 2) {
    options.progress("threads: skipped, there is one core");
    return undefined;
  }
  const points: ThreadsPoint[] = [];
  for (const views of options.sizes) points.push(await measure({ ...PLANS.A, views }, options));
  const { viewsOfB, joinRoundsOfB } = options;
  const b = await measure({ ...PLANS.B, views: viewsOfB }, { ...options, joinRounds: joinRoundsOfB });
  return { points, b, breakEvenViews: breakEven(points) };
}

async function measure(plan: WorkloadPlan, options: ThreadsOptions): Promise<ThreadsPoint> {
  const { pace, joinRounds, settle, progress } = options;
  const { name, views } = plan;
  progress(`threads: ${name} with ${views} views, alone and with a crew of one`);
  const alone = new EngineRun(plan);
  const crewed = new EngineRun(plan, new WorkerCrew(1));
  for (const run of [alone, crewed]) run.warmUp(joinRounds, settle);
  await untilHelped(crewed);
  const before = crewed.doneByCrew;
  for (let block = 0; block < BLOCKS; block++) {
    for (const run of [alone, crewed]) run.block(block, pace);
  }
  const doneByCrew = (crewed.doneByCrew - before) / crewed.times.all.length;
  for (const run of [alone, crewed]) run.dispose();
  return { views, alone: alone.times, crewed: crewed.times, ratio: crewed.times.ratioTo(alone.times), doneByCrew };
}

async function untilHelped(run: EngineRun): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS_TO_START && run.doneByCrew === 0; round++) {
    run.playOn();
    await nextTick();
  }
}

/**
 * The number of views from which the thread saves time at every measured size. It lies between the last size at which the thread did not save time
 * and the next size, where a line through the two ratios, over the logarithm of the views, crosses 1. If the thread saved time at every size, it is
 * the smallest size.
 */
export function breakEven(points: readonly Pick<ThreadsPoint, "views" | "ratio">[]): number | undefined {
  const last = points.findLastIndex(({ ratio }) => ratio >= 1);
  const above = points[last + 1];
  if (above === undefined) return undefined;
  const below = points[last];
  if (below === undefined) return above.views;
  const share = (below.ratio - 1) / (below.ratio - above.ratio);
  return below.views * (above.views / below.views) ** share;
}
