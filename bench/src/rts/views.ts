/** What players see: the paper's zones (R tab. 5.1), and those of the game. A camera and the player's units are the pivots of both. */

import { limitsOf, type Pivot, type ViewLimits, type ViewSettings } from "@nearfield/core";
import type { ObjectSetSettings, UnitSettings } from "@nearfield/core/internal";
import { OWN_BOUNDS, tagOf } from "@nearfield/skirmish";

/** What a screen shows of the map, in world units. */
export const CAMERA_SIZE: readonly [number, number] = [640, 360];
/** How many times larger than the camera its second and third zone are. R fig. 5.1 draws such zones without figures. */
const CAMERA_FACTORS = [2, 4];
/** Zones of pivots that have no size of their own; cameras and units have. Limits go by them. */
const RADII = [180, 360, 720];

export const UNIT_GROUPS: UnitSettings = {
  join: 24,
  part: 40,
  most: 8,
  margin: 60,
  coefficients: [1.5, 3],
  types: ["unit"],
  every: 3,
};

/** World units for a pixel of the paper: its game has tiles of 128 pixels, ours of 16 units. */
const PIXEL = 16 / 128;
const SECOND = 1000;

/** Updates that an object in each zone may miss. */
export const PAPER_SEQUENCES: readonly number[] = [1, 3, 5, 10];

/** R tab. 5.1. Time runs from the first update that was not sent (R §3.2.1), and distance is counted along the way. */
export const PAPER_VIEW: ViewSettings = viewOf({
  clock: "firstMiss",
  metric: "path",
  bounds: [
    { time: 1 * SECOND, sequence: PAPER_SEQUENCES[0]!, value: 1000 * PIXEL },
    { time: 4 * SECOND, sequence: PAPER_SEQUENCES[1]!, value: 2000 * PIXEL },
    { time: 8 * SECOND, sequence: PAPER_SEQUENCES[2]!, value: 4000 * PIXEL },
    { time: 40 * SECOND, sequence: PAPER_SEQUENCES[3]!, value: 10_000 * PIXEL },
  ],
});

/** The game's own bounds: what is in the camera, or near one's units, is shown to two units; what is far off, to 256. */
export const GAME_VIEW: ViewSettings = viewOf({
  bounds: [
    { time: 1 * SECOND, value: 2 },
    { time: 4 * SECOND, value: 16 },
    { time: 8 * SECOND, value: 64 },
    { time: 40 * SECOND, value: 256 },
  ],
});

/** The same for the player of a side: as in the game, its own units go by where the camera is, and by bounds of their own. */
export function playedView(side: number): ViewSettings {
  const own = { match: { tag: tagOf(side) }, radii: RADII, bounds: OWN_BOUNDS, own: "bounds", pivots: [0] } as const;
  return { ...GAME_VIEW, sets: [own, ...GAME_VIEW.sets] };
}

function viewOf(set: Omit<ObjectSetSettings, "match" | "radii">): ViewSettings {
  return { sets: [{ match: "everything", radii: RADII, ...set }], pivots: [] };
}

/** Clients may say where their camera is. */
export function cameraLimits(view: ViewSettings): ViewLimits {
  return { ...limitsOf(view), pivots: 1, cameras: 2 };
}

export function cameraAt(x: number, y: number): Pivot {
  return { camera: [x, y], size: CAMERA_SIZE as [number, number], coefficients: CAMERA_FACTORS };
}
