/** A side without a building is out, and its units are gone. The last side that has one wins. */

import type { BattleState } from "./battle-state.ts";
import { destroy } from "./combat.ts";

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
