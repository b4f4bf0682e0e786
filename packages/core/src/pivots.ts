/**
 * Places the pivots of one view: turns what the view is centred on into points, directions and radii for this round (step 2 of the
 * round, after the game's step). A pivot whose object is gone stays where it was.
 */

import type { ObjectId } from "@nearfield/schema";
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
  /** Of a group that was placed; `undefined` for the others. */
  members?: Members | undefined;
}

/** The members of a group that live and have a place. A server with many groups asks for thousands of them in every round, so they are kept while nobody comes or goes. */
interface Members {
  /** `changes` of the store when they were listed. */
  listedAt: number;
  count: number;
  readonly slots: Int32Array;
  readonly rows: Int32Array;
  /** The first and the last of their types. */
  firstType: number;
  lastType: number;
  /** Which of them lay within the spread of the centre, and which beyond it, when that was last asked: mostly they still do. */
  within: number;
  beyond: number;
}

function unplaced(pivot: Pivot): PlacedPivot {
  const radii = "coefficients" in pivot ? new Float64Array(pivot.coefficients.length + 1) : undefined;
  if ("camera" in pivot) setRadii(radii!, Math.min(...pivot.size) / 2, pivot.coefficients);
  const frame = "camera" in pivot ? frameOf(pivot) : undefined;
  return {
    placed: false,
    x: 0,
    y: 0,
    z: 0,
    dirX: 0,
    dirY: 0,
    dirZ: 0,
    scale: pivot.scale ?? 1,
    radii,
    frame,
    members: undefined,
  };
}

/**
 * Pivots that were changed, ready to be placed. One that is centred on the same as before keeps its place, since what it is centred on may be
 * gone by now: changing the zoom must not lose it. One that is the very same goes on with what it has.
 */
export function replaced(
  before: readonly Pivot[],
  placed: readonly PlacedPivot[],
  after: readonly Pivot[],
): PlacedPivot[] {
  return after.map((pivot) => {
    const same = before.indexOf(pivot);
    if (same >= 0) return placed[same]!;
    const known = before.findIndex((earlier) => isSameCentre(earlier, pivot));
    if (known < 0) return unplaced(pivot);
    return { ...placed[known]!, scale: pivot.scale ?? 1, radii: placed[known]!.radii?.slice(), members: undefined };
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
 * The mean is taken in wire units: integers, so that a sum is exact in any order. Types may count their positions in
 * different units, so each type has a sum of its own, and the centre is the mean of the types' means, weighted by their members.
 */
function placeOnGroup(pivot: GroupPivot, world: World, placed: PlacedPivot): void {
  const { group, coefficients, margin } = pivot;
  const members = membersOf(group, world, placed);
  if (members.count === 0) return;
  placed.placed = true;
  placed.x = 0;
  placed.y = 0;
  placed.z = 0;
  for (let table = members.firstType; table <= members.lastType; table++) addMeanOf(table, members, world, placed);
  const spread = pivot.spread ?? Number.POSITIVE_INFINITY;
  if (spread < Number.POSITIVE_INFINITY) keepNearMembers(placed, members, spread, world);
  const reach = Math.sqrt(farthestSquare(placed, members, spread, world));
  setRadii(placed.radii!, Math.min(reach, spread) + margin, coefficients);
}

/** Adds the share of the members of one type to the centre. */
function addMeanOf(table: number, members: Members, world: World, placed: PlacedPivot): void {
  const { tables, typeIndex } = world.store;
  const { fields, position } = tables[table]!.type;
  const { count, slots, rows } = members;
  const isOnlyType = members.firstType === members.lastType;
  if (isOnlyType && position.length === 2) {
    addPlaneMean(table, members, world, placed);
    return;
  }
  for (let axis = 0; axis < position.length; axis++) {
    const { field } = fields[position[axis]!]!;
    const wires = world.wireNumbers(table, position[axis]!);
    let sum = 0;
    let ofType = 0;
    for (let i = 0; i < count; i++) {
      if (!isOnlyType && typeIndex[slots[i]!] !== table) continue;
      sum += wires[rows[i]!]!;
      ofType++;
    }
    if (ofType === 0 || !field.numeric) continue;
    const mean = (ofType / count) * field.dequantizeNumber(sum / ofType);
    if (axis === 0) placed.x += mean;
    else if (axis === 1) placed.y += mean;
    else placed.z += mean;
  }
}

/** The same for members that are all of one type, in a plane: both axes in one go. */
function addPlaneMean(table: number, { count, rows }: Members, world: World, placed: PlacedPivot): void {
  const { fields, position } = world.store.tables[table]!.type;
  const [across, up] = [fields[position[0]!]!.field, fields[position[1]!]!.field];
  const acrossWires = world.wireNumbers(table, position[0]!);
  const upWires = world.wireNumbers(table, position[1]!);
  let x = 0;
  let y = 0;
  for (let i = 0; i < count; i++) {
    const row = rows[i]!;
    x += acrossWires[row]!;
    y += upWires[row]!;
  }
  if (across.numeric) placed.x += across.dequantizeNumber(x / count);
  if (up.numeric) placed.y += up.dequantizeNumber(y / count);
}

/** Square of the distance of the farthest member; of any that lies beyond the spread, if there is one: nobody need look farther than that. */
function farthestSquare(from: PlacedPivot, members: Members, spread: number, world: World): number {
  const { count, slots } = members;
  // Well above the square of the spread, whose root is rounded.
  const enough = spread * spread * (1 + 1e-9);
  let square = squareApart(world, slots[members.beyond]!, from);
  for (let i = 0; i < count && square <= enough; i++) {
    const other = squareApart(world, slots[i]!, from);
    if (other > enough) members.beyond = i;
    if (other > square) square = other;
  }
  return square;
}

function membersOf(group: readonly ObjectId[], world: World, placed: PlacedPivot): Members {
  const { changes } = world.store;
  const known = placed.members;
  if (known !== undefined && known.listedAt === changes) return known;
  const slots = known?.slots ?? new Int32Array(group.length);
  const rows = known?.rows ?? new Int32Array(group.length);
  const members = known ?? {
    listedAt: changes,
    count: 0,
    slots,
    rows,
    firstType: 0,
    lastType: 0,
    within: 0,
    beyond: 0,
  };
  placed.members = members;
  listMembers(group, world, members);
  return members;
}

function listMembers(group: readonly ObjectId[], { store }: World, members: Members): void {
  const { tables, typeIndex, row } = store;
  members.listedAt = store.changes;
  members.firstType = tables.length;
  members.lastType = 0;
  members.count = 0;
  members.within = 0;
  members.beyond = 0;
  for (const id of group) {
    const slot = store.liveSlot(id);
    const type = slot < 0 ? -1 : typeIndex[slot]!;
    if (type < 0 || tables[type]!.type.position.length === 0) continue;
    members.slots[members.count] = slot;
    members.rows[members.count++] = row[slot]!;
    members.firstType = Math.min(members.firstType, type);
    members.lastType = Math.max(members.lastType, type);
  }
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
function keepNearMembers(placed: PlacedPivot, members: Members, spread: number, world: World): void {
  const { count, slots } = members;
  if (Math.sqrt(squareApart(world, slots[members.within]!, placed)) <= spread) return;
  for (let i = 0; i < count; i++) {
    members.within = i;
    if (Math.sqrt(squareApart(world, slots[i]!, placed)) <= spread) return;
  }
  const first = slots[0]!;
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
