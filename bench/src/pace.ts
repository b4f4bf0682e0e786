/**
 * How long a measurement runs. Times are taken in five blocks, and a figure is the median of the five, so a disturbance in one block does not
 * change it. A block ends after a number of rounds, or when its time is up, whichever comes first: a slow subject is measured over fewer
 * rounds.
 */

import { median } from "./statistics.ts";

export const BLOCKS = 5;

export interface Pace {
  /** Rounds in a block. */
  readonly rounds: number;
  /** Time for a block, in ms. */
  readonly blockMs: number;
}

/** Runs `round` in five blocks. */
export function inBlocks(pace: Pace, round: (block: number) => void): void {
  for (let block = 0; block < BLOCKS; block++) runBlock(pace, () => round(block));
}

/** Runs one block of at least one round. Garbage of the block before is collected first. */
export function runBlock({ rounds, blockMs }: Pace, round: () => void): void {
  collectGarbage();
  const endMs = performance.now() + blockMs;
  for (let count = 0; count < rounds && (count === 0 || performance.now() < endMs); count++) round();
}

/** One list of times for each block. */
export class BlockTimes {
  readonly blocks: number[][] = Array.from({ length: BLOCKS }, () => []);

  /** Runs and times; returns what it returned. */
  time<T>(block: number, run: () => T): T {
    const startMs = performance.now();
    const result = run();
    this.blocks[block]!.push(performance.now() - startMs);
    return result;
  }

  get all(): number[] {
    return this.blocks.flat();
  }

  /** The median over the blocks of a statistic of each. */
  over(statistic: (times: readonly number[]) => number): number {
    return median(this.blocks.map(statistic));
  }

  /** How many times longer these took than the others: the median over the blocks of the ratio of medians. */
  ratioTo(others: BlockTimes): number {
    return median(this.blocks.map((times, block) => median(times) / median(others.blocks[block]!)));
  }
}

export function collectGarbage(): void {
  globalThis.gc?.();
}

/** Collects what was allocated of late, which takes a few ms: garbage of others than the round that is timed next. */
export function collectYoungGarbage(): void {
  (globalThis.gc as ((options: { readonly type: "minor" }) => void) | undefined)?.({ type: "minor" });
}
