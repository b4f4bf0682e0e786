/**
 * What a player is shown, and how exactly: zone 0 is what the camera shows and what lies around each of the player's units, the outer zones are as many times as
 * large as `COEFFICIENTS` say. Bounds by value are world units between a unit and where the client draws it. Creations and removals wait for no bound, and
 * objects without a place (`Side`, `Match`, `Purse`, `Works`) go out with every update.
 */

import { type Bound, limitsOf, type Pivot, type ViewLimits, type ViewSettings } from "@nearfield/core";
import { UNIT_MODEL, Unit } from "./shared.ts";

/** Zones 1 and 2 are so many times as large as zone 0; zone 3 is the rest of the map. */
export const COEFFICIENTS = [2, 4] as const;

/** Edges of the zones around a point. Cameras are limited in units of the first. */
const RADII = [400, 800, 1600] as const;

/** What the longer side of a camera's rectangle may measure, world units. A larger one is made smaller by the server. */
export const LARGEST_CAMERA = 2000;

/** Time is for what has no place, such as health: value judges places alone. */
const BOUNDS: readonly Bound[] = [
  { time: 300, value: 2 },
  { time: 1000, value: 16 },
  { time: 3000, value: 64 },
  { time: 10_000, value: 256 },
];

/** Own units that nobody looks at: a player gives orders to those, too, and wants to know within a second what became of them. */
export const OWN_BOUNDS: readonly Bound[] = [
  { time: 300, value: 2 },
  { time: 1000, value: 16 },
  { time: 1000, value: 32 },
  { time: 1000, value: 64 },
];

/** Nobody predicts its units, so own ones go by bounds like those of others. */
const UNITS = { radii: RADII, bounds: BOUNDS, metric: `predicted:${UNIT_MODEL}`, own: "bounds" } as const;

/** Of those who have no side. */
export const view: ViewSettings = {
  sets: [
    { match: { type: Unit.name }, ...UNITS },
    { match: "everything", radii: RADII, bounds: BOUNDS },
  ],
  pivots: [],
};

/** Of the player of a side: its own units are shown by where the camera is. That they are pivots themselves makes exact what is around them. */
export function viewOf(side: number, camera: Pivot): ViewSettings {
  const own = { match: { tag: tagOf(side) }, ...UNITS, bounds: OWN_BOUNDS, pivots: [0] };
  return { sets: [own, ...view.sets], pivots: [camera] };
}

/** The tag of a side's units. */
export function tagOf(side: number): string {
  return `side ${side}`;
}

export const viewLimits: ViewLimits = limitsOf(view, { cameras: LARGEST_CAMERA / (2 * RADII[0]) });

/** Units of a player that stand or go together are one pivot; its zone 0 reaches as far beyond them as most weapons and eyes do. */
export const units = {
  join: 64,
  part: 104,
  turn: 60,
  partTurn: 120,
  most: 8,
  margin: 200,
  coefficients: COEFFICIENTS,
  types: [Unit.name],
  // In 300 ms the fastest goes a tenth of the margin.
  every: 3,
};

/** What is shown before the page has told where its camera is. */
const FIRST_CAMERA = [800, 600] as const;

export function cameraAt(x: number, y: number): Pivot {
  return { camera: [x, y], size: FIRST_CAMERA, coefficients: COEFFICIENTS };
}

/** Clients look through cameras, wherever they like: what they may not know of is hidden there, too. */
export function mayPivot(_: unknown, pivot: Pivot): boolean {
  return "camera" in pivot;
}
