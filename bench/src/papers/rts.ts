/**
 * `paper-rts`, R chapter 5: 2, 3 and 4 players on small, medium and large maps. It compares what the server sends under the paper's zones with broadcast, beside R fig. 5.2 and
 * 5.3, and with lockstep of the same match. The match is Skirmish, by its own rules and bots. Real servers and clients show it on virtual time. At last a room with
 * 8 × 10,000 units is timed.
 */

import type { Benchmark, Context } from "../benchmark.ts";
import { Report } from "../report.ts";
import { LargeBattle } from "../rts/large-battle.ts";
import { type MatchResult, type MeasurePlan, measureMatch, type RoomName } from "../rts/measure-match.ts";
import { figuresOf, type LargeTimes, type RtsResults, tablesOf } from "../rts/results.ts";

export const rtsBenchmark: Benchmark = {
  name: "paper-rts",
  about: "R fig. 5.2 and 5.3: a strategy game, the paper's zones against broadcast and lockstep; 8 × 10,000 units",
  run,
};

interface Extent {
  /** Seconds of a match that are skipped, and that are counted; and of the stress case. */
  readonly skipped: number;
  readonly counted: number;
  readonly stressed: number;
  /** Rounds with 8 × 10,000 units before the counted ones, and counted. */
  readonly warmUp: number;
  readonly rounds: number;
}
const WHOLE: Extent = { skipped: 300, counted: 60, stressed: 20, warmUp: 100, rounds: 300 };
const QUICK: Extent = { skipped: 240, counted: 8, stressed: 3, warmUp: 40, rounds: 100 };

const MAPS = ["small", "medium", "large"] as const;
const PLAYERS = [2, 3, 4] as const;
const PAPER_ROOMS: readonly RoomName[] = ["paper", "broadcast", "game"];
const FOG_ROOMS: readonly RoomName[] = [...PAPER_ROOMS, "fog", "whole", "played"];
/** Seconds of a match that nobody counts: until the code of both sides is compiled. */
const WARM_UP_S = 10;
const STRESS_TIMES = 10;
const LARGE = { players: 8, units: 10_000, marching: 1000 };
const SEED = 1;

async function run({ quick, progress }: Context): Promise<Report> {
  const extent = quick ? QUICK : WHOLE;
  const report = new Report("paper-rts");
  const matches: MatchResult[] = [];
  progress("a match to warm up");
  await measureMatch({ map: "small", players: 2, seed: SEED, skipped: 60, counted: WARM_UP_S, rooms: PAPER_ROOMS });
  for (const plan of plansOf(quick)) {
    progress(`${plan.players} players, ${plan.map}`);
    matches.push(await measureMatch(plan));
  }
  progress(`ten times as many units`);
  const stress = await measureMatch({
    map: "large",
    players: 4,
    seed: SEED,
    skipped: extent.skipped,
    counted: extent.stressed,
    times: STRESS_TIMES,
    rooms: ["paper", "broadcast"],
  });
  progress("8 × 10,000 units");
  const results: RtsResults = { matches, stress, large: timeLarge(extent) };
  report.tables.push(...tablesOf(results));
  report.add(...figuresOf(results));
  report.notes.push(...notes(extent, quick));
  return report;
}

function plansOf(quick: boolean): MeasurePlan[] {
  const { skipped, counted } = quick ? QUICK : WHOLE;
  const plans = MAPS.flatMap((map) =>
    PLAYERS.map((players) => ({ map, players, seed: SEED, skipped, counted, rooms: FOG_ROOMS })),
  );
  if (!quick) return plans;
  return plans
    .filter(({ map, players }) => players !== 3 && (map !== "small" || players === 2))
    .map((plan) => ({ ...plan, rooms: plan.players === 4 && plan.map === "medium" ? FOG_ROOMS : PAPER_ROOMS }));
}

function timeLarge({ warmUp, rounds }: Extent): LargeTimes {
  const battle = new LargeBattle(LARGE);
  battle.begin();
  for (let round = 0; round < warmUp; round++) battle.round();
  const times: LargeTimes = { roundMs: [], cpuMs: [] };
  for (let round = 0; round < rounds; round++) {
    battle.round();
    times.roundMs.push(battle.roundMs);
    times.cpuMs.push(battle.cpuMs);
  }
  return times;
}

function notes({ skipped, counted }: Extent, quick: boolean): string[] {
  return [
    `each match: bots alone for ${skipped} s, then ${counted} s counted, on virtual time; links with a round trip of 100 ms, 1 % loss`,
    "an update: one object sent to one client that does not own it; broadcast sends every object that changed in a round, through the same codec, encoded once",
    "the paper's comparison has no fog, and nobody is sent its own units, on both sides: the paper's clients move those themselves (R §4.3)",
    "the paper does not print its zones' sizes or its figures' numbers: zones are the camera and the units' surroundings, 2 and 4 times, 1.5 and 3 times as large; 1 pixel is 1/8 world unit",
    "a jump: an object moves by more than 1 % of the camera's width from one frame to the next, after longer than a round trip and a round in the camera; clients interpolate",
    "lockstep: orders alone, turns of 100 ms, each packet repeats the turn before; latency: half a turn, and whole turns that cover the round trip of the slowest player",
    ...(quick ? ["quick: five of the nine matches, fog in one of them"] : []),
  ];
}
