/** What both sides of `peers-rollback` are: a fight of some players on virtual time, tick by tick, and what it cost. */

import { Dice } from "@nearfield/netlab";
import { Pods, pressedBy } from "@nearfield/netlab/internal";
import { checksumOf, EVERYBODY } from "@nearfield/rollback/session";

export interface Contest {
  readonly players: number;
  readonly ticks: number;
  readonly tickMs: number;
  readonly delayMs: number;
  readonly loss: number;
}

export interface Cost {
  /** Payload that a player sends, per second; and messages. */
  readonly bytesPerSecond: number;
  readonly messagesPerSecond: number;
  readonly rollbacksPerSecond: number;
  /** Corrections of one player alone, who met nobody, per second. */
  readonly patchesPerSecond: number;
  /** Steps of everybody that were done again, per second. */
  readonly redonePerSecond: number;
  /** Processor time of a player's tick, µs: receiving, simulating, sending. Median and 99th percentile. */
  readonly tickUs: number;
  readonly tickP99Us: number;
  /** Ticks in which a player could not go on, of all. */
  readonly stalled: number;
  /** Checksums of player 0's states, by number, as they were last. */
  readonly finalStates: ReadonlyMap<number, number>;
}

/** Ticks that are played before anything is counted. */
export const WARM_UP = 300;

/** What each player does in each tick: the same for both sides. */
export function inputsOf({ players, ticks }: Contest): Uint8Array[] {
  const dice = new Dice(7);
  return Array.from({ length: players }, () => {
    let pressed = 0;
    return Uint8Array.from({ length: ticks + WARM_UP }, () => {
      // Somebody at 60 steps a second changes its mind about six times in one.
      if (dice.chance(0.1)) pressed = pressedBy(dice);
      return pressed;
    });
  });
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}

/** Both sides played the same game: throws unless the states are those of the inputs alone. The newest may still be guesses. */
export function checkStates(contest: Contest, side: string, { finalStates }: Cost): void {
  const { players, ticks } = contest;
  const inputs = inputsOf(contest);
  const pods = new Pods(players, 400);
  const saved = new Uint8Array(pods.state.byteLength);
  const row = new Uint8Array(1);
  for (let step = 0; step < ticks; step++) {
    const of = (player: number) => {
      row[0] = inputs[player]![step]!;
      return row;
    };
    pods.advance(step, { of, lag: () => 0 }, EVERYBODY);
    pods.state.save(saved);
    const sum = finalStates.get(step + 1);
    if (sum !== undefined && sum !== checksumOf(saved)) throw new Error(`${side}: state ${step + 1} is another one`);
  }
  if (finalStates.size < ticks / 2)
    throw new Error(`${side}: only ${finalStates.size} states of ${ticks} were reached`);
}
