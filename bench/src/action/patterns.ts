/** The five delay patterns of H tab. 1 and 2, and what the paper measured with them: 20 players, steps of 50 ms. */

import type { MeshOptions } from "@nearfield/netlab/internal";

export const PLAYERS = 20;

/** Mean and mean-peak simultaneous simulations. */
export interface Measured {
  readonly mean: number;
  readonly peak: number;
}

export interface Pattern {
  readonly key: string;
  readonly name: string;
  readonly delayMs: MeshOptions["delayMs"];
  /** Corrections all at once (tab. 1) and spread (tab. 2). */
  readonly paper: { readonly immediate: Measured; readonly spread: Measured };
}

function all(least: number, most: number): MeshOptions["delayMs"] {
  return (_from, _to, dice) => dice.range(least, most);
}

export const PATTERNS: readonly Pattern[] = [
  {
    key: "0_50",
    name: "20 × 0–50 ms",
    delayMs: all(0, 50),
    paper: { immediate: { mean: 2.02, peak: 12.48 }, spread: { mean: 2.02, peak: 9.95 } },
  },
  {
    key: "50_100",
    name: "20 × 50–100 ms",
    delayMs: all(50, 100),
    paper: { immediate: { mean: 2.07, peak: 18.32 }, spread: { mean: 2.1, peak: 13.7 } },
  },
  {
    key: "150_300",
    name: "20 × 150–300 ms",
    delayMs: all(150, 300),
    paper: { immediate: { mean: 2.21, peak: 16.48 }, spread: { mean: 2.2, peak: 11.95 } },
  },
  {
    key: "300_600",
    name: "20 × 300–600 ms",
    delayMs: all(300, 600),
    paper: { immediate: { mean: 2.5, peak: 24.24 }, spread: { mean: 2.59, peak: 12.65 } },
  },
  {
    key: "one_slow",
    name: "19 × 0–50 ms, 1 × 300–600 ms",
    delayMs: (from, to, dice) => (from === 0 || to === 0 ? dice.range(300, 600) : dice.range(0, 50)),
    paper: { immediate: { mean: 2.43, peak: 19.73 }, spread: { mean: 2.53, peak: 9.51 } },
  },
];
