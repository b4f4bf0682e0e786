/**
 * A view's sets compiled for the kernel: distances as squares, bounds in whole rounds and updates. Comparing with a threshold gives exactly the
 * same answer as the comparison in `judge.ts`; `thresholds.test.ts` checks that on the edges.
 */

import { LEAVE_FACTOR } from "../../judge.ts";
import { displacement, path, relativeFieldOf } from "../../metrics.ts";
import type { ResolvedSet } from "../../resolve-view.ts";
import { creationPaceOf, paceOf } from "../../urgency.ts";
import {
  CELL,
  CELL_MISSED,
  CELL_ROUNDS,
  CELL_SAFE,
  CELL_VALUE,
  CELL_VALUE_SQUARE,
  DISTANCE,
  FARTHEST_PLAN,
  MIXED_ZONES,
  NEVER,
  PERCENT,
  SECTORS,
  SET,
  SET_BITE,
  SET_CAREFREE,
  SET_CELLS,
  SET_CLOCK,
  SET_COSINES,
  SET_EDGES,
  SET_ENTER,
  SET_FADING,
  SET_MEASURE,
  SET_METRIC,
  SET_MIXED_CELLS,
  SET_MIXES,
  SET_OWN,
  SET_PIVOTS,
  SET_SECTORS,
  SET_SHAPE,
  SET_STAY,
  SET_TERMS,
  TERM,
  TERM_CREATION_PACE,
  TERM_PACE,
  TERM_SEQUENCE,
  TERM_TIME,
  WAY,
  ZONES,
} from "../memory/layout.ts";
import type { ColumnSource } from "../memory/memory.ts";

/** Views with the same sets and scale share their thresholds. */
export class ThresholdStore {
  readonly #columns: ColumnSource;
  readonly #roundMs: number;
  readonly #byKey = new Map<string, Thresholds>();
  #made = 0;

  constructor(columns: ColumnSource, roundMs: number) {
    this.#columns = columns;
    this.#roundMs = roundMs;
  }

  take(sets: readonly ResolvedSet[], scale: number): Thresholds {
    const key = `${scale} ${sets.map(describe).join("\n")}`;
    return this.#takeKnown(key) ?? this.#make(key, sets, scale);
  }

  /** What these stated bounds ask for once they are loosened by such factors, if another view has that. Views change factors often, so nothing is described anew. */
  takeLoosened(stated: Thresholds, outer: number, inner: number): Thresholds | undefined {
    return this.#takeKnown(loosenedKey(stated, outer, inner));
  }

  /** The same for the first view that needs it. */
  loosen(stated: Thresholds, outer: number, inner: number, sets: readonly ResolvedSet[], scale: number): Thresholds {
    return this.#make(loosenedKey(stated, outer, inner), sets, scale);
  }

  #takeKnown(key: string): Thresholds | undefined {
    const thresholds = this.#byKey.get(key);
    if (thresholds !== undefined) thresholds.users++;
    return thresholds;
  }

  #make(key: string, sets: readonly ResolvedSet[], scale: number): Thresholds {
    const thresholds = new Thresholds(this.#columns, sets, scale, this.#roundMs, key, ++this.#made);
    this.#byKey.set(key, thresholds);
    return thresholds;
  }

  /** One view has them no more. */
  release(thresholds: Thresholds): void {
    if (--thresholds.users > 0) return;
    this.#byKey.delete(thresholds.key);
    thresholds.dispose();
  }
}

function loosenedKey({ number }: Thresholds, outer: number, inner: number): string {
  return `${number} times ${outer} and ${inner}`;
}

/** All that thresholds are made of. */
function describe(set: ResolvedSet): string {
  const { radii, cosHalf, time, sequence, value, strict, metricId, clock, range, shape, pivots, own } = set;
  return [radii, cosHalf, time, sequence, value, [Number(strict), metricId, clock, range, shape, own], pivots]
    .map(String)
    .join(";");
}

export class Thresholds {
  /** One set after the other, see `layout.ts`; and the same memory as integers. */
  readonly reals: Float64Array;
  readonly ints: Int32Array;
  /** Views that have them. */
  users = 1;
  /** What they are known by; the number is given only once. */
  readonly key: string;
  readonly number: number;
  readonly #columns: ColumnSource;

  constructor(
    columns: ColumnSource,
    sets: readonly ResolvedSet[],
    scale: number,
    roundMs: number,
    key = "",
    number = 0,
  ) {
    this.#columns = columns;
    this.key = key;
    this.number = number;
    this.reals = columns.reals((sets.length * SET) / 8);
    this.ints = new Int32Array(this.reals.buffer, this.reals.byteOffset, this.reals.length * 2);
    for (const [index, set] of sets.entries()) this.#add(index * SET, set, scale, roundMs);
  }

  /** Gives its memory back. */
  dispose(): void {
    this.#columns.release(this.reals);
  }

  /** A real of a set: where `layout.ts` says, and so many after it. */
  real(set: number, at: number, index = 0): number {
    return this.reals[(set * SET + at) / 8 + index]!;
  }

  int(set: number, at: number, index = 0): number {
    return this.ints[(set * SET + at) / 4 + index]!;
  }

  #add(start: number, set: ResolvedSet, scale: number, roundMs: number): void {
    const { reals, ints } = this;
    const edges = (start + SET_EDGES) / 8;
    reals.fill(Number.POSITIVE_INFINITY, edges, edges + ZONES);
    const compared = set.shape === "square" ? asItIs : squareOfAtMost;
    for (const [zone, radius] of set.radii.entries()) reals[edges + zone] = compared(radius * scale);
    reals[(start + SET_ENTER) / 8] = compared(set.range);
    reals[(start + SET_STAY) / 8] = compared(LEAVE_FACTOR * set.range);
    ints[(start + SET_SHAPE) / 4] = set.shape === "square" ? 1 : 0;
    ints[(start + SET_PIVOTS) / 4] = set.pivots?.reduce((bits, pivot) => bits | (1 << pivot), 0) ?? -1;
    const cosines = (start + SET_COSINES) / 8;
    reals.fill(Number.NEGATIVE_INFINITY, cosines, cosines + SECTORS);
    reals.set(set.cosHalf, cosines);
    ints[(start + SET_SECTORS) / 4] = set.sectorCount;
    ints[(start + SET_METRIC) / 4] = set.metricId;
    reals[(start + SET_FADING) / 8] = set.metric.fadingMs ?? 0;
    ints[(start + SET_MEASURE) / 4] = measureOf(set);
    ints[(start + SET_CLOCK) / 4] = clockOf(set);
    ints[(start + SET_OWN) / 4] = set.own === "changes" ? 1 : 0;
    for (let zone = 0; zone < set.zoneCount; zone++) this.#addZone(start, set, zone, roundMs);
    if (set.sectorCount === 1 && set.zoneCount <= MIXED_ZONES) this.#addMixes(start, set);
  }

  #addZone(start: number, set: ResolvedSet, zone: number, roundMs: number): void {
    const { reals, ints } = this;
    const measure = measureOf(set);
    const strictest = start + SET_CELLS + zone * SECTORS * CELL;
    for (let sector = 0; sector < set.sectorCount; sector++) {
      const from = zone * set.sectorCount + sector;
      const to = strictest + sector * CELL;
      const value = set.value[from]!;
      reals[(to + CELL_VALUE) / 8] = value;
      reals[(to + CELL_VALUE_SQUARE) / 8] = measure === DISTANCE ? squareOfAtLeast(value) : value;
      reals[(to + CELL_SAFE) / 8] = 0.9 * value;
      ints[(to + CELL_ROUNDS) / 4] = roundsUntil(set.time[from]!, set.strict, roundMs);
      ints[(to + CELL_MISSED) / 4] = Math.min(NEVER, Math.ceil(set.sequence[from]!));
      this.#addTerm(start + SET_TERMS + (zone * SECTORS + sector) * TERM, set, from, roundMs);
    }
    const rounds = ints[(strictest + CELL_ROUNDS) / 4]!;
    const missed = ints[(strictest + CELL_MISSED) / 4]!;
    const bite = Math.max(1, Math.min(rounds + clockOf(set), missed, FARTHEST_PLAN));
    const safe = reals[(strictest + CELL_SAFE) / 8]!;
    ints[(start + SET_BITE) / 4 + zone] = bite;
    // How a percentage grows the speed does not tell.
    const isUntold = measure === PERCENT && safe < Number.POSITIVE_INFINITY;
    reals[(start + SET_CAREFREE) / 8 + zone] = isUntold ? -1 : safe / bite;
  }

  /** The bounds of an object that several pivots see in different zones. */
  #addMixes(start: number, { zoneCount }: ResolvedSet): void {
    const cells = Array.from({ length: zoneCount }, (_, zone) => SET_CELLS + zone * SECTORS * CELL);
    const mixes = (start + SET_MIXES) / 4;
    this.ints[mixes] = cells.at(-1)!;
    for (let zones = 1; zones < 1 << zoneCount; zones++) {
      const mixed = cells.filter((_, zone) => (zones & (1 << zone)) !== 0);
      const strictest = mixed.find((cell) => mixed.every((other) => this.#isAsStrict(start, cell, other)));
      this.ints[mixes + zones] = strictest ?? SET_MIXED_CELLS + zones * CELL;
      if (strictest === undefined) this.#mix(start, mixed, start + SET_MIXED_CELLS + zones * CELL);
    }
  }

  /** As the kernel compares two cells of a set (`among.ts`). */
  #isAsStrict(start: number, one: number, other: number): boolean {
    const terms = start + SET_TERMS - SET_CELLS;
    const isAtMost = (from: number): boolean => this.reals[(from + one) / 8]! <= this.reals[(from + other) / 8]!;
    return isAtMost(start + CELL_VALUE) && isAtMost(terms + TERM_TIME) && isAtMost(terms + TERM_SEQUENCE);
  }

  #mix(start: number, cells: readonly number[], to: number): void {
    for (const at of [CELL_VALUE, CELL_VALUE_SQUARE, CELL_SAFE]) {
      this.reals[(to + at) / 8] = Math.min(...cells.map((cell) => this.reals[(start + cell + at) / 8]!));
    }
    for (const at of [CELL_ROUNDS, CELL_MISSED]) {
      this.ints[(to + at) / 4] = Math.min(...cells.map((cell) => this.ints[(start + cell + at) / 4]!));
    }
  }

  /** What urgencies are worked out by. */
  #addTerm(to: number, { time, sequence, value }: ResolvedSet, from: number, roundMs: number): void {
    const { reals } = this;
    const bound = { time: time[from]!, sequence: sequence[from]!, value: value[from]! };
    reals[(to + TERM_TIME) / 8] = bound.time;
    reals[(to + TERM_SEQUENCE) / 8] = bound.sequence;
    reals[(to + TERM_PACE) / 8] = paceOf(bound, roundMs);
    reals[(to + TERM_CREATION_PACE) / 8] = creationPaceOf(bound, roundMs);
  }
}

function measureOf({ metric }: ResolvedSet): number {
  if (relativeFieldOf(metric) !== undefined) return PERCENT;
  return metric === path ? WAY : DISTANCE;
}

/** Rounds by which time begins to run after a send. */
function clockOf({ clock }: ResolvedSet): number {
  return clock === "firstMiss" ? 1 : 0;
}

/**
 * What rounding to wire form may add to a divergence without a look at it: a twentieth of the tightest value bound of a set. Only where places are compared with
 * places as they were sent does it matter.
 */
export function toleranceOf({ metric, value }: ResolvedSet): number {
  return metric === displacement ? 0.05 * Math.min(...value) : Number.POSITIVE_INFINITY;
}

/** The least whole number of rounds after which a time bound is reached. */
function roundsUntil(bound: number, strict: boolean, roundMs: number): number {
  if (bound / roundMs >= NEVER) return NEVER;
  const isLate = (rounds: number): boolean => (strict ? rounds * roundMs + roundMs > bound : rounds * roundMs >= bound);
  let rounds = Math.max(0, Math.floor(bound / roundMs) - 2);
  while (!isLate(rounds)) rounds++;
  return rounds;
}

/** Square distances are compared with distances. */
function asItIs(distance: number): number {
  return distance;
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

const double = new Float64Array(1);
const halves = new Uint32Array(double.buffer);
/** Which of the halves holds the low bits. */
const LOW = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 0 : 1;

/** The next double above (+1) or below (−1) one that is not negative; below 0 there is none. Allocates nothing: groups ask for it in every round. */
function neighbour(value: number, direction: 1 | -1): number {
  double[0] = value;
  const low = halves[LOW]!;
  const isCarried = direction === 1 ? low === 0xffffffff : low === 0;
  halves[LOW] = low + direction;
  if (isCarried) halves[1 - LOW] = halves[1 - LOW]! + direction;
  return double[0]!;
}
