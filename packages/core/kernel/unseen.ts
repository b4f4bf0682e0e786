/**
 * For how long a pair can wait unseen: over its stated bound, and not due by its loosened one, or not urgent enough to be offered (`floor.ts`).
 *
 * Claim: before the round that is planned here, the pair keeps waiting in the same zone and for the same cause, unless something happens that
 * has the engine mark it anew. It is due once it reaches its loosened bound, or has waited for eight paces; it is offered once it is so many times over its
 * stated bound, or has waited for so many paces. Its cause is the first of time, sequence and value whose stated bound is reached. Time and missed
 * updates only grow. So a cause gives way to an earlier one only, and a pair that has
 * reached its value bound alone can also come back within it. Caps limit how fast all of that goes (`plan.ts`). A view whose bounds are loosened
 * is told of borders that are crossed outward too, and a tighter factor has all its pairs looked at, as does every factor while pairs have levels. A pair that its
 * pivots see in different cells is left to the engine's own judge, which looks at it in every round.
 */

import {
  CELL_MISSED,
  CELL_ROUNDS,
  CELL_VALUE,
  CELL_VALUE_SQUARE,
  ENGINE_ROUND_MS,
  FARTHEST_PLAN,
  NEVER,
  SET_CELLS,
  SET_EDGES,
  SET_TERMS,
  TERM_CREATION_PACE,
  TERM_PACE,
  TERM_SEQUENCE,
  TERM_TIME,
  VIEW_OUTER,
} from "../src/engine/memory/layout";
import { CAUTION, soonest } from "./plan";
import { loosenedCell, OUTER_LIMIT } from "./pressed";
import { TIME, VALUE } from "./verdict";
import { waitedOf } from "./waits";

/** Rounds until a pair that is not due by its loosened bound must be looked at, given how fast its value can grow or shrink (`speed`). */
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
  const enough = OUTER_LIMIT * load<f64>(cell + (SET_TERMS - SET_CELLS), TERM_PACE);
  return roundsBelow(
    load<i32>(loose, CELL_ROUNDS),
    load<i32>(loose, CELL_MISSED),
    load<f64>(loose, CELL_VALUE),
    roundsOf(enough) - waitedOf(view, number, round),
    cell,
    stated,
    late,
    missing,
    value,
    updates,
    windows,
    speed,
  );
}

/** The same for an update that is due, and is offered once it is as urgent as this level. */
export function roundsToLevel(
  view: usize,
  number: i32,
  cell: usize,
  level: f64,
  stated: i32,
  late: i32,
  missing: i32,
  value: f64,
  updates: i32,
  windows: i32,
  speed: f64,
  round: i32,
): i32 {
  const term = cell + (SET_TERMS - SET_CELLS);
  // From there on it is as urgent as what lies in zone 0.
  const times = min(level, OUTER_LIMIT);
  return roundsBelow(
    roundsOf(reached(times, load<f64>(term, TERM_TIME)) / load<f64>(0, ENGINE_ROUND_MS)),
    roundsOf(reached(times, load<f64>(term, TERM_SEQUENCE))),
    reached(times, load<f64>(cell, CELL_VALUE)),
    roundsOf((times - 1) * load<f64>(term, TERM_PACE)) - waitedOf(view, number, round),
    cell,
    stated,
    late,
    missing,
    value,
    updates,
    windows,
    speed,
  );
}

/** The same for a creation, which the object's moves within its zone make no more urgent than it is at the inner edge. Of one pivot, and round zones. */
export function roundsToCreation(
  view: usize,
  number: i32,
  set: usize,
  cell: usize,
  zone: i32,
  level: f64,
  round: i32,
): i32 {
  const pace = load<f64>(cell + (SET_TERMS - SET_CELLS), TERM_CREATION_PACE);
  const nearness = 1 / (1 + sqrt(load<f64>(set + ((zone - 1) << 3), SET_EDGES)));
  const paces = min(level - load<f64>(view, VIEW_OUTER) * (2 + nearness), OUTER_LIMIT - 1);
  return min(max(roundsOf(paces * pace) - waitedOf(view, number, round), 1), FARTHEST_PLAN);
}

function roundsBelow(
  rounds: i32,
  missed: i32,
  limit: f64,
  byWaiting: i32,
  cell: usize,
  stated: i32,
  late: i32,
  missing: i32,
  value: f64,
  updates: i32,
  windows: i32,
  speed: f64,
): i32 {
  let byTime = min(rounds - late, byWaiting);
  if (stated != TIME) byTime = min(byTime, load<i32>(cell, CELL_ROUNDS) - late);
  const left = limit == Infinity ? Infinity : (limit - value) / CAUTION;
  const wait = soonest(byTime, missed - missing, updates, windows, left, speed);
  if (stated != VALUE || wait == 1) return wait;
  // Nothing is below a bound of 0.
  const over = load<f64>(cell, CELL_VALUE_SQUARE) == 0 ? Infinity : (value - load<f64>(cell, CELL_VALUE)) / CAUTION;
  return soonest(wait, load<i32>(cell, CELL_MISSED) - missing, updates, windows, over, speed);
}

/** So many times a bound. A bound of 0 presses as if it were just reached, and no more after that. */
function reached(times: f64, bound: f64): f64 {
  return bound == 0 ? Infinity : times * bound;
}

/** The first whole number that is no less, on the safe side. */
function roundsOf(rounds: f64): i32 {
  return <i32>ceil(min(<f64>NEVER, rounds) / CAUTION);
}
