/**
 * Where an object lies for a view that has a list of pivots: several of them, a group, or square zones. Per pivot the same as `cells.ts` finds
 * for the one pivot of a view with round zones. Of several, the smallest of each dimension of the bounds counts, and the lowest zone.
 */

import {
  BODY_X,
  BODY_Y,
  BODY_Z,
  CELL,
  CELL_MISSED,
  CELL_ROUNDS,
  CELL_SAFE,
  CELL_VALUE,
  CELL_VALUE_SQUARE,
  PIVOT,
  PIVOT_BIT,
  PIVOT_WATCH,
  SET_CELLS,
  SET_COSINES,
  SET_MIXED_CELLS,
  SET_MIXES,
  SET_PIVOTS,
  SET_SECTORS,
  SET_SHAPE,
  SET_TERMS,
  TERM_SEQUENCE,
  TERM_TIME,
  THREAD_BOUNDS,
  THREAD_CELL,
  THREAD_MIXED,
  THREAD_NEAREST,
  THREAD_SQUARE,
  THREAD_ZONE,
  VIEW_PIVOT_COUNT,
  VIEW_PIVOTS,
  WATCH_DIR_X,
  WATCH_DIR_Y,
  WATCH_DIR_Z,
  WATCH_EDGES,
  WATCH_FRAME,
  WATCH_STRIDE,
  WATCH_X,
  WATCH_Y,
  WATCH_Z,
} from "../src/engine/memory/layout";
import { strictestOf, zoneOf } from "./cells";
import { apart, apartInFrame } from "./distances";

/** Pivots differ in the bounds that they ask for, and those of no single cell are as strict as all of them (`THREAD_MIXED`). */
export const MADE = 2;

/** Finds it for an object and a set of the view, into the thread's sheet. Where no pivot counts, that is sector 0 of the last zone. */
export function placeAmong(view: usize, set: usize, index: i32, body: usize, thread: usize): void {
  if (load<i32>(set, SET_MIXES) != 0) placeByZones(view, set, index, body, thread);
  else placeBySectors(view, set, index, body, thread);
}

/** The set has one sector and few zones: what bounds follow from the zones is known. */
function placeByZones(view: usize, set: usize, index: i32, body: usize, thread: usize): void {
  const pivots = <usize>load<i32>(view, VIEW_PIVOTS);
  const end = pivots + load<i32>(view, VIEW_PIVOT_COUNT) * PIVOT;
  const counting = load<i32>(set, SET_PIVOTS);
  const isSquare = load<i32>(set, SET_SHAPE) != 0;
  const x = load<f64>(body, BODY_X);
  const y = load<f64>(body, BODY_Y);
  const z = load<f64>(body, BODY_Z);
  let nearest: f64 = Infinity;
  let zones = 0;
  for (let pivot = pivots; pivot < end; pivot += PIVOT) {
    if ((counting & load<i32>(pivot, PIVOT_BIT)) == 0) continue;
    const watch = <usize>load<i32>(pivot, PIVOT_WATCH);
    const dx = x - load<f64>(watch, WATCH_X);
    const dy = y - load<f64>(watch, WATCH_Y);
    const dz = z - load<f64>(watch, WATCH_Z);
    const frame = <usize>load<i32>(watch, WATCH_FRAME);
    const far = apart(isSquare, dx, dy, dz);
    nearest = min(nearest, far);
    const edges = <usize>load<i32>(watch, WATCH_EDGES) + index * load<i32>(watch, WATCH_STRIDE);
    zones |= 1 << zoneOf(edges, frame == 0 ? far : apartInFrame(isSquare, frame, dx, dy));
  }
  const bounds = load<i32>(set + (zones << 2), SET_MIXES);
  const isMixed = <i32>((zones & (zones - 1)) != 0);
  store<f64>(thread, nearest, THREAD_NEAREST);
  store<f64>(thread, isSquare ? nearest * nearest : nearest, THREAD_SQUARE);
  store<i32>(thread, zones != 0 ? ctz(zones) : zoneOf(set, Infinity), THREAD_ZONE);
  store<i32>(thread, <i32>set + bounds, THREAD_BOUNDS);
  store<i32>(thread, bounds < SET_MIXED_CELLS ? isMixed : MADE, THREAD_MIXED);
}

function placeBySectors(view: usize, set: usize, index: i32, body: usize, thread: usize): void {
  const pivots = <usize>load<i32>(view, VIEW_PIVOTS);
  const end = pivots + load<i32>(view, VIEW_PIVOT_COUNT) * PIVOT;
  const counting = load<i32>(set, SET_PIVOTS);
  const isSquare = load<i32>(set, SET_SHAPE) != 0;
  const hasSectors = load<i32>(set, SET_SECTORS) > 1;
  const x = load<f64>(body, BODY_X);
  const y = load<f64>(body, BODY_Y);
  const z = load<f64>(body, BODY_Z);
  let nearest: f64 = Infinity;
  let lowest = i32.MAX_VALUE;
  let bounds: usize = 0;
  let isMixed = 0;
  for (let pivot = pivots; pivot < end; pivot += PIVOT) {
    if ((counting & load<i32>(pivot, PIVOT_BIT)) == 0) continue;
    const watch = <usize>load<i32>(pivot, PIVOT_WATCH);
    const dx = x - load<f64>(watch, WATCH_X);
    const dy = y - load<f64>(watch, WATCH_Y);
    const dz = z - load<f64>(watch, WATCH_Z);
    const frame = <usize>load<i32>(watch, WATCH_FRAME);
    const far = apart(isSquare, dx, dy, dz);
    nearest = min(nearest, far);
    const edges = <usize>load<i32>(watch, WATCH_EDGES) + index * load<i32>(watch, WATCH_STRIDE);
    const zone = zoneOf(edges, frame == 0 ? far : apartInFrame(isSquare, frame, dx, dy));
    let cell = strictestOf(set, zone);
    if (hasSectors) cell = sectorOf(set, cell, watch, dx, dy, dz);
    lowest = min(lowest, zone);
    if (bounds == 0) bounds = cell;
    else if (bounds != cell) {
      bounds = strictestOfBoth(bounds, cell, thread + THREAD_CELL);
      isMixed = bounds == thread + THREAD_CELL ? MADE : 1;
    }
  }
  if (bounds == 0) {
    lowest = zoneOf(set, Infinity);
    bounds = strictestOf(set, lowest);
  }
  store<f64>(thread, nearest, THREAD_NEAREST);
  store<f64>(thread, isSquare ? nearest * nearest : nearest, THREAD_SQUARE);
  store<i32>(thread, lowest, THREAD_ZONE);
  store<i32>(thread, <i32>bounds, THREAD_BOUNDS);
  store<i32>(thread, isMixed, THREAD_MIXED);
}

/** The cell of a place, seen from a pivot, in the zone of that strictest cell. */
function sectorOf(set: usize, strictest: usize, watch: usize, dx: f64, dy: f64, dz: f64): usize {
  const dirX = load<f64>(watch, WATCH_DIR_X);
  const dirY = load<f64>(watch, WATCH_DIR_Y);
  const dirZ = load<f64>(watch, WATCH_DIR_Z);
  const distance = sqrt(dx * dx + dy * dy + dz * dz);
  if (distance == 0 || (dirX == 0 && dirY == 0 && dirZ == 0)) return strictest;
  const along = dx * dirX + dy * dirY + dz * dirZ;
  let cell = strictest;
  for (let sector = set; along < distance * load<f64>(sector, SET_COSINES); sector += 8) cell += CELL;
  return cell;
}

/** Of two cells the one that is not looser in any dimension; where there is none, what is smallest in each dimension, in a cell of its own. */
function strictestOfBoth(one: usize, other: usize, own: usize): usize {
  if (one != own) {
    if (isAsStrict(one, other)) return one;
    if (isAsStrict(other, one)) return other;
  }
  store<f64>(own, min(load<f64>(one, CELL_VALUE), load<f64>(other, CELL_VALUE)), CELL_VALUE);
  store<f64>(own, min(load<f64>(one, CELL_VALUE_SQUARE), load<f64>(other, CELL_VALUE_SQUARE)), CELL_VALUE_SQUARE);
  store<f64>(own, min(load<f64>(one, CELL_SAFE), load<f64>(other, CELL_SAFE)), CELL_SAFE);
  store<i32>(own, min(load<i32>(one, CELL_ROUNDS), load<i32>(other, CELL_ROUNDS)), CELL_ROUNDS);
  store<i32>(own, min(load<i32>(one, CELL_MISSED), load<i32>(other, CELL_MISSED)), CELL_MISSED);
  return own;
}

/** By the bounds as they are stated: two that take the same number of rounds can still differ in how much they press. */
function isAsStrict(one: usize, other: usize): bool {
  const term = one + (SET_TERMS - SET_CELLS);
  const otherTerm = other + (SET_TERMS - SET_CELLS);
  return (
    load<f64>(one, CELL_VALUE) <= load<f64>(other, CELL_VALUE) &&
    load<f64>(term, TERM_TIME) <= load<f64>(otherTerm, TERM_TIME) &&
    load<f64>(term, TERM_SEQUENCE) <= load<f64>(otherTerm, TERM_SEQUENCE)
  );
}
