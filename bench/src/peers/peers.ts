/**
 * `peers`: the same seeded world served by Nearfield and by Colyseus 0.18, over WebSockets on loopback. What is compared and why it is fair:
 * docs/decisions/0008-comparing-with-peers.md.
 */

import type { Benchmark, Context } from "../benchmark.ts";
import { type Figure, formatNumber, Report } from "../report.ts";
import { mean, median, percentile } from "../statistics.ts";
import { prepareColyseus } from "./colyseus.ts";
import { type ManyClients, measureManyClients } from "./many-clients.ts";
import { RunningSubject } from "./run-subject.ts";
import { crowdOf, ROUND_MS, TIERS } from "./scene.ts";
import type { Staleness, TierStaleness } from "./staleness.ts";
import type { SubjectName } from "./subject-process.ts";

export const peersBenchmark: Benchmark = {
  name: "peers",
  about: "the same world on Colyseus 0.18: bytes at the socket, staleness of replicas, processor time",
  run,
};

/** Rounds of one turn. Turns are short, so that what disturbs the machine disturbs all subjects alike. */
const TURN_ROUNDS = 4;
/** Turns between two lines of progress. */
const PROGRESS_TURNS = 15;
const OBJECTS = 1000;
const CLIENTS = 300;
const MANY = { objects: 2000, clients: 1000 };

const LABELS: Readonly<Record<SubjectName, string>> = {
  nearfield: "Nearfield, three zones",
  nearfieldPlain: "Nearfield, every update in sight",
  colyseusView: "Colyseus, StateView",
  colyseusTiers: "Colyseus, tiers by view tags",
  colyseusPacked: "Colyseus, tiers, x and y packed by hand",
};

/**
 * Rounds of all turns together are a multiple of 60, so that every phase of the tiers' 4 and 10 rounds is looked at equally often. A server's
 * rounds get cheaper for its first 200 to 300 rounds, while its code is compiled, each server's by another measure; so that many go before.
 */
interface Extent {
  readonly subjects: readonly SubjectName[];
  readonly warmUpRounds: number;
  readonly turns: number;
  readonly manyWarmUp: number;
  readonly manyRounds: number;
}

const QUICK: Extent = {
  subjects: ["nearfield", "colyseusView", "colyseusTiers"],
  warmUpRounds: 180,
  turns: 15,
  manyWarmUp: 30,
  manyRounds: 4,
};
const FULL: Extent = {
  subjects: ["nearfield", "nearfieldPlain", "colyseusView", "colyseusTiers", "colyseusPacked"],
  warmUpRounds: 300,
  turns: 150,
  manyWarmUp: 60,
  manyRounds: 60,
};

interface Measured {
  readonly name: SubjectName;
  readonly downBytes: number;
  readonly upBytes: number;
  readonly downPackets: number;
  readonly downWireBytes: number;
  /** By turn, ms per round. */
  readonly cpuMs: readonly number[];
  readonly busyMs: readonly number[];
  readonly interestMs: number;
  readonly staleness: Staleness;
  /** Rounds in which replicas were looked at. */
  readonly looks: number;
}

async function run({ quick, progress }: Context): Promise<Report> {
  const extent = quick ? QUICK : FULL;
  await prepareColyseus();
  const measured = await compare(extent, progress);
  progress(`${MANY.objects} objects × ${MANY.clients} clients`);
  const pace = { rounds: extent.manyRounds, blockMs: quick ? 1000 : 20_000 };
  const many = measureManyClients(MANY.objects, MANY.clients, extent.manyWarmUp, pace);
  return reportOf(measured, many);
}

/** All subjects live at the same time. They warm up together; then they take turns, so that what disturbs one disturbs the others. */
async function compare(extent: Extent, progress: Context["progress"]): Promise<Measured[]> {
  const size = crowdOf(OBJECTS, CLIENTS);
  const running = extent.subjects.map((name) => new RunningSubject(name, size));
  try {
    progress(`${CLIENTS} clients join each of ${running.length} servers`);
    await Promise.all(running.map((subject) => subject.start()));
    progress("warm-up");
    await Promise.all(running.map((subject) => subject.run(extent.warmUpRounds, false)));
    for (const subject of running) await subject.calibrate();
    for (const subject of running) await subject.collect();
    for (let turn = 0; turn < extent.turns; turn++) {
      if (turn % PROGRESS_TURNS === 0) progress(`turn ${turn + 1} of ${extent.turns}`);
      for (const subject of running) await subject.run(TURN_ROUNDS, true);
    }
    return await Promise.all(running.map(measuredOf));
  } finally {
    for (const subject of running) subject.end();
  }
}

async function measuredOf(subject: RunningSubject): Promise<Measured> {
  const { name, turns } = subject;
  return {
    name,
    downBytes: mean(turns.map(({ downBytes }) => downBytes)),
    upBytes: mean(turns.map(({ upBytes }) => upBytes)),
    downPackets: mean(turns.map(({ downPackets }) => downPackets)),
    downWireBytes: mean(turns.map(({ downWireBytes }) => downWireBytes)),
    cpuMs: turns.map(({ cpuMs }) => cpuMs),
    busyMs: turns.map(({ busyMs }) => busyMs),
    interestMs: mean(turns.map(({ interestMs }) => interestMs)),
    staleness: await subject.staleness(),
    looks: subject.looks,
  };
}

// ── the report ───────────────────────────────────────────────────────────────────────────────────────────────────

function reportOf(measured: readonly Measured[], many: ManyClients): Report {
  const report = new Report("peers");
  report.tables.push(costTable(measured), stalenessTable(measured));
  const of = (name: SubjectName): Measured | undefined => measured.find((candidate) => candidate.name === name);
  report.add(
    ...ratioFigures(of("nearfield")!, of("colyseusView")!, of("colyseusTiers")!),
    ...besideFigures(of),
    ...roundFigures(many),
    ...stalenessFigures(of("nearfield")!, of("colyseusTiers")!),
  );
  report.notes.push(
    `${OBJECTS} walkers, ${CLIENTS} clients, ${formatNumber(inSight(of("nearfield")!))} in sight of each, ${1000 / ROUND_MS} rounds per second; bytes are those of the server's TCP sockets, WebSocket headers included, permessage-deflate off as both ship it; wire bytes add the headers of IP, TCP and TLS, once for each write`,
    `ratios of processor time in single turns of ${TURN_ROUNDS} rounds, the middle half: ${cpuSpread(of("nearfield")!, of("colyseusView")!)} of the plain StateView's`,
    "processor time is that of the server's whole process, clients live in another; Colyseus' includes the game's search for who is in sight, which Nearfield's engine does itself",
    "staleness: rounds since an object was where the decoded replica shows it, for what is in sight, by the tier it is in now; rounds run in lockstep, so no network is in it",
  );
  return report;
}

function ratioFigures(ours: Measured, view: Measured, tiers: Measured): Figure[] {
  return [
    {
      key: "bytes_vs_colyseus_tiers",
      value: ours.downBytes / tiers.downBytes,
      goal: { atMost: 0.5 },
      about: "sent per client, ours ÷ Colyseus with three tiers by view tags",
    },
    {
      key: "bytes_vs_colyseus_view",
      value: ours.downBytes / view.downBytes,
      about: "… ÷ Colyseus with a plain StateView",
    },
    {
      key: "wire_bytes_vs_colyseus_tiers",
      value: ours.downWireBytes / tiers.downWireBytes,
      about: "sent per client with the headers of IP, TCP and TLS, ours ÷ three tiers by view tags",
    },
    {
      key: "wire_bytes_vs_colyseus_view",
      value: ours.downWireBytes / view.downWireBytes,
      about: "… ÷ a plain StateView",
    },
    { key: "packets_per_client_s", value: ours.downPackets, about: "packets to a client, ours" },
    {
      key: "bytes_both_ways_vs_colyseus_tiers",
      value: (ours.downBytes + ours.upBytes) / (tiers.downBytes + tiers.upBytes),
      about: "with what clients send: our acks",
    },
    {
      key: "cpu_vs_colyseus_view",
      value: cpuRatio(ours, view),
      goal: { atMost: 0.9 },
      about: "processor time per round, ours ÷ plain StateView's",
    },
    {
      key: "cpu_vs_colyseus_view_without_search",
      value: mean(ours.cpuMs) / (mean(view.cpuMs) - view.interestMs),
      about: "… if Colyseus were told for nothing who is in sight",
    },
    { key: "cpu_vs_colyseus_tiers", value: cpuRatio(ours, tiers), about: "… ÷ tiers by view tags" },
  ];
}

/**
 * The time of all rounds, ours ÷ theirs. All of it counts, collections of garbage too, which fall into few turns: a median over turns would leave
 * them out.
 */
function cpuRatio(ours: Measured, theirs: Measured): number {
  return mean(ours.cpuMs) / mean(theirs.cpuMs);
}

/** The middle half of the ratios of single turns: how far one measurement is from the next. */
function cpuSpread(ours: Measured, theirs: Measured): string {
  const ratios = ours.cpuMs.map((cpuMs, turn) => cpuMs / theirs.cpuMs[turn]!);
  return `${formatNumber(percentile(ratios, 0.25))} to ${formatNumber(percentile(ratios, 0.75))}`;
}

/** What only a full run has. */
function besideFigures(of: (name: SubjectName) => Measured | undefined): Figure[] {
  const [ours, plain, view, packed] = [
    of("nearfield")!,
    of("nearfieldPlain"),
    of("colyseusView")!,
    of("colyseusPacked"),
  ];
  return [
    ...(plain === undefined
      ? []
      : [
          {
            key: "bytes_plain_vs_colyseus_view",
            value: plain.downBytes / view.downBytes,
            about: "like with like: every update of what is in sight, on both sides",
          },
          {
            key: "cpu_plain_vs_colyseus_view",
            value: cpuRatio(plain, view),
            goal: { atMost: 1 },
            about: "the same, processor time",
          },
        ]),
    ...(packed === undefined
      ? []
      : [
          {
            key: "bytes_vs_colyseus_packed",
            value: ours.downBytes / packed.downBytes,
            about: "÷ Colyseus' tiers with both coordinates packed into one field by hand",
          },
        ]),
  ];
}

function roundFigures({ times, violations, objects, clients }: ManyClients): Figure[] {
  return [
    {
      key: "round_ms_2000x1000",
      value: times.over(median),
      goal: { atMost: 50 },
      about: `whole server round, ${objects} objects × ${clients} clients, links in memory; median`,
    },
    {
      key: "round_p99_ms_2000x1000",
      value: percentile(times.all, 0.99),
      goal: { atMost: 30 },
      about: "the same, p99 of all rounds",
    },
    {
      key: "violations",
      value: violations,
      goal: { atMost: 0 },
      about: "pairs over their bound there, by the auditor",
    },
  ];
}

/**
 * Ours must be as fresh as theirs in every tier, on the whole and at worst: the difference is at most 0. A mean over a sample of pairs is known to its standard error only; that
 * stands beside it.
 */
function stalenessFigures(ours: Measured, theirs: Measured): Figure[] {
  return TIERS.flatMap((_, tier) => {
    const [us, them] = [ours.staleness[tier]!, theirs.staleness[tier]!];
    return [
      ...[
        { who: "ours", of: us },
        { who: "colyseus", of: them },
      ].flatMap(({ who, of }) => [
        { key: `staleness_mean_ms_tier${tier}_${who}`, value: (of.sum / of.pairs) * ROUND_MS, about: `tier ${tier}` },
        { key: `staleness_max_ms_tier${tier}_${who}`, value: of.largest * ROUND_MS, about: `tier ${tier}, at worst` },
      ]),
      {
        key: `staleness_difference_ms_tier${tier}`,
        value: (us.sum / us.pairs - them.sum / them.pairs) * ROUND_MS,
        about: `ours − theirs, in the mean; standard error ${formatNumber(standardError(us, them) * ROUND_MS)} ms`,
      },
      {
        key: `staleness_excess_ms_tier${tier}`,
        value: Math.max(0, us.sum / us.pairs - them.sum / them.pairs, us.largest - them.largest) * ROUND_MS,
        goal: { atMost: 0 },
        about: "by how much ours is staler, in the mean or at worst",
      },
    ];
  });
}

/** Of the difference of two means, in rounds. */
function standardError(us: TierStaleness, them: TierStaleness): number {
  return Math.sqrt([us, them].reduce((sum, of) => sum + varianceOfMean(of), 0));
}

function varianceOfMean({ pairs, sum, squares }: TierStaleness): number {
  return Math.max(0, squares / pairs - (sum / pairs) ** 2) / pairs;
}

function inSight({ staleness, looks }: Measured): number {
  return staleness.reduce((sum, { pairs, missing }) => sum + pairs + missing, 0) / (looks * CLIENTS);
}

function costTable(measured: readonly Measured[]): Report["tables"][number] {
  return {
    title: "per client and second; processor time per round",
    head: [
      "",
      "bytes sent",
      "packets",
      "wire bytes",
      "bytes received",
      "processor ms",
      "main thread ms",
      "who sees whom",
    ],
    rows: measured.map(({ name, downBytes, downPackets, downWireBytes, upBytes, cpuMs, busyMs, interestMs }) => [
      LABELS[name],
      formatNumber(downBytes),
      formatNumber(downPackets),
      formatNumber(downWireBytes),
      formatNumber(upBytes),
      formatNumber(mean(cpuMs)),
      formatNumber(mean(busyMs)),
      interestMs === 0 ? "" : formatNumber(interestMs),
    ]),
  };
}

function stalenessTable(measured: readonly Measured[]): Report["tables"][number] {
  return {
    title: "staleness of decoded replicas, rounds: mean / largest (in sight, but not there)",
    head: ["", ...TIERS.map(({ radius, everyRounds }) => `to ${radius}, every ${everyRounds}`)],
    rows: measured.map(({ name, staleness }) => [
      LABELS[name],
      ...staleness.map(
        ({ sum, pairs, largest, missing }) => `${formatNumber(sum / pairs)} / ${largest} (${formatNumber(missing)})`,
      ),
    ]),
  };
}
