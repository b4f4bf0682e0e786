/** What both judges of the kernel have in common: causes, decisions, and the list of pairs that are left to the engine. */

import {
  BODY_WIRE_X,
  BODY_WIRE_Y,
  BODY_WIRE_Z,
  BODY_X,
  BODY_Y,
  BODY_Z,
  LEFT_SHIFT,
  VIEW_CAUSES,
  VIEW_IDS,
  VIEW_KINDS,
  VIEW_SETTLED,
  VIEW_ZONES,
} from "../src/engine/memory/layout";

// `DecisionKind` and `Cause`, as numbers.
export const CREATE = 0;
export const UPDATE = 1;
export const LEAVE = 2;
export const CREATION = 0;
export const TIME = 1;
export const SEQUENCE = 2;
export const VALUE = 3;
export const CHANGE = 4;
export const REMOVAL = 6;
export const RIPE = 7;
/** Not sent. */
export const WAIT = -1;

/** Lists a pair for the engine to see to; returns where the list goes on. */
export function leave(left: usize, number: i32, what: i32): usize {
  store<i32>(left, number | (what << LEFT_SHIFT));
  return left + 4;
}

export function decide(view: usize, row: usize, id: i32, kind: i32, cause: i32, zone: i32, settled: i32): void {
  store<i32>(<usize>load<i32>(view, VIEW_IDS) + (row << 2), id);
  store<u8>(<usize>load<i32>(view, VIEW_KINDS) + row, kind);
  store<u8>(<usize>load<i32>(view, VIEW_CAUSES) + row, cause);
  store<u8>(<usize>load<i32>(view, VIEW_ZONES) + row, zone);
  store<u8>(<usize>load<i32>(view, VIEW_SETTLED) + row, settled);
}

/** How far the wire form is from the primary. */
export function errorOf(body: usize): f64 {
  const dx = load<f64>(body, BODY_X) - load<f64>(body, BODY_WIRE_X);
  const dy = load<f64>(body, BODY_Y) - load<f64>(body, BODY_WIRE_Y);
  const dz = load<f64>(body, BODY_Z) - load<f64>(body, BODY_WIRE_Z);
  return sqrt(dx * dx + dy * dy + dz * dz);
}
