/**
 * A crowd that gathers in one place after another, on servers that cut their slices by load. How soon after it has arrived does everybody have about
 * the same to do?
 */

import { mean } from "../statistics.ts";
import { Fleet } from "./fleet.ts";

const SECOND = 1000;
/** Units a second, several times as fast as players walk: the crowd is at the next meeting after some 20 s. */
const SPEED = 100;
const CELL = 800;
const MEETINGS = [
  [200, 200],
  [2200, 300],
  [1200, 2200],
  [100, 1200],
] as const;

/** The busiest server may have so many times the mean. */
export const EVEN = 1.3;
/** So much of the crowd must be there before it has arrived. */
const ARRIVED = 0.95;
const MOST_MARCH_S = 60;
const STANDING_S = 15;

export interface CrowdResult {
  /** Longest time from an arrival until the busiest server has at most `EVEN` times the mean, s. */
  readonly settleS: number;
  /** Busiest ÷ mean: while the crowd marches, on average; and while it stands, from when it was even first. */
  readonly marching: number;
  readonly standing: number;
  readonly slices: number;
  readonly transfers: number;
}

/** @param meetings how many of them are held. */
export function measureCrowd(players: number, meetings: number, progress: (line: string) => void): CrowdResult {
  const fleet = new Fleet({ seed: 4, columns: 3, rows: 3, cell: CELL, players, range: 60, balances: true });
  fleet.run(10 * SECOND);
  const before = fleet.counts.transfers;
  const [marching, standing]: [number[], number[]] = [[], []];
  let settleS = 0;
  for (const [x, y] of MEETINGS.slice(0, meetings)) {
    progress(`a crowd of ${players} goes to ${x}, ${y}`);
    fleet.meeting = { x, y, speed: SPEED };
    for (let second = 0; second < MOST_MARCH_S && fleet.arrived < ARRIVED; second++) {
      fleet.run(SECOND);
      marching.push(fleet.imbalance);
    }
    let evenS = Number.POSITIVE_INFINITY;
    for (let second = 0; second < STANDING_S; second++) {
      if (fleet.imbalance <= EVEN) evenS = Math.min(evenS, second);
      if (second >= evenS) standing.push(fleet.imbalance);
      fleet.run(SECOND);
    }
    settleS = Math.max(settleS, evenS);
  }
  return {
    settleS,
    marching: mean(marching),
    standing: mean(standing),
    slices: fleet.slices,
    transfers: fleet.counts.transfers - before,
  };
}
