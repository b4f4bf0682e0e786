/**
 * Value bounds under `predicted` that give players as good a picture as the paper's bounds do: in each zone the same 99th percentile of the
 * error. Within a zone the bounds of the sectors keep the proportions of the paper's own: a cell in which it sends every seventh round is allowed
 * seven times the error of one in which it sends every round. One factor for each zone is left, and searched for.
 *
 * An error grows just about in proportion to its zone's factor, so a few steps of correcting each factor by how far its zone is off suffice.
 * Of what was tried, that counts which is best while no zone is worse than it shall be.
 */

import type { Bound } from "@nearfield/core";
import { roundsBetweenSends } from "./cells.ts";
import type { CellBounds } from "./paper.ts";

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
  roundMs: number,
  goals: readonly number[],
  steps: number,
  errorsOf: (cells: CellBounds) => readonly number[],
): CellBounds {
  const rounds = roundsBetweenSends(paper, roundMs);
  const sectors = paper.sectors.length + 1;
  let factors = goals.map((error, zone) => firstGuess(error, rounds, zone, sectors));
  let best = factors.map((factor) => factor / 2);
  let bestShare = 0;
  for (let step = 0; step < steps && bestShare < 1 - CLOSE; step++) {
    const errors = errorsOf(scaled(paper, rounds, factors));
    const shares = errors.map((error, zone) => (goals[zone] === 0 ? 1 : error / goals[zone]!));
    const least = Math.min(...shares);
    if (shares.every((share) => share <= 1) && least > bestShare) [best, bestShare] = [factors, least];
    factors = factors.map((factor, zone) => (factor * (1 - CLOSE / 2)) / Math.max(shares[zone]!, LEAST_SHARE));
  }
  return scaled(paper, rounds, best);
}

/** The loosest sector makes the highest errors, and just about up to its bound. */
function firstGuess(error: number, rounds: readonly number[], zone: number, sectors: number): number {
  return error / Math.max(...rounds.slice(zone * sectors, (zone + 1) * sectors));
}

/** Bounds in the paper's proportions; a zone is never stricter than the one before it. */
function scaled(paper: CellBounds, rounds: readonly number[], factors: readonly number[]): CellBounds {
  const sectors = paper.sectors.length + 1;
  const bounds: Bound[][] = [];
  for (const [zone, factor] of factors.entries()) {
    const inner = bounds[zone - 1];
    bounds.push(
      Array.from({ length: sectors }, (_, sector) => ({
        value: Math.max(rounds[zone * sectors + sector]! * factor, inner?.[sector]?.value ?? 0),
      })),
    );
  }
  return { ...paper, bounds };
}
