/**
 * Finds misspelt keys in views that a game writes: `tme` for `time`. A view is plain data, and a key that nobody knows would be passed over in
 * silence, as if it had not been asked for. Views from the wire need no such check: their decoder makes every key itself.
 */

import { unknownKeyOf, unknownKeyProblem } from "@nearfield/schema/internal";
import type { PivotLimits } from "./clamp-pivots.ts";
import type { ViewLimits } from "./clamp-view.ts";
import { ViewError } from "./errors.ts";
import type { Bound, ObjectSetSettings, Pivot, ViewSettings } from "./view.ts";

/** Makes the compiler say so when a type gains a key that its list here lacks. */
function keysOf<T>(keys: Readonly<Record<keyof T, true>>): readonly string[] {
  return Object.keys(keys);
}

type KeysOfAll<T> = T extends unknown ? { [K in keyof T]: true } : never;
type Intersected<T> = (T extends unknown ? (each: T) => void : never) extends (each: infer I) => void ? I : never;
/** All keys of any kind of pivot. */
type AnyPivot = Intersected<KeysOfAll<Pivot>>;

const VIEW = keysOf<ViewSettings>({ sets: true, pivots: true });
const BOUND = keysOf<Bound>({ time: true, sequence: true, value: true });
const SET = keysOf<ObjectSetSettings>({
  match: true,
  radii: true,
  sectors: true,
  bounds: true,
  shape: true,
  clock: true,
  strict: true,
  metric: true,
  range: true,
  pivots: true,
  own: true,
});
const MATCH = ["type", "tag", "predicate"];
const PIVOT = keysOf<AnyPivot>({
  object: true,
  point: true,
  orientation: true,
  group: true,
  margin: true,
  coefficients: true,
  spread: true,
  camera: true,
  size: true,
  rotation: true,
  scale: true,
});
const PIVOT_LIMITS = keysOf<PivotLimits>({ scale: true, pivots: true, groups: true, cameras: true });

/** Throws `ViewError("unknown-key")`, naming the place and the key that was probably meant. */
export function refuseUnknownViewKeys(settings: ViewSettings): void {
  refuse(settings, VIEW, "");
  for (const [index, set] of settings.sets.entries()) refuseUnknownSetKeys(set, `sets[${index}]`);
  for (const [index, pivot] of settings.pivots.entries()) refuse(pivot, PIVOT, `pivots[${index}]`);
}

/** The same for the limits of views. */
export function refuseUnknownLimitKeys(limits: ViewLimits): void {
  if (!("sets" in limits)) {
    const { scale: _scale, pivots: _pivots, groups: _groups, cameras: _cameras, ...set } = limits;
    return refuseUnknownSetKeys(set, "limits", [...SET, ...PIVOT_LIMITS]);
  }
  refuse(limits, ["sets", ...PIVOT_LIMITS], "limits");
  for (const [index, set] of limits.sets.entries()) refuseUnknownSetKeys(set, `limits.sets[${index}]`);
}

/** The same for one set, of which some keys may still be missing. */
export function refuseUnknownSetKeys(
  set: Partial<ObjectSetSettings>,
  at: string,
  known: readonly string[] = SET,
): void {
  refuse(set, known, at);
  if (typeof set.match === "object") refuse(set.match, MATCH, `${at}.match`);
  for (const [zone, entry] of ((set.bounds ?? []) as readonly (Bound | readonly Bound[])[]).entries()) {
    if (!Array.isArray(entry)) refuse(entry, BOUND, `${at}.bounds[${zone}]`);
    else
      for (const [sector, bound] of entry.entries()) refuse(bound as Bound, BOUND, `${at}.bounds[${zone}][${sector}]`);
  }
}

function refuse(value: object, known: readonly string[], at: string): void {
  const key = unknownKeyOf(value, known);
  if (key === undefined) return;
  throw new ViewError("unknown-key", at === "" ? key : `${at}.${key}`, unknownKeyProblem(key, known));
}
