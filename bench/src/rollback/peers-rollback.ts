/**
 * `peers-rollback`: the same fight, inputs and network over Nearfield's sessions and over Telegraph, a public port of GGPO in TypeScript: what a player sends, how
 * often it rolls back, how long a tick takes. Telegraph has no more than two players; with four Nearfield stands alone.
 */

import { DATACHANNEL_HEADER_BYTES } from "@nearfield/transport/internal";
import type { Benchmark, Context } from "../benchmark.ts";
import { formatNumber, Report } from "../report.ts";
import { type Contest, type Cost, checkStates } from "./contestant.ts";
import { playNearfield } from "./nearfield-duel.ts";
import { loadTelegraph, type TelegraphLibrary } from "./telegraph.ts";
import { playTelegraph } from "./telegraph-duel.ts";

export const rollbackBenchmark: Benchmark = {
  name: "peers-rollback",
  about:
    "a fight of two and four over Nearfield's sessions and over Telegraph (GGPO in TypeScript): bytes, rollbacks, time per tick",
  run,
};

const TICKS = { whole: 18_000, quick: 1800 } as const;
const TICK_MS = 1000 / 60;
const NETWORKS = [
  { name: "50 ms", key: "50ms", delayMs: 50, loss: 0 },
  { name: "50 ms, 2 % lost", key: "50ms_lossy", delayMs: 50, loss: 0.02 },
  { name: "100 ms", key: "100ms", delayMs: 100, loss: 0 },
] as const;

const HEAD = [
  "players, network",
  "",
  "bytes/s",
  "with headers",
  "messages/s",
  "rollbacks/s",
  "alone/s",
  "redone/s",
  "tick µs",
  "p99 µs",
  "stalled",
];

async function run({ quick, progress }: Context): Promise<Report> {
  const ticks = quick ? TICKS.quick : TICKS.whole;
  const report = new Report("peers-rollback");
  const telegraph = await loadTelegraph();
  const rows: string[][] = [];
  for (const { name, key, delayMs, loss } of NETWORKS) {
    for (const players of [2, 4]) {
      progress(`${players} players, ${name}`);
      const contest: Contest = { players, ticks, tickMs: TICK_MS, delayMs, loss };
      const ours = playNearfield(contest);
      checkStates(contest, "Nearfield", ours);
      rows.push(rowOf(`${players}, ${name}`, "Nearfield", ours));
      if (players > 2) {
        report.add({ key: `bytes_${players}_${key}`, value: ours.bytesPerSecond, about: "a player sends, per second" });
        continue;
      }
      const theirs = playTelegraph(contest, telegraph);
      checkStates(contest, "Telegraph", theirs);
      rows.push(rowOf("", "Telegraph", theirs));
      report.add(
        {
          key: `bytes_vs_telegraph_${key}`,
          value: ours.bytesPerSecond / theirs.bytesPerSecond,
          about: "ours ÷ theirs, payload",
        },
        {
          key: `tick_vs_telegraph_${key}`,
          value: ours.tickUs / theirs.tickUs,
          about: "ours ÷ theirs, median time of a tick",
        },
        {
          key: `redone_vs_telegraph_${key}`,
          value: ours.redonePerSecond / theirs.redonePerSecond,
          about: "ours ÷ theirs, steps of everybody that were done again",
        },
      );
    }
  }
  report.tables.push({ title: "what one player's machine does, 60 steps a second", head: HEAD, rows });
  report.notes.push(
    `virtual time, ${ticks} steps, the same seeded inputs (six changes a second); every state of player 0 was compared with a replay of the inputs`,
    "corrections in one tick on both sides; Nearfield's are usually spread. alone/s: corrections of one player who met nobody, which the fight's spheres of influence allow",
    `with headers: ${DATACHANNEL_HEADER_BYTES} bytes for each message, as on a data channel; Telegraph's messages are JSON, as it asks of PeerJS`,
    `four players: ${whyNotFour(telegraph)}; netplayjs 0.4.1 cannot be loaded outside of a page (its bundle needs \`self\`) and its rollback wrapper knows two players`,
  );
  return report;
}

/** What Telegraph says to four players. */
function whyNotFour(telegraph: TelegraphLibrary): string {
  try {
    playTelegraph({ players: 4, ticks: 100, tickMs: TICK_MS, delayMs: 50, loss: 0 }, telegraph);
    return "Telegraph played";
  } catch (error) {
    return `Telegraph 0.0.3 throws "${error instanceof Object && "message" in error ? error.message : String(error)}"`;
  }
}

function rowOf(what: string, side: string, cost: Cost): string[] {
  const withHeaders = cost.bytesPerSecond + cost.messagesPerSecond * DATACHANNEL_HEADER_BYTES;
  return [
    what,
    side,
    formatNumber(cost.bytesPerSecond),
    formatNumber(withHeaders),
    formatNumber(cost.messagesPerSecond),
    formatNumber(cost.rollbacksPerSecond),
    formatNumber(cost.patchesPerSecond),
    formatNumber(cost.redonePerSecond),
    formatNumber(cost.tickUs),
    formatNumber(cost.tickP99Us),
    `${formatNumber(cost.stalled * 100)} %`,
  ];
}
