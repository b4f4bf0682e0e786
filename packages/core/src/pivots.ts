/**
 * Places the pivots of one view: turns what the view is centred on into points, directions and radii for this round (step 2 of the
 * round, after the game's step). A pivot whose object is gone stays where it was.
 */

import type { ObjectId } from "./ids.ts";
import type { Pivot } from "./view.ts";
import type { World } from "./world.ts";

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

export function unplaced(pivot: Pivot): PlacedPivot {
  const radii = "group" in pivot ? new Float64Array(pivot.coefficients.length + 1) : undefined;
  return { placed: false, x: 0, y: 0, z: 0, dirX: 0, dirY: 0, dirZ: 0, scale: pivot.scale ?? 1, radii };
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
  const pitch = orientation.length > 1 ? world.numberAt(slot, orientation[1]!) : 0;
  placed.dirX = Math.cos(yaw) * Math.cos(pitch);
  placed.dirY = Math.sin(yaw) * Math.cos(pitch);
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

/** The mean is taken in wire units: integers, so that a sum kept up to date by differences is exact. */
function placeOnGroup(pivot: Extract<Pivot, { group: readonly ObjectId[] }>, world: World, placed: PlacedPivot): void {
  let members = 0;
  const sum = [0, 0, 0];
  let first = -1;
  for (const id of pivot.group) {
    const slot = world.store.liveSlot(id);
    if (slot < 0 || !world.isSpatial(slot)) continue;
    if (first >= 0 && world.store.typeIndex[slot] !== world.store.typeIndex[first]) continue;
    if (first < 0) first = slot;
    world.store.tableAt(slot).type.position.forEach((fieldIndex, axis) => {
      sum[axis] = sum[axis]! + world.wireNumberAt(slot, fieldIndex);
    });
    members++;
  }
  if (members === 0) return;
  const { type } = world.store.tableAt(first);
  const centre = [0, 0, 0];
  type.position.forEach((fieldIndex, axis) => {
    const { field } = type.fields[fieldIndex]!;
    if (field.numeric) centre[axis] = field.dequantizeNumber(sum[axis]! / members);
  });
  placed.placed = true;
  placed.x = centre[0]!;
  placed.y = centre[1]!;
  placed.z = centre[2]!;
  let reach = 0;
  for (const id of pivot.group) {
    const slot = world.store.liveSlot(id);
    if (slot < 0 || world.store.typeIndex[slot] !== world.store.typeIndex[first]) continue;
    const dx = world.x[slot]! - placed.x;
    const dy = world.y[slot]! - placed.y;
    const dz = world.z[slot]! - placed.z;
    reach = Math.max(reach, Math.sqrt(dx * dx + dy * dy + dz * dz));
  }
  const radii = placed.radii!;
  radii[0] = reach + pivot.margin;
  pivot.coefficients.forEach((coefficient, index) => {
    radii[index + 1] = radii[0]! * coefficient;
  });
}
