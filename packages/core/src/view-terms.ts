/**
 * An object set as the order between views sees it: its defaults filled in, and its bound at any distance and angle. `clamp-view.ts`
 * compares the sets of a proposal with those of a grant in these terms. Only names are compared, so no world is needed.
 */

import {
  type Bound,
  isStrongest,
  type Match,
  type ObjectSetSettings,
  type OwnRule,
  type Shape,
  type TimeClock,
} from "./view.ts";

export const DIMENSIONS = ["time", "sequence", "value"] as const;
const ALL_ROUND = 360;

/**
 * Bounds of many cells, three figures each in the order of `DIMENSIONS`: those of cell c begin at 3 × c. A view has up to 2,048 cells, and each may be
 * compared with as many as there are granted sets, so they are kept without an object for each.
 */
export type Cells = Float64Array;
export const FIGURES = 3;

/** The set's settings with every default filled in. */
export interface Terms {
  readonly match: Match;
  /** Outer edges of its zones; the last is `Infinity`. */
  readonly edges: readonly number[];
  /** Opening angles of its sectors, in degrees; the last is 360. */
  readonly angles: readonly number[];
  /** Bounds by cell, `zone × angles.length + sector`. */
  readonly cells: Cells;
  readonly shape: Shape;
  readonly clock: TimeClock;
  readonly strict: boolean;
  readonly metric: string;
  readonly range: number;
  readonly pivots: readonly number[] | undefined;
  readonly own: OwnRule;
}

export function termsOf(set: ObjectSetSettings): Terms {
  const angles = [...(set.sectors ?? []), ALL_ROUND];
  return {
    match: set.match,
    edges: [...(set.radii ?? []), Number.POSITIVE_INFINITY],
    angles,
    cells: cellsOf(set.bounds, angles.length),
    shape: set.shape ?? "round",
    clock: set.clock ?? "refresh",
    strict: set.strict ?? false,
    metric: set.metric === "predicted:linear" ? "predicted" : (set.metric ?? "displacement"),
    range: set.range ?? Number.POSITIVE_INFINITY,
    pivots: set.pivots,
    own: set.own ?? "changes",
  };
}

function cellsOf(bounds: ObjectSetSettings["bounds"], sectorCount: number): Cells {
  const cells = new Float64Array(bounds.length * sectorCount * FIGURES);
  let at = 0;
  for (const entry of bounds as readonly (Bound | readonly Bound[])[]) {
    for (let sector = 0; sector < sectorCount; sector++) {
      const { time, sequence, value } = (Array.isArray(entry) ? entry[sector] : entry) as Bound;
      cells[at++] = time ?? Number.POSITIVE_INFINITY;
      cells[at++] = sequence ?? Number.POSITIVE_INFINITY;
      cells[at++] = value ?? Number.POSITIVE_INFINITY;
    }
  }
  return cells;
}

/** The bound of the cell that begins at `at`; a dimension without requirement is left out. */
export function boundOf(cells: Cells, at: number): Bound {
  const [time, sequence, value] = [cells[at]!, cells[at + 1]!, cells[at + 2]!];
  const bound: Bound = {};
  if (time !== Number.POSITIVE_INFINITY) bound.time = time;
  if (sequence !== Number.POSITIVE_INFINITY) bound.sequence = sequence;
  if (value !== Number.POSITIVE_INFINITY) bound.value = value;
  return bound;
}

/** `isStrongest` of the cell that begins at `at`: no update waits, and no bound counts as stricter. */
export function letsNoUpdateWait(cells: Cells, at: number): boolean {
  return isStrongest({ time: cells[at]!, sequence: cells[at + 1]!, value: cells[at + 2]! });
}

/**
 * Whether no bound under this metric can send more than that of the cell that begins at `at`. As a rule those that let no update wait. But where
 * a picture goes on by itself (`predicted`, perhaps a game's own metric), a pair is unequal without any update, and `{ sequence: 1 }` sends less
 * than `{ time: 0 }`.
 */
export function isUnlimited(cells: Cells, at: number, metric: string): boolean {
  if (metric === "displacement" || metric === "path" || metric.startsWith("relative:"))
    return letsNoUpdateWait(cells, at);
  return cells[at] === 0 || cells[at + 1] === 0 || cells[at + 2] === 0;
}

/**
 * The bounds of a set in the cells that those edges and angles make: for each cell, that of everything up to its outer edge and angle. Bounds
 * loosen outward, so no place nearer by, or farther in front, has a looser one.
 */
export function sampled(terms: Terms, edges: readonly number[], angles: readonly number[]): Cells {
  const sectors = angles.map((angle) => terms.angles.findIndex((outer) => angle <= outer));
  const cells = new Float64Array(edges.length * angles.length * FIGURES);
  let at = 0;
  for (const edge of edges) {
    const zone = terms.edges.findIndex((outer) => edge <= outer);
    for (const sector of sectors) {
      const from = (zone * terms.angles.length + sector) * FIGURES;
      for (let index = 0; index < FIGURES; index++) cells[at++] = terms.cells[from + index]!;
    }
  }
  return cells;
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
