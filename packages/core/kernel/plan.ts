/**
 * When a pair must be looked at next: the first round in which it can be due. Both judges of the kernel plan with these functions; the
 * engine's own judge plans with `plans/deadline.ts`.
 *
 * Claim: before that round the pair cannot be due, unless something happens that has the engine mark it anew. Time passes evenly. Updates
 * come no faster than the object's update caps. The distance between object and picture grows no faster than `speed` per round.
 */

import {
  BUSY,
  CYCLE,
  FARTHEST_PLAN,
  HALF_SHIFT,
  MOST_OF_HALF,
  MOST_OF_QUARTER,
  QUARTER_SHIFT,
  SET_COSINES,
  UPDATES,
  VIEW_DIR_X,
  VIEW_DIR_Y,
  VIEW_DIR_Z,
  VIEW_PACE,
  VIEW_TURN,
  WINDOW,
} from "../src/engine/memory/layout";

/** Quotients are rounded; plans are made this much on the safe side. */
export const CAUTION: f64 = 1 + 1e-9;
/** To look at an equal pair that many times costs about as much as to have it rest and be woken. */
export const PATIENCE = 4;
/** An equal pair that cannot be due for so many rounds rests, so that it costs nothing if its object does too. */
export const LONG = 64;

/** More than cosines are wrong by. */
const ROUNDING: f64 = 1e-9;
/** Chord of an angle ÷ its sine is no more than this, up to a sine of a half. */
const CHORD: f64 = 1.04;

/** The byte that stands for a round in a plan, as `planByte` makes it. */
export function planned(round: i32): i32 {
  return 1 + (round % CYCLE);
}

/** Rounds until a pair can be due: by time, by missed updates, and by covering a distance. */
export function soonest(byTime: i32, updatesLeft: i32, updates: i32, windows: i32, gap: f64, speed: f64): i32 {
  let wait = min(byTime, FARTHEST_PLAN);
  if (updates > 1) wait = min(wait, updates == UPDATES ? 1 : updatesLeft / updates);
  else if (updatesLeft < wait) wait = min(wait, roundsToMiss(updatesLeft, windows));
  // No quotient where it is certain to be the greater. What is not a number comes out as 1.
  if (!(gap > speed * <f64>wait)) wait = gap > 0 ? <i32>(gap / speed) : 1;
  return max(wait, 1);
}

/**
 * Rounds in which one update each, and no more in any window than its caps allow, can add up to so many.
 *
 * Claim: one round less has fewer. It consists of whole windows, at most one half, at most one quarter, and the rounds of `rest` but one. Each part has no more
 * updates than its cap, so all together have one less than were asked for.
 */
function roundsToMiss(updates: i32, windows: i32): i32 {
  if ((windows & BUSY) == WINDOW || updates <= 1) return updates;
  const ofHalf = (windows >>> HALF_SHIFT) & MOST_OF_HALF;
  const ofQuarter = (windows >>> QUARTER_SHIFT) & MOST_OF_QUARTER;
  const quarter = ofQuarter == 0 ? WINDOW / 4 : ofQuarter;
  const half = min(ofHalf == 0 || ofHalf == MOST_OF_HALF ? WINDOW / 2 : ofHalf, 2 * quarter);
  const whole = max(1, min(windows & BUSY, 2 * half));
  const wholes = (updates - 1) / whole;
  let rest = updates - wholes * whole;
  let rounds = wholes * WINDOW;
  if (rest > half) {
    rest -= half;
    rounds += WINDOW / 2;
  }
  if (rest > quarter) {
    rest -= quarter;
    rounds += WINDOW / 4;
  }
  return rounds + rest;
}

export function ahead(now: i32, wait: i32): i32 {
  return now + wait > CYCLE ? now + wait - CYCLE : now + wait;
}

/** Rounds in which a place that lies in this sector cannot come to lie in a stricter one, given how fast the object is. */
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
  const cosine = cosineOf(view, dx, dy, dz, nearness);
  return roundsToTurn(view, load<f64>(set + ((sector - 1) << 3), SET_COSINES) - cosine, nearness, speed);
}

/** Rounds in which a place that lies in this sector, of several, cannot come to lie in another. */
export function roundsInSector(
  view: usize,
  set: usize,
  sector: i32,
  dx: f64,
  dy: f64,
  dz: f64,
  square: f64,
  speed: f64,
): i32 {
  // A view may get a direction at any time, and an object at the pivot may leave in any direction.
  const isAimed =
    load<f64>(view, VIEW_DIR_X) != 0 || load<f64>(view, VIEW_DIR_Y) != 0 || load<f64>(view, VIEW_DIR_Z) != 0;
  if (!isAimed || square == 0) return 1;
  const nearness = 1 / sqrt(square);
  const cosine = cosineOf(view, dx, dy, dz, nearness);
  const looser = cosine - load<f64>(set + (sector << 3), SET_COSINES);
  const apart = sector == 0 ? looser : min(looser, load<f64>(set + ((sector - 1) << 3), SET_COSINES) - cosine);
  return roundsToTurn(view, apart, nearness, speed);
}

function cosineOf(view: usize, dx: f64, dy: f64, dz: f64, nearness: f64): f64 {
  return (
    (dx * load<f64>(view, VIEW_DIR_X) + dy * load<f64>(view, VIEW_DIR_Y) + dz * load<f64>(view, VIEW_DIR_Z)) * nearness
  );
}

/**
 * Rounds in which the cosine of a place changes by less than so much. It changes by no more than the two unit vectors do, that of the direction and
 * that towards the place; the latter by little more than object and pivot move for each unit of their distance, as long as that is less than half
 * of it.
 */
function roundsToTurn(view: usize, apart: f64, nearness: f64, speed: f64): i32 {
  const moves = (speed + load<f64>(view, VIEW_PACE)) * nearness;
  let rounds = (apart - ROUNDING) / (load<f64>(view, VIEW_TURN) + CHORD * moves);
  if (rounds * moves > 0.5) rounds = 0.5 / moves;
  return rounds < <f64>FARTHEST_PLAN ? max(1, <i32>rounds) : FARTHEST_PLAN;
}
