/** What all judging of pairs has in common: causes, plans, decisions, and what is left for others. */

import {
  BODY_WIRE_X,
  BODY_WIRE_Y,
  BODY_WIRE_Z,
  BODY_X,
  BODY_Y,
  BODY_Z,
  CYCLE,
  FARTHEST_PLAN,
  LEFT_SHIFT,
  UPDATES,
  VIEW_CAUSES,
  VIEW_IDS,
  VIEW_KINDS,
  VIEW_SETTLED,
  VIEW_ZONES,
  WINDOW,
} from "../src/engine/memory/layout";

/** Quotients are rounded; plans are made this much on the safe side. */
export const CAUTION: f64 = 1 + 1e-9;
/** To look at an equal pair that many times costs about as much as to have it rest and be woken. */
export const PATIENCE = 4;
/** An equal pair that cannot be due for so many rounds rests, so that it costs nothing if its object does too. */
export const LONG = 64;

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

/** Rounds until a pair can be due: by time, by missed updates, and by covering a distance. */
export function soonest(byTime: i32, updatesLeft: i32, updates: i32, inWindow: i32, gap: f64, speed: f64): i32 {
  let wait = min(byTime, FARTHEST_PLAN);
  if (updates > 1) wait = min(wait, updates == UPDATES ? 1 : updatesLeft / updates);
  else if (updatesLeft <= inWindow || inWindow == WINDOW) wait = min(wait, updatesLeft);
  else if (updatesLeft < FARTHEST_PLAN) wait = min(wait, ((updatesLeft - 1) / inWindow) * WINDOW + 1);
  // No quotient where it is certain to be the greater. What is not a number comes out as 1.
  if (!(gap > speed * <f64>wait)) wait = gap > 0 ? <i32>(gap / speed) : 1;
  return max(wait, 1);
}

export function ahead(now: i32, wait: i32): i32 {
  return now + wait > CYCLE ? now + wait - CYCLE : now + wait;
}

/** How far the wire form is from the primary. */
export function errorOf(body: usize): f64 {
  const dx = load<f64>(body, BODY_X) - load<f64>(body, BODY_WIRE_X);
  const dy = load<f64>(body, BODY_Y) - load<f64>(body, BODY_WIRE_Y);
  const dz = load<f64>(body, BODY_Z) - load<f64>(body, BODY_WIRE_Z);
  return sqrt(dx * dx + dy * dy + dz * dz);
}
