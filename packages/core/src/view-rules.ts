/**
 * The rules that every view must keep, as checks of plain settings. They need no world: a client checks a view by them before it proposes
 * it, and a page carries nothing of the models for that. `resolve-view.ts` compiles what passes.
 */

import { MOTION_MODELS } from "@nearfield/presentation";
import { missingRole } from "@nearfield/presentation/internal";
import type { ObjectType, Protocol } from "@nearfield/schema";
import { ViewError } from "./errors.ts";
import { unitOf } from "./units/unit-pivot.ts";
import {
  type Bound,
  isStrongest,
  type Match,
  type ObjectSetSettings,
  type OwnRule,
  type Pivot,
  type Shape,
  type TimeClock,
  type ViewSettings,
} from "./view.ts";

/** What a view may hold at most; also what the wire carries. */
export const VIEW_CAPACITY = { sets: 16, zones: 16, sectors: 8, pivots: 32, groupMembers: 256 } as const;

/**
 * Throws `ViewError` for what no server accepts. Whether it knows the metrics, tags and predicates that the view names, a server decides.
 * Without a protocol it is not checked whether metrics fit the types.
 */
export function checkView(settings: ViewSettings, protocol?: Protocol): void {
  checkFrame(settings);
  for (const [index, set] of settings.sets.entries()) {
    const at = `sets[${index}]`;
    checkEdges(set, at);
    if (protocol !== undefined) checkMetric(set, at, protocol);
    resolveBounds(set, at);
    checkManner(set, at);
  }
  checkLastSet(settings);
}

/** How many sets there are, and the pivots. */
export function checkFrame({ sets, pivots }: ViewSettings): void {
  count(sets.length, 1, VIEW_CAPACITY.sets, "sets");
  checkPivots(pivots);
}

export function checkLastSet({ sets }: ViewSettings): void {
  const last = sets.length - 1;
  if (sets[last]!.match === "everything") return;
  const text = `must be "everything", so that no object is left without a bound`;
  throw new ViewError("no-last-set", `sets[${last}].match`, text);
}

export function checkPivots(pivots: readonly Pivot[]): void {
  count(pivots.length, 0, VIEW_CAPACITY.pivots, "pivots");
  for (const [index, pivot] of pivots.entries()) checkPivot(pivot, `pivots[${index}]`);
}

// ── one set ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** Where zones, sectors and the range end, and which pivots count. */
export function checkEdges({ radii = [], sectors = [], range, pivots = [] }: ObjectSetSettings, at: string): void {
  count(radii.length + 1, 1, VIEW_CAPACITY.zones, `${at}.radii`);
  count(sectors.length + 1, 1, VIEW_CAPACITY.sectors, `${at}.sectors`);
  ascending(radii, `${at}.radii`, "bad-radii", 0, Number.POSITIVE_INFINITY);
  ascending(sectors, `${at}.sectors`, "bad-sectors", 0, 360);
  if (range !== undefined && !(range > 0))
    throw new ViewError("bad-number", `${at}.range`, `must be above 0, is ${range}`);
  checkPivotIndices(pivots, `${at}.pivots`);
}

/** The shape, the clock and the rule for own objects, or what stands for them where none is named. */
export function checkManner(
  { shape = "round", clock = "refresh", own = "changes" }: ObjectSetSettings,
  at: string,
): { readonly shape: Shape; readonly clock: TimeClock; readonly own: OwnRule } {
  return {
    shape: oneOf(shape, ["round", "square"], `${at}.shape`),
    clock: oneOf(clock, ["refresh", "firstMiss"], `${at}.clock`),
    own: oneOf(own, ["changes", "bounds"], `${at}.own`),
  };
}

/** A metric `predicted` goes by a motion model, and the types must be sent with what the model needs. */
function checkMetric({ metric = "", match }: ObjectSetSettings, at: string, protocol: Protocol): void {
  const model = metric === "predicted" ? "linear" : metric.replace(/^predicted:/, "");
  if (model === metric || !Object.hasOwn(MOTION_MODELS, model)) return;
  const missing = (type: ObjectType): string | undefined => missingRole(type, MOTION_MODELS[model as never]);
  refuseUnfit(metric, missing, typesOf(match, protocol), `${at}.metric`);
}

/**
 * Refuses a metric that goes by what none of the types is sent with: it would never be what the game means by it. Where some are and others
 * are not, as in a set that matches everything, it counts for those that are; to the others it is as if they stood.
 *
 * @param missing what a type lacks; undefined: nothing.
 */
export function refuseUnfit(
  metric: string,
  missing: (type: ObjectType) => string | undefined,
  types: readonly ObjectType[],
  at: string,
): void {
  const spatial = types.filter(({ position }) => position.length > 0);
  const lacking = spatial.map(missing);
  if (lacking.length === 0 || lacking.includes(undefined)) return;
  const lacks = spatial.map(({ name }, index) => `${name} has no ${lacking[index]}`).join(", ");
  const text = `"${metric}" goes by what no object here is sent with: ${lacks}. Name its fields in the schema, or another metric`;
  throw new ViewError("unfit-metric", at, text);
}

/** The types of the objects that can match. */
export function typesOf(match: Match, { objects }: Protocol): readonly ObjectType[] {
  return match !== "everything" && "type" in match ? objects.filter(({ name }) => name === match.type) : objects;
}

/** Bounds by cell, one column for each dimension. */
export interface BoundColumns {
  readonly time: Float64Array;
  readonly sequence: Float64Array;
  readonly value: Float64Array;
}

/** Fills in what is missing, and refuses bounds that get stricter with a higher zone or sector. */
export function resolveBounds(set: ObjectSetSettings, at: string): BoundColumns {
  const zoneCount = (set.radii?.length ?? 0) + 1;
  const sectorCount = (set.sectors?.length ?? 0) + 1;
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

// ── pivots ───────────────────────────────────────────────────────────────────────────────────────────────────────

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
  } else if ("camera" in pivot) {
    checkCamera(pivot, at);
  } else if ("group" in pivot) {
    if (unitOf(pivot) === undefined) count(pivot.group.length, 1, VIEW_CAPACITY.groupMembers, `${at}.group`);
    checkCoefficients(pivot.coefficients, at);
    if (!(pivot.margin >= 0) || !Number.isFinite(pivot.margin)) {
      throw new ViewError("bad-pivot", `${at}.margin`, `must be 0 or more, is ${pivot.margin}`);
    }
    if (!((pivot.spread ?? 0) >= 0)) {
      throw new ViewError("bad-pivot", `${at}.spread`, `must be 0 or more, is ${pivot.spread}`);
    }
  }
}

function checkCamera(
  { camera, size, rotation = 0, coefficients }: Extract<Pivot, { camera: unknown }>,
  at: string,
): void {
  if (camera.length !== 2 || !camera.every(Number.isFinite)) {
    throw new ViewError("bad-pivot", `${at}.camera`, `needs 2 finite numbers, got [${camera.join(", ")}]`);
  }
  if (size.length !== 2 || !size.every((side) => side > 0 && Number.isFinite(side))) {
    throw new ViewError("bad-pivot", `${at}.size`, `needs a width and a height above 0, got [${size.join(", ")}]`);
  }
  if (!Number.isFinite(rotation)) {
    throw new ViewError("bad-pivot", `${at}.rotation`, `must be a number of radians, is ${rotation}`);
  }
  checkCoefficients(coefficients, at);
}

function checkCoefficients(coefficients: readonly number[], at: string): void {
  count(coefficients.length, 0, VIEW_CAPACITY.zones - 2, `${at}.coefficients`);
  ascending(coefficients, `${at}.coefficients`, "bad-pivot", 1, Number.POSITIVE_INFINITY);
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
