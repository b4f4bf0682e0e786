/** What is under a point of the ground, in a box of the screen, or on the screen and of one kind. Rows of `Pieces`, found by looking at all of them. */

import { FIRST_BUILDING, RADIUS } from "../../rules/kinds.ts";
import { TILE } from "../../state.ts";
import type { Camera, Spot } from "../camera.ts";
import type { Field } from "../field.ts";
import { type Box, OWN, type Pieces } from "../picture.ts";

/** How near to a unit the pointer must come at least, CSS pixels. */
const POINTER_REACH = 12;

export type Found =
  | { readonly what: "unit" | "building" | "remembered" | "ore"; readonly id: number; readonly row: number }
  | undefined;

const spot: Spot = { x: 0, y: 0 };

/** The piece under a point of the world: units before buildings, buildings before ore. `scale`: CSS pixels per world unit. */
export function pickAt(field: Field, x: number, y: number, scale: number): Found {
  const reach = POINTER_REACH / scale;
  const unit = nearest(field.units, x, y, (kind) => Math.max(reach, RADIUS[kind]! + 2));
  if (unit >= 0) return { what: "unit", id: field.units.id[unit]!, row: unit };
  const half = (kind: number): number => RADIUS[FIRST_BUILDING + kind]!;
  const building = boxed(field.buildings, x, y, half);
  if (building >= 0) return { what: "building", id: field.buildings.id[building]!, row: building };
  const remembered = boxed(field.remembered, x, y, half);
  if (remembered >= 0) return { what: "remembered", id: field.remembered.id[remembered]!, row: remembered };
  const ore = nearest(field.ore, x, y, () => Math.max(reach, TILE));
  return ore >= 0 ? { what: "ore", id: field.ore.id[ore]!, row: ore } : undefined;
}

function nearest(
  { count, x: xs, y: ys, kind }: Pieces,
  x: number,
  y: number,
  reachOf: (kind: number) => number,
): number {
  let best = -1;
  let bestShare = 1;
  for (let row = 0; row < count; row++) {
    const [dx, dy] = [xs[row]! - x, ys[row]! - y];
    const reach = reachOf(kind[row]!);
    const share = (dx * dx + dy * dy) / (reach * reach);
    if (share > bestShare) continue;
    best = row;
    bestShare = share;
  }
  return best;
}

function boxed({ count, x: xs, y: ys, kind }: Pieces, x: number, y: number, halfOf: (kind: number) => number): number {
  for (let row = 0; row < count; row++) {
    const half = halfOf(kind[row]!);
    if (Math.abs(xs[row]! - x) <= half && Math.abs(ys[row]! - y) <= half) return row;
  }
  return -1;
}

/** Ids of the own units in a box of the screen; if there is none, of the own buildings. */
export function pickIn(field: Field, camera: Camera, box: Box): number[] {
  const units = ownIn(field.units, camera, box);
  return units.length > 0 ? units : ownIn(field.buildings, camera, box);
}

/** Ids of the own pieces on the screen that are of one kind. */
export function pickKind(pieces: Pieces, kind: number, camera: Camera): number[] {
  const screen = { x0: 0, y0: 0, x1: camera.width, y1: camera.height };
  return ownIn(pieces, camera, screen, kind);
}

function ownIn(pieces: Pieces, camera: Camera, box: Box, kind?: number): number[] {
  const [left, right] = [Math.min(box.x0, box.x1), Math.max(box.x0, box.x1)];
  const [top, bottom] = [Math.min(box.y0, box.y1), Math.max(box.y0, box.y1)];
  const found: number[] = [];
  for (let row = 0; row < pieces.count; row++) {
    if ((pieces.flags[row]! & OWN) === 0 || (kind !== undefined && pieces.kind[row] !== kind)) continue;
    const { x, y } = camera.toScreen(pieces.x[row]!, pieces.y[row]!, spot);
    if (x >= left && x <= right && y >= top && y <= bottom) found.push(pieces.id[row]!);
  }
  return found;
}
