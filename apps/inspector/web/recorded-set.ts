/** What a recorded frame says of one object: which set of a view holds it, and where it is. */

import type { RecordedPlace } from "@nearfield/inspector/internal";
import type { DrawnSet, MapTell, TypeSummary } from "./feed-types.ts";

/** Index of the set that holds an object; undefined where that was not recorded. */
export function recordedSet(
  sets: readonly DrawnSet[],
  members: readonly number[] | null | undefined,
  index: number,
  type: TypeSummary | undefined,
): number | undefined {
  if (members !== null && members !== undefined) return members[index];
  if (sets.some(({ match }) => match !== "everything" && !match.startsWith("type "))) return undefined;
  const found = sets.findIndex(({ match }) => match === "everything" || match === `type ${type?.name}`);
  return found < 0 ? undefined : found;
}

export function placeOf({ x, y, z }: MapTell, index: number): RecordedPlace {
  return [x[index]!, y[index]!, z?.[index] ?? 0];
}
