/**
 * Searches value bounds under `predicted` that give players as good a picture as the paper's bounds do: the same 99th percentile of the
 * error in each zone. Within a zone the bound for objects in sight is half of the bound for objects behind the player; for objects that a quick
 * turn may bring into sight it lies between. So one number per zone is left to find: its loosest bound.
 *
 * The error grows almost in proportion to that bound, so a few steps are enough, each of which corrects every bound by how far its zone is off. The
 * result is the best attempt in which no zone is worse than required.
 */

import type { Bound } from "@nearfield/core";
import type { CellBounds } from "./paper.ts";

/** Bound of each sector as a share of its zone's loosest. */
const SECTOR_SHARES: readonly number[] = [0.5, 0.75, 1];
/** A zone is equal when it is not above and at most this much below, as a share of the error it shall have. */
const CLOSE = 0.01;
/** A zone with hardly any error yet is not let go more than so far in one step: the inverse. */
const LEAST_SHARE = 0.25;

/**
 * @param goals the error that each zone shall have, 0 where nobody is.
 * @param steps how often to try at most.
 * @param errorsOf tries bounds: the error in each zone.
 */
export function boundsOfEqualPicture(
  paper: CellBounds,
  goals: readonly number[],
  steps: number,
  errorsOf: (cells: CellBounds) => readonly number[],
): CellBounds {
  let loosest = [...goals];
  let best = goals.map((error) => error / 2);
  let bestShare = 0;
  for (let step = 0; step < steps && bestShare < 1 - CLOSE; step++) {
    const errors = errorsOf(withBounds(paper, loosest));
    const shares = errors.map((error, zone) => (goals[zone] === 0 ? 1 : error / goals[zone]!));
    const least = Math.min(...shares);
    if (shares.every((share) => share <= 1) && least > bestShare) [best, bestShare] = [loosest, least];
    loosest = loosest.map((bound, zone) => (bound * (1 - CLOSE / 2)) / Math.max(shares[zone]!, LEAST_SHARE));
  }
  return withBounds(paper, best);
}

/** A zone is never stricter than the one before it. */
function withBounds(paper: CellBounds, loosest: readonly number[]): CellBounds {
  const bounds: Bound[][] = [];
  let before = 0;
  for (const bound of loosest) {
    before = Math.max(before, bound);
    const value = before;
    bounds.push(SECTOR_SHARES.map((share) => ({ value: value * share })));
  }
  return { ...paper, bounds };
}
