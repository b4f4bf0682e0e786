/**
 * Checks view settings and compiles them for the models: bounds as flat columns by cell, sectors as cosines, sets as tests on a slot.
 * Every rule of the model page that a view can break is refused here, naming the place, before any model sees it.
 */

import type { ObjectType, Protocol } from "@nearfield/schema";
import { suggestion } from "@nearfield/schema/internal";
import { ViewError } from "./errors.ts";
import { halfCosines } from "./judge.ts";
import { type Metric, type MetricRegistry, requireFit } from "./metrics.ts";
import type { ViewOptions } from "./model.ts";
import { loosenedBound } from "./urgency.ts";
import {
  type Bound,
  isStrongest,
  type Match,
  type ObjectSetSettings,
  type Pivot,
  type Shape,
  type TimeClock,
  type ViewSettings,
} from "./view.ts";
import type { World } from "./world.ts";

/** What a view may hold at most; also what the wire carries. */
export const VIEW_CAPACITY = { sets: 16, zones: 16, sectors: 8, pivots: 32, groupMembers: 256 } as const;

export interface ResolvedSet {
  readonly matches: (slot: number) => boolean;
  readonly zoneCount: number;
  readonly sectorCount: number;
  readonly radii: Float64Array;
  /** Cosine of half the opening angle, per sector but the last. */
  readonly cosHalf: Float64Array;
  /** Bounds by cell, `zone × sectorCount + sector`. */
  readonly time: Float64Array;
  readonly sequence: Float64Array;
  readonly value: Float64Array;
  readonly shape: Shape;
  readonly clock: TimeClock;
  readonly strict: boolean;
  readonly metric: Metric;
  /** The metric's number in its registry. */
  readonly metricId: number;
  readonly range: number;
  /** Indices of the pivots that count; `undefined`: all the view has, however many that comes to be. */
  readonly pivots: readonly number[] | undefined;
}

export interface ResolvedView {
  readonly settings: ViewSettings;
  readonly sets: readonly ResolvedSet[];
}

export function resolveView(settings: ViewSettings, world: World, metrics: MetricRegistry): ResolvedView {
  count(settings.sets.length, 1, VIEW_CAPACITY.sets, "sets");
  checkPivots(settings.pivots);
  const sets = settings.sets.map((set, index) => resolveSet(set, `sets[${index}]`, world, metrics));
  const last = settings.sets.length - 1;
  if (settings.sets[last]!.match !== "everything") {
    throw new ViewError(
      "no-last-set",
      `sets[${last}].match`,
      `must be "everything", so that no object is left without a bound`,
    );
  }
  return { settings, sets };
}

/** The same view with the bounds of zone 0 loosened by `inner`, those of all others by `outer` (`loosenedBound`). */
export function loosened(view: ResolvedView, outer: number, inner: number, roundMs: number): ResolvedView {
  if (!(inner >= 1 && outer >= inner && Number.isFinite(outer))) {
    const text = `needs 1 ≤ inner ≤ outer, finite, so that bounds only loosen outward; got outer ${outer}, inner ${inner}`;
    throw new ViewError("bad-number", "loosen", text);
  }
  if (outer === 1) return view;
  const sets = view.sets.map((set): ResolvedSet => {
    const cells = Array.from(set.time, (time, cell) => {
      const stated = { time, sequence: set.sequence[cell]!, value: set.value[cell]! };
      return loosenedBound(stated, cell < set.sectorCount ? inner : outer, roundMs);
    });
    return { ...set, ...columnsOf(cells) };
  });
  return { ...view, sets };
}

/** Options of `addView` that exclude each other. */
export function checkOptions({ budgeted, assumeDelivered }: ViewOptions): void {
  if (budgeted !== true || assumeDelivered !== true) return;
  throw new ViewError("bad-option", "budgeted", "excludes assumeDelivered: what may be withheld is not received yet");
}

export function checkPivots(pivots: readonly Pivot[]): void {
  count(pivots.length, 0, VIEW_CAPACITY.pivots, "pivots");
  for (const [index, pivot] of pivots.entries()) checkPivot(pivot, `pivots[${index}]`);
}

function resolveSet(set: ObjectSetSettings, at: string, world: World, metrics: MetricRegistry): ResolvedSet {
  const { radii = [], sectors = [] } = set;
  const zoneCount = radii.length + 1;
  const sectorCount = sectors.length + 1;
  count(zoneCount, 1, VIEW_CAPACITY.zones, `${at}.radii`);
  count(sectorCount, 1, VIEW_CAPACITY.sectors, `${at}.sectors`);
  ascending(radii, `${at}.radii`, "bad-radii", 0, Number.POSITIVE_INFINITY);
  ascending(sectors, `${at}.sectors`, "bad-sectors", 0, 360);
  const range = set.range ?? Number.POSITIVE_INFINITY;
  if (!(range > 0)) throw new ViewError("bad-number", `${at}.range`, `must be above 0, is ${range}`);
  checkPivotIndices(set.pivots ?? [], `${at}.pivots`);
  const measured = metrics.resolve(set.metric ?? "displacement", `${at}.metric`, world.protocol);
  requireFit(measured.metric, typesOf(set.match, world.protocol), `${at}.metric`);
  return {
    matches: matcher(set.match, world, `${at}.match`),
    zoneCount,
    sectorCount,
    radii: Float64Array.from(radii),
    cosHalf: halfCosines(sectors),
    ...resolveBounds(set, zoneCount, sectorCount, at),
    shape: oneOf(set.shape ?? "round", ["round", "square"], `${at}.shape`),
    clock: oneOf(set.clock ?? "refresh", ["refresh", "firstMiss"], `${at}.clock`),
    strict: set.strict ?? false,
    ...measured,
    range,
    pivots: set.pivots,
  };
}

/** Bounds by cell, one column for each dimension. */
type BoundColumns = Pick<ResolvedSet, "time" | "sequence" | "value">;

function columnsOf(cells: readonly Required<Bound>[]): BoundColumns {
  return {
    time: Float64Array.from(cells, (bound) => bound.time),
    sequence: Float64Array.from(cells, (bound) => bound.sequence),
    value: Float64Array.from(cells, (bound) => bound.value),
  };
}

/** Fills in what is missing, and refuses bounds that get stricter with a higher zone or sector. */
function resolveBounds(set: ObjectSetSettings, zoneCount: number, sectorCount: number, at: string): BoundColumns {
  if (set.bounds.length !== zoneCount) {
    throw new ViewError(
      "shape-mismatch",
      `${at}.bounds`,
      `${zoneCount} zones need ${zoneCount} bounds, got ${set.bounds.length}`,
    );
  }
  const cellCount = zoneCount * sectorCount;
  const columns = {
    time: new Float64Array(cellCount).fill(Number.POSITIVE_INFINITY),
    sequence: new Float64Array(cellCount).fill(Number.POSITIVE_INFINITY),
    value: new Float64Array(cellCount).fill(Number.POSITIVE_INFINITY),
  };
  for (const [zone, entry] of (set.bounds as readonly (Bound | readonly Bound[])[]).entries()) {
    if (Array.isArray(entry) && entry.length !== sectorCount) {
      const text = `${sectorCount} sectors need ${sectorCount} bounds, got ${entry.length}`;
      throw new ViewError("shape-mismatch", `${at}.bounds[${zone}]`, text);
    }
    for (let sector = 0; sector < sectorCount; sector++) {
      const bound = (Array.isArray(entry) ? entry[sector] : entry) as Bound;
      const cell = zone * sectorCount + sector;
      if (bound.time !== undefined) columns.time[cell] = bound.time;
      if (bound.sequence !== undefined) columns.sequence[cell] = bound.sequence;
      if (bound.value !== undefined) columns.value[cell] = bound.value;
      const inner = zone > 0 ? cell - sectorCount : cell;
      const front = sector > 0 ? cell - 1 : cell;
      if (loosens(columns, inner, cell) && loosens(columns, front, cell)) continue;
      const { code, dimension, requirement } =
        problemOf(columns, cell) ??
        tightening(columns, inner, cell, "zone") ??
        tightening(columns, front, cell, "sector")!;
      throw new ViewError(code, `${at}.bounds[${zone}][${sector}].${dimension}`, requirement);
    }
  }
  return columns;
}

const DIMENSIONS = ["time", "sequence", "value"] as const;

/** What is wrong with a cell. A view has up to 2,048 of them: the place is put in words only where one is wrong. */
interface Problem {
  readonly code: "bad-bound" | "tightens-outward";
  readonly dimension: string;
  readonly requirement: string;
}

/** Whether the outer cell's bound is one, and no stricter than the inner one's. With both the same: whether it is a bound at all. */
function loosens({ time, sequence, value }: BoundColumns, inner: number, outer: number): boolean {
  if (!(time[outer]! >= 0 && sequence[outer]! >= 0 && value[outer]! >= 0)) return false;
  if (time[outer]! >= time[inner]! && sequence[outer]! >= sequence[inner]! && value[outer]! >= value[inner]!)
    return true;
  return isStrongest({ time: time[inner]!, sequence: sequence[inner]!, value: value[inner]! });
}

function problemOf(columns: BoundColumns, cell: number): Problem | undefined {
  for (const dimension of DIMENSIONS) {
    const figure = columns[dimension][cell]!;
    if (!(figure >= 0)) return { code: "bad-bound", dimension, requirement: `must be 0 or more, is ${figure}` };
  }
  return undefined;
}

/** In which dimension the outer cell's bound is stricter, where `loosens` says that it is. */
function tightening(columns: BoundColumns, inner: number, outer: number, kind: "zone" | "sector"): Problem | undefined {
  if (loosens(columns, inner, outer)) return undefined;
  for (const dimension of DIMENSIONS) {
    const [near, far] = [columns[dimension][inner]!, columns[dimension][outer]!];
    if (far >= near) continue;
    const before = near === Number.POSITIVE_INFINITY ? "no bound" : near;
    const way = kind === "zone" ? "outward" : "from the front to the back";
    const requirement = `${far} is stricter than ${before} in the ${kind} before; bounds may only loosen ${way}`;
    return { code: "tightens-outward", dimension, requirement };
  }
  return undefined;
}

/** Whether a view may name that metric for objects that match: one of their types is sent with what the metric goes by. */
export function metricFits(name: string, match: Match, protocol: Protocol, metrics: MetricRegistry): boolean {
  try {
    requireFit(metrics.resolve(name, "metric", protocol).metric, typesOf(match, protocol), "metric");
    return true;
  } catch (error) {
    if (error instanceof ViewError) return false;
    throw error;
  }
}

/** The types of the objects that can match. */
function typesOf(match: Match, { objects }: Protocol): readonly ObjectType[] {
  return match !== "everything" && "type" in match ? objects.filter(({ name }) => name === match.type) : objects;
}

function matcher(match: Match, world: World, at: string): (slot: number) => boolean {
  if (match === "everything") return () => true;
  if ("type" in match) {
    const index = world.protocol.objects.findIndex((type) => type.name === match.type);
    if (index < 0) {
      const names = world.protocol.objects.map(({ name }) => name);
      const text = `no object type is called "${match.type}"; ${suggestion(match.type, names)}`;
      throw new ViewError("unknown-match", `${at}.type`, text);
    }
    return (slot) => world.store.typeIndex[slot] === index;
  }
  if ("tag" in match) return (slot) => world.store.tagsAt(slot).has(match.tag);
  const index = world.predicateIndex(match.predicate);
  if (index < 0)
    throw new ViewError("unknown-match", `${at}.predicate`, `no predicate is registered as "${match.predicate}"`);
  const bit = 1 << index;
  return (slot) => (world.predicateBits[slot]! & bit) !== 0;
}

function checkPivotIndices(pivots: readonly number[], at: string): void {
  for (const pivot of pivots) {
    if (!Number.isInteger(pivot) || pivot < 0 || pivot >= VIEW_CAPACITY.pivots) {
      throw new ViewError("bad-pivot", at, `${pivot} is not the index of a pivot`);
    }
  }
  if (new Set(pivots).size < pivots.length) {
    throw new ViewError("bad-pivot", at, `must name each pivot once, is [${pivots.join(", ")}]`);
  }
}

function checkPivot(pivot: Pivot, at: string): void {
  const scale = pivot.scale ?? 1;
  if (!(scale > 0) || !Number.isFinite(scale))
    throw new ViewError("bad-pivot", `${at}.scale`, `must be above 0, is ${scale}`);
  if ("point" in pivot) {
    checkVector(pivot.point, `${at}.point`);
    if (pivot.orientation !== undefined) checkVector(pivot.orientation, `${at}.orientation`);
  } else if ("group" in pivot) {
    count(pivot.group.length, 1, VIEW_CAPACITY.groupMembers, `${at}.group`);
    count(pivot.coefficients.length, 0, VIEW_CAPACITY.zones - 2, `${at}.coefficients`);
    ascending(pivot.coefficients, `${at}.coefficients`, "bad-pivot", 1, Number.POSITIVE_INFINITY);
    if (!(pivot.margin >= 0) || !Number.isFinite(pivot.margin)) {
      throw new ViewError("bad-pivot", `${at}.margin`, `must be 0 or more, is ${pivot.margin}`);
    }
    if (!((pivot.spread ?? 0) >= 0)) {
      throw new ViewError("bad-pivot", `${at}.spread`, `must be 0 or more, is ${pivot.spread}`);
    }
  }
}

function checkVector(vector: readonly number[], at: string): void {
  if (vector.length < 2 || vector.length > 3 || !vector.every(Number.isFinite)) {
    throw new ViewError("bad-pivot", at, `needs 2 or 3 finite numbers, got [${vector.join(", ")}]`);
  }
}

function ascending(
  numbers: readonly number[],
  at: string,
  code: "bad-radii" | "bad-sectors" | "bad-pivot",
  above: number,
  below: number,
): void {
  numbers.forEach((number, index) => {
    const previous = index === 0 ? above : numbers[index - 1]!;
    if (!(number > previous) || !(number < below)) {
      throw new ViewError(code, `${at}[${index}]`, `must lie above ${previous} and below ${below}, is ${number}`);
    }
  });
}

function count(actual: number, least: number, most: number, at: string): void {
  if (actual < least || actual > most)
    throw new ViewError("too-many", at, `needs ${least} to ${most} entries, has ${actual}`);
}

function oneOf<T extends string>(value: T, allowed: readonly T[], at: string): T {
  if (!allowed.includes(value))
    throw new ViewError("bad-number", at, `must be one of ${allowed.join(", ")}, is ${value}`);
  return value;
}
