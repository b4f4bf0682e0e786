/** The two strengths of bots, as numbers. */

import type { BuildingKind } from "../state.ts";

export const STRENGTHS = ["easy", "hard"] as const;
export type Strength = (typeof STRENGTHS)[number];

export interface Traits {
  /** Steps between two thoughts. */
  readonly thinkSteps: number;
  /** Builders for each building that takes ore, and at most. */
  readonly buildersPerStore: number;
  readonly buildersMost: number;
  /** What is built, in this order; a kind that stands here twice is built twice. */
  readonly plan: readonly BuildingKind[];
  /** Bases and refineries at fields farther out. */
  readonly outposts: number;
  /** Ore that the army must have cost before it attacks; each attack needs `growth` times as much as the one before, up to `most`. */
  readonly attackAt: number;
  readonly growth: number;
  readonly most: number;
  /** Whether it trains what beats the units that it has seen. */
  readonly counters: boolean;
}

export const TRAITS: Readonly<Record<Strength, Traits>> = {
  easy: {
    thinkSteps: 60,
    buildersPerStore: 6,
    buildersMost: 10,
    plan: ["barracks", "tower", "factory"],
    outposts: 1,
    attackAt: 1500,
    growth: 1.3,
    most: 5000,
    counters: false,
  },
  hard: {
    thinkSteps: 15,
    buildersPerStore: 9,
    buildersMost: 28,
    plan: ["barracks", "tower", "factory", "refinery", "barracks", "pad", "tower", "factory"],
    outposts: 3,
    attackAt: 2200,
    growth: 1.4,
    most: 9000,
    counters: true,
  },
};
