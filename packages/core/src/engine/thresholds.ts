/**
 * A view's sets compiled for the hot loop: distances as squares, bounds in whole rounds and updates, all in flat columns. Each threshold is
 * chosen so that comparing with it gives exactly what the model page's own comparison gives; `thresholds.test.ts` holds it to that.
 */

import { LEAVE_FACTOR } from "../judge.ts";
import type { ResolvedSet } from "../resolve-view.ts";
import { FARTHEST_PLAN } from "./pair-table.ts";

/** Zones, sectors and cells that a set has room for; `cell = zone * SECTORS + sector`. */
export const ZONES = 16;
export const SECTORS = 8;
export const CELLS: number = ZONES * SECTORS;
/** Stands for "never" where rounds and updates are counted. */
export const NEVER: number = 2 ** 30;

export class Thresholds {
  /** By set and zone: square of the outer edge, the last one infinite. */
  readonly edges: Float64Array;
  /** By set: squares of the distances within which objects enter and stay. */
  readonly enter: Float64Array;
  readonly stay: Float64Array;
  /** By set: sectors, and per sector the cosine of half its angle. */
  readonly sectors: Uint8Array;
  readonly cosines: Float64Array;
  /** By set and cell: rounds, missed updates and (square of) divergence at which a pair is due. */
  readonly rounds: Int32Array;
  readonly missed: Int32Array;
  readonly value: Float64Array;
  readonly valueSquare: Float64Array;
  /** Nine tenths of the value bound: who has not travelled that far since the send cannot have reached it, wire form or not. */
  readonly safe: Float64Array;
  readonly metric: Uint8Array;
  /**
   * By set and zone: rounds after a send before which neither time nor one update a round can make the pair due, and the speed up to which
   * its value cannot either. What most pairs are planned by.
   */
  readonly bite: Int32Array;
  readonly carefree: Float64Array;

  constructor(sets: readonly ResolvedSet[], scale: number, roundMs: number) {
    const count = sets.length;
    this.edges = new Float64Array(count * ZONES).fill(Number.POSITIVE_INFINITY);
    this.enter = Float64Array.from(sets, ({ range }) => squareOfAtMost(range));
    this.stay = Float64Array.from(sets, ({ range }) => squareOfAtMost(LEAVE_FACTOR * range));
    this.sectors = Uint8Array.from(sets, ({ sectorCount }) => sectorCount);
    this.cosines = new Float64Array(count * SECTORS).fill(Number.NEGATIVE_INFINITY);
    this.rounds = new Int32Array(count * CELLS);
    this.missed = new Int32Array(count * CELLS);
    this.value = new Float64Array(count * CELLS);
    this.valueSquare = new Float64Array(count * CELLS);
    this.safe = new Float64Array(count * CELLS);
    this.bite = new Int32Array(count * ZONES);
    this.carefree = new Float64Array(count * ZONES);
    this.metric = Uint8Array.from(sets, ({ metricId }) => metricId);
    for (const [index, set] of sets.entries()) {
      for (const [zone, radius] of set.radii.entries())
        this.edges[index * ZONES + zone] = squareOfAtMost(radius * scale);
      this.cosines.set(set.cosHalf, index * SECTORS);
      this.#addBounds(index, set, roundMs);
    }
  }

  #addBounds(index: number, set: ResolvedSet, roundMs: number): void {
    for (let zone = 0; zone < set.zoneCount; zone++) {
      for (let sector = 0; sector < set.sectorCount; sector++) {
        const from = zone * set.sectorCount + sector;
        const to = index * CELLS + zone * SECTORS + sector;
        this.rounds[to] = roundsUntil(set.time[from]!, set.strict, roundMs);
        this.missed[to] = Math.min(NEVER, Math.ceil(set.sequence[from]!));
        this.value[to] = set.value[from]!;
        this.valueSquare[to] = squareOfAtLeast(set.value[from]!);
        this.safe[to] = 0.9 * set.value[from]!;
      }
      const strictest = index * CELLS + zone * SECTORS;
      const bite = Math.max(1, Math.min(this.rounds[strictest]!, this.missed[strictest]!, FARTHEST_PLAN));
      this.bite[index * ZONES + zone] = bite;
      this.carefree[index * ZONES + zone] = this.safe[strictest]! / bite;
    }
  }
}

/** What rounding to wire form may add to a divergence without a look at it: a twentieth of the tightest value bound of a set. */
export function toleranceOf(set: ResolvedSet): number {
  return 0.05 * Math.min(...set.value);
}

/** The least whole number of rounds after which a time bound is reached. */
function roundsUntil(bound: number, strict: boolean, roundMs: number): number {
  if (bound / roundMs >= NEVER) return NEVER;
  const isLate = (rounds: number): boolean => (strict ? rounds * roundMs + roundMs > bound : rounds * roundMs >= bound);
  let rounds = Math.max(0, Math.floor(bound / roundMs) - 2);
  while (!isLate(rounds)) rounds++;
  return rounds;
}

/** The largest number whose root does not exceed `radius`: d² ≤ it exactly where √d² ≤ radius. */
export function squareOfAtMost(radius: number): number {
  if (radius === Number.POSITIVE_INFINITY) return radius;
  let square = radius * radius;
  while (Math.sqrt(square) > radius) square = neighbour(square, -1);
  while (Math.sqrt(neighbour(square, 1)) <= radius) square = neighbour(square, 1);
  return square;
}

/** The smallest number whose root is not below `bound`: d² ≥ it exactly where √d² ≥ bound. */
export function squareOfAtLeast(bound: number): number {
  if (bound === 0 || bound === Number.POSITIVE_INFINITY) return bound;
  let square = bound * bound;
  while (Math.sqrt(square) < bound) square = neighbour(square, 1);
  while (square > 0 && Math.sqrt(neighbour(square, -1)) >= bound) square = neighbour(square, -1);
  return square;
}

const bits = new BigInt64Array(1);
const double = new Float64Array(bits.buffer);

/** The next double above (+1) or below (−1) one that is not negative. */
function neighbour(value: number, direction: 1 | -1): number {
  double[0] = value;
  bits[0] = bits[0]! + BigInt(direction);
  return double[0]!;
}
