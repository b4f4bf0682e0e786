/**
 * Pairs of views whose bytes run short: how pressing a send is, and whether a pair that has reached its stated bound is sent by its loosened bound, or
 * waits (`waits.ts`). Exactly as `urgency.ts` and `GeneralJudge` do it.
 */

import {
  CELL_MISSED,
  CELL_ROUNDS,
  CELL_VALUE,
  CELL_VALUE_SQUARE,
  ENGINE_ROUND_MS,
  SET_CELLS,
  SET_TERMS,
  TERM_CREATION_PACE,
  TERM_PACE,
  TERM_SEQUENCE,
  TERM_TIME,
  VIEW_LOOSENED,
  VIEW_OUTER,
  VIEW_ROWS,
  VIEW_SETS,
  VIEW_URGENCIES,
  VIEW_WAITED,
  VIEW_WAITS,
  WAITING,
  WAITING_ROW,
} from "../src/engine/memory/layout";
import { CREATION, SEQUENCE, TIME, VALUE } from "./verdict";
import { waitedOf } from "./waits";

// `INNER_FIRST` and `OUTER_LIMIT`, as reals.
const INNER_FIRST: f64 = 4294967296;
export const OUTER_LIMIT: f64 = 8;

/** The pair is over its stated bound and waits. */
export const SHORT = -2;

/** What a cell asks for once it is loosened. */
export function loosenedCell(view: usize, cell: usize): usize {
  return <usize>load<i32>(view, VIEW_LOOSENED) + (cell - <usize>load<i32>(view, VIEW_SETS));
}

/** By which loosened bound a pair that has reached its stated one for this cause is sent, or that it has waited enough, or `SHORT`. */
export function loosenedCause(
  view: usize,
  number: i32,
  cell: usize,
  stated: i32,
  late: i32,
  missing: i32,
  apart: f64,
  round: i32,
): i32 {
  const loose = loosenedCell(view, cell);
  if (late >= load<i32>(loose, CELL_ROUNDS)) return TIME;
  if (missing >= load<i32>(loose, CELL_MISSED)) return SEQUENCE;
  const limit = load<f64>(loose, CELL_VALUE_SQUARE);
  if (limit != Infinity && apart >= limit) return VALUE;
  const pace = load<f64>(cell + (SET_TERMS - SET_CELLS), TERM_PACE);
  return <f64>waitedOf(view, number, round) >= OUTER_LIMIT * pace ? stated : SHORT;
}

/** The decision of this row is not recorded as sent until `recordSends` is called. */
export function defer(view: usize, row: usize, number: i32): void {
  store<i32>(<usize>load<i32>(view, VIEW_ROWS) + (row << 2), number);
  store<i32>(<usize>load<i32>(view, VIEW_WAITS) + number * WAITING, <i32>row, WAITING_ROW);
}

/** Notes how pressing a decision is, and how long its pair has waited; the pair still stands on what it stood on. */
export function press(
  view: usize,
  row: usize,
  number: i32,
  cell: usize,
  zone: i32,
  cause: i32,
  own: bool,
  late: i32,
  missing: i32,
  value: f64,
  square: f64,
  round: i32,
): void {
  const waited = waitedOf(view, number, round);
  let urgency: f64 = Infinity;
  if (!own) {
    urgency =
      cause == CREATION
        ? creationUrgency(view, cell, zone, square, <f64>waited)
        : updateUrgency(cell, zone, late, missing, value, <f64>waited);
  }
  store<f64>(<usize>load<i32>(view, VIEW_URGENCIES) + (row << 3), urgency);
  store<i32>(<usize>load<i32>(view, VIEW_WAITED) + (row << 2), waited);
}

function updateUrgency(cell: usize, zone: i32, late: i32, missing: i32, value: f64, waited: f64): f64 {
  const term = cell + (SET_TERMS - SET_CELLS);
  const elapsed = <f64>late * load<f64>(0, ENGINE_ROUND_MS);
  const byTime = pressure(elapsed, load<f64>(term, TERM_TIME));
  const bySequence = pressure(<f64>missing, load<f64>(term, TERM_SEQUENCE));
  const byValue = pressure(value, load<f64>(cell, CELL_VALUE));
  const diverged = max(byTime, max(bySequence, byValue));
  const waiting: f64 = waited == 0 ? 0 : 1 + waited / load<f64>(term, TERM_PACE);
  const pressing = max(waiting, min(OUTER_LIMIT, diverged));
  if (zone == 0) return INNER_FIRST + pressing;
  return pressing < OUTER_LIMIT ? pressing : INNER_FIRST + 1 + pressing - OUTER_LIMIT;
}

function creationUrgency(view: usize, cell: usize, zone: i32, square: f64, waited: f64): f64 {
  const nearness = 1 / (1 + sqrt(square));
  const waiting = waited / load<f64>(cell + (SET_TERMS - SET_CELLS), TERM_CREATION_PACE);
  if (zone == 0) return INNER_FIRST + OUTER_LIMIT + nearness + waiting;
  const risen = 1 + waiting - OUTER_LIMIT;
  if (risen >= 0) return INNER_FIRST + 1 + risen + nearness;
  return load<f64>(view, VIEW_OUTER) * (2 + nearness) + waiting;
}

function pressure(divergence: f64, bound: f64): f64 {
  if (bound == Infinity) return 0;
  return bound == 0 ? 1 : divergence / bound;
}
