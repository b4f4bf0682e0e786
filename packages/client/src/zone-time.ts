/** The time bound of a zone, for interpolation: how long a moving object may stay without a send. */

import type { Bound, ViewSettings } from "@nearfield/core";
import type { Fields, ObjectType } from "@nearfield/schema";

/**
 * The time bound for objects of a type at that distance from the pivot, ms; `Infinity` if the view sets none. If there are sectors, the
 * loosest one counts. Sets by tag or predicate are ignored: only the server knows which objects belong to them.
 *
 * @param view the view in force, as the game described it or `proposeView` answered.
 */
export function zoneTimeMs<F extends Fields>(view: ViewSettings, type: ObjectType<F>, distance: number): number {
  const set = view.sets.find(({ match }) => match === "everything" || ("type" in match && match.type === type.name));
  if (set === undefined) return Number.POSITIVE_INFINITY;
  const { radii = [], bounds } = set;
  const within = radii.findIndex((radius) => distance <= radius);
  const cell = bounds[within < 0 ? radii.length : within] as Bound | readonly Bound[] | undefined;
  const bound = Array.isArray(cell) ? (cell as readonly Bound[]).at(-1) : (cell as Bound | undefined);
  return bound?.time ?? Number.POSITIVE_INFINITY;
}
