/** Zones, sectors and bounds as settings of a view: one set that holds everything; the server adds the pivot. */

import type { ViewSettings } from "@nearfield/core";
import type { CellBounds } from "./paper.ts";

export function settingsOf({ radii, sectors, bounds }: CellBounds, metric = "displacement"): ViewSettings {
  return { sets: [{ match: "everything", radii, sectors, bounds, metric }], pivots: [] };
}
