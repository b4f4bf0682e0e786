/**
 * For how long a pair can wait unseen: over its stated bound, and not due by its loosened one.
 *
 * Claim: before the round that is planned here, the pair keeps waiting in the same zone and for the same cause, unless something happens that
 * has the engine mark it anew. It is due once it reaches its loosened bound, or has waited for eight paces. Its cause is the first of time,
 * sequence and value whose stated bound is reached. Time and missed updates only grow. So a cause gives way to an earlier one only, and a pair that has
 * reached its value bound alone can also come back within it. Caps limit how fast all of that goes (`plan.ts`). A view whose bounds are loosened
 * is told of borders that are crossed outward too, and a tighter factor has all its pairs looked at. A pair that its pivots see in different cells is
 * left to the engine's own judge, which looks at it in every round.
 */

import {
  CELL_MISSED,
  CELL_ROUNDS,
  CELL_VALUE,
  CELL_VALUE_SQUARE,
  FARTHEST_PLAN,
  SET_CELLS,
  SET_TERMS,
  TERM_PACE,
} from "../src/engine/memory/layout";
import { CAUTION, soonest } from "./plan";
import { loosenedCell, OUTER_LIMIT } from "./pressed";
import { TIME, VALUE } from "./verdict";
import { waitedOf } from "./waits";

/** Rounds until the pair must be looked at, given for how many its time runs, its value, and how fast that can grow or shrink (`speed`). */
export function roundsUnseen(
  view: usize,
  number: i32,
  cell: usize,
  stated: i32,
  late: i32,
  missing: i32,
  value: f64,
  updates: i32,
  windows: i32,
  speed: f64,
  round: i32,
): i32 {
  const loose = loosenedCell(view, cell);
  const enough = ceil(OUTER_LIMIT * load<f64>(cell + (SET_TERMS - SET_CELLS), TERM_PACE));
  const byWaiting = <i32>min(<f64>FARTHEST_PLAN, enough - <f64>waitedOf(view, number, round));
  let byTime = min(load<i32>(loose, CELL_ROUNDS) - late, byWaiting);
  if (stated != TIME) byTime = min(byTime, load<i32>(cell, CELL_ROUNDS) - late);
  const limit = load<f64>(loose, CELL_VALUE);
  const left = limit == Infinity ? Infinity : (limit - value) / CAUTION;
  const wait = soonest(byTime, load<i32>(loose, CELL_MISSED) - missing, updates, windows, left, speed);
  if (stated != VALUE || wait == 1) return wait;
  // Nothing is below a bound of 0.
  const over = load<f64>(cell, CELL_VALUE_SQUARE) == 0 ? Infinity : (value - load<f64>(cell, CELL_VALUE)) / CAUTION;
  return soonest(wait, load<i32>(cell, CELL_MISSED) - missing, updates, windows, over, speed);
}
