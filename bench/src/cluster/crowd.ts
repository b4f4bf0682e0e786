/**
 * A crowd that gathers in one place after another, on servers that cut their slices by load. How long is the busiest server far above the mean?
 */

import { Fleet } from "./fleet.ts";

const SECOND = 1000;
/** Units a second: the crowd is at the next meeting after some 20 s. */
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

export interface CrowdResult {
  /** Longest time for which the busiest server had more than `EVEN` times the mean, s. */
  readonly longestUnevenS: number;
  readonly unevenShare: number;
  readonly slices: number;
  readonly transfers: number;
}

/** @param meetings how many of them are held. */
export function measureCrowd(players: number, meetings: number, progress: (line: string) => void): CrowdResult {
  const fleet = new Fleet({ seed: 4, columns: 3, rows: 3, cell: CELL, players, range: 60, balances: true });
  fleet.run(10 * SECOND);
  const before = fleet.counts.transfers;
  let [seconds, uneven, spell, longest] = [0, 0, 0, 0];
  for (const [x, y] of MEETINGS.slice(0, meetings)) {
    progress(`a crowd of ${players} goes to ${x}, ${y}`);
    fleet.meeting = { x, y, speed: SPEED };
    for (let second = 0; second < 30; second++, seconds++) {
      fleet.run(SECOND);
      spell = fleet.imbalance > EVEN ? spell + 1 : 0;
      if (spell > 0) uneven += 1;
      longest = Math.max(longest, spell);
    }
  }
  return {
    longestUnevenS: longest,
    unevenShare: uneven / seconds,
    slices: fleet.slices,
    transfers: fleet.counts.transfers - before,
  };
}
