/**
 * Zones, sectors and bounds of one proposed set, held against those that are granted. Where the set asks for more in any cell, or has fewer zones
 * within some distance, it takes over the edges of the grants, and each cell becomes the looser of what is asked and what is granted.
 *
 * Claim: whatever lies in a cell of the result lies, by every grant, in a cell whose bound is no looser, and in a zone of no higher number.
 */

import type { ClampWords } from "./clamp-words.ts";

import type { Bound, ObjectSetSettings } from "./view.ts";
import { VIEW_CAPACITY } from "./view-rules.ts";
import {
  boundOf,
  type Cells,
  DIMENSIONS,
  FIGURES,
  isUnlimited,
  letsNoUpdateWait,
  sampled,
  type Terms,
} from "./view-terms.ts";

/** What one set of a proposal must keep to. */
export interface Grants {
  /** The granted sets that can hold an object of this set. */
  readonly objects: readonly Terms[];
  /** Those whose zones it must not undercut: the same, and those by which events are filtered if this set may be the one that does so. */
  readonly places: readonly Terms[];
}

interface Asked {
  readonly asked: Terms;
  readonly grants: Grants;
  /** Whose bounds by value hold: those asked for, where the metric is the granted one; the grant's own; or none. */
  readonly values: "asked" | "granted" | "none";
  /** The one that the clamped set has. */
  readonly metric: string;
  /** Those that count in the clamped set. */
  readonly pivots: readonly number[] | undefined;
  /** Where the set stands, for the words. */
  readonly at: string;
}

const UNLIMITED = Number.POSITIVE_INFINITY;
/** Stands for a value that is to be the grant's: stricter than any other, yet no bound that lets nothing wait. */
const AS_GRANTED = Number.MIN_VALUE;

/** Settings that keep to the grants; `undefined` if those asked for do. */
export function clampBounds(
  set: Asked,
  words: ClampWords,
): Pick<ObjectSetSettings, "radii" | "sectors" | "bounds"> | undefined {
  const { asked, grants, at } = set;
  if (keepsZones(asked, grants.places) && keepsBounds(set)) return undefined;
  const edges = refinedEdges(asked, grants.places);
  const angles = refinedAngles(asked, grants.objects);
  tellEdges(asked, edges, angles, at, words);
  const before = translated(set, edges, angles);
  const cells = joined(before, loosestGranted(set, edges, angles), set.values);
  neverTighten(cells, angles.length);
  tellBounds(before, cells, angles.length, at, words);
  const boundAt = (zone: number, sector: number): Bound => boundOf(cells, (zone * angles.length + sector) * FIGURES);
  return {
    radii: edges.slice(0, -1),
    sectors: angles.slice(0, -1),
    bounds:
      angles.length === 1
        ? edges.map((_, zone) => boundAt(zone, 0))
        : edges.map((_, zone) => angles.map((_, sector) => boundAt(zone, sector))),
  };
}

export function isSameList(a: readonly number[] | undefined, b: readonly number[] | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.length === b.length && a.every((index) => b.includes(index));
}

// ── the cells ────────────────────────────────────────────────────────────────────────────────────────────────────

/** What is asked in each cell, in terms of the metric that is granted. */
function translated({ asked, values }: Asked, edges: readonly number[], angles: readonly number[]): Cells {
  const cells = sampled(asked, edges, angles);
  if (values === "asked") return cells;
  for (let at = 0; at < cells.length; at += FIGURES) {
    const value = cells[at + 2]!;
    if (values === "granted") {
      if (value !== UNLIMITED && value !== 0) cells[at + 2] = AS_GRANTED;
      continue;
    }
    if (letsNoUpdateWait(cells, at)) cells[at + 1] = Math.min(cells[at + 1]!, 1);
    cells[at + 2] = UNLIMITED;
  }
  return cells;
}

/**
 * The loosest bound that any grant has in each cell; 0 in all dimensions where none is limited at all. A set of which no pivot counts puts
 * everything in its last zone, in sector 0, wherever it lies: there only what is granted in all sectors is granted.
 */
function loosestGranted(
  { grants: { objects }, metric, pivots }: Asked,
  edges: readonly number[],
  angles: readonly number[],
): Cells {
  const narrowed = objects.some((granted) => !isSameList(granted.pivots, pivots));
  const least = new Float64Array(edges.length * angles.length * FIGURES);
  const lastZone = least.length - angles.length * FIGURES;
  for (const granted of objects) {
    const cells = sampled(granted, edges, angles);
    if (narrowed)
      for (let at = lastZone; at < cells.length; at += FIGURES) cells.copyWithin(at, cells.length - FIGURES);
    for (let at = 0; at < cells.length; at += FIGURES) {
      if (isUnlimited(cells, at, metric)) continue;
      for (let i = at; i < at + FIGURES; i++) least[i] = Math.max(least[i]!, cells[i]!);
    }
  }
  return least;
}

/**
 * In each cell the looser of both. Whoever asks that no update waits gets what is granted; so does whoever asks in other terms where the grant
 * lets none wait.
 */
function joined(asked: Cells, granted: Cells, values: Asked["values"]): Cells {
  const cells = asked.slice();
  for (let cell = 0; cell < cells.length; cell += FIGURES) {
    const [time, sequence, value] = [cell, cell + 1, cell + 2];
    if (!isNoStricter(asked, granted, cell)) {
      const takesAll = letsNoUpdateWait(asked, cell) || letsNoUpdateWait(granted, cell);
      for (let at = cell; at < cell + FIGURES; at++) {
        cells[at] = takesAll ? granted[at]! : Math.max(asked[at]!, granted[at]!);
      }
    }
    if (values === "none") cells[value] = UNLIMITED;
    else if (cells[value] === AS_GRANTED) cells[value] = granted[time] === 0 && granted[sequence] === 0 ? 0 : UNLIMITED;
  }
  return cells;
}

function isNoStricter(asked: Cells, granted: Cells, cell: number): boolean {
  for (let at = cell; at < cell + FIGURES; at++) if (asked[at]! < granted[at]!) return false;
  return true;
}

/** Where a grant has no figure nearer by that could be compared, it may have one farther out; bounds only loosen outward. */
function neverTighten(cells: Cells, sectorCount: number): void {
  for (let cell = 0; cell < cells.length; cell += FIGURES) {
    const inner = cell - sectorCount * FIGURES;
    const front = (cell / FIGURES) % sectorCount === 0 ? -1 : cell - FIGURES;
    for (const before of [inner, front]) {
      if (before < 0 || letsNoUpdateWait(cells, before)) continue;
      for (let i = 0; i < FIGURES; i++) cells[cell + i] = Math.max(cells[cell + i]!, cells[before + i]!);
    }
  }
}

/** Whether nothing is asked in any cell that is not granted there. */
function keepsBounds(set: Asked): boolean {
  const { cells, edges, angles } = set.asked;
  const granted = loosestGranted(set, edges, angles);
  for (let at = 0; at < cells.length; at += FIGURES) {
    if (set.values === "none" && cells[at + 2] !== UNLIMITED) return false;
    if (set.values === "granted" && cells[at + 2] !== UNLIMITED) return false;
    if (!isNoStricter(cells, granted, at)) return false;
  }
  return true;
}

// ── edges ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Whether everything lies in no lower zone than by any of those. */
function keepsZones({ edges }: Terms, places: readonly Terms[]): boolean {
  return places.every((granted) => granted.edges.every((edge, zone) => edge === UNLIMITED || edges[zone]! <= edge));
}

/**
 * The edges asked for and those of the grants: as many edges lie within any distance as a grant has there, so no zone is undercut. Where that
 * makes too many zones, for each zone the nearest edge that a grant has there, and as many of those asked for as there is room for.
 */
function refinedEdges(asked: Terms, places: readonly Terms[]): number[] {
  let all = new Set([asked, ...places].flatMap(({ edges }) => edges));
  if (all.size > VIEW_CAPACITY.zones) {
    const zoneCount = Math.max(...places.map(({ edges }) => edges.length));
    const nearest = (zone: number): number => Math.min(...places.map(({ edges }) => edges[zone] ?? UNLIMITED));
    all = new Set([...Array.from({ length: zoneCount }, (_, zone) => nearest(zone)), ...asked.edges]);
  }
  return [...all].slice(0, VIEW_CAPACITY.zones).sort((a, b) => a - b);
}

/** Where the angles of both are too many, those asked for: each cell is granted what is granted up to its own angle. */
function refinedAngles(asked: Terms, objects: readonly Terms[]): readonly number[] {
  const all = new Set([asked, ...objects].flatMap(({ angles }) => angles));
  return all.size <= VIEW_CAPACITY.sectors ? [...all].sort((a, b) => a - b) : asked.angles;
}

function tellEdges(
  asked: Terms,
  edges: readonly number[],
  angles: readonly number[],
  at: string,
  words: ClampWords,
): void {
  const lists = [
    [`${at}.radii`, asked.edges, edges],
    [`${at}.sectors`, asked.angles, angles],
  ] as const;
  for (const [place, before, after] of lists) {
    const added = after.filter((edge) => !before.includes(edge));
    const dropped = before.filter((edge) => !after.includes(edge));
    if (added.length > 0) words.say(place, `the room's own are added: ${added.join(", ")}`);
    if (dropped.length > 0) words.say(place, `too many together with the room's own; left out: ${dropped.join(", ")}`);
  }
}

function tellBounds(before: Cells, after: Cells, sectorCount: number, at: string, words: ClampWords): void {
  for (let cell = 0; cell < after.length; cell += FIGURES) {
    // Where it still lets no update wait, it is as strict as was asked.
    if (letsNoUpdateWait(after, cell)) continue;
    const askedAll = letsNoUpdateWait(before, cell);
    for (let index = 0; index < FIGURES; index++) {
      const asked = askedAll && before[cell + index] === UNLIMITED ? 0 : before[cell + index]!;
      const granted = after[cell + index]!;
      if (asked === AS_GRANTED || asked >= granted) continue;
      if (words.isFull) {
        words.saySilently();
        continue;
      }
      const [zone, sector] = [Math.floor(cell / FIGURES / sectorCount), (cell / FIGURES) % sectorCount];
      const place = `${at}.bounds[${zone}]${sectorCount === 1 ? "" : `[${sector}]`}.${DIMENSIONS[index]}`;
      words.say(place, `${asked} is stricter than ${granted}`);
    }
  }
}
