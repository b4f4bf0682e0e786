/** What a page is sent. Every set has a range: on many servers nobody knows the whole country. */

import type { ViewSettings } from "@nearfield/core";

/** How far a page sees, world units. */
export const SIGHT = 700;

export const view: ViewSettings = {
  sets: [
    {
      match: { type: "bolt" },
      range: 500,
      radii: [250],
      bounds: [[{ time: 100, value: 2 }], [{ time: 300, value: 8 }]],
      metric: "predicted",
    },
    {
      match: "everything",
      range: SIGHT,
      radii: [180, 380],
      bounds: [[{ time: 100, value: 1 }], [{ time: 250, value: 4 }], [{ time: 600, value: 12 }]],
      metric: "predicted",
    },
  ],
  pivots: [],
};
