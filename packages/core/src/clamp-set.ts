/**
 * One set of a proposal, held against the sets of the grant that can hold the same objects: the lattice of the order between views, set by set.
 * `clamp-view.ts` says which sets meet.
 *
 * What can be compared is loosened to the grant: bounds cell by cell, range, clock, `strict`, `square`. What cannot be compared, another
 * metric, gives way to the grant's own; where the grant has several, nothing is granted by value.
 */

import type { ClampWords } from "./clamp-words.ts";
import { VIEW_CAPACITY } from "./resolve-view.ts";
import type { Bound, ObjectSetSettings } from "./view.ts";
import {
  ALL_ROUND,
  boundAt,
  boundOf,
  DIMENSIONS,
  type Figures,
  isNoStricter,
  letsNoUpdateWait,
  loosest,
  STRONGEST,
  type Terms,
  termsOf,
} from "./view-terms.ts";

/** What one set of a proposal must keep to. */
export interface Grants {
  /** The granted sets that can hold an object of this set. */
  readonly objects: readonly Terms[];
  /** Those whose zones it must not undercut: the same, and those by which events are filtered if this set may be the one that does so. */
  readonly places: readonly Terms[];
}

const UNLIMITED = Number.POSITIVE_INFINITY;

/** The set, no stricter anywhere than any of its grants. */
export function clampSet(set: ObjectSetSettings, at: string, grants: Grants, words: ClampWords): ObjectSetSettings {
  const asked = termsOf(set);
  const kept: ObjectSetSettings = { ...set };
  const { objects, places } = grants;

  if (asked.shape === "square" && places.some(({ shape }) => shape === "round")) {
    words.say(`${at}.shape`, "square is not granted, round is");
    kept.shape = "round";
  }
  if (asked.clock === "refresh" && objects.some(({ clock }) => clock === "firstMiss")) {
    words.say(`${at}.clock`, "refresh is not granted, firstMiss is");
    kept.clock = "firstMiss";
  }
  if (asked.strict && objects.some(({ strict }) => !strict)) {
    words.say(`${at}.strict`, "is not granted");
    kept.strict = false;
  }
  const range = Math.min(...objects.map((granted) => granted.range));
  if (asked.range > range) {
    words.say(`${at}.range`, `${Number.isFinite(asked.range) ? asked.range : "everything"} is farther than ${range}`);
    kept.range = range;
  }
  const pivots = commonPivots(asked, places);
  if (!isSameList(pivots, asked.pivots)) {
    words.say(`${at}.pivots`, `only [${pivots!.join(", ")}] of the pivots count here`);
    kept.pivots = pivots!;
  }
  const metric = grantedMetric(objects);
  if (metric !== asked.metric) {
    const value = isMixed(objects) ? "and no bound by value, since it differs by object" : "with its bounds by value";
    words.say(`${at}.metric`, `${asked.metric} is not granted, ${metric} is, ${value}`);
    kept.metric = metric;
  }
  const bounds = clampBounds(asked, new Cells(asked, objects, metric, pivots), at, grants, words);
  return bounds === undefined ? kept : { ...kept, ...bounds };
}

/** Those pivots that count in the proposal and in every grant; `undefined`: all. */
function commonPivots({ pivots }: Terms, places: readonly Terms[]): readonly number[] | undefined {
  let common = pivots;
  for (const { pivots: granted } of places) {
    if (granted !== undefined)
      common = common === undefined ? granted : common.filter((index) => granted.includes(index));
  }
  return common;
}

function isSameList(a: readonly number[] | undefined, b: readonly number[] | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.length === b.length && a.every((index) => b.includes(index));
}

// ── metric ───────────────────────────────────────────────────────────────────────────────────────────────────────

function isMixed(objects: readonly Terms[]): boolean {
  return objects.some(({ metric }) => metric !== objects[0]!.metric);
}

/** Figures of different metrics cannot be compared, so the grant's own metric holds; where grants differ, the one that sends least by itself. */
function grantedMetric(objects: readonly Terms[]): string {
  return isMixed(objects) ? "displacement" : objects[0]!.metric;
}

/** Stands for a value that is to be the grant's: stricter than any other, yet no bound that lets nothing wait. */
const AS_GRANTED = Number.MIN_VALUE;

// ── bounds ───────────────────────────────────────────────────────────────────────────────────────────────────────

type BoundSettings = Pick<ObjectSetSettings, "radii" | "sectors" | "bounds">;

/** Compares one set's cells with those of its grants. */
class Cells {
  readonly #asked: Terms;
  readonly #objects: readonly Terms[];
  readonly #metric: string;
  /** Grants differ in metric: nothing is granted by value. */
  readonly #mixed: boolean;
  /** Some of the pivots that count in a grant may not count here. */
  readonly #narrowed: boolean;

  constructor(asked: Terms, objects: readonly Terms[], metric: string, pivots: readonly number[] | undefined) {
    this.#asked = asked;
    this.#objects = objects;
    this.#metric = metric;
    this.#mixed = isMixed(objects);
    this.#narrowed = objects.some((granted) => !isSameList(granted.pivots, pivots));
  }

  /** What is asked up to that distance and angle, in terms of the metric that is granted. */
  asked(edge: number, angle: number): Figures {
    const figures = boundAt(this.#asked, edge, angle);
    const [time, sequence, value] = figures;
    if (this.#mixed) return [time, letsNoUpdateWait(figures) ? Math.min(sequence, 1) : sequence, UNLIMITED];
    if (this.#metric === this.#asked.metric || value === UNLIMITED || value === 0) return figures;
    return [time, sequence, AS_GRANTED];
  }

  /**
   * The loosest bound that any grant has up to there; `undefined` where none lets an update wait. A set of which no pivot counts puts
   * everything in its last zone, in sector 0, wherever it lies: there only what is granted in all sectors is granted.
   */
  granted(edge: number, angle: number): Figures | undefined {
    const widest = this.#narrowed && edge === UNLIMITED ? ALL_ROUND : angle;
    let least: Figures | undefined;
    for (const granted of this.#objects) {
      const figures = boundAt(granted, edge, widest);
      if (!letsNoUpdateWait(figures)) least = least === undefined ? figures : loosest(least, figures);
    }
    return least;
  }

  /** Whether nothing is asked in any cell that is not granted there. */
  get isGranted(): boolean {
    const { edges, angles, rows, metric } = this.#asked;
    if (metric !== this.#metric) return false;
    return rows.every((row, zone) =>
      row.every((figures, sector) => {
        if (this.#mixed && figures[2] !== UNLIMITED) return false;
        const least = this.granted(edges[zone]!, angles[sector]!);
        return least === undefined || isNoStricter(figures, least);
      }),
    );
  }

  /** The looser of both. Whoever asks that no update waits gets what is granted. */
  joined(edge: number, angle: number): Figures {
    const asked = this.asked(edge, angle);
    const least = this.granted(edge, angle);
    if (least === undefined) return asked[2] === AS_GRANTED ? [asked[0], asked[1], 0] : asked;
    const [time, sequence, value] = loosest(letsNoUpdateWait(asked) ? STRONGEST : asked, least);
    return [time, sequence, this.#mixed ? UNLIMITED : value];
  }
}

/** Zones, sectors and bounds that keep to the grants; `undefined` if those asked for do. */
function clampBounds(
  asked: Terms,
  cells: Cells,
  at: string,
  { objects, places }: Grants,
  words: ClampWords,
): BoundSettings | undefined {
  if (keepsZones(asked, places) && cells.isGranted) return undefined;
  const edges = refinedEdges(asked, places);
  const angles = refinedAngles(asked, objects);
  tellEdges(asked, edges, angles, at, words);
  const bounds = edges.map((edge, zone) =>
    angles.map((angle, sector): Bound => {
      const joined = cells.joined(edge, angle);
      const place = `${at}.bounds[${zone}]${angles.length === 1 ? "" : `[${sector}]`}`;
      tellBound(cells.asked(edge, angle), joined, place, words);
      return boundOf(joined);
    }),
  );
  return {
    radii: edges.slice(0, -1),
    sectors: angles.slice(0, -1),
    bounds: angles.length === 1 ? bounds.map(([bound]) => bound!) : bounds,
  };
}

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

function refinedAngles(asked: Terms, objects: readonly Terms[]): readonly number[] {
  const all = new Set([asked, ...objects].flatMap(({ angles }) => angles));
  return all.size <= VIEW_CAPACITY.sectors ? [...all].sort((a, b) => a - b) : asked.angles;
}

// ── words ────────────────────────────────────────────────────────────────────────────────────────────────────────

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

function tellBound(asked: Figures, joined: Figures, at: string, words: ClampWords): void {
  for (const [index, dimension] of DIMENSIONS.entries()) {
    const figure = letsNoUpdateWait(asked) && asked[index] === UNLIMITED ? 0 : asked[index]!;
    if (figure === AS_GRANTED || figure >= joined[index]!) continue;
    words.say(`${at}.${dimension}`, `${figure} is stricter than ${joined[index]}`);
  }
}
