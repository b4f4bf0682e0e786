/** The cell in which an object lay for a view, worked out from what a recording has of both: by the rules of the consistency model. */

import type { BoundFigures, DrawnPivot, DrawnSet, MapTell, TypeSummary } from "./feed-types.ts";

export interface Cell {
  readonly zone: number;
  readonly sector: number;
  readonly bound: BoundFigures;
}

type Place = readonly [x: number, y: number, z: number];

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

export function placeOf({ x, y, z }: MapTell, index: number): Place {
  return [x[index]!, y[index]!, z?.[index] ?? 0];
}

export function pivotsOf(set: DrawnSet, pivots: readonly DrawnPivot[]): readonly DrawnPivot[] {
  return set.pivots === null ? pivots : set.pivots.flatMap((index) => pivots[index] ?? []);
}

export function distanceTo(pivot: DrawnPivot, [x, y, z]: Place, shape: DrawnSet["shape"]): number {
  const [dx, dy, dz] = [x - pivot.x, y - pivot.y, z - pivot.z];
  return shape === "square" ? Math.max(Math.abs(dx), Math.abs(dy), Math.abs(dz)) : Math.hypot(dx, dy, dz);
}

/** The strictest cell over all pivots; without any, the last zone. */
export function cellOf(set: DrawnSet, pivots: readonly DrawnPivot[], place: Place): Cell {
  const counting = pivotsOf(set, pivots);
  const last = Math.max(0, set.bounds.length - 1);
  if (counting.length === 0) return { zone: last, sector: 0, bound: set.bounds[last]?.[0] ?? NO_BOUND };
  const cells = counting.map((pivot) => {
    const edges = pivot.radii ?? set.radii;
    const distance = distanceTo(pivot, place, set.shape);
    const zone = edges.findIndex((edge) => distance <= edge * pivot.scale);
    const sector = sectorOf(set, pivot, place);
    return { zone: zone < 0 || zone > last ? last : zone, sector };
  });
  const [first] = cells.toSorted((a, b) => a.zone - b.zone || a.sector - b.sector);
  const bounds = cells.map(({ zone, sector }) => set.bounds[zone]?.[sector] ?? NO_BOUND);
  const least = (dimension: keyof BoundFigures): number | null => {
    const given = bounds.map((bound) => bound[dimension]).filter((one) => one !== null);
    return given.length === 0 ? null : Math.min(...given);
  };
  return { ...first!, bound: { time: least("time"), sequence: least("sequence"), value: least("value") } };
}

function sectorOf({ sectors }: DrawnSet, { direction, x, y, z }: DrawnPivot, place: Place): number {
  const [dx, dy, dz] = [place[0] - x, place[1] - y, place[2] - z];
  const length = Math.hypot(dx, dy, dz);
  if (direction === null || length === 0) return 0;
  const cosine = (dx * direction[0] + dy * direction[1] + dz * direction[2]) / length;
  const degrees = (2 * Math.acos(Math.min(1, Math.max(-1, cosine))) * 180) / Math.PI;
  const sector = sectors.findIndex((opening) => degrees <= opening);
  return sector < 0 ? sectors.length : sector;
}

const NO_BOUND: BoundFigures = { time: null, sequence: null, value: null };
