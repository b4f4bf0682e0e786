/**
 * The rules of the model page as functions: cell and bound of a place, existence, divergence, and whether a pair is due. They keep no state and take no
 * shortcuts. The oracle judges every pair with them in every round. The auditor, `explain` and the inspector's recordings judge single pairs with them.
 */

import { distanceInFrame, type Frame } from "./camera-frame.ts";
import { Cause, type Divergence } from "./model.ts";
import type { PlacedPivot } from "./pivots.ts";
import type { ResolvedSet, ResolvedView } from "./resolve-view.ts";
import type { Shape } from "./view.ts";
import type { World } from "./world.ts";

/** How much farther than `range` an object must be before it leaves. */
export const LEAVE_FACTOR = 1.1;

export interface Cell {
  zone: number;
  sector: number;
  bound: Divergence;
}

/** What a set's cells follow from: of a view that a model judges, or of one that a recording has kept. */
export type CellRules = Pick<
  ResolvedSet,
  "shape" | "pivots" | "radii" | "cosHalf" | "zoneCount" | "sectorCount" | "time" | "sequence" | "value"
>;

/** What a model remembers of one pair. */
export interface PairState {
  /** Version last sent; 0 = not in the replica. */
  sentVersion: number;
  lastSend: number;
  /** First round with an update not sent; meaningless while equal. */
  firstMiss: number;
  /** Name of the metric that took the sample. */
  metric: string;
  sample: Float64Array;
}

export function matchSet(view: ResolvedView, slot: number): ResolvedSet {
  return view.sets[matchIndex(view, slot)]!;
}

/** Index of the first set that matches. */
export function matchIndex({ sets }: ResolvedView, slot: number): number {
  let index = 0;
  while (!sets[index]!.matches(slot)) index++;
  return index;
}

/** The set by whose zones events are filtered: the first that has a pivot to measure from. */
function eventSet(view: ResolvedView, pivots: readonly PlacedPivot[]): ResolvedSet {
  return view.sets.find((set) => pivotsOf(set, pivots).length > 0) ?? view.sets[0]!;
}

export function distance(shape: Shape, dx: number, dy: number, dz: number): number {
  return shape === "square"
    ? Math.max(Math.abs(dx), Math.abs(dy), Math.abs(dz))
    : Math.sqrt(dx * dx + dy * dy + dz * dz);
}

/** The distance that decides about the zone around a pivot, given the way to a place: a camera measures in its own frame. */
function zoneDistance(pivot: PlacedPivot, shape: Shape, dx: number, dy: number, dz: number): number {
  return pivot.frame === undefined ? distance(shape, dx, dy, dz) : distanceInFrame(pivot.frame, dx, dy);
}

/** Those of the view's pivots that count for a set and have a place. */
export function pivotsOf(set: CellRules, pivots: readonly PlacedPivot[]): PlacedPivot[] {
  const counting: PlacedPivot[] = [];
  for (let i = 0; i < pivotCount(set, pivots); i++) {
    const pivot = countingPivot(set, pivots, i);
    if (pivot !== undefined) counting.push(pivot);
  }
  return counting;
}

/** How many pivots a set may count: for `countingPivot`. */
function pivotCount(set: CellRules, pivots: readonly PlacedPivot[]): number {
  return set.pivots === undefined ? pivots.length : set.pivots.length;
}

/** The i-th pivot that counts for a set; `undefined` where it has no place. */
function countingPivot(set: CellRules, pivots: readonly PlacedPivot[], i: number): PlacedPivot | undefined {
  const pivot = pivots[set.pivots === undefined ? i : set.pivots[i]!];
  return pivot?.placed === true ? pivot : undefined;
}

/** Distance to the nearest of the set's pivots; `Infinity` without any. */
export function nearest(set: CellRules, pivots: readonly PlacedPivot[], x: number, y: number, z: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < pivotCount(set, pivots); i++) {
    const pivot = countingPivot(set, pivots, i);
    if (pivot === undefined) continue;
    least = Math.min(least, distance(set.shape, x - pivot.x, y - pivot.y, z - pivot.z));
  }
  return least;
}

/** How far off an object is from a pivot, axis by axis, and as zones count it. In a column, since V8 boxes arguments with a fraction where it does not inline a call. */
const off = new Float64Array(4);
const DISTANCE = 3;

export function zoneOf(set: CellRules, pivot: PlacedPivot, d: number): number {
  off[DISTANCE] = d;
  return zoneOff(set, pivot);
}

function zoneOff({ radii }: CellRules, pivot: PlacedPivot): number {
  const own = pivot.radii;
  let zone = 0;
  // As `pivotRadius` has it.
  while (zone < radii.length) {
    const radius = own === undefined ? radii[zone]! : own[Math.min(zone, own.length - 1)]!;
    if (!(off[DISTANCE]! > radius * pivot.scale)) break;
    zone++;
  }
  return zone;
}

/** What `CellRules.cosHalf` holds, from full opening angles in degrees. */
export function halfCosines(sectors: readonly number[]): Float64Array {
  return Float64Array.from(sectors, (degrees) => Math.cos((degrees / 360) * Math.PI));
}

/** By the angle between the pivot's direction and the direction to the object (F §4.3.5). */
export function sectorOf(set: CellRules, pivot: PlacedPivot, dx: number, dy: number, dz: number): number {
  off[0] = dx;
  off[1] = dy;
  off[2] = dz;
  return sectorOff(set, pivot);
}

function sectorOff(set: CellRules, pivot: PlacedPivot): number {
  if (set.sectorCount === 1) return 0;
  const dx = off[0]!;
  const dy = off[1]!;
  const dz = off[2]!;
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
  const directed = pivot.dirX !== 0 || pivot.dirY !== 0 || pivot.dirZ !== 0;
  if (length === 0 || !directed) return 0;
  const along = dx * pivot.dirX + dy * pivot.dirY + dz * pivot.dirZ;
  let sector = 0;
  while (sector < set.cosHalf.length && along < length * set.cosHalf[sector]!) sector++;
  return sector;
}

/**
 * The strictest cell over all pivots; where two cells cannot be compared, the smallest of each dimension. Without pivots the last zone,
 * and, there being no orientation, sector 0.
 */
export function cellOf(set: CellRules, pivots: readonly PlacedPivot[], x: number, y: number, z: number): Cell {
  const cell: Cell = { zone: 0, sector: 0, bound: { time: 0, sequence: 0, value: 0 } };
  loosest(cell);
  for (let i = 0; i < pivotCount(set, pivots); i++) {
    const pivot = countingPivot(set, pivots, i);
    if (pivot === undefined) continue;
    const dx = x - pivot.x;
    const dy = y - pivot.y;
    const dz = z - pivot.z;
    tighten(
      cell,
      set,
      zoneOf(set, pivot, zoneDistance(pivot, set.shape, dx, dy, dz)),
      sectorOf(set, pivot, dx, dy, dz),
    );
  }
  if (cell.zone === Number.POSITIVE_INFINITY) tighten(cell, set, set.zoneCount - 1, 0);
  return cell;
}

/** Of a class of its own: objects that look like others share what V8 knows of their fields, and may then keep each number in an object of its own. */
class MeasuredBound implements Divergence {
  time = 0;
  sequence = 0;
  value = 0;
}

/** A cell to be filled in by `measure`, and the distance to the nearest of the set's pivots; `Infinity` without any. */
export class Measured implements Cell {
  zone = 0;
  sector = 0;
  nearest = 0;
  readonly bound: Divergence = new MeasuredBound();
}

/**
 * `nearest` and `cellOf` of an object at once, into `out`. Numbers with a fraction are neither taken nor returned: where a call is not inlined
 * they would be boxed.
 */
export function measure(
  set: ResolvedSet,
  pivots: readonly PlacedPivot[],
  world: World,
  slot: number,
  out: Measured,
): void {
  out.nearest = Number.POSITIVE_INFINITY;
  loosest(out);
  for (let i = 0; i < pivotCount(set, pivots); i++) {
    const pivot = countingPivot(set, pivots, i);
    if (pivot === undefined) continue;
    lookAt(world, slot, pivot, set.shape);
    if (off[DISTANCE]! < out.nearest) out.nearest = off[DISTANCE]!;
    if (pivot.frame !== undefined) frameOff(pivot.frame);
    tighten(out, set, zoneOff(set, pivot), sectorOff(set, pivot));
  }
  if (out.zone === Number.POSITIVE_INFINITY) tighten(out, set, set.zoneCount - 1, 0);
}

/** Whether an object that is not in the replica is near enough to one of the set's pivots to come into it. */
export function isEntering(set: ResolvedSet, pivots: readonly PlacedPivot[], world: World, slot: number): boolean {
  if (set.range === Number.POSITIVE_INFINITY) return true;
  for (let i = 0; i < pivotCount(set, pivots); i++) {
    const pivot = countingPivot(set, pivots, i);
    if (pivot === undefined) continue;
    lookAt(world, slot, pivot, set.shape);
    if (off[DISTANCE]! <= set.range) return true;
  }
  return false;
}

/** Fills in how far an object is off from a pivot, by the shape of the set. */
function lookAt({ x, y, z }: World, slot: number, pivot: PlacedPivot, shape: Shape): void {
  const dx = x[slot]! - pivot.x;
  const dy = y[slot]! - pivot.y;
  const dz = z[slot]! - pivot.z;
  off[0] = dx;
  off[1] = dy;
  off[2] = dz;
  // As `distance` has it.
  if (shape === "square") off[DISTANCE] = Math.max(Math.abs(dx), Math.abs(dy), Math.abs(dz));
  else off[DISTANCE] = Math.sqrt(dx * dx + dy * dy + dz * dz);
}

/** Fills in the distance in the frame of a camera instead, as `distanceInFrame` has it. */
function frameOff({ across, along }: Frame): void {
  const dx = off[0]!;
  const dy = off[1]!;
  off[DISTANCE] = Math.max(Math.abs(dx * across[0] + dy * across[1]), Math.abs(dx * along[0] + dy * along[1]));
}

/** Before the first pivot: any cell is stricter. */
function loosest(cell: Cell): void {
  const { bound } = cell;
  cell.zone = Number.POSITIVE_INFINITY;
  cell.sector = Number.POSITIVE_INFINITY;
  bound.time = Number.POSITIVE_INFINITY;
  bound.sequence = Number.POSITIVE_INFINITY;
  bound.value = Number.POSITIVE_INFINITY;
}

function tighten(strictest: Cell, set: CellRules, zone: number, sector: number): void {
  const cell = zone * set.sectorCount + sector;
  if (zone < strictest.zone || (zone === strictest.zone && sector < strictest.sector)) {
    strictest.zone = zone;
    strictest.sector = sector;
  }
  const { bound } = strictest;
  bound.time = Math.min(bound.time, set.time[cell]!);
  bound.sequence = Math.min(bound.sequence, set.sequence[cell]!);
  bound.value = Math.min(bound.value, set.value[cell]!);
}

/** Lowest zone in which a point lies, by the set whose zones filter events; the last one where no pivot has a place. */
export function zoneAtPoint(
  view: ResolvedView,
  pivots: readonly PlacedPivot[],
  [x, y, z = 0]: readonly number[],
): number {
  const set = eventSet(view, pivots);
  const zones = pivotsOf(set, pivots).map((pivot) =>
    zoneOf(set, pivot, zoneDistance(pivot, set.shape, x! - pivot.x, y! - pivot.y, z - pivot.z)),
  );
  return Math.min(set.zoneCount - 1, ...zones);
}

/** Distance from a point to the nearest pivot of a view, as the crow flies; `Infinity` where none has a place. */
export function distanceToPoint(pivots: readonly PlacedPivot[], [x, y, z = 0]: readonly number[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const pivot of pivots) {
    if (pivot.placed) least = Math.min(least, distance("round", x! - pivot.x, y! - pivot.y, z - pivot.z));
  }
  return least;
}

/** Whether a spatial object at distance `d` belongs to the replica, given whether it is in it already. */
export function inRange(set: ResolvedSet, d: number, present: boolean): boolean {
  return set.range === Number.POSITIVE_INFINITY || d <= (present ? LEAVE_FACTOR * set.range : set.range);
}

/** `inRange` of what was measured. */
export function isReached(set: ResolvedSet, measured: Measured, present: boolean): boolean {
  const { range } = set;
  return range === Number.POSITIVE_INFINITY || measured.nearest <= (present ? LEAVE_FACTOR * range : range);
}

/** Whether an object is due on every change for a client of this session: it has no place, or it is the client's own and the set says so. */
export function isOnChange({ own }: ResolvedSet, world: World, slot: number, session: number): boolean {
  if (!world.isSpatial(slot)) return true;
  return own === "changes" && session !== 0 && world.store.owner[slot] === session;
}

/**
 * Whether the client has the newest version and, where the metric judges a picture that goes on by itself, that picture rests; a sample
 * that another metric took does not say so. Of an object without a place only the version counts.
 */
export function isEqual(set: ResolvedSet, world: World, slot: number, pair: PairState): boolean {
  return pair.sentVersion === world.version[slot] && !(world.isSpatial(slot) && goesOn(set, pair));
}

/** Whether, under this set, the client's picture moves on from what was sent. */
export function goesOn({ metric }: ResolvedSet, pair: PairState): boolean {
  return metric.carriesOn !== undefined && (pair.metric !== metric.name || metric.carriesOn(pair.sample, 0));
}

/** What a metric writes. */
const value = new Float64Array(1);

/**
 * A sample that another metric took says nothing, so the value counts as infinitely far until the next send. A picture that goes on by
 * itself is off from the round after its send, whether or not there was an update: that is its first miss.
 *
 * @param out filled in and returned; for callers that allocate nothing.
 */
export function divergenceOf(
  set: ResolvedSet,
  world: World,
  slot: number,
  pair: PairState,
  round: number,
  roundMs: number,
  out: Divergence = { time: 0, sequence: 0, value: 0 },
): Divergence {
  const movesOn = goesOn(set, pair);
  const equal = pair.sentVersion === world.version[slot] && !movesOn;
  const firstMiss = movesOn ? pair.lastSend + 1 : pair.firstMiss;
  const since = set.clock === "refresh" ? pair.lastSend : firstMiss;
  const elapsedMs = (round - pair.lastSend) * roundMs;
  out.time = equal ? 0 : (round - since) * roundMs;
  out.sequence = world.version[slot]! - pair.sentVersion;
  out.value = Number.POSITIVE_INFINITY;
  if (pair.metric !== set.metric.name) return out;
  if (set.metric.divergeInto === undefined) {
    out.value = set.metric.divergence(world, slot, pair.sample, 0, elapsedMs);
    return out;
  }
  set.metric.divergeInto(world, slot, pair.sample, 0, elapsedMs, value);
  out.value = value[0]!;
  return out;
}

/** The first dimension, in the order time, sequence, value, in which an unequal pair has reached its bound; −1 if none has. */
export function dueCause(set: ResolvedSet, bound: Divergence, divergence: Divergence, roundMs: number): Cause | -1 {
  const late = set.strict ? divergence.time + roundMs > bound.time : divergence.time >= bound.time;
  if (late) return Cause.time;
  if (divergence.sequence >= bound.sequence) return Cause.sequence;
  const required = bound.value !== Number.POSITIVE_INFINITY;
  if (required && divergence.value >= bound.value) return Cause.value;
  return -1;
}
