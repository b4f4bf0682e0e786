/** Who checks a fight: drawn by the server, so that nobody can choose its own observers (H7). */

import { RollbackError } from "../errors.ts";

/**
 * Draws observers without favour. `roll(n)` gives a whole number from 0 to n − 1 that players cannot foresee: from the host's cryptographic dice.
 * Leave friends and parties of the players out of `candidates`.
 */
export function drawObservers<T>(candidates: readonly T[], count: number, roll: (sides: number) => number): T[] {
  if (!(Number.isInteger(count) && count > 0))
    throw new RollbackError("bad-option", `count must be a whole number above 0, not ${count}`);
  const left = [...candidates];
  const drawn: T[] = [];
  while (drawn.length < count && left.length > 0) drawn.push(left.splice(roll(left.length), 1)[0]!);
  return drawn;
}
