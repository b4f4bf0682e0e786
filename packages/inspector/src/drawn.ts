/**
 * What is needed to draw a view: where its pivots are, which way they look, and the edges of its sets. Pivots are placed as the consistency
 * models place them. A pivot whose object is gone stays where it was last drawn.
 */

import type { Bound, Pivot, ViewSettings, World } from "@nearfield/core";
import { frameOf, type Match, type ObjectSetSettings, unitOf } from "@nearfield/core/internal";
import type { ObjectId } from "@nearfield/schema";
import type { BoundFigures, DrawnPivot, DrawnSet } from "./feed/map.ts";

type GroupPivot = Extract<Pivot, { group: readonly ObjectId[] }>;
type CameraPivot = Extract<Pivot, { camera: unknown }>;

/** Rounds to hundredths: a map needs no more, and every digit makes the text longer. */
export function rounded(number: number): number {
  return Math.round(number * 100) / 100;
}

/** Rounds to thousandths, for directions. */
function fine(number: number): number {
  return Math.round(number * 1000) / 1000;
}

export function finite(number: number | undefined): number | null {
  return number === undefined || !Number.isFinite(number) ? null : number;
}

export function boundFigures({ time, sequence, value }: Bound): BoundFigures {
  return { time: finite(time), sequence: finite(sequence), value: finite(value) };
}

export class PivotPlaces {
  readonly #last = new WeakMap<Pivot, DrawnPivot>();

  /** The pivots that have, or had, a place; `undefined` for the others, so that indices stay. */
  place(pivots: readonly Pivot[], world: World): (DrawnPivot | undefined)[] {
    return pivots.map((pivot) => {
      const drawn = placed(pivot, world);
      if (drawn !== undefined) this.#last.set(pivot, drawn);
      return drawn ?? this.#last.get(pivot);
    });
  }

  drawn(pivots: readonly Pivot[], world: World): DrawnPivot[] {
    return this.place(pivots, world).filter((pivot) => pivot !== undefined);
  }
}

function placed(pivot: Pivot, world: World): DrawnPivot | undefined {
  const scale = pivot.scale ?? 1;
  if ("point" in pivot) {
    const [x = 0, y = 0, z = 0] = pivot.point;
    return {
      kind: "point",
      object: null,
      x,
      y,
      z,
      direction: unit(pivot.orientation),
      scale,
      radii: null,
      frame: null,
    };
  }
  if ("camera" in pivot) return placedCamera(pivot, scale);
  if ("group" in pivot) return placedGroup(pivot, world, scale);
  const slot = world.store.liveSlot(pivot.object);
  if (slot < 0 || !world.isSpatial(slot)) return undefined;
  return {
    kind: "object",
    object: pivot.object,
    x: rounded(world.x[slot]!),
    y: rounded(world.y[slot]!),
    z: rounded(world.z[slot]!),
    direction: directionOf(world, slot),
    scale,
    radii: null,
    frame: null,
  };
}

function placedGroup(pivot: GroupPivot, world: World, scale: number): DrawnPivot | undefined {
  const unitThere = unitOf(pivot);
  if (unitThere === undefined) return placedMembers(pivot, world, scale);
  return unitThere.count > 0 ? drawnGroup(unitThere, pivot, scale) : undefined;
}

function placedMembers(pivot: GroupPivot, world: World, scale: number): DrawnPivot | undefined {
  const { group } = pivot;
  const members = group.map((id) => world.store.liveSlot(id)).filter((slot) => slot >= 0 && world.isSpatial(slot));
  if (members.length === 0) return undefined;
  const mean = (column: Float64Array): number => members.reduce((sum, slot) => sum + column[slot]!, 0) / members.length;
  const [x, y, z] = [mean(world.x), mean(world.y), mean(world.z)];
  const reach = Math.max(
    ...members.map((slot) => Math.hypot(world.x[slot]! - x, world.y[slot]! - y, world.z[slot]! - z)),
  );
  return drawnGroup({ x, y, z, reach }, pivot, scale);
}

function drawnGroup(
  { x, y, z, reach }: { readonly x: number; readonly y: number; readonly z: number; readonly reach: number },
  { margin, coefficients }: GroupPivot,
  scale: number,
): DrawnPivot {
  const inner = reach + margin;
  const radii = [inner, ...coefficients.map((coefficient) => coefficient * inner)].map(rounded);
  return {
    kind: "group",
    object: null,
    x: rounded(x),
    y: rounded(y),
    z: rounded(z),
    direction: null,
    scale,
    radii,
    frame: null,
  };
}

function placedCamera(pivot: CameraPivot, scale: number): DrawnPivot {
  const { camera, size, coefficients } = pivot;
  const [x, y] = camera.map(rounded) as [number, number];
  const inner = Math.min(...size) / 2;
  const radii = [inner, ...coefficients.map((coefficient) => coefficient * inner)].map(rounded);
  const { across, along } = frameOf(pivot);
  const frame: DrawnPivot["frame"] = { across: [...across], along: [...along] };
  return { kind: "camera", object: null, x, y, z: 0, direction: null, scale, radii, frame };
}

/** Unit vector of an object's orientation; `null` if its type has none. */
function directionOf(world: World, slot: number): [number, number, number] | null {
  const { orientation } = world.store.tableAt(slot).type;
  if (orientation.length === 0) return null;
  const yaw = world.numberAt(slot, orientation[0]!);
  const pitch = orientation.length > 1 ? world.numberAt(slot, orientation[1]!) : 0;
  const flat = Math.cos(pitch);
  return [fine(Math.cos(yaw) * flat), fine(Math.sin(yaw) * flat), fine(Math.sin(pitch))];
}

function unit(direction: readonly number[] | undefined): [number, number, number] | null {
  const [x = 0, y = 0, z = 0] = direction ?? [];
  const length = Math.hypot(x, y, z);
  return length > 0 ? [fine(x / length), fine(y / length), fine(z / length)] : null;
}

export function drawnSets({ sets }: Pick<ViewSettings, "sets">): DrawnSet[] {
  return sets.map((set) => ({
    match: matchName(set.match),
    shape: set.shape ?? "round",
    pivots: set.pivots === undefined ? null : [...set.pivots],
    radii: [...(set.radii ?? [])],
    sectors: [...(set.sectors ?? [])],
    range: finite(set.range),
    metric: set.metric ?? "displacement",
    clock: set.clock ?? "refresh",
    strict: set.strict ?? false,
    bounds: boundRows(set).map((row) => row.map(boundFigures)),
  }));
}

/** Bounds as `[zone][sector]`, however they were written. */
export function boundRows(set: ObjectSetSettings): (readonly Bound[])[] {
  const sectors = (set.sectors?.length ?? 0) + 1;
  return set.bounds.map((entry) =>
    Array.isArray(entry) ? (entry as readonly Bound[]) : new Array<Bound>(sectors).fill(entry as Bound),
  );
}

export function matchName(match: Match): string {
  if (match === "everything") return match;
  if ("type" in match) return `type ${match.type}`;
  return "tag" in match ? `tag ${match.tag}` : `predicate ${match.predicate}`;
}

/** Index of the set that holds an object: the first that matches. */
export function setIndexOf({ sets }: Pick<ViewSettings, "sets">, world: World, slot: number): number {
  const index = sets.findIndex(({ match }) => {
    if (match === "everything") return true;
    if ("type" in match) return world.store.tableAt(slot).type.name === match.type;
    if ("tag" in match) return world.store.tagsAt(slot).has(match.tag);
    const bit = world.predicateIndex(match.predicate);
    return bit >= 0 && (world.predicateBits[slot]! & (1 << bit)) !== 0;
  });
  return index < 0 ? sets.length - 1 : index;
}
