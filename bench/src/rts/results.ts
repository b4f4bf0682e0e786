/** What `paper-rts` found, as figures and tables. */

import { type Figure, formatNumber, type Table } from "../report.ts";
import { percentile } from "../statistics.ts";
import { lockstepLatencyMs, serverLatencyMs } from "./lockstep.ts";
import { JITTER_MS, LATENCY_MS } from "./match-room.ts";
import { type MatchResult, type RoomName, type RoomResult, WHOLE_UPDATE_BYTES } from "./measure-match.ts";
import { PAPER_SEQUENCES } from "./views.ts";

/** R fig. 5.2, 5.3 and the text beside them. */
const PAPER_REDUCTION = "0.5–0.6";
const PAPER_CPU = "1.1–1.2";
/** A round trip of one slow player among the others, ms. */
const SLOW_MS = 300;

export interface RtsResults {
  readonly matches: readonly MatchResult[];
  readonly stress: MatchResult;
  readonly large: LargeTimes;
}

/** Of each round with 8 × 10,000 units, ms: wall time without the game's step, and processor time with it. */
export interface LargeTimes {
  readonly roundMs: number[];
  readonly cpuMs: number[];
}

export function figuresOf({ matches, stress, large }: RtsResults): Figure[] {
  const spread = matches.filter(({ plan }) => plan.map !== "small");
  const least = (of: (result: MatchResult) => number): number => Math.min(...spread.map(of));
  const all = [...matches, stress];
  return [
    {
      key: "message_reduction_min",
      value: least((result) => reduction(result, "paper", "updates")),
      paper: PAPER_REDUCTION,
      goal: { atLeast: 0.6 },
      about: "object updates, 1 − paper's zones ÷ broadcast; least of the medium and large maps",
    },
    {
      key: "message_reduction_ceiling_min",
      value: least((result) => 1 - fewestUpdates(result) / room(result, "broadcast").updates),
      about:
        "the most that any scheme can save which keeps the paper's bounds on sequence: zone k sends every 1st, 3rd, 5th, 10th change",
    },
    {
      key: "byte_reduction_min",
      value: least((result) => reduction(result, "paper", "bytes")),
      goal: { atLeast: 0.9 },
      about: "the same in bytes, broadcast through our own codec",
    },
    {
      key: "byte_reduction_whole_min",
      value: least((result) => 1 - room(result, "paper").bytes / wholeBytes(result)),
      about: `the same, broadcast of whole units, ${WHOLE_UPDATE_BYTES} bytes an update`,
    },
    {
      key: "wire_byte_reduction_min",
      value: least((result) => reduction(result, "paper", "wireBytes")),
      about: "the same with headers, both through our own codec",
    },
    {
      key: "byte_reduction_game_min",
      value: least((result) => reduction(result, "game", "bytes")),
      about: "bytes under the game's own bounds ÷ broadcast through our own codec",
    },
    {
      key: "cpu_vs_broadcast",
      value: Math.max(...matches.map(cpuRatio)),
      paper: PAPER_CPU,
      goal: { below: 1 },
      about: "median time of a server round without the game's step, paper's zones ÷ broadcast; the worst match",
    },
    {
      key: "cpu_vs_broadcast_stress",
      value: cpuRatio(stress),
      paper: PAPER_CPU,
      goal: { below: 1 },
      about: "the same with ten times as many units",
    },
    {
      key: "jumps",
      value: all.reduce((sum, { rooms }) => sum + (rooms.paper?.jumps ?? 0) + (rooms.fog?.jumps ?? 0), 0),
      paper: "never to rarely",
      goal: { atMost: 0 },
      about: "sudden movements in what clients show",
    },
    {
      key: "over_bound",
      value: all.reduce((sum, { rooms }) => sum + Object.values(rooms).reduce((own, at) => own + at.overBound, 0), 0),
      goal: { atMost: 0 },
      about: "pairs over their bound without a send, as audited",
    },
    {
      key: "round_p99_ms_8x10k",
      value: percentile(large.roundMs, 0.99),
      goal: { atMost: 10 },
      about: `p99 of a round without the game's step, 8 players × 10,000 units, 1,000 of each moving; ${large.roundMs.length} rounds`,
    },
    { key: "round_p50_ms_8x10k", value: percentile(large.roundMs, 0.5), about: "the median of the same" },
    {
      key: "round_cpu_p99_ms_8x10k",
      value: percentile(large.cpuMs, 0.99),
      about: "p99 in processor time, with the game's step: for machines that do other things, too",
    },
    { key: "round_cpu_p50_ms_8x10k", value: percentile(large.cpuMs, 0.5), about: "the median of the same" },
    ...lockstepFigures(all),
  ];
}

function lockstepFigures(results: readonly MatchResult[]): Figure[] {
  const played = results.filter(({ rooms }) => rooms.played !== undefined);
  const widest = played.at(-1)!;
  const perPlayer = (sum: number, { seconds, plan }: MatchResult): number => sum / seconds / plan.players;
  const ours = room(widest, "played");
  const { down } = widest.lockstep;
  const hidden = results.filter((result) => result.hidden !== undefined);
  return [
    {
      key: "lockstep_bytes_ratio",
      value: Math.max(...played.map((result) => room(result, "played").bytes / result.lockstep.down.bytes)),
      about: "bytes to a player, the game's bounds with fog and own units ÷ lockstep; the worst match",
    },
    {
      key: "lockstep_wire_bytes_ratio",
      value: Math.max(...played.map((result) => room(result, "played").wireBytes / result.lockstep.down.wireBytes)),
      about: "the same with headers",
    },
    { key: "lockstep_bytes_per_player_s", value: perPlayer(down.bytes, widest), about: `${nameOf(widest)}, lockstep` },
    {
      key: "lockstep_wire_bytes_per_player_s",
      value: perPlayer(down.wireBytes, widest),
      about: `${nameOf(widest)}, lockstep with headers`,
    },
    { key: "bytes_per_player_s", value: perPlayer(ours.bytes, widest), about: `${nameOf(widest)}, Nearfield` },
    {
      key: "wire_bytes_per_player_s",
      value: perPlayer(ours.wireBytes, widest),
      about: `${nameOf(widest)}, Nearfield with headers`,
    },
    {
      key: "order_latency_ms",
      value: serverLatencyMs(2 * LATENCY_MS),
      about: `from an order to what it does, on the own screen, round trip ${2 * LATENCY_MS} ms`,
    },
    {
      key: "lockstep_order_latency_ms",
      value: lockstepLatencyMs(2 * LATENCY_MS, JITTER_MS),
      about: "the same under lockstep",
    },
    {
      key: "lockstep_order_latency_slow_ms",
      value: lockstepLatencyMs(SLOW_MS, JITTER_MS),
      about: `the same for everybody if one player has a round trip of ${SLOW_MS} ms`,
    },
    {
      key: "hidden_objects",
      value: Math.max(...hidden.map((result) => result.hidden!.ours)),
      goal: { atMost: 0 },
      about: "objects in a client's memory that its side has not seen for a second, with fog; mean, worst match",
    },
    {
      key: "lockstep_hidden_objects",
      value: Math.max(...hidden.map((result) => result.hidden!.lockstep)),
      about: "the same under lockstep",
    },
  ];
}

export function tablesOf({ matches, stress }: RtsResults): Table[] {
  const all = [...matches, stress];
  const withFog = all.filter(({ rooms }) => rooms.fog !== undefined);
  return [
    {
      title: "the paper's zones against broadcast: no fog, own units not counted (R fig. 5.2 and 5.3)",
      head: [
        "match",
        "pieces",
        "updates",
        "broadcast",
        "fewer",
        "bytes fewer",
        "with headers",
        "whole units",
        "game's bounds",
        "time ÷ broadcast",
        "jumps",
      ],
      rows: all.map((result) => {
        const { paper, broadcast, game } = result.rooms;
        return [
          nameOf(result),
          `${result.pieces}`,
          rate(paper!.updates, result),
          rate(broadcast!.updates, result),
          percent(reduction(result, "paper", "updates")),
          percent(reduction(result, "paper", "bytes")),
          percent(reduction(result, "paper", "wireBytes")),
          percent(1 - paper!.bytes / wholeBytes(result)),
          game === undefined ? "" : percent(reduction(result, "game", "bytes")),
          formatNumber(cpuRatio(result)),
          `${paper!.jumps}`,
        ];
      }),
    },
    {
      title:
        "the same by zone: changes of others' objects, updates that were sent, and the fewest that bounds on sequence allow; for a player in a second",
      head: ["match", ...PAPER_SEQUENCES.flatMap((_, zone) => [`zone ${zone + 1}`, "sent", "fewest"]), "most to save"],
      rows: all.map((result) => [
        nameOf(result),
        ...PAPER_SEQUENCES.flatMap((sequence, zone) => [
          rate(result.changesByZone[zone] ?? 0, result),
          rate(room(result, "paper").updatesByZone[zone] ?? 0, result),
          rate((result.changesByZone[zone] ?? 0) / sequence, result),
        ]),
        percent(1 - fewestUpdates(result) / room(result, "broadcast").updates),
      ]),
    },
    {
      title: "with fog: what a player is sent in a second, own units included",
      head: [
        "match",
        "updates of others",
        "own",
        "bytes",
        "with headers",
        "broadcast of all",
        "with headers",
        "hidden objects",
        "jumps",
      ],
      rows: withFog.map((result) => {
        const { fog, whole } = result.rooms;
        return [
          nameOf(result),
          rate(fog!.updates, result),
          rate(fog!.ownUpdates, result),
          rate(fog!.bytes, result),
          rate(fog!.wireBytes, result),
          rate(whole!.bytes, result),
          rate(whole!.wireBytes, result),
          formatNumber(result.hidden!.ours),
          `${fog!.jumps}`,
        ];
      }),
    },
    {
      title: "lockstep of the same match, to a player in a second",
      head: ["match", "orders", "bytes", "with headers", "Nearfield", "with headers", "hidden objects", "Nearfield"],
      rows: withFog.map((result) => {
        const { down, orders } = result.lockstep;
        const { played } = result.rooms;
        return [
          nameOf(result),
          formatNumber(orders / result.seconds),
          rate(down.bytes, result),
          rate(down.wireBytes, result),
          rate(played!.bytes, result),
          rate(played!.wireBytes, result),
          formatNumber(result.hidden!.lockstep),
          formatNumber(result.hidden!.ours),
        ];
      }),
    },
  ];
}

function room({ rooms }: MatchResult, name: RoomName): RoomResult {
  return rooms[name]!;
}

function reduction(result: MatchResult, name: RoomName, what: "updates" | "bytes" | "wireBytes"): number {
  return 1 - room(result, name)[what] / room(result, "broadcast")[what];
}

/** In the long run every n-th change of an object must be sent, where n is the bound on sequence of its zone. */
function fewestUpdates({ changesByZone }: MatchResult): number {
  return PAPER_SEQUENCES.reduce((sum, sequence, zone) => sum + (changesByZone[zone] ?? 0) / sequence, 0);
}

function wholeBytes(result: MatchResult): number {
  return room(result, "broadcast").updates * WHOLE_UPDATE_BYTES;
}

function cpuRatio(result: MatchResult): number {
  return room(result, "paper").medianMs / room(result, "broadcast").medianMs;
}

function nameOf({ plan }: MatchResult): string {
  return `${plan.players} players, ${plan.map}${plan.times === undefined ? "" : `, units × ${plan.times}`}`;
}

/** For each player and second. */
function rate(sum: number, { seconds, plan }: MatchResult): string {
  return formatNumber(sum / seconds / plan.players);
}

function percent(share: number): string {
  return `${formatNumber(share * 100)} %`;
}
