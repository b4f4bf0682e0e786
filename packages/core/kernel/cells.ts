/** Which zone and sector a place lies in, and what is asked for there. */

import {
  CELL,
  FARTHEST_PLAN,
  SECTORS,
  SET_CELLS,
  SET_COSINES,
  SET_EDGES,
  SET_SECTORS,
  VIEW_DIR_X,
  VIEW_DIR_Y,
  VIEW_DIR_Z,
  VIEW_PACE,
  VIEW_TURN,
} from "../src/engine/memory/layout";

/** More than cosines are wrong by. */
const ROUNDING: f64 = 1e-9;
/** Chord of an angle ÷ its sine is no more than this, up to a sine of a half. */
const CHORD: f64 = 1.04;

/** By the square of the distance. */
export function zoneOf(set: usize, square: f64): i32 {
  // Which zone cannot be foreseen, so the first three are told apart without a branch.
  let zone =
    <i32>(square > load<f64>(set, SET_EDGES)) +
    <i32>(square > load<f64>(set, SET_EDGES + 8)) +
    <i32>(square > load<f64>(set, SET_EDGES + 16));
  if (zone == 3) while (square > load<f64>(set + (zone << 3), SET_EDGES)) zone++;
  return zone;
}

/** The cell of a zone whose bounds are the strictest: that of the first sector. */
export function strictestOf(set: usize, zone: i32): usize {
  return set + SET_CELLS + zone * (SECTORS * CELL);
}

/**
 * Rounds in which a place that lies in this sector cannot come to lie in a stricter one, given how fast the object is. Its cosine changes by no
 * more than the two unit vectors do, that of the direction and that towards the place; the latter by little more than object and pivot move for
 * each unit of their distance, as long as that is less than half of it.
 */
export function roundsToStricter(
  view: usize,
  set: usize,
  sector: i32,
  dx: f64,
  dy: f64,
  dz: f64,
  square: f64,
  speed: f64,
): i32 {
  const nearness = 1 / sqrt(square);
  const along = dx * load<f64>(view, VIEW_DIR_X) + dy * load<f64>(view, VIEW_DIR_Y) + dz * load<f64>(view, VIEW_DIR_Z);
  const apart = load<f64>(set + ((sector - 1) << 3), SET_COSINES) - along * nearness - ROUNDING;
  const moves = (speed + load<f64>(view, VIEW_PACE)) * nearness;
  let rounds = apart / (load<f64>(view, VIEW_TURN) + CHORD * moves);
  if (rounds * moves > 0.5) rounds = 0.5 / moves;
  return rounds < <f64>FARTHEST_PLAN ? max(1, <i32>rounds) : FARTHEST_PLAN;
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
