/**
 * One set of a proposal, held against the sets of the grant that can hold the same objects: the lattice of the order between views, set by set.
 * `clamp-view.ts` says which sets meet.
 *
 * What can be compared is loosened to the grant: bounds cell by cell, range, clock, `strict`, `square`, `own`. What cannot be compared, another
 * metric, gives way to the grant's own; where the grant has several, nothing is granted by value.
 */

import { clampBounds, type Grants, isSameList } from "./clamp-bounds.ts";
import type { ClampWords } from "./clamp-words.ts";
import type { Match, ObjectSetSettings } from "./view.ts";
import { type Terms, termsOf } from "./view-terms.ts";

/** Whether objects that match can be judged by that metric; a view that names another for them is refused. */
export type MetricFits = (metric: string, match: Match) => boolean;

/** The set, no stricter anywhere than any of its grants. */
export function clampSet(
  set: ObjectSetSettings,
  at: string,
  grants: Grants,
  words: ClampWords,
  fits: MetricFits,
): ObjectSetSettings {
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
  if (asked.own === "changes" && objects.some(({ own }) => own === "bounds")) {
    words.say(`${at}.own`, "changes is not granted, bounds is");
    kept.own = "bounds";
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
  // Figures of different metrics cannot be compared. Where the grants differ, a metric that sends nothing by itself, and no bound by value.
  const own = objects[0]!.metric;
  const mixed = objects.some((granted) => granted.metric !== own) || !(own === asked.metric || fits(own, set.match));
  const metric = mixed ? "displacement" : own;
  if (metric !== asked.metric) {
    const value = mixed
      ? "and no bound by value, since none is granted to all these objects"
      : "with its bounds by value";
    words.say(`${at}.metric`, `${asked.metric} is not granted, ${metric} is, ${value}`);
    kept.metric = metric;
  }
  const values = mixed ? "none" : metric === asked.metric ? "asked" : "granted";
  const bounds = clampBounds({ asked, grants, values, metric, pivots, at }, words);
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
