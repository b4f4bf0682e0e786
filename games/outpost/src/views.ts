/** What a page is sent of the town: exact around the own avatar, coarser with the distance. */

import type { ViewSettings } from "@nearfield/core";

export const townView: ViewSettings = {
  sets: [
    {
      match: "everything",
      radii: [180, 380],
      bounds: [[{ time: 100, value: 0.5 }], [{ time: 200, value: 3 }], [{ time: 500, value: 10 }]],
      metric: "predicted",
    },
  ],
  pivots: [],
};
