/**
 * Where an object lies for a view that has a list of pivots: several of them, a group, or square zones. Per pivot the same as `cells.ts` finds
 * for the one pivot of a view with round zones. Of several, the smallest of each dimension of the bounds counts, and the lowest zone.
 */

import {
  ASPECT,
  ASPECT_CAMERA_COUNT,
  ASPECT_CAMERAS,
  ASPECT_DUOS,
  ASPECT_LENGTH,
  BODY_X,
  BODY_Y,
  BODY_Z,
  CELL,
  CELL_MISSED,
  CELL_ROUNDS,
  CELL_SAFE,
  CELL_VALUE,
  CELL_VALUE_SQUARE,
  DUO,
  DUO_FIRST,
  DUO_SECOND,
  DUO_THIRD,
  DUO_X,
  DUO_Y,
  DUO_Z,
  PIVOT,
  PIVOT_BIT,
  PIVOT_WATCH,
  SET_CELLS,
  SET_COSINES,
  SET_EDGES,
  SET_MIXED_CELLS,
  SET_MIXES,
  SET_PIVOTS,
  SET_SECTORS,
  SET_SHAPE,
  SET_TERMS,
  TERM_SEQUENCE,
  TERM_TIME,
  THREAD_ASPECTS,
  THREAD_ASPECTS_MADE,
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
import { apart, apartInFrame, apartOfTwo } from "./distances";

/** Pivots differ in the bounds that they ask for, and those of no single cell are as strict as all of them (`THREAD_MIXED`). */
export const MADE = 2;

/** Finds it for an object and a set of the view, into the thread's sheet. Where no pivot counts, that is sector 0 of the last zone. */
export function placeAmong(view: usize, set: usize, index: i32, body: usize, thread: usize): void {
  if (load<i32>(set, SET_MIXES) != 0) placeByZones(view, set, index, body, thread);
  else placeBySectors(view, set, index, body, thread);
}

/** Before a view is judged: its pivots are others than those of the view before, or lie elsewhere than a round ago. */
export function forgetAspects(thread: usize): void {
  store<i32>(thread, 0, THREAD_ASPECTS_MADE);
}

/** The set has one sector and few zones: what bounds follow from the zones is known. */
function placeByZones(view: usize, set: usize, index: i32, body: usize, thread: usize): void {
  const aspect = <usize>load<i32>(thread, THREAD_ASPECTS) + index * ASPECT;
  if (((load<i32>(thread, THREAD_ASPECTS_MADE) >>> index) & 1) == 0) makeAspect(view, set, index, aspect, thread);
  const isSquare = load<i32>(set, SET_SHAPE) != 0;
  const x = load<f64>(body, BODY_X);
  const y = load<f64>(body, BODY_Y);
  const z = load<f64>(body, BODY_Z);
  const xs = f64x2.splat(x);
  const ys = f64x2.splat(y);
  const zs = f64x2.splat(z);
  let nearer = f64x2.splat(Infinity);
  let zones = 0;
  const end = aspect + ASPECT_DUOS + load<i32>(aspect, ASPECT_LENGTH);
  for (let duo = aspect + ASPECT_DUOS; duo < end; duo += DUO) {
    const dx = f64x2.sub(xs, v128.load(duo, DUO_X));
    const dy = f64x2.sub(ys, v128.load(duo, DUO_Y));
    const dz = f64x2.sub(zs, v128.load(duo, DUO_Z));
    const far = apartOfTwo(isSquare, dx, dy, dz);
    nearer = f64x2.min(nearer, far);
    // As `zoneOf` tells the first three zones apart; there are no more than four. A comparison that holds is −1.
    const first = f64x2.gt(far, v128.load(duo, DUO_FIRST));
    const second = f64x2.gt(far, v128.load(duo, DUO_SECOND));
    const third = f64x2.gt(far, v128.load(duo, DUO_THIRD));
    const zone = i64x2.add(i64x2.add(first, second), third);
    zones |= (1 << -(<i32>i64x2.extract_lane(zone, 0))) | (1 << -(<i32>i64x2.extract_lane(zone, 1)));
  }
  let nearest = min(f64x2.extract_lane(nearer, 0), f64x2.extract_lane(nearer, 1));
  const cameras = aspect + ((<usize>load<i32>(aspect, ASPECT_CAMERA_COUNT)) << 2);
  for (let camera = aspect; camera < cameras; camera += 4) {
    const watch = <usize>load<i32>(camera, ASPECT_CAMERAS);
    const dx = x - load<f64>(watch, WATCH_X);
    const dy = y - load<f64>(watch, WATCH_Y);
    const dz = z - load<f64>(watch, WATCH_Z);
    nearest = min(nearest, apart(isSquare, dx, dy, dz));
    zones |= 1 << zoneOf(edgesOf(watch, index), apartInFrame(isSquare, <usize>load<i32>(watch, WATCH_FRAME), dx, dy));
  }
  const bounds = load<i32>(set + (zones << 2), SET_MIXES);
  const isMixed = <i32>((zones & (zones - 1)) != 0);
  store<f64>(thread, nearest, THREAD_NEAREST);
  store<f64>(thread, isSquare ? nearest * nearest : nearest, THREAD_SQUARE);
  store<i32>(thread, zones != 0 ? ctz(zones) : zoneOf(set, Infinity), THREAD_ZONE);
  store<i32>(thread, <i32>set + bounds, THREAD_BOUNDS);
  store<i32>(thread, bounds < SET_MIXED_CELLS ? isMixed : MADE, THREAD_MIXED);
}

/** Puts the pivots that count for a set side by side, once for all objects of the set that are looked at. */
function makeAspect(view: usize, set: usize, index: i32, aspect: usize, thread: usize): void {
  store<i32>(thread, load<i32>(thread, THREAD_ASPECTS_MADE) | (1 << index), THREAD_ASPECTS_MADE);
  const pivots = <usize>load<i32>(view, VIEW_PIVOTS);
  const end = pivots + load<i32>(view, VIEW_PIVOT_COUNT) * PIVOT;
  const counting = load<i32>(set, SET_PIVOTS);
  let cameras: usize = 0;
  let count: usize = 0;
  for (let pivot = pivots; pivot < end; pivot += PIVOT) {
    if ((counting & load<i32>(pivot, PIVOT_BIT)) == 0) continue;
    const watch = <usize>load<i32>(pivot, PIVOT_WATCH);
    if (load<i32>(watch, WATCH_FRAME) != 0) {
      store<i32>(aspect + (cameras++ << 2), <i32>watch, ASPECT_CAMERAS);
      continue;
    }
    const duo = aspect + ASPECT_DUOS + (count >>> 1) * DUO;
    const edges = edgesOf(watch, index);
    putInDuo(duo, watch, edges, count & 1);
    if ((count & 1) == 0) putInDuo(duo, watch, edges, 1);
    count++;
  }
  store<i32>(aspect, <i32>(((count + 1) >>> 1) * DUO), ASPECT_LENGTH);
  store<i32>(aspect, <i32>cameras, ASPECT_CAMERA_COUNT);
}

function putInDuo(duo: usize, watch: usize, edges: usize, lane: usize): void {
  const to = duo + (lane << 3);
  store<f64>(to, load<f64>(watch, WATCH_X), DUO_X);
  store<f64>(to, load<f64>(watch, WATCH_Y), DUO_Y);
  store<f64>(to, load<f64>(watch, WATCH_Z), DUO_Z);
  store<f64>(to, load<f64>(edges, SET_EDGES), DUO_FIRST);
  store<f64>(to, load<f64>(edges, SET_EDGES + sizeof<f64>()), DUO_SECOND);
  store<f64>(to, load<f64>(edges, SET_EDGES + 2 * sizeof<f64>()), DUO_THIRD);
}

/** The edges of a pivot's zones, in the set of this index. */
export function edgesOf(watch: usize, index: i32): usize {
  return <usize>load<i32>(watch, WATCH_EDGES) + index * load<i32>(watch, WATCH_STRIDE);
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
    const zone = zoneOf(edgesOf(watch, index), frame == 0 ? far : apartInFrame(isSquare, frame, dx, dy));
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
