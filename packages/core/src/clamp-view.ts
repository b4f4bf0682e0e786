/**
 * The server's say over a proposed view: nowhere may it ask for more than the limits allow at that distance. What asks for too much is
 * clamped, not refused, and each change is put in words for the client. Which pivots a client may use is the server's own rule.
 *
 * Claim: for every distance d from an object or point pivot that is not zoomed the clamped view's bound is no stricter than the limits'
 * bound at d, and a view that could be resolved still can. A zone covers all distances up to its outer edge, and limits loosen outward like
 * bounds do, so it is enough that the zone's bound is no stricter than the limits' at that edge. A zoom moves all edges out, by no more
 * than the limits' scale. Figures are compared as they stand: `value` is in the units of whatever metric the view names.
 */

import { type Bound, isStrongest, type ObjectSetSettings, type Pivot, type ViewSettings } from "./view.ts";

export interface ViewLimits {
  /** Edges of the rings in which different limits hold, ascending, world units. */
  radii: readonly number[];
  /**
   * Strictest bound a client may ask for in each ring; one more than `radii`. A missing dimension may not be asked for at all, unless the
   * ring lets every update through anyway (`isStrongest`).
   */
  bounds: readonly Bound[];
  /** Farthest a replica may reach. Default: any distance. */
  range?: number;
  /** Largest zoom of a pivot: what is granted at a distance is granted so many times farther out, too. Default 1. */
  scale?: number;
}

export interface ClampedView {
  readonly view: ViewSettings;
  /** What was changed, in words; empty if nothing was. */
  readonly clamped: readonly string[];
}

const DIMENSIONS = ["time", "sequence", "value"] as const;

/** Limits that allow exactly what `view` grants: at every distance, the strictest of its sets and sectors. */
export function limitsOf(view: ViewSettings, scale = 1): ViewLimits {
  const radii = [...new Set(view.sets.flatMap((set) => set.radii ?? []))].sort((a, b) => a - b);
  const edges = [...radii, Number.POSITIVE_INFINITY];
  const bounds = edges.map((edge) => {
    const strictest: Bound = {};
    for (const set of view.sets) {
      const bound = strictestAt(set, edge);
      for (const dimension of DIMENSIONS) {
        const asked = bound[dimension] ?? Number.POSITIVE_INFINITY;
        if (asked < (strictest[dimension] ?? Number.POSITIVE_INFINITY)) strictest[dimension] = asked;
      }
    }
    return strictest;
  });
  const range = Math.max(...view.sets.map((set) => set.range ?? Number.POSITIVE_INFINITY));
  return { radii, bounds, range, scale };
}

export function clampView(settings: ViewSettings, limits: ViewLimits): ClampedView {
  const clamped: string[] = [];
  const pivots = settings.pivots.map((pivot, index) => clampPivot(pivot, `pivots[${index}]`, limits, clamped));
  const sets = settings.sets.map((set, index) => clampSet(set, `sets[${index}]`, limits, clamped));
  return { view: { ...settings, sets, pivots }, clamped };
}

/**
 * One pivot as the limits allow. A group brings radii of its own: its margin may be no wider than the limits' innermost ring, and its
 * further radii no larger beside it than theirs.
 *
 * @param at where the pivot stands, for the words in `clamped`.
 */
export function clampPivot(pivot: Pivot, at: string, limits: ViewLimits, clamped: string[]): Pivot {
  const most = limits.scale ?? 1;
  let result = pivot;
  if ((pivot.scale ?? 1) > most) {
    clamped.push(`${at}.scale: ${pivot.scale} is more than ${most}`);
    result = { ...result, scale: most };
  }
  if (!("group" in result)) return result;
  const inner = limits.radii[0] ?? Number.POSITIVE_INFINITY;
  if (result.margin > inner) {
    clamped.push(`${at}.margin: ${result.margin} is more than ${inner}`);
    result = { ...result, margin: inner };
  }
  const coefficients = result.coefficients.map((coefficient, ring) => {
    const largest = (limits.radii[ring + 1] ?? limits.radii.at(-1) ?? Number.POSITIVE_INFINITY) / inner;
    if (!(coefficient > largest)) return coefficient;
    clamped.push(`${at}.coefficients[${ring}]: ${coefficient} is more than ${largest}`);
    return largest;
  });
  return { ...result, coefficients: ascending(coefficients) };
}

/** Clamping may have made neighbours equal; a ring of no width is no ring. */
function ascending(coefficients: readonly number[]): number[] {
  return coefficients.filter((coefficient, index) => coefficient > (coefficients[index - 1] ?? 1));
}

function clampSet(set: ObjectSetSettings, at: string, limits: ViewLimits, clamped: string[]): ObjectSetSettings {
  const bounds = set.bounds.map((entry, zone) => {
    const edge = set.radii?.[zone] ?? Number.POSITIVE_INFINITY;
    const place = `${at}.bounds[${zone}]`;
    const row: readonly Bound[] = Array.isArray(entry) ? entry : [entry as Bound];
    const loosened = row.map((bound) => loosen(bound, limitAt(limits, edge), place, clamped));
    return Array.isArray(entry) ? loosened : loosened[0]!;
  }) as ObjectSetSettings["bounds"];
  const most = limits.range ?? Number.POSITIVE_INFINITY;
  if ((set.range ?? Number.POSITIVE_INFINITY) <= most) return { ...set, bounds };
  clamped.push(`${at}.range: ${set.range ?? "everything"} is farther than ${most}`);
  return { ...set, bounds, range: most };
}

/** Where no update may wait, nothing is too strict; where the client asks that none waits, it gets the limit. */
function loosen(bound: Bound, limit: Bound, at: string, clamped: string[]): Bound {
  if (isStrongest(limit)) return bound;
  const result: Bound = { ...bound };
  for (const dimension of DIMENSIONS) {
    const asked = isStrongest(bound) ? 0 : (bound[dimension] ?? Number.POSITIVE_INFINITY);
    const least = limit[dimension] ?? Number.POSITIVE_INFINITY;
    if (asked >= least) continue;
    clamped.push(`${at}.${dimension}: ${bound[dimension] ?? asked} is stricter than ${least}`);
    if (least === Number.POSITIVE_INFINITY) delete result[dimension];
    else result[dimension] = least;
  }
  return result;
}

/** The limit for everything up to `edge`. */
function limitAt(limits: ViewLimits, edge: number): Bound {
  const ring = limits.radii.findIndex((radius) => edge <= radius);
  return limits.bounds[ring < 0 ? limits.bounds.length - 1 : ring] ?? {};
}

/** The bound of a set's first sector for everything up to `edge`. */
function strictestAt(set: ObjectSetSettings, edge: number): Bound {
  const zone = (set.radii ?? []).findIndex((radius) => edge <= radius);
  const entry = set.bounds[zone < 0 ? set.bounds.length - 1 : zone]!;
  const bound = Array.isArray(entry) ? (entry[0] as Bound) : (entry as Bound);
  return isStrongest(bound) ? { time: 0, sequence: 0, value: 0 } : bound;
}
