/**
 * `paper-action`, H §4: 20 peers without a host, steps of 50 ms, five delay patterns. It counts how many steps a machine simulates in a tick, with corrections
 * at once and spread, beside H tab. 1 and 2; then the same fight with real conflicts, with and without spheres of influence.
 */

import { type FightResult, measureFight } from "../action/measure.ts";
import { PATTERNS, type Pattern, PLAYERS } from "../action/patterns.ts";
import type { Benchmark, Context } from "../benchmark.ts";
import { type Figure, formatNumber, Report, type Table } from "../report.ts";

export const actionBenchmark: Benchmark = {
  name: "paper-action",
  about: "H tab. 1 and 2: 20 peers, five delay patterns, steps simulated in a tick; spheres of influence",
  run,
};

/** Steps of a fight: the paper's lasted 300 s. */
const STEPS = { whole: 6000, quick: 400 } as const;
/** A node's guess about somebody is wrong in this share of its steps, as in the paper's runs. */
const CONFLICTS = 0.05;
/** Chance that a player does something else in a step: about once a second, as people do in a shooter. */
const CHANGES = 0.05;
/** Corrective steps in one tick: with four the paper's schedule is kept while the head moves on. */
const SPREAD = 4;

type Way = "immediate" | "spread";

function run({ quick, progress }: Context): Report {
  const steps = quick ? STEPS.quick : STEPS.whole;
  const report = new Report("paper-action");
  const rows: string[][] = [];
  for (const pattern of PATTERNS) {
    for (const way of ["immediate", "spread"] as const) {
      progress(`${pattern.name}, ${way}`);
      const repair = way === "spread" ? SPREAD : Number.POSITIVE_INFINITY;
      const { delayMs } = pattern;
      // A guess is wrong where a player does something new: one of the others in 5 % of a node's steps.
      const result = measureFight({
        seed: 1,
        steps,
        delayMs,
        changes: CONFLICTS / (PLAYERS - 1),
        hasSpheres: false,
        session: { repair },
      });
      rows.push(rowOf(pattern, way, result));
      report.add(...figuresOf(pattern, way, result));
    }
  }
  report.tables.push({ title: "conflicts on 5 % of a node's steps, per peer and tick", head: HEAD, rows });
  report.tables.push(spheres(report, steps, progress));
  report.notes.push(
    "all steps of everybody count: optimistic, conservative, corrective; a final state whose guesses were all right costs no step of the tail's own, which the paper's always takes: mean, own tail adds it",
    `virtual time, ${steps} steps, seed 1; every peer's final states were compared with a replay of the inputs alone`,
    `spread: at most ${SPREAD} corrective steps in a tick, beginning in the tick in which the error is noticed; the paper's schedule: a copy, then three steps a tick`,
  );
  return report;
}

const HEAD = [
  "delay",
  "corrections",
  "paper mean",
  "mean",
  "mean, own tail",
  "paper peak",
  "peak",
  "corrective",
  "late",
];

function rowOf({ name, paper }: Pattern, way: Way, result: FightResult): string[] {
  return [
    name,
    way,
    formatNumber(paper[way].mean),
    formatNumber(result.mean),
    formatNumber(result.meanWithOwnTail),
    formatNumber(paper[way].peak),
    formatNumber(result.peak),
    formatNumber(result.steps.corrective),
    formatNumber(result.late),
  ];
}

function figuresOf({ key, name, paper }: Pattern, way: Way, { mean, peak, late }: FightResult): Figure[] {
  const measured = paper[way];
  const meanGoal = way === "spread" && key === "150_300" ? { goal: { atMost: 2.15 } } : {};
  const peakGoal = way === "spread" && (key === "150_300" || key === "one_slow") ? { goal: { atMost: 6 } } : {};
  const figures: Figure[] = [
    {
      key: `mean_${way}_${key}`,
      value: mean,
      paper: String(measured.mean),
      about: `steps in a tick, ${name}`,
      ...meanGoal,
    },
    {
      key: `peak_${way}_${key}`,
      value: peak,
      paper: String(measured.peak),
      about: "in a peer's busiest tick, mean of peers",
      ...peakGoal,
    },
  ];
  if (way === "spread")
    figures.push({
      key: `late_${key}`,
      value: late,
      goal: { atMost: 0 },
      about: "corrections that end later than the paper's",
    });
  return figures;
}

/** The fight with what players really do: whoever met nobody is corrected alone. */
function spheres(report: Report, steps: number, progress: (line: string) => void): Table {
  const { delayMs } = PATTERNS.find(({ key }) => key === "150_300")!;
  const rows: string[][] = [];
  const corrections: number[] = [];
  for (const hasSpheres of [false, true]) {
    const name = hasSpheres ? "spheres" : "none";
    progress(`real conflicts, ${name}`);
    const result = measureFight({ seed: 2, steps, delayMs, changes: CHANGES, hasSpheres, session: { repair: SPREAD } });
    corrections.push(result.steps.rollbacks);
    rows.push([
      name,
      formatNumber(result.steps.rollbacks),
      formatNumber(result.steps.patches),
      formatNumber(result.mean),
      formatNumber(result.peak),
      formatNumber(result.steps.partial / PLAYERS),
      formatNumber(result.bytesPerSecond),
    ]);
  }
  report.add({
    key: "corrections_with_spheres",
    value: corrections[1]! / corrections[0]!,
    goal: { atMost: 0.5 },
    about: "rollbacks with spheres of influence ÷ without, 150–300 ms",
  });
  const head = ["spheres", "rollbacks", "alone", "mean", "peak", "steps of one player, as whole", "bytes/s out"];
  return { title: "real conflicts, 150–300 ms, per peer and tick", head, rows };
}
