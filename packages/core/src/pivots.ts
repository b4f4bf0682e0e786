/**
 * Places the pivots of one view: turns what the view is centred on into points, directions and radii for this round (step 2 of the
 * round, after the game's step). A pivot whose object is gone stays where it was.
 */

import { type ObjectId, slotOf } from "@nearfield/schema";
import { generationOf } from "@nearfield/schema/internal";
import { type CameraPivot, type Frame, frameOf } from "./camera-frame.ts";
import { unitOf } from "./units/unit-pivot.ts";
import type { Unit } from "./units/units.ts";
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
  /** The own radii of a group or camera, by zone; `undefined` for the others, which use the set's times `scale`. */
  radii: Float64Array | undefined;
  /** How a camera measures distances; `undefined` for the others, which measure by the shape of the set. */
  frame: Frame | undefined;
}

function unplaced(pivot: Pivot): PlacedPivot {
  const radii = "coefficients" in pivot ? new Float64Array(pivot.coefficients.length + 1) : undefined;
  if ("camera" in pivot) setRadii(radii!, Math.min(...pivot.size) / 2, pivot.coefficients);
  const frame = "camera" in pivot ? frameOf(pivot) : undefined;
  return { placed: false, x: 0, y: 0, z: 0, dirX: 0, dirY: 0, dirZ: 0, scale: pivot.scale ?? 1, radii, frame };
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

/** Points and cameras are never the same: they are where they are. */
export function isSameCentre(a: Pivot, b: Pivot): boolean {
  if ("object" in a) return "object" in b && a.object === b.object;
  if (!("group" in a) || !("group" in b)) return false;
  return (
    a.margin === b.margin &&
    a.spread === b.spread &&
    unitOf(a) === unitOf(b) &&
    isSameList(a.group, b.group) &&
    isSameList(a.coefficients, b.coefficients)
  );
}

function isSameList(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((entry, index) => entry === b[index]);
}

/** Outer edge of zone `zone` around this pivot, given the set's radius there. A group or camera that has fewer radii than the set uses its last. */
export function pivotRadius(pivot: PlacedPivot, zone: number, setRadius: number): number {
  if (pivot.radii === undefined) return setRadius * pivot.scale;
  return pivot.radii[Math.min(zone, pivot.radii.length - 1)]! * pivot.scale;
}

/** Whether what a pivot is centred on has a place now. Else the pivot stays where it was. */
export function hasCentre(pivot: Pivot, world: World): boolean {
  if ("point" in pivot || "camera" in pivot) return true;
  if ("object" in pivot) return placedSlot(pivot.object, world) >= 0;
  const unit = unitOf(pivot);
  if (unit !== undefined) return unit.count > 0;
  for (let i = 0; i < pivot.group.length; i++) if (placedSlot(pivot.group[i]!, world) >= 0) return true;
  return false;
}

export function placePivot(pivot: Pivot, world: World, placed: PlacedPivot): void {
  placed.scale = pivot.scale ?? 1;
  if ("object" in pivot) placeOnObject(pivot.object, world, placed);
  else if ("point" in pivot) placeOnPoint(pivot.point, pivot.orientation, placed);
  else if ("camera" in pivot) placeOnCamera(pivot, placed);
  else placeOnMembers(pivot, world, placed);
}

function placeOnMembers(pivot: GroupPivot, world: World, placed: PlacedPivot): void {
  const unit = unitOf(pivot);
  if (unit === undefined) placeOnGroup(pivot, world, placed);
  else if (unit.count > 0) placeOnUnit(unit, pivot, placed);
}

function placeOnUnit(unit: Unit, { margin, coefficients }: GroupPivot, placed: PlacedPivot): void {
  placed.placed = true;
  placed.x = unit.x;
  placed.y = unit.y;
  placed.z = unit.z;
  setRadii(placed.radii!, unit.reach + margin, coefficients);
}

function placeOnObject(id: ObjectId, world: World, placed: PlacedPivot): void {
  const slot = placedSlot(id, world);
  if (slot < 0) return;
  placed.placed = true;
  placed.x = world.x[slot]!;
  placed.y = world.y[slot]!;
  placed.z = world.z[slot]!;
  aim(slot, world, placed);
}

/** The object of these pivots is about to be destroyed: they stay where they were, and go on looking where it looks now. */
export function aimForGood(pivots: readonly Pivot[], placed: readonly PlacedPivot[], world: World, slot: number): void {
  if (world.store.tableAt(slot).type.orientation.length === 0) return;
  const id = world.store.idAt(slot);
  for (let index = 0; index < pivots.length; index++) {
    const pivot = pivots[index]!;
    if ("object" in pivot && pivot.object === id) aim(slot, world, placed[index]!);
  }
}

function aim(slot: number, world: World, placed: PlacedPivot): void {
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
  const dx = orientation?.[0] ?? 0;
  const dy = orientation?.[1] ?? 0;
  const dz = orientation?.[2] ?? 0;
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
  placed.dirX = length > 0 ? dx / length : 0;
  placed.dirY = length > 0 ? dy / length : 0;
  placed.dirZ = length > 0 ? dz / length : 0;
}

function placeOnCamera({ camera }: CameraPivot, placed: PlacedPivot): void {
  placed.placed = true;
  placed.x = camera[0];
  placed.y = camera[1];
}

function setRadii(radii: Float64Array, inner: number, coefficients: readonly number[]): void {
  radii[0] = inner;
  for (let i = 0; i < coefficients.length; i++) radii[i + 1] = inner * coefficients[i]!;
}

/**
 * The mean is taken in wire units: integers, so that a sum kept up to date by differences is exact. Types may count their positions in
 * different units, so each type has a sum of its own, and the centre is the mean of the types' means, weighted by their members.
 */
function placeOnGroup(pivot: GroupPivot, world: World, placed: PlacedPivot): void {
  const { group, coefficients, margin } = pivot;
  const living = listMembers(group, world);
  if (living === 0) return;
  placed.placed = true;
  placed.x = 0;
  placed.y = 0;
  placed.z = 0;
  for (let table = firstType; table <= lastType; table++) addMeanOf(table, living, world, placed);
  const spread = pivot.spread ?? Number.POSITIVE_INFINITY;
  if (spread < Number.POSITIVE_INFINITY) keepNearMembers(placed, living, spread, world);
  const reach = Math.sqrt(farthestSquare(placed, living, spread, world));
  setRadii(placed.radii!, Math.min(reach, spread) + margin, coefficients);
}

/** Adds the share of the members of one type to the centre. */
function addMeanOf(table: number, living: number, world: World, placed: PlacedPivot): void {
  const { tables, typeIndex } = world.store;
  const { fields, position } = tables[table]!.type;
  const isOnlyType = firstType === lastType;
  for (let axis = 0; axis < position.length; axis++) {
    const { field } = fields[position[axis]!]!;
    const wires = world.wireNumbers(table, position[axis]!);
    let sum = 0;
    let ofType = 0;
    for (let i = 0; i < living; i++) {
      if (!isOnlyType && typeIndex[members[i]!] !== table) continue;
      sum += wires[rows[i]!]!;
      ofType++;
    }
    if (ofType === 0 || !field.numeric) continue;
    const mean = (ofType / living) * field.dequantizeNumber(sum / ofType);
    if (axis === 0) placed.x += mean;
    else if (axis === 1) placed.y += mean;
    else placed.z += mean;
  }
}

/** Square of the distance of the farthest member; of any that lies beyond the spread, if there is one: nobody need look farther than that. */
function farthestSquare(from: PlacedPivot, living: number, spread: number, { x, y, z }: World): number {
  // Well above the square of the spread, whose root is rounded.
  const enough = spread * spread * (1 + 1e-9);
  let square = 0;
  for (let i = 0; i < living && square <= enough; i++) {
    const slot = members[i]!;
    const dx = x[slot]! - from.x;
    const dy = y[slot]! - from.y;
    const dz = z[slot]! - from.z;
    square = Math.max(square, dx * dx + dy * dy + dz * dz);
  }
  return square;
}

/** Scratch: slots of the members of a group that live and have a place, and their rows; the first and the last of their types. */
let members: Int32Array = new Int32Array(256);
let rows: Int32Array = new Int32Array(256);
let firstType = 0;
let lastType = 0;

/** Lists them; returns how many there are. */
function listMembers(group: readonly ObjectId[], world: World): number {
  if (group.length > members.length) {
    members = new Int32Array(group.length);
    rows = new Int32Array(group.length);
  }
  const { tables, typeIndex, generation, slotHigh, row } = world.store;
  firstType = tables.length;
  lastType = 0;
  let living = 0;
  for (let i = 0; i < group.length; i++) {
    // As `placedSlot` has it: a server with many groups asks for thousands of members in every round.
    const id = group[i]!;
    const slot = slotOf(id);
    const type = slot < slotHigh ? typeIndex[slot]! : -1;
    if (type < 0 || generation[slot] !== generationOf(id) || tables[type]!.type.position.length === 0) continue;
    members[living] = slot;
    rows[living++] = row[slot]!;
    if (type < firstType) firstType = type;
    if (type > lastType) lastType = type;
  }
  return living;
}

/** The slot of an object that lives and has a place; −1 else. */
function placedSlot(id: ObjectId, world: World): number {
  const slot = world.store.liveSlot(id);
  return slot >= 0 && world.isSpatial(slot) ? slot : -1;
}

/**
 * A centre that lies farther than `spread` from every member moves to the first member. Not to the nearest one: of two members the mean is as far
 * from either, and it would leap to and fro.
 */
function keepNearMembers(placed: PlacedPivot, living: number, spread: number, world: World): void {
  for (let i = 0; i < living; i++) if (Math.sqrt(squareApart(world, members[i]!, placed)) <= spread) return;
  const first = members[0]!;
  placed.x = world.x[first]!;
  placed.y = world.y[first]!;
  placed.z = world.z[first]!;
}

function squareApart({ x, y, z }: World, slot: number, from: PlacedPivot): number {
  const dx = x[slot]! - from.x;
  const dy = y[slot]! - from.y;
  const dz = z[slot]! - from.z;
  return dx * dx + dy * dy + dz * dz;
}
