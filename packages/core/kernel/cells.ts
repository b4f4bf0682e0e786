/** The zone and the sector in which a place lies, and the bounds that are asked for there. */

import {
  CELL,
  SECTORS,
  SET_CELLS,
  SET_COSINES,
  SET_EDGES,
  SET_SECTORS,
  VIEW_DIR_X,
  VIEW_DIR_Y,
  VIEW_DIR_Z,
} from "../src/engine/memory/layout";

/** By the square of the distance, or by what the edges of the set are compared with. */
export function zoneOf(set: usize, square: f64): i32 {
  // Which zone cannot be foreseen, so the first three are told apart without a branch.
  let zone =
    <i32>(square > load<f64>(set, SET_EDGES)) +
    <i32>(square > load<f64>(set, SET_EDGES + sizeof<f64>())) +
    <i32>(square > load<f64>(set, SET_EDGES + 2 * sizeof<f64>()));
  if (zone == 3) while (square > load<f64>(set + (zone << 3), SET_EDGES)) zone++;
  return zone;
}

/** The cell of a zone whose bounds are the strictest: that of the first sector. */
export function strictestOf(set: usize, zone: i32): usize {
  return set + SET_CELLS + zone * (SECTORS * CELL);
}

/** The cell of a place, seen from the pivot, in the zone of that strictest cell. */
export function cellOf(view: usize, set: usize, strictest: usize, dx: f64, dy: f64, dz: f64, square: f64): usize {
  if (load<i32>(set, SET_SECTORS) <= 1 || square == 0) return strictest;
  const dirX = load<f64>(view, VIEW_DIR_X);
  const dirY = load<f64>(view, VIEW_DIR_Y);
  const dirZ = load<f64>(view, VIEW_DIR_Z);
  if (dirX == 0 && dirY == 0 && dirZ == 0) return strictest;
  const along = dx * dirX + dy * dirY + dz * dirZ;
  const distance = sqrt(square);
  let cell = strictest;
  for (let sector = set; along < distance * load<f64>(sector, SET_COSINES); sector += 8) cell += CELL;
  return cell;
}
