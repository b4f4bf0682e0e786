/**
 * Leeway: how far pivots and an object may come before the object can lie in a lower zone than now. Until then where pivots are does not matter to the pair,
 * and it is looked at when it is planned. For views with a list of pivots, without sectors and ranges; docs/decisions/0032-strategy.md.
 *
 * Claim: bounds only loosen outward, so of several pivots the cell of the lowest zone counts, and a pair's bounds get stricter only where the lowest zone gets lower. A
 * distance changes in a round by no more than the pivot, the object and the edges around the pivot move in it. The most of that is summed up over rounds (`VIEW_WAY`, `ENGINE_WAY`);
 * a pair keeps the sum at which its leeway is used up.
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
  DUO,
  DUO_FIRST,
  DUO_SECOND,
  DUO_X,
  DUO_Y,
  DUO_Z,
  ENGINE_ROUND,
  ENGINE_WAY,
  SET_EDGES,
  SET_MIXES,
  SET_SHAPE,
  THREAD_ASPECTS,
  THREAD_ZONE,
  VIEW_HIGH,
  VIEW_LEEWAYS,
  VIEW_NEXT,
  VIEW_WAY,
  WATCH_FRAME,
  WATCH_X,
  WATCH_Y,
} from "../src/engine/memory/layout";
import { edgesOf } from "./among";
import { apartOfTwo, distanceInFrame } from "./distances";
import { CAUTION, planned } from "./plan";

/** Keeps the leeway of a pair whose object was placed among the view's pivots just now. */
export function keepLeeway(view: usize, number: i32, set: usize, index: i32, body: usize, thread: usize): void {
  const leeways = <usize>load<i32>(view, VIEW_LEEWAYS);
  if (leeways == 0) return;
  // Where a set has more zones than are told apart side by side, no leeway is kept.
  const leeway = load<i32>(set, SET_MIXES) == 0 ? 0 : leewayOf(set, index, body, thread);
  store<f64>(leeways + ((<usize>number) << 3), wayOf(view) + leeway);
}

/** How far pivots, edges around them and objects have come at most, together, in all rounds so far. */
function wayOf(view: usize): f64 {
  return load<f64>(view, VIEW_WAY) + load<f64>(0, ENGINE_WAY);
}

function leewayOf(set: usize, index: i32, body: usize, thread: usize): f64 {
  const zone = load<i32>(thread, THREAD_ZONE);
  if (zone == 0) return Infinity;
  const aspect = <usize>load<i32>(thread, THREAD_ASPECTS) + index * ASPECT;
  const isSquare = load<i32>(set, SET_SHAPE) != 0;
  const x = load<f64>(body, BODY_X);
  const y = load<f64>(body, BODY_Y);
  const xs = f64x2.splat(x);
  const ys = f64x2.splat(y);
  const zs = f64x2.splat(load<f64>(body, BODY_Z));
  const cautious = f64x2.splat(CAUTION);
  const inner = <usize>(zone - 1) * (DUO_SECOND - DUO_FIRST);
  let least = f64x2.splat(Infinity);
  const end = aspect + ASPECT_DUOS + load<i32>(aspect, ASPECT_LENGTH);
  for (let duo = aspect + ASPECT_DUOS; duo < end; duo += DUO) {
    const dx = f64x2.sub(xs, v128.load(duo, DUO_X));
    const dy = f64x2.sub(ys, v128.load(duo, DUO_Y));
    const dz = f64x2.sub(zs, v128.load(duo, DUO_Z));
    let far = apartOfTwo(isSquare, dx, dy, dz);
    let edge = v128.load(duo + inner, DUO_FIRST);
    if (!isSquare) {
      far = f64x2.sqrt(far);
      edge = f64x2.sqrt(edge);
    }
    least = f64x2.min(least, f64x2.sub(f64x2.div(far, cautious), edge));
  }
  let leeway = min(f64x2.extract_lane(least, 0), f64x2.extract_lane(least, 1));
  const cameras = aspect + ((<usize>load<i32>(aspect, ASPECT_CAMERA_COUNT)) << 2);
  for (let camera = aspect; camera < cameras; camera += 4) {
    const watch = <usize>load<i32>(camera, ASPECT_CAMERAS);
    const edge = load<f64>(edgesOf(watch, index) + ((<usize>(zone - 1)) << 3), SET_EDGES);
    const dx = x - load<f64>(watch, WATCH_X);
    const dy = y - load<f64>(watch, WATCH_Y);
    const far = distanceInFrame(<usize>load<i32>(watch, WATCH_FRAME), dx, dy);
    leeway = min(leeway, far / CAUTION - (isSquare ? edge : sqrt(edge)));
  }
  return leeway;
}

/** Has the pairs looked at in this round that have a plan, and no leeway any more. */
export function lookNear(view: usize): void {
  const next = <usize>load<i32>(view, VIEW_NEXT);
  const leeways = <usize>load<i32>(view, VIEW_LEEWAYS);
  const way = wayOf(view);
  const high = load<i32>(view, VIEW_HIGH);
  const now = planned(load<i32>(0, ENGINE_ROUND));
  const none = i8x16.splat(0);
  for (let first = 0; first < high; first += 16) {
    // What lies behind the last pair may belong to another view.
    const here = high - first < 16 ? (1 << (high - first)) - 1 : 0xffff;
    let plans = here & ~i8x16.bitmask(i8x16.eq(v128.load(next + first), none));
    while (plans != 0) {
      const pair = <usize>(first + ctz(plans));
      if (load<f64>(leeways + (pair << 3)) <= way) store<u8>(next + pair, now);
      plans &= plans - 1;
    }
  }
}
