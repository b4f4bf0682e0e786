/**
 * `round`: what a round costs. It compares the engine with brute force on workloads A to D, variants of A with A, and the engine with and without a
 * helping thread. It measures how the cost grows, what a round allocates, and V fig. 10. Only decisions are measured: every send counts as
 * received, and nothing is encoded.
 */

import { type Benchmark, type Context, UsageError } from "../benchmark.ts";
import type { BlockTimes, Pace } from "../pace.ts";
import { type Figure, formatNumber, Report, type Table } from "../report.ts";
import { median, percentile } from "../statistics.ts";
import { allocatedPerRound } from "./allocation.ts";
import { type DuelResult, duel } from "./duel.ts";
import { type Growth, measureGrowth } from "./growth.ts";
import { measureOneView, type OneViewPoint } from "./one-view.ts";
import { measureThreads, type ThreadsResult } from "./threads.ts";
import { measureVariants, type VariantResult } from "./variants.ts";
import { HALF_BUDGET, PLANS, SMALL_WORLD, VARIANTS, type WorkloadPlan } from "./workload.ts";

const ALL = "all";
const VARIANT_NAMES: readonly string[] = [...Object.values(VARIANTS), HALF_BUDGET].map(({ name }) => name);
const PARTS: readonly string[] = [...Object.keys(PLANS), ...VARIANT_NAMES, "threads", "growth", "allocation", "fig10"];

export const roundBenchmark: Benchmark = {
  name: "round",
  about:
    "what a round costs: engine against brute force, sectors, predicted, shapes and pivots, threads, growth, allocation, V fig. 10",
  options: [
    { name: "only", value: "PARTS", about: `some of ${PARTS.join(", ")}, with commas between them`, initial: ALL },
  ],
  run,
};

interface Extent {
  readonly pace: Pace;
  /** Rounds over which views join: the nearer to the longest time bound, the evener the load after it. */
  readonly joinRounds: Readonly<Record<keyof typeof PLANS, number>>;
  /** What is played after that before times are taken. */
  readonly settle: Pace;
  /** Share of each workload's views. */
  readonly views: Readonly<Record<keyof typeof PLANS, number>>;
  readonly variants: { readonly joinRounds: number; readonly settle: Pace; readonly pace: Pace };
  readonly threads: { readonly sizes: readonly number[]; readonly joinRoundsOfB: number } & Extent["variants"];
  readonly growth: { readonly factors: readonly number[]; readonly pace: Pace };
  readonly allocation: { readonly plan: WorkloadPlan; readonly rounds: number };
  readonly oneView: { readonly sizes: readonly number[]; readonly pace: Pace };
}

const FULL: Extent = {
  pace: { rounds: 20, blockMs: 10_000 },
  joinRounds: { A: 50, B: 50, C: 20, D: 100 },
  settle: { rounds: 20, blockMs: 20_000 },
  views: { A: 1, B: 1, C: 1, D: 1 },
  variants: { joinRounds: 50, settle: { rounds: 20, blockMs: 20_000 }, pace: { rounds: 20, blockMs: 10_000 } },
  threads: {
    sizes: [25, 50, 100, 200, 500, 1000],
    ...{
      joinRounds: 20,
      joinRoundsOfB: 50,
      settle: { rounds: 20, blockMs: 5000 },
      pace: { rounds: 40, blockMs: 4000 },
    },
  },
  growth: { factors: [1, 2, 4, 8], pace: { rounds: 20, blockMs: 2000 } },
  allocation: { plan: { ...SMALL_WORLD, views: 200 }, rounds: 100 },
  oneView: { sizes: [1000, 2500, 5000, 10_000], pace: { rounds: 50, blockMs: 1000 } },
};

const QUICK: Extent = {
  pace: { rounds: 4, blockMs: 250 },
  joinRounds: { A: 5, B: 20, C: 5, D: 60 },
  settle: { rounds: 3, blockMs: 1000 },
  views: { A: 1, B: 0.05, C: 0.1, D: 0.05 },
  variants: { joinRounds: 8, settle: { rounds: 8, blockMs: 300 }, pace: { rounds: 4, blockMs: 150 } },
  threads: {
    sizes: [100, 1000],
    ...{ joinRounds: 5, joinRoundsOfB: 20, settle: { rounds: 5, blockMs: 300 }, pace: { rounds: 8, blockMs: 150 } },
  },
  growth: { factors: [1, 2, 4], pace: { rounds: 6, blockMs: 80 } },
  allocation: { plan: { ...SMALL_WORLD, views: 25, objects: 625, side: 1250 }, rounds: 40 },
  oneView: { sizes: [1000, 5000, 10_000], pace: { rounds: 10, blockMs: 40 } },
};

/** Brute force needs 28 bytes for each pair: 56 MB for so many of B's views, 2.8 GB for all. */
const JUDGED_TWICE_IN_B = 20;

async function run({ quick, progress, options }: Context): Promise<Report> {
  const extent = quick ? QUICK : FULL;
  const report = new Report("round");
  const parts = partsNamed(options["only"]!);
  const wants = (part: string): boolean => parts.includes(part);
  const fight = (key: keyof typeof PLANS): DuelResult | undefined => {
    if (!wants(key)) return undefined;
    return duel(fewerViews(PLANS[key], extent.views[key]), {
      pace: extent.pace,
      joinRounds: extent.joinRounds[key],
      settle: extent.settle,
      judgedTwice: key === "B" ? JUDGED_TWICE_IN_B : Number.POSITIVE_INFINITY,
      progress,
    });
  };
  const a = fight("A");
  const b = fight("B");
  const c = fight("C");
  const d = fight("D");
  const names = VARIANT_NAMES.filter(wants);
  const variants = names.length === 0 ? [] : measureVariants({ ...extent.variants, names, progress });
  const viewsOfB = fewerViews(PLANS.B, extent.views.B).views;
  const threads = wants("threads") ? await measureThreads({ ...extent.threads, viewsOfB, progress }) : undefined;
  progress("growth in views, objects and due pairs");
  const growth = wants("growth") ? measureGrowth(extent.growth.factors, extent.growth.pace) : [];
  progress("allocation");
  const { plan, rounds } = extent.allocation;
  const allocated = wants("allocation") ? allocatedPerRound(plan, rounds) : undefined;
  progress("V fig. 10");
  const oneView = wants("fig10") ? measureOneView(extent.oneView.sizes, extent.oneView.pace) : [];

  const duels = [a, b, c, d].filter((one) => one !== undefined);
  if (duels.length > 0) report.tables.push(duelTable(duels));
  if (variants.length > 0) report.tables.push(variantTable(variants));
  if (threads !== undefined) report.tables.push(threadsTable(threads));
  report.tables.push(...growth.map(growthTable));
  if (oneView.length > 0) report.tables.push(oneViewTable(oneView));
  const speedup = (one: DuelResult | undefined): number | undefined => one?.bruteForce.ratioTo(one.engine);
  const p99 = b && p99OfB(b.engine, b.plan.views);
  const ratioToA = (name: string): number | undefined => variants.find(({ plan }) => plan.name === name)?.ratioToA;
  const exponent = (by: Growth["by"]): number | undefined => growth.find((one) => one.by === by)?.exponent;
  addMeasured(
    report,
    { key: "speedup_1k_10k", value: speedup(a), goal: { atLeast: 12 }, about: "A: brute force ÷ engine" },
    {
      key: "p99_ms_1k_100k",
      value: p99,
      goal: { atMost: 25 },
      about: `B: ms, 99 of 100 rounds take less${estimated(b?.plan.views)}`,
    },
    { key: "speedup_crowd", value: speedup(c), goal: { atLeast: 1 }, about: "C: brute force ÷ engine" },
    { key: "speedup_full", value: speedup(d), goal: { atLeast: 4 }, about: "D: brute force ÷ engine" },
    {
      key: "sectors_vs_A",
      value: ratioToA("sectors"),
      goal: { atMost: 2 },
      about: "three sectors that turn in every round: engine ÷ engine on A",
    },
    {
      key: "predicted_vs_A",
      value: ratioToA("predicted"),
      goal: { atMost: 3 },
      about: "metric predicted: engine ÷ engine on A",
    },
    {
      key: "square_vs_A",
      value: ratioToA("square"),
      goal: { atMost: 1.3 },
      about: "square zones, 1.27 times as large: engine ÷ engine on A",
    },
    {
      key: "pivots4_vs_A",
      value: ratioToA("pivots4"),
      goal: { atMost: 2.5 },
      about: "four pivots in each view: engine ÷ engine on A",
    },
    {
      key: "group50_vs_A",
      value: ratioToA("group50"),
      goal: { atMost: 1.5 },
      about: "each pivot a group of 50 objects: engine ÷ engine on A",
    },
    {
      key: "teams_vs_A",
      value: ratioToA("teams"),
      goal: { atMost: 1.5 },
      about: "views see what the units of their team see, 5 % of cells change in a round: engine ÷ engine on A",
    },
    {
      key: "first_miss_vs_A",
      value: ratioToA("firstMiss"),
      goal: { atMost: 1.3 },
      about: "the clock firstMiss: engine ÷ engine on A",
    },
    {
      key: "path_vs_A",
      value: ratioToA("path"),
      goal: { atMost: 1.3 },
      about: "metric path: engine ÷ engine on A",
    },
    {
      key: "relative_vs_A",
      value: ratioToA("relative"),
      goal: { atMost: 1.5 },
      about: "metric relative, of a number that changes in every round: engine ÷ engine on A",
    },
    {
      key: "budget_vs_A",
      value: ratioToA("budget"),
      goal: { atMost: 1.5 },
      about: "a quarter of A, each view sent half of what it asks for: engine ÷ engine without budgets",
    },
    {
      key: "alloc_bytes_per_round",
      value: allocated,
      goal: { atMost: 1024 },
      about: `left for the garbage collector, ${plan.views} views, ${plan.objects} objects`,
    },
    { key: "exp_views", value: exponent("views"), goal: { atMost: 1.1 }, about: "cost ~ views^e, one world" },
    {
      key: "exp_objects",
      value: exponent("objects"),
      goal: { atMost: 0.9 },
      about: "cost ~ objects^e, one density; brute force 1",
    },
    { key: "exp_due", value: exponent("due"), goal: { atMost: 1.1 }, about: "cost ~ due pairs^e, all else equal" },
  );
  report.notes.push(
    "brute force and engine decided alike for every view judged by both, in every round, warm-up included",
    "A's variants are held to the oracle's decisions by a test, on a smaller world: brute force does not judge them",
    "times are of model.round(); step and commit, in which the engine takes note of what moved, stand beside them",
  );
  if (wants("threads")) addThreads(report, threads);
  for (const { plan } of duels) {
    const full = PLANS[plan.name as keyof typeof PLANS];
    if (plan.views < full.views)
      report.notes.push(`--quick: ${plan.name} ran with ${plan.views} of its ${full.views} views`);
  }
  return report;
}

/** Which parts to run; throws `UsageError` for one that there is not. */
function partsNamed(only: string): readonly string[] {
  if (only === ALL) return PARTS;
  const parts = only.split(",");
  for (const part of parts) if (!PARTS.includes(part)) throw new UsageError(`round has no part "${part}"`);
  return parts;
}

/** Adds the figures of those parts that were run. */
function addMeasured(
  report: Report,
  ...figures: readonly (Omit<Figure, "value"> & { value: number | undefined })[]
): void {
  for (const { value, ...rest } of figures) if (value !== undefined) report.add({ ...rest, value });
}

function fewerViews(plan: WorkloadPlan, share: number): WorkloadPlan {
  return { ...plan, views: Math.round(plan.views * share) };
}

/** ms; estimated where not all of B's views were there. */
function p99OfB(times: BlockTimes, views: number): number {
  return times.over((block) => percentile(block, 0.99)) * (PLANS.B.views / views);
}

function estimated(views: number = PLANS.B.views): string {
  return views === PLANS.B.views ? "" : `; estimated: ${views} views, times ${PLANS.B.views / views}`;
}

function duelTable(results: readonly DuelResult[]): Table {
  return {
    title: "ms per round (median of five blocks)",
    head: [
      "",
      "views",
      "objects",
      "engine p50",
      "p99",
      "brute p50",
      "p99",
      "brute ÷ engine",
      "pairs",
      "checks",
      "sends",
      "step + commit",
    ],
    rows: results.map(({ plan, engine, bruteForce, judgedTwice, step, pairsTracked, checks, sends }) => {
      const all = judgedTwice === plan.views;
      const p50 = (times: DuelResult["engine"]): string => formatNumber(times.over(median));
      const p99 = (times: DuelResult["engine"]): string => formatNumber(times.over((block) => percentile(block, 0.99)));
      return [
        plan.name,
        formatNumber(plan.views),
        formatNumber(plan.objects),
        p50(engine),
        p99(engine),
        all ? p50(bruteForce) : `${p50(bruteForce)} (${judgedTwice} views)`,
        p99(bruteForce),
        formatNumber((bruteForce.ratioTo(engine) * plan.views) / judgedTwice),
        formatNumber(pairsTracked),
        formatNumber(checks),
        formatNumber(sends),
        formatNumber(step),
      ];
    }),
  };
}

function variantTable(results: readonly VariantResult[]): Table {
  return {
    title: "A and its variants, ms per round (median of five blocks)",
    head: ["", "p50", "p99", "÷ A", "pairs", "checks", "sends"],
    rows: results.map(({ plan, times, ratioToA, pairsTracked, checks, sends }) => [
      plan.name,
      ...[
        times.over(median),
        times.over((block) => percentile(block, 0.99)),
        ratioToA,
        pairsTracked,
        checks,
        sends,
      ].map(formatNumber),
    ]),
  };
}

function addThreads(report: Report, threads: ThreadsResult | undefined): void {
  if (threads === undefined) {
    report.notes.push("threads were not measured: there is one core, and a thread that helps needs another");
    return;
  }
  const { points, b, breakEvenViews } = threads;
  report.add(
    {
      key: "crew_vs_alone_A",
      value: points.at(-1)!.ratio,
      about: "A: engine with a crew of one thread ÷ engine alone",
    },
    { key: "crew_vs_alone_B", value: b.ratio, about: "B: the same" },
    {
      key: "p99_ms_1k_100k_crew",
      value: p99OfB(b.crewed, b.views),
      about: `B with a crew of one thread: ms, 99 of 100 rounds take less${estimated(b.views)}`,
    },
  );
  if (breakEvenViews === undefined) report.notes.push("a crew of one thread paid at no number of views");
  else {
    report.add({
      key: "crew_break_even_views",
      value: breakEvenViews,
      about: `views of A from which on a crew of one thread pays, of ${points[0]!.views} and more`,
    });
  }
}

function threadsTable({ points, b, breakEvenViews }: ThreadsResult): Table {
  const from = breakEvenViews === undefined ? "never pays" : `pays from ${formatNumber(breakEvenViews)} views on`;
  return {
    title: `threads: engine alone and with a crew of one thread (on A it ${from}), ms per round (median of five blocks)`,
    head: ["", "views", "alone p50", "p99", "crew p50", "p99", "crew ÷ alone", "done by crew per round"],
    rows: [...points.map((point) => ["A", point] as const), ["B", b] as const].map(([name, point]) => {
      const { views, alone, crewed, ratio, doneByCrew } = point;
      return [
        name,
        ...[
          views,
          ...[alone, crewed].flatMap((times) => [times.over(median), times.over((block) => percentile(block, 0.99))]),
          ratio,
          doneByCrew,
        ].map(formatNumber),
      ];
    }),
  };
}

function growthTable({ by, points, exponent }: Growth): Table {
  return {
    title: `growth by ${by === "due" ? "due pairs" : by}: exponent ${formatNumber(exponent)}`,
    head: [by === "due" ? "due pairs" : by, "ms per round", "sends"],
    rows: points.map(({ size, cost, sends }) => [size, cost, sends].map(formatNumber)),
  };
}

function oneViewTable(points: readonly OneViewPoint[]): Table {
  return {
    title: "V fig. 10: one view, one pivot, three zones, objects of 4 bytes, all updated in every round",
    head: ["objects", "due", "µs per round", "bytes sent"],
    rows: points.map(({ objects, dueShare, roundUs, bytes }) => [
      formatNumber(objects),
      `${dueShare * 100} %`,
      formatNumber(roundUs),
      formatNumber(bytes),
    ]),
  };
}
