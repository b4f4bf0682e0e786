/**
 * The server's say over a proposed view. What asks for more than the room grants is loosened, not refused, and each change is put in words
 * for the client. Why so, and the proof: docs/decisions/0019-order-between-views.md.
 *
 * Claim: around the same pivots, at every place and for every object, the clamped view
 *  - has a bound that is in no dimension stricter than the granted one, under the same metric, and a clock and `strict` that send no earlier;
 *  - puts the object in no lower zone and reaches no farther.
 * A view that could be resolved still can. A view that asks for no more than it is granted is left as it is.
 *
 * How: each set of the proposal (`clamp-set.ts`) is held against every set of the grant that can hold the same object. Where it asks for more, it takes over the
 * edges of the grant's zones and sectors, and each cell becomes the looser of the two, in each dimension by itself.
 */

import { clampPivots, type PivotLimits } from "./clamp-pivots.ts";
import { clampSet, type MetricFits } from "./clamp-set.ts";
import { ClampWords } from "./clamp-words.ts";
import { ViewError } from "./errors.ts";
import type { Match, ObjectSetSettings, ViewSettings } from "./view.ts";
import { excludes, includes, type Terms, termsOf } from "./view-terms.ts";

type OneForAll = Omit<ObjectSetSettings, "match" | "pivots">;

/**
 * The most a client may ask for: the object sets of a view, or, for all objects alike, the settings of one set, `{ radii, bounds }`. Each
 * setting is the most that is granted. `shape: "square"` grants both shapes, `strict: true` and `clock: "refresh"` likewise; `metric` is the one that
 * bounds by value are in; a dimension that a bound lacks may not be asked for there, unless the bound lets no update wait.
 */
export type ViewLimits = PivotLimits & ({ readonly sets: readonly ObjectSetSettings[] } | OneForAll);

export interface ClampedView {
  readonly view: ViewSettings;
  /** What was changed, in words; empty if nothing was. */
  readonly clamped: readonly string[];
}

/**
 * Limits that allow exactly what `view` grants, with as many pivots as it has, at least one. `allowed` grants more: a zoom of so much or, as an
 * object, zoom, number of pivots and groups.
 */
export function limitsOf(view: ViewSettings, allowed: number | PivotLimits = {}): ViewLimits {
  const pivots = Math.max(1, view.pivots.length);
  return { sets: view.sets, pivots, ...(typeof allowed === "number" ? { scale: allowed } : allowed) };
}

/** The object sets of limits, in either form. */
export function setsOf(limits: ViewLimits): readonly ObjectSetSettings[] {
  if ("sets" in limits) return limits.sets;
  const { scale, pivots, groups, cameras, ...set } = limits;
  return [{ ...set, match: "everything" }];
}

/** @param fits as in `clampSets`. */
export function clampView(settings: ViewSettings, limits: ViewLimits, fits?: MetricFits): ClampedView {
  const words = new ClampWords();
  const sets = clampSets(settings.sets, limits, words, fits);
  const pivots = clampPivots(settings.pivots, sets, limits, words);
  return { view: { ...settings, sets, pivots }, clamped: words.all };
}

/**
 * The sets of a view as the limits allow. The last of both must match everything.
 *
 * @param fits `metricFits` of the world that the view is for. A granted metric that does not fit the objects of a set is not granted there.
 */
export function clampSets(
  asked: readonly ObjectSetSettings[],
  limits: ViewLimits,
  words: ClampWords,
  fits: MetricFits = () => true,
): readonly ObjectSetSettings[] {
  const granted = setsOf(limits).map(termsOf);
  if (granted.at(-1)?.match !== "everything") {
    throw new ViewError("no-last-set", "limits.sets", 'must end with one that matches "everything"');
  }
  const grantedFilters = granted.slice(
    0,
    granted.findIndex(({ pivots }) => pivots === undefined) + 1 || granted.length,
  );
  const sets: ObjectSetSettings[] = [];
  let mayFilterEvents = true;
  for (const [index, set] of asked.entries()) {
    const at = `sets[${index}]`;
    if (sets.some(({ match }) => includes(match, set.match))) {
      words.say(at, "is never reached, an earlier set matches the same; left out");
      continue;
    }
    const objects = meeting(set.match, sets, granted);
    const places = mayFilterEvents ? [...new Set([...objects, ...grantedFilters])] : objects;
    const clamped = clampSet(set, at, { objects, places }, words, fits);
    if (clamped.pivots === undefined) mayFilterEvents = false;
    sets.push(clamped);
  }
  return sets;
}

/**
 * The granted sets that can hold an object which `match` holds and no earlier set of the proposal does. Objects of a granted set that an earlier
 * set includes went there; and none comes past a granted set that includes `match`.
 */
function meeting(match: Match, earlier: readonly ObjectSetSettings[], granted: readonly Terms[]): readonly Terms[] {
  const last = granted.findIndex((set) => includes(set.match, match));
  return granted
    .slice(0, last + 1)
    .filter((set) => !excludes(set.match, match) && !earlier.some((other) => includes(other.match, set.match)));
}
