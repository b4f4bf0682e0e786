/** Sets how objects of a type are shown. */

import { fitPresentation, placeOnCourse, resolvePresenterSettings } from "@nearfield/presentation/internal";
import type { Fields, ObjectType } from "@nearfield/schema";
import type { Client } from "./client.ts";
import type { ClientPresentation, Presented } from "./presented.ts";

/**
 * Sets how objects of a type are shown (`ship.shown.x`), from now on. Without it, from the first read of `shown` on, types with a
 * velocity are extrapolated by it, and others are interpolated. A genre's preset works as settings: `present(client, Ship, shooter)`. Throws
 * `PresentationError` if the schema does not name fields that the settings need. Which settings to choose: `docs/guide/presentation.md`.
 */
export function present<F extends Fields>(
  { inside }: Client,
  type: ObjectType<F>,
  settings: ClientPresentation<F>,
): void {
  presentIn(inside.store.presented, type, settings);
}

export function presentIn<F extends Fields>(
  presented: Presented,
  type: ObjectType<F>,
  { timeBound, course, ...by }: ClientPresentation<F>,
): void {
  const settings = fitPresentation(type, course === undefined ? by : { model: "hold", ...by });
  presented.present(type, resolvePresenterSettings(settings), {
    ...(timeBound !== undefined && { timeBound }),
    ...(course !== undefined && { course, placeOnCourse }),
  });
}
