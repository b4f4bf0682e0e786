/**
 * Places the pivots of one view: turns what the view is centred on into points, directions and radii for this round (step 2 of the
 * round, after the game's step). A pivot whose object is gone stays where it was.
 */

import type { ObjectId } from "./ids.ts";
import type { Pivot } from "./view.ts";
import type { World } from "./world.ts";

type GroupPivot = Extract<Pivot, { group: readonly ObjectId[] }>;

export interface PlacedPivot {
  /** False until the pivot has had a place: an object that never existed, a group without living members. */
  placed: boolean;
  x: number;
  y: number;
  z: number;
  /** Unit direction; all 0 where there is none. */
  dirX: number;
  dirY: number;
  dirZ: number;
  scale: number;
  /** A group's own radii by zone; `undefined` for the others, which use the set's times `scale`. */
  radii: Float64Array | undefined;
}

function unplaced(pivot: Pivot): PlacedPivot {
  const radii = "group" in pivot ? new Float64Array(pivot.coefficients.length + 1) : undefined;
  return { placed: false, x: 0, y: 0, z: 0, dirX: 0, dirY: 0, dirZ: 0, scale: pivot.scale ?? 1, radii };
}

/**
 * Pivots that were changed, ready to be placed. One that is centred on the same as before keeps its place, since what it is centred on may be
 * gone by now: changing the zoom must not lose it.
 */
export function replaced(
  before: readonly Pivot[],
  placed: readonly PlacedPivot[],
  after: readonly Pivot[],
): PlacedPivot[] {
  return after.map((pivot) => {
    const fresh = unplaced(pivot);
    const known = before.findIndex((earlier) => isSameCentre(earlier, pivot));
    if (known < 0) return fresh;
    return { ...placed[known]!, scale: fresh.scale, radii: placed[known]!.radii?.slice() };
  });
}

/** Points are never the same: a point is its place. */
export function isSameCentre(a: Pivot, b: Pivot): boolean {
  if ("object" in a) return "object" in b && a.object === b.object;
  if (!("group" in a) || !("group" in b)) return false;
  return (
    a.margin === b.margin &&
    a.spread === b.spread &&
    isSameList(a.group, b.group) &&
    isSameList(a.coefficients, b.coefficients)
  );
}

function isSameList(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((entry, index) => entry === b[index]);
}

/** Outer edge of zone `zone` around this pivot, given the set's radius there. A group that has fewer radii than the set uses its last. */
export function pivotRadius(pivot: PlacedPivot, zone: number, setRadius: number): number {
  if (pivot.radii === undefined) return setRadius * pivot.scale;
  return pivot.radii[Math.min(zone, pivot.radii.length - 1)]! * pivot.scale;
}

export function placePivot(pivot: Pivot, world: World, placed: PlacedPivot): void {
  placed.scale = pivot.scale ?? 1;
  if ("object" in pivot) placeOnObject(pivot.object, world, placed);
  else if ("point" in pivot) placeOnPoint(pivot.point, pivot.orientation, placed);
  else placeOnGroup(pivot, world, placed);
}

function placeOnObject(id: ObjectId, world: World, placed: PlacedPivot): void {
  const slot = world.store.liveSlot(id);
  if (slot < 0 || !world.isSpatial(slot)) return;
  placed.placed = true;
  placed.x = world.x[slot]!;
  placed.y = world.y[slot]!;
  placed.z = world.z[slot]!;
  const { orientation } = world.store.tableAt(slot).type;
  if (orientation.length === 0) return;
  const yaw = world.numberAt(slot, orientation[0]!);
  placed.dirX = Math.cos(yaw);
  placed.dirY = Math.sin(yaw);
  placed.dirZ = 0;
  if (orientation.length > 1) raise(placed, world.numberAt(slot, orientation[1]!));
}

function raise(placed: PlacedPivot, pitch: number): void {
  placed.dirX *= Math.cos(pitch);
  placed.dirY *= Math.cos(pitch);
  placed.dirZ = Math.sin(pitch);
}

function placeOnPoint(point: readonly number[], orientation: readonly number[] | undefined, placed: PlacedPivot): void {
  placed.placed = true;
  placed.x = point[0]!;
  placed.y = point[1]!;
  placed.z = point[2] ?? 0;
  const [dx, dy, dz = 0] = orientation ?? [0, 0, 0];
  const length = Math.sqrt(dx! * dx! + dy! * dy! + dz * dz);
  placed.dirX = length > 0 ? dx! / length : 0;
  placed.dirY = length > 0 ? dy! / length : 0;
  placed.dirZ = length > 0 ? dz / length : 0;
}

/**
 * The mean is taken in wire units: integers, so that a sum kept up to date by differences is exact. Types may count their positions in
 * different units, so each type has a sum of its own, and the centre is the mean of the types' means, weighted by their members.
 */
function placeOnGroup(pivot: GroupPivot, world: World, placed: PlacedPivot): void {
  const members = pivot.group
    .map((id) => world.store.liveSlot(id))
    .filter((slot) => slot >= 0 && world.isSpatial(slot));
  if (members.length === 0) return;
  const centre = [0, 0, 0];
  for (const { type, index } of world.store.tables) {
    const ofType = members.filter((slot) => world.store.typeIndex[slot] === index);
    if (ofType.length === 0) continue;
    const share = ofType.length / members.length;
    type.position.forEach((fieldIndex, axis) => {
      const { field } = type.fields[fieldIndex]!;
      const sum = ofType.reduce((total, slot) => total + world.wireNumberAt(slot, fieldIndex), 0);
      if (field.numeric) centre[axis] = centre[axis]! + share * field.dequantizeNumber(sum / ofType.length);
    });
  }
  placed.placed = true;
  placed.x = centre[0]!;
  placed.y = centre[1]!;
  placed.z = centre[2]!;
  const spread = pivot.spread ?? Number.POSITIVE_INFINITY;
  if (spread < Number.POSITIVE_INFINITY) keepNearMembers(placed, members, spread, world);
  const reach = members.reduce((most, slot) => Math.max(most, apart(world, slot, placed)), 0);
  const radii = placed.radii!;
  radii[0] = Math.min(reach, spread) + pivot.margin;
  pivot.coefficients.forEach((coefficient, index) => {
    radii[index + 1] = radii[0]! * coefficient;
  });
}

/** A centre that lies farther than `spread` from every member moves to the nearest one. */
function keepNearMembers(placed: PlacedPivot, members: readonly number[], spread: number, world: World): void {
  let nearest = members[0]!;
  for (const slot of members) if (apart(world, slot, placed) < apart(world, nearest, placed)) nearest = slot;
  if (apart(world, nearest, placed) <= spread) return;
  placed.x = world.x[nearest]!;
  placed.y = world.y[nearest]!;
  placed.z = world.z[nearest]!;
}

function apart({ x, y, z }: World, slot: number, from: PlacedPivot): number {
  const dx = x[slot]! - from.x;
  const dy = y[slot]! - from.y;
  const dz = z[slot]! - from.z;
  return Math.sqrt(dx * dx + dy * dy + dz * dz);
}
