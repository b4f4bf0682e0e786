/**
 * `load`: how many clients one process holds at 20 rounds per second, over real WebSockets on loopback. The clients live in a second
 * process and decode nothing. Colyseus 0.18 serves the same worlds in the same run, in turns with ours.
 *
 * There are two worlds, because they load a server in different ways. In `open`, the README's game, everybody sees everybody: pairs grow with the
 * square of the players. In `spread` each player sees about 63 others, however many there are. `open` also runs with two byte budgets: one that is
 * large enough for everything that is asked for, which should cost nothing (`budgeted`), and one that is too small, which should cost less (`short`).
 *
 * Where a round would take too long, Nearfield's clients take turns. So a round that is held says little alone: beside it stand the rounds from one turn
 * of a client to the next, and the share of pairs over their bound.
 */

import type { Benchmark, Context } from "../benchmark.ts";
import { prepareColyseus } from "../peers/colyseus.ts";
import { ROUND_MS } from "../peers/scene.ts";
import { type Figure, formatNumber, Report } from "../report.ts";
import { percentile } from "../statistics.ts";
import { BUDGETS, type LoadSample, type LoadSubject, type LoadWorld, MAKERS, type Maker } from "./load-process.ts";
import { measureLoad } from "./measure-load.ts";

export const loadBenchmark: Benchmark = {
  name: "load",
  about: "clients that one process holds at 20 rounds per second, over real sockets, beside Colyseus 0.18",
  run,
};

/** A host holds so many clients while the slowest round of a hundred takes no longer than a round lasts, and nobody is put out. */
const HELD_P99_MS = ROUND_MS;
const SIZES = [100, 300, 500, 1000] as const;

/** Where bytes run short, bounds are loosened for some seconds: outer zones by twelve steps of half a second at most, then the inner one by eight. */
const SETTLING_ROUNDS = 300;

interface Extent {
  /** In each world. */
  readonly sizes: Readonly<Record<LoadWorld, readonly number[]>>;
  readonly warmUpRounds: number;
  readonly rounds: number;
  /** The search for the most clients ends when its bounds are this close, as a ratio; at once where it is large. */
  readonly heldWithin: number;
}

const QUICK: Extent = {
  sizes: { open: [300, 1000], budgeted: [], short: [], spread: [] },
  warmUpRounds: 20,
  rounds: 40,
  heldWithin: 4,
};
const FULL: Extent = {
  sizes: { open: SIZES, budgeted: [1000], short: [300, 1000], spread: SIZES },
  warmUpRounds: 60,
  rounds: 300,
  heldWithin: 1.08,
};

export interface Load extends LoadSubject {
  readonly sample: LoadSample;
  /** Clients that were no longer there at the end. A host that puts one out does not hold its clients. */
  readonly putOut: number;
  /** Memory that the host has taken since before the first client joined, bytes per client. */
  readonly memoryPerClient: number;
}

async function run({ quick, progress, known, ifInterrupted }: Context): Promise<Report> {
  const extent = quick ? QUICK : FULL;
  await prepareColyseus();
  const loads: Load[] = [];
  const held = new Map<string, number>();
  ifInterrupted?.(() => reportOf(loads, held, extent));
  const tryOne = async (subject: LoadSubject): Promise<Load> => {
    const before = loads.find((load) => isSame(load, subject));
    if (before !== undefined) return before;
    progress(`${subject.clients} clients of ${LABELS[subject.maker]}, ${subject.world}`);
    const warmUpRounds = extent.warmUpRounds + (subject.world === "short" ? SETTLING_ROUNDS : 0);
    const load = await measureLoad(subject, warmUpRounds, extent.rounds, progress);
    loads.push(load);
    known?.(figuresOf(load));
    return load;
  };
  for (const world of ["open", "budgeted", "short", "spread"] as const) {
    for (const clients of extent.sizes[world]) {
      for (const maker of makersOf(world)) await tryOne({ maker, world, clients });
    }
  }
  for (const world of ["open", "spread"] as const) {
    if (extent.sizes[world].length === 0) continue;
    for (const maker of MAKERS) held.set(`${maker} ${world}`, await mostHeld(maker, world, extent, tryOne));
    known?.(heldFigures(world, held));
  }
  return reportOf(loads, held, extent);
}

/** Colyseus has no budget. */
function makersOf(world: LoadWorld): readonly Maker[] {
  return Number.isFinite(BUDGETS[world]) ? ["nearfield"] : MAKERS;
}

function isSame(a: LoadSubject, b: LoadSubject): boolean {
  return a.maker === b.maker && a.world === b.world && a.clients === b.clients;
}

/** Rounds from one turn of a client to its next, on average. */
const everyOf = ({ clients, sample }: Load): number => clients / (clients - sample.roundsOut);

/** Pairs of a client and an object that are over their bound, of a hundred. In these worlds there are as many objects as clients. */
const overOf = ({ clients, sample }: Load): number => (100 * sample.pairsOver) / clients ** 2;

const p99Of = ({ sample }: Load): number => percentile(sample.roundMs, 0.99);

/** The most clients that a host holds: doubles or halves until it has one size that is held and one that is not, then narrows them down. */
async function mostHeld(
  maker: Maker,
  world: LoadWorld,
  extent: Extent,
  tryOne: (subject: LoadSubject) => Promise<Load>,
): Promise<number> {
  const holds = async (clients: number): Promise<boolean> => {
    const load = await tryOne({ maker, world, clients });
    return load.putOut === 0 && p99Of(load) <= HELD_P99_MS;
  };
  let [low, high] = [0, MOST_CLIENTS + 1];
  for (const clients of extent.sizes[world]) {
    if (!(await holds(clients))) {
      high = clients;
      break;
    }
    low = clients;
  }
  while (low < MOST_CLIENTS && high / Math.max(1, low) > extent.heldWithin) {
    const middle =
      high > MOST_CLIENTS ? Math.min(MOST_CLIENTS, low * 2) : Math.round(Math.sqrt(Math.max(25, low) * high));
    if (await holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** More clients than this are too many for one process on this machine. */
const MOST_CLIENTS = 4000;

// ── the report ───────────────────────────────────────────────────────────────────────────────────────────────────

const LABELS: Readonly<Record<Maker, string>> = { nearfield: "Nearfield", colyseus: "Colyseus" };

/** What the keys of a world's figures end with. */
const SUFFIXES: Readonly<Record<LoadWorld, string>> = {
  open: "",
  budgeted: "_budgeted",
  short: "_short",
  spread: "_spread",
};

/** The most clients held in a world; none before both makers are measured. */
function heldFigures(world: LoadWorld, held: ReadonlyMap<string, number>): Figure[] {
  const suffix = SUFFIXES[world];
  const [ours, theirs] = [held.get(`nearfield ${world}`), held.get(`colyseus ${world}`)];
  if (ours === undefined || theirs === undefined) return [];
  return [
    { key: `clients_held${suffix}`, value: ours, about: `${world}: most clients with p99 round ≤ ${HELD_P99_MS} ms` },
    { key: `clients_held_colyseus${suffix}`, value: theirs, about: "… of Colyseus" },
    { key: `clients_vs_colyseus${suffix}`, value: ours / Math.max(1, theirs), about: "… ours ÷ Colyseus'" },
  ];
}

/** The figures of one load. Sizes that only the search for the most clients tried are in the table alone. */
function figuresOf(load: Load): Figure[] {
  const { maker, world, clients, sample, memoryPerClient } = load;
  if (!SIZES.some((size) => size === clients)) return [];
  const key = `${clients}${SUFFIXES[world]}${maker === "colyseus" ? "_colyseus" : ""}`;
  return [
    { key: `cpu_ms_${key}`, value: sample.cpuMs, about: "processor ms per round, whole process" },
    { key: `p99_ms_${key}`, value: p99Of(load), about: "p99 of a round's wall time" },
    { key: `memory_kb_${key}`, value: memoryPerClient / 1024, about: "kB of memory per client" },
    ...(maker === "nearfield" ? shortageFigures(load, key) : []),
  ];
}

/** What holding the round cost the clients. */
function shortageFigures(load: Load, key: string): Figure[] {
  return [
    { key: `every_${key}`, value: everyOf(load), about: "rounds from one turn of a client to its next" },
    { key: `over_bound_percent_${key}`, value: overOf(load), about: "pairs over their stated bound, %" },
  ];
}

function reportOf(loads: readonly Load[], held: ReadonlyMap<string, number>, { rounds }: Extent): Report {
  const report = new Report("load");
  report.tables.push(loadTable(loads));
  const figures = [...heldFigures("open", held), ...heldFigures("spread", held)];
  for (const world of ["open", "budgeted", "short", "spread"] as const) {
    for (const clients of SIZES) {
      for (const maker of MAKERS) {
        const load = loads.find((candidate) => isSame(candidate, { maker, world, clients }));
        if (load !== undefined) figures.push(...figuresOf(load));
      }
    }
  }
  report.add(...figures);
  report.notes.push(
    `${rounds} rounds each, ${1000 / ROUND_MS} per second, after a warm-up; processor time is that of the host's process, sockets and collections included`,
    "open: 1,000 × 1,000, everybody moves at 50 to 100 units a second and sees everybody; ours keeps the README's zones, Colyseus sends every change to all, encoded once",
    `budgeted and short: the same, at most ${formatNumber(BUDGETS.budgeted)} and ${formatNumber(BUDGETS.short)} bytes a second for each client`,
    "served every: rounds from one turn of a client to its next; % over bound: pairs of a client and an object over the bound that the game stated, per round",
    "spread: as in peers, about 63 in sight of each; ours keeps three tiers, Colyseus every change of what is in a StateView",
  );
  return report;
}

function loadTable(loads: readonly Load[]): Report["tables"][number] {
  return {
    title: "one process, 20 rounds per second",
    head: [
      "",
      "world",
      "clients",
      "processor ms",
      "median ms",
      "p99 ms",
      "late rounds",
      "put out",
      "kB/s a client",
      "kB a client",
      "served every",
      "% over bound",
    ],
    rows: [...loads]
      .sort((a, b) => a.world.localeCompare(b.world) || a.clients - b.clients)
      .map((load) => {
        const { maker, world, clients, sample, putOut, memoryPerClient } = load;
        return [
          LABELS[maker],
          world,
          String(clients),
          formatNumber(sample.cpuMs),
          formatNumber(percentile(sample.roundMs, 0.5)),
          formatNumber(p99Of(load)),
          String(sample.late),
          String(putOut),
          formatNumber(sample.downBytes / clients / ROUND_MS),
          formatNumber(memoryPerClient / 1024),
          maker === "nearfield" ? formatNumber(everyOf(load)) : "",
          maker === "nearfield" ? formatNumber(overOf(load)) : "",
        ];
      }),
  };
}
