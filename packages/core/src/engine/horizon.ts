/**
 * When a pair must be looked at again. Claim: `nextRound` never lies after the first round in which the pair can be due, or can enter
 * or leave the replica, as long as no speed cap is exceeded, no view, set or visibility changes, and at most `updateCap` updates a round
 * reach the object. (Whatever breaks one of these makes the engine check the pair at once.)
 *
 * Sketch of the proof. Bounds never get stricter outward (and where no update may wait no pair stays unequal), so an unequal pair in
 * zone z can only become due under the bound of z or of an inner zone k. To be judged by k the distance must shrink to k's edge, which
 * takes at least (distance − edge) ÷ (speed of object + speed of pivot) rounds; k's bound bites in the time dimension at a round that
 * is known exactly, in the sequence dimension no sooner than (bound − missed) ÷ updateCap rounds on, in the value dimension no sooner
 * than (bound − divergence) ÷ (growth of the metric) rounds on. The pair is due under k no sooner than both; the least over k bounds
 * them all. Orientation may turn at any time, so each zone is taken at its strictest sector, which is sector 0. Entering and leaving
 * the range are distances to cover likewise.
 * Why so: docs/decisions/0003-engine-plans.md.
 */

import { LEAVE_FACTOR } from "../judge.ts";
import { type PlacedPivot, pivotRadius } from "../pivots.ts";
import type { ResolvedSet } from "../resolve-view.ts";

/** Distances and quotients are rounded; plans are made this much on the safe side. */
const CAUTION = 1 + 1e-9;

/** What is known of a pair when it has been checked in `round`. */
export interface Outlook {
  round: number;
  roundMs: number;
  /** Speed caps in world units per round: of the object, and of the view's pivots. */
  objectSpeed: number;
  pivotSpeed: number;
  /** Nearest zone over all pivots now. */
  zone: number;
  /** Distance to the nearest pivot; and to each of `pivots`. */
  nearest: number;
  pivots: readonly PlacedPivot[];
  distances: Float64Array;
  pivotCount: number;
  /** Clock of the pair: round from which time is counted. */
  since: number;
  missed: number;
  updateCap: number;
  value: number;
}

/** Rounds until a gap can have been covered; at least 0. */
function roundsToCover(gap: number, speed: number): number {
  if (gap <= 0) return 0;
  return speed === 0 || gap === Number.POSITIVE_INFINITY
    ? Number.POSITIVE_INFINITY
    : Math.floor(gap / (speed * CAUTION));
}

/** First round in which the object can be inside the range. */
export function nextEntry(set: ResolvedSet, outlook: Outlook): number {
  const gap = outlook.nearest - set.range;
  return outlook.round + Math.max(1, roundsToCover(gap, outlook.objectSpeed + outlook.pivotSpeed));
}

/** First round in which the object can be outside the range. */
export function nextExit(set: ResolvedSet, outlook: Outlook): number {
  const gap = LEAVE_FACTOR * set.range - outlook.nearest;
  return outlook.round + Math.max(1, roundsToCover(gap, outlook.objectSpeed + outlook.pivotSpeed));
}

/** First round in which an unequal pair that is not due now can be due. */
export function nextDue(set: ResolvedSet, outlook: Outlook): number {
  let next = Number.POSITIVE_INFINITY;
  const soonest = outlook.round + 1;
  for (let zone = outlook.zone; zone >= 0 && next > soonest; zone--) {
    const bite = biteRound(set, zone * set.sectorCount, outlook);
    if (bite >= next) continue;
    const reach = zone === outlook.zone ? 0 : outlook.round + roundsToZone(set, zone, outlook);
    next = Math.min(next, Math.max(bite, reach, soonest));
  }
  return next;
}

/** First round in which the bound of this cell can be reached. */
function biteRound(set: ResolvedSet, cell: number, outlook: Outlook): number {
  const rounds = set.time[cell]! / outlook.roundMs;
  const byTime = outlook.since + (set.strict ? Math.floor(rounds - 1e-9) : Math.ceil(rounds - 1e-9));
  const bySequence = outlook.round + roundsToCover(set.sequence[cell]! - outlook.missed, outlook.updateCap);
  const byValue =
    outlook.round + roundsToCover(gapTo(set.value[cell]!, outlook.value), set.metric.growth(outlook.objectSpeed));
  return Math.min(byTime, bySequence, byValue);
}

function gapTo(bound: number, divergence: number): number {
  return bound === Number.POSITIVE_INFINITY ? bound : bound - divergence;
}

function roundsToZone(set: ResolvedSet, zone: number, outlook: Outlook): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < outlook.pivotCount; i++) {
    const edge = pivotRadius(outlook.pivots[i]!, zone, set.radii[zone]!);
    least = Math.min(least, roundsToCover(outlook.distances[i]! - edge, outlook.objectSpeed + outlook.pivotSpeed));
  }
  return least;
}
