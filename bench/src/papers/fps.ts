/**
 * `paper-fps`, F chapter 5: 48 bots on four maps in rounds of 33 ms. It compares what the server sends under the paper's views with broadcast, beside
 * F tab. 5.5, 5.6. The bots are the arena's: each is a client of its own, on virtual time.
 *
 * The figures of the normal view come from those clients: updates as the server decided them, bytes as they entered the links. Under another
 * view the bots would play another match. So the other views, broadcast through our own codec and the `predicted` bounds are measured on
 * the recorded movement of the same match.
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Benchmark, Context } from "../benchmark.ts";
import { avatarType } from "../fps/arena-match.ts";
import { compareCpu, WARM_UP_ROUNDS } from "../fps/cpu.ts";
import { figuresOf } from "../fps/figures.ts";
import { type Manner, mannerOf, placesIn } from "../fps/manner.ts";
import { measureMaps } from "../fps/map-thread.ts";
import { type MapResult, type MapTask, together } from "../fps/measure-map.ts";
import { PAPER_MAPS, PAPER_VIEWS, VIEW_NAMES } from "../fps/paper.ts";
import { RECORDED_PEOPLE } from "../fps/people.ts";
import { Recording } from "../fps/recording.ts";
import { tablesOf } from "../fps/tables.ts";
import { settingsOf } from "../fps/view-settings.ts";
import { BLOCKS, type Pace } from "../pace.ts";
import { Report } from "../report.ts";
import { readTrace } from "../traces/read-trace.ts";

const NO_FILE = "none";

export const fpsBenchmark: Benchmark = {
  name: "paper-fps",
  about: "F tab. 5.5 and 5.6: 48 bots of the arena, the paper's views against broadcast, four maps",
  options: [
    {
      name: "people",
      value: "FILE",
      about: "a recorded match, csv or csv.gz as for replay, whose players' manner is to stand beside the bots'",
      initial: NO_FILE,
    },
  ],
  run,
};

interface Extent {
  /**
   * Seconds of play of each match on the main map, how many matches, seconds on the others and on the smallest, and of it what is played again. On
   * the smallest all are in one zone, and who happens to look where makes the figure: seconds of it vary more than on the others.
   */
  readonly main: number;
  readonly matches: number;
  readonly others: number;
  readonly smallest: number;
  readonly replayed: number;
  readonly searchSteps: number;
  readonly cpu: Pace;
}
const WHOLE: Extent = {
  main: 600,
  matches: 1,
  others: 600,
  smallest: 600,
  replayed: 600,
  searchSteps: 5,
  cpu: { rounds: 400, blockMs: 6000 },
};
/** Two minutes in all; two matches on the main map, so that two threads have as much to do. */
const QUICK: Extent = {
  main: 40,
  matches: 2,
  others: 10,
  smallest: 20,
  replayed: 30,
  searchSteps: 3,
  cpu: { rounds: 40, blockMs: 1500 },
};
/** The map on which everything is measured. */
const MAIN_MAP = "1000";
const SMALLEST_MAP = "250";
const THREADS = 2;
const ARTEFACTS: string = join(import.meta.dirname, "../../../artefacts");

async function run({ quick, options, progress }: Context): Promise<Report> {
  const report = new Report("paper-fps");
  const people = await mannersOfPeople(options["people"]!);
  const matches = await measureMaps(tasks(quick), THREADS, progress);
  const results = PAPER_MAPS.map((map) => {
    const [first, ...others] = matches.filter((result) => result.map.key === map.key);
    return together([first!, ...others]);
  });
  progress("CPU, in turn with broadcast");
  const cpu = measureCpu(results, quick);
  const files = saveHeatMaps(results);
  report.tables.push(...tablesOf(results, people));
  report.add(...figuresOf(results, cpu));
  report.notes.push(...notes(results, quick), `heat maps (F fig. 5.10): ${files.join(", ")}`);
  return report;
}

/** The built-in figures of recorded people, and those of the file, if one is named. */
async function mannersOfPeople(file: string): Promise<Readonly<Record<string, Manner>>> {
  if (file === NO_FILE) return RECORDED_PEOPLE;
  const trace = await readTrace(file);
  return { ...RECORDED_PEOPLE, [`people: ${trace.name}`]: mannerOf(placesIn(trace)) };
}

/** The longest first. */
function tasks(quick: boolean): MapTask[] {
  const { main, matches, others, smallest, replayed, searchSteps, cpu } = quick ? QUICK : WHOLE;
  const keepsRounds = WARM_UP_ROUNDS + BLOCKS * cpu.rounds;
  return PAPER_MAPS.flatMap((map) => {
    const isMain = map.key === MAIN_MAP;
    const views = VIEW_NAMES.filter((name) => name !== "normal" && name in map.output && (isMain || !quick));
    const task = { map, seed: 1, replaySeconds: replayed, views };
    if (!isMain) return [{ ...task, seconds: map.key === SMALLEST_MAP ? smallest : others, searchSteps: 0 }];
    const more = Array.from({ length: matches - 1 }, (_, i) => ({ seed: i + 2, replaySeconds: 0, searchSteps: 0 }));
    return [{ searchSteps, keepsRounds, asksMore: !quick }, ...more].map((own) => ({ ...task, seconds: main, ...own }));
  });
}

/** When nothing else runs: threads beside would disturb it. */
function measureCpu(results: readonly MapResult[], quick: boolean): number {
  const { beginning } = results.find(({ map }) => map.key === MAIN_MAP)!;
  const recording = Recording.of(avatarType, beginning!);
  return compareCpu(recording, settingsOf(PAPER_VIEWS.normal), (quick ? QUICK : WHOLE).cpu);
}

function saveHeatMaps(results: readonly MapResult[]): string[] {
  mkdirSync(ARTEFACTS, { recursive: true });
  return results.map(({ map, heat }) => {
    const file = `paper-fps-heat-${map.key}.png`;
    writeFileSync(join(ARTEFACTS, file), heat);
    return `artefacts/${file}`;
  });
}

function notes(results: readonly MapResult[], quick: boolean): string[] {
  return [
    `virtual time: ${timesOf(results)}; counted once all ${results[0]!.clients} bots are in and have spread for 3 s`,
    "an update: one avatar sent to one client that does not own it; broadcast sends every avatar that changed in a round to all others",
    "bytes on the links: frames with their headers, own avatars, rockets, items and scores, without the headers of UDP or TCP, which wire bytes have; events that ride on them are taken off, since the paper's 18 bytes have none (…_all_… leaves them in and adds the reliable channel); replayed frames: headers and avatars",
    "normal is measured on the clients' links; zoom, plain, predicted and broadcast on the recorded movement of the same match",
    "1 % of the paper's value bounds is 1 % of the first radius; picture error: primary against what was last sent (paper's bounds) or where the linear model carries it (predicted), at the end of each round, without latency; directions are not bounded by `predicted`",
    ...(quick ? [`quick: ${QUICK.replayed} s of it are played again, zoom and plain on the map of 1000² alone`] : []),
  ];
}

function timesOf(results: readonly MapResult[]): string {
  return results.map(({ map, seconds }) => `${Math.round(seconds)} s on ${map.width} × ${map.height}`).join(", ");
}
