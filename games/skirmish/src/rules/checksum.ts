/** One number for the whole state of a match: equal seeds and equal orders give equal numbers, step for step, on every machine. */

import type { BattleState } from "./battle-state.ts";

export function checksum(state: BattleState): number {
  const { pieces, queues, trainings } = state;
  const bits = new Float64Array(1);
  const words = new Uint32Array(bits.buffer);
  let hash = 0x811c9dc5;
  const add = (value: number) => {
    bits[0] = value;
    hash = Math.imul(hash ^ words[0]!, 0x01000193);
    hash = Math.imul(hash ^ words[1]!, 0x01000193);
    hash ^= hash >>> 15;
  };
  add(state.step);
  for (let slot = 0; slot < pieces.high; slot++) {
    if (pieces.alive[slot] === 0) continue;
    add(pieces.handleOf(slot));
    for (const column of [pieces.x, pieces.y, pieces.faceX, pieces.faceY]) add(column[slot]!);
    for (const column of [pieces.kind, pieces.side, pieces.health, pieces.built, pieces.cargo]) add(column[slot]!);
    for (const column of [pieces.target, pieces.cooldown, queues.count]) add(column[slot]!);
    add(trainings.count[slot]!);
    add(trainings.steps[slot]!);
  }
  for (const amount of state.deposits.amount) add(amount);
  for (const ore of state.ore) add(ore);
  add(state.winner);
  return hash >>> 0;
}
