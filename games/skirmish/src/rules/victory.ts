/** A side without a building is out, and its units are gone. The last side that has one wins. */

import { NO_SIDE } from "../state.ts";
import type { BattleState } from "./battle-state.ts";
import { destroy } from "./combat.ts";
import { COST } from "./kinds.ts";

export function judge(state: BattleState): void {
  for (let side = 0; side < state.sides; side++) {
    if (state.standing[side] === 1 && state.buildings[side] === 0) disband(state, side);
  }
  const left = state.standing.reduce((sum, standing) => sum + standing, 0);
  if (left === 1) state.winner = state.standing.indexOf(1);
}

function disband(state: BattleState, side: number): void {
  const { pieces } = state;
  state.standing[side] = 0;
  for (let slot = 0; slot < pieces.high; slot++) {
    if (pieces.alive[slot] === 1 && pieces.side[slot] === side) destroy(state, slot);
  }
}

/** The side whose pieces cost most ore; `NO_SIDE` if there are two. */
export function strongest({ pieces, sides }: BattleState): number {
  const worth = new Float64Array(sides);
  for (let slot = 0; slot < pieces.high; slot++) {
    if (pieces.alive[slot] === 1) worth[pieces.side[slot]!]! += COST[pieces.kind[slot]!]!;
  }
  const most = Math.max(...worth);
  const best = worth.indexOf(most);
  return worth.lastIndexOf(most) === best ? best : NO_SIDE;
}
