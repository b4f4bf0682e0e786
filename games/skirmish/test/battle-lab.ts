/** What tests of the rules have in common: time that passes in a battle. */

import type { Battle } from "../src/rules/battle.ts";
import { STEP_MS } from "../src/state.ts";

/** Steps in so many seconds. */
export const seconds = (count: number): number => (count * 1000) / STEP_MS;

export function run(battle: Battle, steps: number): void {
  for (let step = 0; step < steps; step++) battle.step();
}
