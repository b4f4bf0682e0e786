/**
 * Checks view settings (`view-rules.ts`) and compiles them for the models: bounds as flat columns by cell, sectors as cosines, sets as tests
 * on a slot. Every rule of the model page that a view can break is refused here, naming the place, before any model sees it.
 */

import type { Protocol } from "@nearfield/schema";
import { suggestion } from "@nearfield/schema/internal";
import { ViewError } from "./errors.ts";
import { halfCosines } from "./judge.ts";
import { type Metric, type MetricRegistry, requireFit } from "./metrics.ts";
import type { ViewOptions } from "./model.ts";
import { loosenedBound } from "./urgency.ts";
import type { Bound, Match, ObjectSetSettings, OwnRule, Shape, TimeClock, ViewSettings } from "./view.ts";
import {
  type BoundColumns,
  checkEdges,
  checkFrame,
  checkLastSet,
  checkManner,
  resolveBounds,
  typesOf,
} from "./view-rules.ts";
import type { World } from "./world.ts";

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
  /** Whether the viewer's own objects are due on every change, or by bounds. */
  readonly own: OwnRule;
}

export interface ResolvedView {
  readonly settings: ViewSettings;
  readonly sets: readonly ResolvedSet[];
}

export function resolveView(settings: ViewSettings, world: World, metrics: MetricRegistry): ResolvedView {
  checkFrame(settings);
  const sets = settings.sets.map((set, index) => resolveSet(set, `sets[${index}]`, world, metrics));
  checkLastSet(settings);
  return { settings, sets };
}

/** The same view with the bounds of zone 0 loosened by `inner`, those of all others by `outer` (`loosenedBound`). */
export function loosened(view: ResolvedView, outer: number, inner: number, roundMs: number): ResolvedView {
  checkFactors(outer, inner);
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

/** Factors by which bounds can be loosened. */
export function checkFactors(outer: number, inner: number): void {
  if (inner >= 1 && outer >= inner && Number.isFinite(outer)) return;
  const text = `needs 1 ≤ inner ≤ outer, finite, so that bounds only loosen outward; got outer ${outer}, inner ${inner}`;
  throw new ViewError("bad-number", "loosen", text);
}

/** Options of `addView` that exclude each other. */
export function checkOptions({ budgeted, assumeDelivered }: ViewOptions): void {
  if (budgeted !== true || assumeDelivered !== true) return;
  throw new ViewError("bad-option", "budgeted", "excludes assumeDelivered: what may be withheld is not received yet");
}

function resolveSet(set: ObjectSetSettings, at: string, world: World, metrics: MetricRegistry): ResolvedSet {
  checkEdges(set, at);
  const { radii = [], sectors = [], range = Number.POSITIVE_INFINITY } = set;
  const measured = metrics.resolve(set.metric ?? "displacement", `${at}.metric`, world.protocol);
  requireFit(measured.metric, typesOf(set.match, world.protocol), `${at}.metric`);
  return {
    matches: matcher(set.match, world, `${at}.match`),
    zoneCount: radii.length + 1,
    sectorCount: sectors.length + 1,
    radii: Float64Array.from(radii),
    cosHalf: halfCosines(sectors),
    ...resolveBounds(set, at),
    ...checkManner(set, at),
    strict: set.strict ?? false,
    ...measured,
    range,
    pivots: set.pivots,
  };
}

function columnsOf(cells: readonly Required<Bound>[]): BoundColumns {
  return {
    time: Float64Array.from(cells, (bound) => bound.time),
    sequence: Float64Array.from(cells, (bound) => bound.sequence),
    value: Float64Array.from(cells, (bound) => bound.value),
  };
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
