/**
 * `paper-cluster`, V fig. 14 and tab. 4: one world over 4 and 9 servers against a replicated world, which is our own code too (`fleet.ts`). Counted
 * are forwarded updates: one for each update and each other server that gets it. Rounds are timed as the mean over all servers. Beside the paper's
 * figures stand how the cluster grows up to 64 servers, and how evenly a crowd is spread.
 */

import { ReferenceEngine } from "@nearfield/core/internal";
import type { Benchmark, Context } from "../benchmark.ts";
import { EVEN, measureCrowd } from "../cluster/crowd.ts";
import { Fleet, type FleetOptions, ROUND_MS, SIDE } from "../cluster/fleet.ts";
import { exponentOf, type FleetPoint, measureFleetGrowth, type ServerSecond } from "../cluster/growth.ts";
import { type Figure, formatNumber, Report } from "../report.ts";

export const clusterBenchmark: Benchmark = {
  name: "paper-cluster",
  about:
    "V fig. 14 and tab. 4: messages between servers and round times, slices against a replicated world; growth, a moving crowd",
  run,
};

/** V tab. 4, by slices a side. */
const PAPER: Readonly<Record<number, { readonly times: number; readonly inSync: number; readonly transfers: number }>> =
  {
    2: { times: 285_747 / 104_671, inSync: 1.12, transfers: 115 },
    3: { times: 230_967 / 37_373, inSync: 1.27, transfers: 167 },
  };
const MINUTE = 60_000;
const PLAYERS = 100;

function run({ quick, progress }: Context): Report {
  const report = new Report("paper-cluster");
  messages(report, quick, progress);
  roundTimes(report, quick, progress);
  growth(report, quick, progress);
  crowd(report, quick, progress);
  report.notes.push(
    "a forwarded update is one update that one other server gets; copies of an object that come into view count as one too",
    "servers in sync: forwarded updates ÷ updates; the replicated world has all others",
    "as in the paper a player's link moves to the server that owns its avatar; `sticky` keeps the link where the player joined, which is what our clients do",
    `not in the paper, chosen here: 15 units a second and a turn every 5 s or so; rounds of ${ROUND_MS} ms are the paper's`,
  );
  return report;
}

function messages(report: Report, quick: boolean, progress: (line: string) => void): void {
  const countedMs = quick ? MINUTE : 5 * MINUTE;
  const rows: string[][] = [];
  for (const side of [2, 3]) {
    const servers = side ** 2;
    const count = (name: string, options: Partial<FleetOptions>) => {
      progress(`${servers} servers, ${name}`);
      const fleet = new Fleet({ seed: 1, ...paperGrid(side), players: PLAYERS, ...options });
      const before = fleet.counts;
      fleet.run(countedMs);
      const after = fleet.counts;
      const since = (key: keyof typeof after): number => after[key] - before[key];
      const cells = (["updates", "forwarded", "interests", "transfers", "messages", "bytes"] as const).map(since);
      rows.push([`${servers} ${name}`, ...cells.map(formatNumber)]);
      return { perUpdate: since("forwarded") / since("updates"), transfers: since("transfers") };
    };
    const replicated = count("replicated", { isReplicated: true });
    const slices = count("slices", {});
    const sticky = count("slices, sticky", { gateways: "joined" });
    const { times, inSync, transfers } = PAPER[side]!;
    const goal = side === 3 ? { atLeast: 8 } : undefined;
    report.add(
      {
        key: `messages_vs_replicated_${servers}`,
        value: replicated.perUpdate / slices.perUpdate,
        paper: times.toFixed(2),
        about: `times fewer forwarded updates with ${servers} slices`,
        ...(goal !== undefined && { goal }),
      },
      {
        key: `servers_in_sync_${servers}`,
        value: slices.perUpdate,
        paper: `${inSync}`,
        about: "other servers that an update goes to, on average",
        goal: { atMost: 1.3 },
      },
      {
        key: `messages_vs_replicated_${servers}_sticky`,
        value: replicated.perUpdate / sticky.perUpdate,
        about: "the same, if links stay where players joined",
      },
      {
        key: `transfers_${servers}`,
        value: slices.transfers,
        paper: `${transfers} in 5 minutes`,
        about: `in ${countedMs / MINUTE} min`,
      },
    );
  }
  report.tables.push({
    title: `between servers, ${PLAYERS} players, ${countedMs / MINUTE} virtual minutes`,
    head: ["", "updates", "forwarded", "interests", "transfers", "messages", "bytes"],
    rows,
  });
}

/** The paper's world, cut into so many slices a side. */
function paperGrid(side: number): Pick<FleetOptions, "columns" | "rows" | "cell"> {
  return { columns: side, rows: side, cell: SIDE / side };
}

/** Replicated and sliced worlds take turns, so that the machine's moods fall on both. */
function roundTimes(report: Report, quick: boolean, progress: (line: string) => void): void {
  const reference: FleetOptions["model"] = (world, options) => new ReferenceEngine(world, options);
  const rows: string[][] = [];
  const figures: Figure[] = [];
  for (const players of quick ? [1000] : [500, 1000]) {
    for (const side of quick ? [3] : [2, 3]) {
      for (const [name, model] of [
        ["reference", reference],
        ["engine", undefined],
      ] as const) {
        progress(`round of ${players} players, ${side ** 2} servers, ${name}`);
        const make = (isReplicated: boolean) =>
          new Fleet({
            seed: 2,
            ...paperGrid(side),
            players,
            isReplicated,
            judges: true,
            ...(model !== undefined && { model }),
          });
        const [slices, replicated] = [make(false), make(true)];
        for (const fleet of [slices, replicated]) Object.assign(fleet.rounds, { ms: 0, count: 0 });
        for (let i = 0; i < (quick ? 3 : 20); i++) for (const fleet of [slices, replicated]) fleet.run(ROUND_MS);
        const [ours, theirs] = [slices, replicated].map(({ rounds }) => rounds.ms / rounds.count);
        rows.push([`${players} players, ${side ** 2} servers, ${name}`, formatNumber(theirs!), formatNumber(ours!)]);
        const suffix = `${players}_${side ** 2}${name === "reference" ? "" : "_engine"}`;
        figures.push({
          key: `round_vs_replicated_${suffix}`,
          value: ours! / theirs!,
          about: `round of a server, slices ÷ replicated, ${name}`,
          ...(suffix === "1000_9" && { paper: "< 0.5", goal: { atMost: 0.5 } }),
        });
      }
    }
  }
  report.add(...figures);
  report.tables.push({ title: "round of one server, ms", head: ["", "replicated", "slices"], rows });
}

/** What a server has to do, and to send to others, as the world grows with its servers. */
function growth(report: Report, quick: boolean, progress: (line: string) => void): void {
  for (const gateways of ["owner", "any"] as const) {
    const points = measureFleetGrowth(gateways, quick ? 90 : 1500, progress);
    const suffix = gateways === "owner" ? "" : "_any_gateway";
    const where = gateways === "owner" ? "players at the server that owns their avatar" : "players at any server";
    for (const key of ["work", "bytes"] as const) {
      report.add(
        {
          key: `growth_${key}${suffix}`,
          value: againstNine(points, ({ mean }) => mean[key]),
          about: `${key} of a server at 16 and 64 servers ÷ at 9, ${where}`,
          goal: { atMost: 1.2 },
        },
        {
          key: `growth_${key}_inner${suffix}`,
          value: againstNine(points, ({ inner }) => inner![key]),
          about: "… of servers with a neighbour on every side",
        },
        {
          key: `growth_${key}_exponent${suffix}`,
          value: exponentOf(points, (second) => second[key]),
          about: `${key} of a server ~ servers^e, all servers, from 4 on`,
        },
      );
    }
    const cells = ({ work, copies, messages, bytes }: ServerSecond): string[] =>
      [work, copies, messages, bytes].map(formatNumber);
    report.tables.push({
      title: `growth, ${where}: a server in a second; on the right those with a neighbour on every side`,
      head: [
        "servers",
        "players",
        "borders",
        "work",
        "copies",
        "messages",
        "bytes",
        "work",
        "copies",
        "messages",
        "bytes",
      ],
      rows: points.map(({ servers, players, borders, mean, inner }) => [
        ...[servers, players, borders].map(formatNumber),
        ...cells(mean),
        ...(inner === undefined ? ["", "", "", ""] : cells(inner)),
      ]),
    });
  }
}

/** The most that a figure of larger fleets is, as a multiple of that at nine servers. */
function againstNine(points: readonly FleetPoint[], figure: (point: FleetPoint) => number): number {
  const nine = points.find(({ servers }) => servers === 9)!;
  return Math.max(...points.filter(({ servers }) => servers > 9).map(figure)) / figure(nine);
}

function crowd(report: Report, quick: boolean, progress: (line: string) => void): void {
  const players = quick ? 200 : 1000;
  const { settleS, marching, standing, slices, transfers } = measureCrowd(players, quick ? 1 : 4, progress);
  report.add(
    {
      key: "crowd_settle_s",
      value: settleS,
      about: `s from the arrival of ${players} players in one place until the busiest server has ≤ ${EVEN} × the mean`,
      goal: { atMost: 10 },
    },
    { key: "crowd_imbalance_standing", value: standing, about: "busiest ÷ mean after that" },
    { key: "crowd_imbalance_marching", value: marching, about: "… while all walk there at 100 units a second" },
    { key: "crowd_slices", value: slices, about: "slices at the end, of 9 servers" },
    { key: "crowd_transfers", value: transfers, about: "hand-overs of objects" },
  );
}
