/**
 * An object set as the order between views sees it: its defaults filled in, and its bound at any distance and angle. `clamp-view.ts`
 * compares the sets of a proposal with those of a grant in these terms. Only names are compared, so no world is needed.
 */

import { type Bound, isStrongest, type Match, type ObjectSetSettings, type Shape, type TimeClock } from "./view.ts";

/** A bound as three figures, in the order of `DIMENSIONS`. */
export type Figures = readonly [time: number, sequence: number, value: number];

export const DIMENSIONS = ["time", "sequence", "value"] as const;
const NOTHING_ASKED: Figures = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
/** As strict as can be. */
export const STRONGEST: Figures = [0, 0, 0];
export const ALL_ROUND = 360;

/** The set's settings with every default filled in. */
export interface Terms {
  readonly match: Match;
  /** Outer edges of its zones; the last is `Infinity`. */
  readonly edges: readonly number[];
  /** Opening angles of its sectors, in degrees; the last is 360. */
  readonly angles: readonly number[];
  /** Bounds by zone and sector. */
  readonly rows: readonly (readonly Figures[])[];
  readonly shape: Shape;
  readonly clock: TimeClock;
  readonly strict: boolean;
  readonly metric: string;
  readonly range: number;
  readonly pivots: readonly number[] | undefined;
}

export function termsOf(set: ObjectSetSettings): Terms {
  const angles = [...(set.sectors ?? []), ALL_ROUND];
  return {
    match: set.match,
    edges: [...(set.radii ?? []), Number.POSITIVE_INFINITY],
    angles,
    rows: set.bounds.map((entry: Bound | readonly Bound[]) => {
      if (Array.isArray(entry)) return (entry as readonly Bound[]).map(figuresOf);
      return new Array<Figures>(angles.length).fill(figuresOf(entry as Bound));
    }),
    shape: set.shape ?? "round",
    clock: set.clock ?? "refresh",
    strict: set.strict ?? false,
    metric: set.metric === "predicted:linear" ? "predicted" : (set.metric ?? "displacement"),
    range: set.range ?? Number.POSITIVE_INFINITY,
    pivots: set.pivots,
  };
}

function figuresOf({ time, sequence, value }: Bound): Figures {
  return [time ?? NOTHING_ASKED[0], sequence ?? NOTHING_ASKED[1], value ?? NOTHING_ASKED[2]];
}

export function boundOf([time, sequence, value]: Figures): Bound {
  return {
    ...(Number.isFinite(time) && { time }),
    ...(Number.isFinite(sequence) && { sequence }),
    ...(Number.isFinite(value) && { value }),
  };
}

/**
 * The bound for everything up to that distance and angle. Bounds loosen outward, so no place nearer by, or farther in front, has a looser one.
 */
export function boundAt({ edges, angles, rows }: Terms, edge: number, angle: number): Figures {
  const zone = edges.findIndex((outer) => edge <= outer);
  const sector = angles.findIndex((outer) => angle <= outer);
  return rows[zone]![sector]!;
}

/** In each dimension the looser of the two. */
export function loosest(a: Figures, b: Figures): Figures {
  return [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.max(a[2], b[2])];
}

/** Whether `a` is in no dimension stricter than `b`. */
export function isNoStricter(a: Figures, b: Figures): boolean {
  return a[0] >= b[0] && a[1] >= b[1] && a[2] >= b[2];
}

/** `isStrongest` of figures: no update waits, and no bound counts as stricter. */
export function letsNoUpdateWait([time, sequence, value]: Figures): boolean {
  return isStrongest({ time, sequence, value });
}

// ── which objects ────────────────────────────────────────────────────────────────────────────────────────────────

/** Whether every object that `inner` matches is certainly matched by `outer`, too. */
export function includes(outer: Match, inner: Match): boolean {
  if (outer === "everything") return true;
  if (inner === "everything") return false;
  if ("type" in outer) return "type" in inner && outer.type === inner.type;
  if ("tag" in outer) return "tag" in inner && outer.tag === inner.tag;
  return "predicate" in inner && outer.predicate === inner.predicate;
}

/** Whether no object can match both: an object has one type. */
export function excludes(a: Match, b: Match): boolean {
  if (a === "everything" || b === "everything") return false;
  return "type" in a && "type" in b && a.type !== b.type;
}
