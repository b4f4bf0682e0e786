/**
 * Where sides start, where ore lies, and which ground must be level. Everything is laid out once, for side 0, and turned around the map's middle for the
 * other sides: no side has a shorter way or more ore than another.
 */

import { Dice } from "@nearfield/kit";
import { exact } from "@nearfield/simulation";
import { MAP_SIZES, type MapName, PATCH_ORE, RICH_PATCH_ORE, TILE } from "../state.ts";

export interface Spot {
  readonly x: number;
  readonly y: number;
}

export interface OrePatch extends Spot {
  readonly amount: number;
}

/** A stretch of level ground: everything within `radius` of the line between two points. */
export interface LevelStrip {
  readonly from: Spot;
  readonly to: Spot;
  readonly radius: number;
}

export interface Layout {
  readonly size: number;
  readonly starts: readonly Spot[];
  readonly ore: readonly OrePatch[];
  /** Those of side 0, relative to the map's middle. */
  readonly strips: readonly LevelStrip[];
}

const START_CLEARING = 8 * TILE;
const FIELD_CLEARING = 5 * TILE;
const ROAD_RADIUS = 2.5 * TILE;
/** Distance of a start's own ore from the start, and of patches from each other. */
const HOME_FIELD_DISTANCE = 6.5 * TILE;
const PATCH_DISTANCE = 1.5 * TILE;
const HOME_PATCHES = 6;
const FAR_PATCHES = 5;
/** Fields of ore farther out, for each side. */
const FAR_FIELDS: Readonly<Record<MapName, number>> = { small: 1, medium: 2, large: 4 };

/** Distance of a start from the middle, as a share of half the map. */
const START_SHARE = 0.72;

export function layOut(seed: number, map: MapName, sides: number): Layout {
  const dice = new Dice(seed, "layout");
  const size = MAP_SIZES[map];
  const half = size / 2;
  const sector = (2 * Math.PI) / sides;
  const middle = { x: 0, y: 0 };
  // With four sides or two, starts lie towards the corners, where the square map has most room.
  const firstAngle = sides === 2 || sides === 4 ? Math.PI / 4 : sector * dice.next();
  const start = polar(firstAngle, half * START_SHARE);
  const ore: OrePatch[] = [];
  // The own field lies to one hand of the start, seen from the middle.
  const homeAngle = firstAngle + (dice.chance(0.5) ? 1 : -1) * Math.PI * (0.45 + 0.15 * dice.next());
  addField(ore, along(start, homeAngle, HOME_FIELD_DISTANCE), homeAngle, HOME_PATCHES, PATCH_ORE);
  const strips: LevelStrip[] = [
    { from: start, to: start, radius: START_CLEARING },
    { from: start, to: middle, radius: ROAD_RADIUS },
    { from: middle, to: middle, radius: START_CLEARING },
  ];
  for (let field = 0; field < FAR_FIELDS[map]; field++) {
    const angle = firstAngle + sector * (0.3 + 0.4 * dice.next());
    const share = 0.3 + (0.45 * (field + dice.next())) / FAR_FIELDS[map];
    const spot = polar(angle, half * share);
    addField(ore, spot, angle, FAR_PATCHES, RICH_PATCH_ORE);
    strips.push({ from: spot, to: spot, radius: FIELD_CLEARING });
    strips.push({ from: spot, to: polar(firstAngle, half * share), radius: ROAD_RADIUS });
  }
  return {
    size,
    starts: turned([start], sides, half),
    ore: turned(ore, sides, half),
    strips,
  };
}

/** A row of patches, across the direction in which they are looked at. */
function addField(into: OrePatch[], at: Spot, angle: number, count: number, amount: number): void {
  for (let patch = 0; patch < count; patch++) {
    const across = (patch - (count - 1) / 2) * PATCH_DISTANCE;
    into.push({ ...along(at, angle + Math.PI / 2, across), amount });
  }
}

/** Every spot once for each side, from coordinates around the middle to coordinates on the map. */
function turned<S extends Spot>(spots: readonly S[], sides: number, half: number): S[] {
  const all: S[] = [];
  for (let side = 0; side < sides; side++) {
    const { x: cosine, y: sine } = turnOf(side, sides);
    for (const spot of spots) {
      const x = half + spot.x * cosine - spot.y * sine;
      const y = half + spot.x * sine + spot.y * cosine;
      all.push({ ...spot, x, y });
    }
  }
  return all;
}

/** Cosine and sine of the turn from side 0 to another side. */
export function turnOf(side: number, sides: number): Spot {
  return polar((2 * Math.PI * side) / sides, 1);
}

function polar(angle: number, length: number): Spot {
  return { x: exact.cosine(angle) * length, y: exact.sine(angle) * length };
}

function along({ x, y }: Spot, angle: number, length: number): Spot {
  return { x: x + exact.cosine(angle) * length, y: y + exact.sine(angle) * length };
}
