/** Finds who crossed a border of a pivot in this round. For the objects in the pivot's rings it compares the distance now with the distance a round ago. */

import {
  BODY,
  BODY_X,
  BODY_Y,
  BODY_Z,
  BORDER,
  BORDER_BAND,
  BORDER_ENTRY,
  BORDER_NOW,
  BORDER_OLD,
  BORDER_OUTWARD,
  BORDER_RINGS,
  BORDER_SHAPE,
  CROSSING,
  CROSSING_SNAPSHOT,
  CROSSING_VIEW,
  CROSSING_WATCH,
  EACH_ITS_OWN,
  ENGINE_BODIES,
  ENGINE_ROUND,
  ENGINE_ROW,
  ENGINE_STEP,
  ENTRY_KEY,
  ENTRY_PAIR,
  FOUND,
  FOUND_CROSSING,
  FOUND_PAIR,
  FOUND_SLOT,
  FRAMED,
  HEIGHT,
  HEIGHT_NOW,
  HEIGHT_OLD,
  PIVOT,
  PIVOT_WATCH,
  PLACES,
  PLACES_FROM,
  PLACES_TO,
  RING,
  RING_STRIP_COUNT,
  RING_STRIPS,
  ROUND,
  SET_ENTER,
  SET_SHAPE,
  SLENDER,
  SNAPSHOT_COUNT,
  SNAPSHOT_HEIGHTS,
  SNAPSHOT_ROW_SHIFT,
  SNAPSHOT_SHIFT,
  SNAPSHOT_SHORT_X,
  SNAPSHOT_SHORT_Y,
  SNAPSHOT_SLOTS,
  SNAPSHOT_SPOTS,
  SNAPSHOT_STARTS,
  SPOT,
  SPOT_OLD_X,
  SPOT_OLD_Y,
  SPOT_X,
  SPOT_Y,
  SQUARE,
  STRIP,
  STRIP_FIRST,
  STRIP_LAST,
  STRIP_ROW,
  SUBCELLS,
  THREAD_FOUND,
  THREAD_FOUND_COUNT,
  THREAD_FOUND_ROOM,
  THREAD_RUNS,
  THREAD_SLOTS,
  VIEW_ENTERS,
  VIEW_NEXT,
  VIEW_PIVOT_COUNT,
  VIEW_PIVOTS,
  VIEW_SETS,
  VIEW_SWEEPS,
  WATCH_BORDER_COUNT,
  WATCH_BORDERS,
  WATCH_FRAME,
  WATCH_OLD_X,
  WATCH_OLD_Y,
  WATCH_OLD_Z,
  WATCH_SNAPSHOT,
  WATCH_X,
  WATCH_Y,
  WATCH_Z,
} from "../src/engine/memory/layout";
import { apart, distanceInFrame } from "./distances";
import { whole } from "./numbers";
import { entryOf, NONE, take } from "./pairs";
import { planned } from "./plan";
import { stepOf } from "./steps";

/** More than the rounding of short reals can add up to, in parts of what is rounded. */
const ROUGHNESS: f64 = 1e-6;

/** Works on some crossings of a batch: marks pairs that crossed, and tells of other objects that did, of some perhaps twice. */
export function crossSome(batch: usize, from: i32, to: i32, thread: usize): void {
  for (let number = from; number < to; number++) {
    const crossing = batch + number * CROSSING;
    const view = <usize>load<i32>(crossing, CROSSING_VIEW);
    const watch = <usize>load<i32>(crossing, CROSSING_WATCH);
    const snapshot = <usize>load<i32>(crossing, CROSSING_SNAPSHOT);
    if (watch == 0) crossAll(view, snapshot, thread, number);
    else cross(view, watch, snapshot, thread, number);
  }
}

/** All pivots in the list of a view, one after another: no two threads work on the same view. */
function crossAll(view: usize, snapshot: usize, thread: usize, number: i32): void {
  const pivots = <usize>load<i32>(view, VIEW_PIVOTS);
  const end = pivots + load<i32>(view, VIEW_PIVOT_COUNT) * PIVOT;
  for (let pivot = pivots; pivot < end; pivot += PIVOT) {
    const watch = <usize>load<i32>(pivot, PIVOT_WATCH);
    const own = snapshot == EACH_ITS_OWN ? <usize>load<i32>(watch, WATCH_SNAPSHOT) : snapshot;
    cross(view, watch, own, thread, number);
  }
}

function cross(view: usize, watch: usize, snapshot: usize, thread: usize, number: i32): void {
  const slots = <usize>load<i32>(thread, THREAD_SLOTS);
  mark(view, watch, thread, number, slots, find(view, watch, snapshot, thread, slots));
}

/** Writes the slots of all that crossed a border; returns where they end. */
function find(view: usize, watch: usize, snapshot: usize, thread: usize, found: usize): usize {
  // Where all pairs are judged anyway, nobody need be told but those that enter.
  const entriesOnly = load<i32>(view, VIEW_SWEEPS) != 0;
  const runs = <usize>load<i32>(thread, THREAD_RUNS);
  const borders = <usize>load<i32>(watch, WATCH_BORDERS);
  const end = borders + load<i32>(watch, WATCH_BORDER_COUNT) * BORDER;
  for (let border = borders, next: usize = 0; border < end; border = next) {
    next = border + load<i32>(border, BORDER_BAND) * BORDER;
    if (entriesOnly && !hasEntry(border, next)) continue;
    const last = listRuns(watch, border, snapshot, runs);
    const shape = load<i32>(border, BORDER_SHAPE);
    if (shape == FRAMED) {
      for (; border < next; border += BORDER) found = compareInFrame(watch, border, snapshot, runs, last, found);
    } else if (load<i32>(snapshot, SNAPSHOT_HEIGHTS) != 0) {
      for (; border < next; border += BORDER) found = compareDeep(watch, border, snapshot, runs, last, found);
    } else if (shape == ROUND) {
      found = findFlat<Round>(watch, border, next, snapshot, runs, last, found);
    } else found = findFlat<Square>(watch, border, next, snapshot, runs, last, found);
  }
  return found;
}

function hasEntry(border: usize, end: usize): bool {
  for (; border < end; border += BORDER) if (load<i32>(border, BORDER_ENTRY) != 0) return true;
  return false;
}

/** Whoever is a pair is looked at in this round; of the others it tells, if they are not simply out of range. */
function mark(view: usize, watch: usize, thread: usize, number: i32, slot: usize, end: usize): void {
  const next = <usize>load<i32>(view, VIEW_NEXT);
  const now = planned(load<i32>(0, ENGINE_ROUND));
  const enters = load<i32>(view, VIEW_ENTERS) != 0;
  for (; slot < end; slot += 4) {
    const entry = entryOf(view, load<i32>(slot));
    if (load<i32>(entry, ENTRY_KEY) != 0) {
      store<u8>(next + load<i32>(entry, ENTRY_PAIR), now);
      continue;
    }
    let pair = NONE;
    if (enters) {
      if (!isInRange(view, watch, load<i32>(slot))) continue;
      if (canTell(thread)) pair = take(view, load<i32>(slot), entry);
      if (pair != NONE) store<u8>(next + pair, now);
    }
    tell(thread, number, load<i32>(slot), pair);
  }
}

function isInRange(view: usize, watch: usize, slot: i32): bool {
  const body = <usize>load<i32>(0, ENGINE_BODIES) + slot * BODY;
  const dx = load<f64>(body, BODY_X) - load<f64>(watch, WATCH_X);
  const dy = load<f64>(body, BODY_Y) - load<f64>(watch, WATCH_Y);
  const dz = load<f64>(body, BODY_Z) - load<f64>(watch, WATCH_Z);
  const set = <usize>load<i32>(view, VIEW_SETS);
  return apart(load<i32>(set, SET_SHAPE) != 0, dx, dy, dz) <= load<f64>(set, SET_ENTER);
}

function canTell(thread: usize): bool {
  return load<i32>(thread, THREAD_FOUND_COUNT) < load<i32>(thread, THREAD_FOUND_ROOM);
}

/** What there is no room for is only counted. */
function tell(thread: usize, number: i32, slot: i32, pair: i32): void {
  const count = load<i32>(thread, THREAD_FOUND_COUNT);
  store<i32>(thread, count + 1, THREAD_FOUND_COUNT);
  if (count >= load<i32>(thread, THREAD_FOUND_ROOM)) return;
  const found = <usize>load<i32>(thread, THREAD_FOUND) + count * FOUND;
  store<i32>(found, number, FOUND_CROSSING);
  store<i32>(found, slot, FOUND_SLOT);
  store<i32>(found, pair, FOUND_PAIR);
}

/** The objects of a ring, as runs of places in the snapshot. A strip that goes over the edge of the torus is two. */
function listRuns(watch: usize, border: usize, snapshot: usize, runs: usize): usize {
  const row = load<f64>(0, ENGINE_ROW);
  const y = load<f64>(watch, WATCH_Y) / row;
  const line = whole(y);
  const sub = min(SUBCELLS - 1, <i32>((y - floor(y)) * <f64>SUBCELLS));
  const ring = border + BORDER_RINGS + sub * RING;
  let strip = <usize>load<i32>(ring, RING_STRIPS);
  let to = runs;
  if (strip == 0) {
    store<i32>(to, 0, PLACES_FROM);
    store<i32>(to, load<i32>(snapshot, SNAPSHOT_COUNT), PLACES_TO);
    return to + PLACES;
  }
  const end = strip + load<i32>(ring, RING_STRIP_COUNT) * STRIP;
  const column = whole((load<f64>(watch, WATCH_X) * <f64>(1 << SLENDER)) / row);
  const starts = <usize>load<i32>(snapshot, SNAPSHOT_STARTS);
  const shift = load<i32>(snapshot, SNAPSHOT_SHIFT);
  const mask = (1 << shift) - 1;
  const rowMask = (1 << load<i32>(snapshot, SNAPSHOT_ROW_SHIFT)) - 1;
  for (; strip < end; strip += STRIP) {
    const base = ((line + <i32>load<i16>(strip, STRIP_ROW)) & rowMask) << shift;
    const first = column + <i32>load<i16>(strip, STRIP_FIRST);
    const last = column + <i32>load<i16>(strip, STRIP_LAST);
    const isRow = last - first >= mask;
    const a = base + (isRow ? 0 : first & mask);
    const b = base + (isRow ? mask : last & mask);
    const begin = load<i32>(starts + (a << 2));
    const stop = load<i32>(starts + ((a <= b ? b + 1 : base + mask + 1) << 2));
    store<i32>(to, begin, PLACES_FROM);
    store<i32>(to, stop, PLACES_TO);
    to += <usize>(stop > begin) * PLACES;
    if (a <= b) continue;
    store<i32>(to, load<i32>(starts + (base << 2)), PLACES_FROM);
    store<i32>(to, load<i32>(starts + ((b + 1) << 2)), PLACES_TO);
    to += PLACES;
  }
  return to;
}

/** The shape of borders in two dimensions: a type, so that the compiler makes the loops over objects once for each. */
type Round = f64;
type Square = f32;

/** How far off something is, in the unit in which a border of the shape is given. */
function flat<S>(dx: f64, dy: f64): f64 {
  return sizeof<S>() == sizeof<Round>() ? dx * dx + dy * dy : max(abs(dx), abs(dy));
}

/** The same of four. */
function flatOfFour<S>(dx: v128, dy: v128): v128 {
  if (sizeof<S>() == sizeof<Round>()) return f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy));
  return f32x4.max(f32x4.abs(dx), f32x4.abs(dy));
}

/** A distance from what a border is given in, and back. */
function distanceOf<S>(given: f64): f64 {
  return sizeof<S>() == sizeof<Round>() ? sqrt(given) : given;
}
function givenAs<S>(distance: f64): f32 {
  return <f32>(sizeof<S>() == sizeof<Round>() ? distance * distance : distance);
}

/** Two borders of a band at a time: first whoever may have crossed one of them, then those that have. */
function findFlat<S>(
  watch: usize,
  band: usize,
  bandEnd: usize,
  snapshot: usize,
  runs: usize,
  last: usize,
  found: usize,
): usize {
  for (let border = band; border < bandEnd; border += 2 * BORDER) {
    const other = border + BORDER < bandEnd ? border + BORDER : border;
    found = compareFlat<S>(
      watch,
      border,
      other,
      snapshot,
      found,
      sift<S>(watch, border, other, snapshot, runs, last, found),
    );
  }
  return found;
}

/**
 * Writes the places of all objects that are now where somebody can be who crossed one of two borders in this round. Eight at a time, in short
 * reals; most runs are no longer. Nothing here depends on a branch that cannot be foreseen.
 */
function sift<S>(watch: usize, one: usize, other: usize, snapshot: usize, runs: usize, last: usize, to: usize): usize {
  const x = load<f64>(watch, WATCH_X);
  const y = load<f64>(watch, WATCH_Y);
  const shortX = f32x4.splat(<f32>x);
  const shortY = f32x4.splat(<f32>y);
  const step = stepOf(watch) + load<f64>(0, ENGINE_STEP);
  const error = (abs(x) + abs(y)) * ROUGHNESS;
  const oneFrom = f32x4.splat(nearestOf<S>(one, step, error));
  const oneTo = f32x4.splat(farthestOf<S>(one, step, error));
  const otherFrom = f32x4.splat(nearestOf<S>(other, step, error));
  const otherTo = f32x4.splat(farthestOf<S>(other, step, error));
  const xs = <usize>load<i32>(snapshot, SNAPSHOT_SHORT_X);
  const ys = <usize>load<i32>(snapshot, SNAPSHOT_SHORT_Y);
  for (let run = runs; run < last; run += PLACES) {
    const end = load<i32>(run, PLACES_TO);
    let first = load<i32>(run, PLACES_FROM);
    do {
      const at = (<usize>first) << 2;
      const dx = f32x4.sub(v128.load(xs + at), shortX);
      const dy = f32x4.sub(v128.load(ys + at), shortY);
      const apart = flatOfFour<S>(dx, dy);
      const dxNext = f32x4.sub(v128.load(xs + at, sizeof<v128>()), shortX);
      const dyNext = f32x4.sub(v128.load(ys + at, sizeof<v128>()), shortY);
      const apartNext = flatOfFour<S>(dxNext, dyNext);
      const four = v128.or(
        v128.and(f32x4.ge(apart, oneFrom), f32x4.le(apart, oneTo)),
        v128.and(f32x4.ge(apart, otherFrom), f32x4.le(apart, otherTo)),
      );
      const fourNext = v128.or(
        v128.and(f32x4.ge(apartNext, oneFrom), f32x4.le(apartNext, oneTo)),
        v128.and(f32x4.ge(apartNext, otherFrom), f32x4.le(apartNext, otherTo)),
      );
      let some = (i32x4.bitmask(four) | (i32x4.bitmask(fourNext) << 4)) & ((1 << min(end - first, 8)) - 1);
      store<i32>(to, first + ctz(some));
      to += (<usize>(some != 0)) << 2;
      some &= some - 1;
      store<i32>(to, first + ctz(some));
      to += (<usize>(some != 0)) << 2;
      for (some &= some - 1; some != 0; some &= some - 1) {
        store<i32>(to, first + ctz(some));
        to += 4;
      }
      first += 8;
    } while (first < end);
  }
  return to;
}

/** The distance below which nobody is who has crossed the border, given how far both can have moved and how wrong places can be. */
function nearestOf<S>(border: usize, step: f64, error: f64): f32 {
  const isOutward = load<i32>(border, BORDER_OUTWARD) != 0;
  const now = distanceOf<S>(load<f64>(border, BORDER_NOW));
  const distance = isOutward ? now : distanceOf<S>(load<f64>(border, BORDER_OLD)) - step;
  const nearest = distance * (1 - ROUGHNESS) - error;
  return nearest > 0 ? givenAs<S>(nearest) : 0;
}

function farthestOf<S>(border: usize, step: f64, error: f64): f32 {
  const isOutward = load<i32>(border, BORDER_OUTWARD) != 0;
  const now = distanceOf<S>(load<f64>(border, BORDER_NOW));
  const distance = isOutward ? distanceOf<S>(load<f64>(border, BORDER_OLD)) + step : now;
  return givenAs<S>(distance * (1 + ROUGHNESS) + error);
}

/** Keeps, of the objects at these places, the slots of those that crossed one of the borders; returns where they end. */
function compareFlat<S>(watch: usize, one: usize, other: usize, snapshot: usize, places: usize, end: usize): usize {
  const slots = <usize>load<i32>(snapshot, SNAPSHOT_SLOTS);
  const spots = <usize>load<i32>(snapshot, SNAPSHOT_SPOTS);
  const x = load<f64>(watch, WATCH_X);
  const y = load<f64>(watch, WATCH_Y);
  const oldX = load<f64>(watch, WATCH_OLD_X);
  const oldY = load<f64>(watch, WATCH_OLD_Y);
  const oneNow = load<f64>(one, BORDER_NOW);
  const oneOld = load<f64>(one, BORDER_OLD);
  const oneOut = load<i32>(one, BORDER_OUTWARD) & 1;
  const otherNow = load<f64>(other, BORDER_NOW);
  const otherOld = load<f64>(other, BORDER_OLD);
  const otherOut = load<i32>(other, BORDER_OUTWARD) & 1;
  let found = places;
  for (let place = places; place < end; place += 4) {
    const at = <usize>load<i32>(place);
    const spot = spots + at * SPOT;
    const dx = load<f64>(spot, SPOT_X) - x;
    const dy = load<f64>(spot, SPOT_Y) - y;
    const dxBefore = load<f64>(spot, SPOT_OLD_X) - oldX;
    const dyBefore = load<f64>(spot, SPOT_OLD_Y) - oldY;
    const apart = flat<S>(dx, dy);
    const apartBefore = flat<S>(dxBefore, dyBefore);
    const hasCrossedOne = (<i32>(apart <= oneNow) ^ oneOut) & (<i32>(apartBefore > oneOld) ^ oneOut);
    const hasCrossedOther = (<i32>(apart <= otherNow) ^ otherOut) & (<i32>(apartBefore > otherOld) ^ otherOut);
    store<i32>(found, load<i32>(slots + (at << 2)));
    found += (<usize>(hasCrossedOne | hasCrossedOther)) << 2;
  }
  return found;
}

/** Whatever has a third axis. */
function compareDeep(watch: usize, border: usize, snapshot: usize, runs: usize, last: usize, found: usize): usize {
  const now = load<f64>(border, BORDER_NOW);
  const old = load<f64>(border, BORDER_OLD);
  const outward = load<i32>(border, BORDER_OUTWARD) != 0;
  const square = load<i32>(border, BORDER_SHAPE) == SQUARE;
  const slots = <usize>load<i32>(snapshot, SNAPSHOT_SLOTS);
  const spots = <usize>load<i32>(snapshot, SNAPSHOT_SPOTS);
  const heights = <usize>load<i32>(snapshot, SNAPSHOT_HEIGHTS);
  for (let run = runs; run < last; run += PLACES) {
    const end = load<i32>(run, PLACES_TO);
    for (let i = load<i32>(run, PLACES_FROM); i < end; i++) {
      const spot = spots + <usize>i * SPOT;
      const height = heights + <usize>i * HEIGHT;
      const isOut =
        apart(
          square,
          load<f64>(spot, SPOT_X) - load<f64>(watch, WATCH_X),
          load<f64>(spot, SPOT_Y) - load<f64>(watch, WATCH_Y),
          load<f64>(height, HEIGHT_NOW) - load<f64>(watch, WATCH_Z),
        ) > now;
      const wasOut =
        apart(
          square,
          load<f64>(spot, SPOT_OLD_X) - load<f64>(watch, WATCH_OLD_X),
          load<f64>(spot, SPOT_OLD_Y) - load<f64>(watch, WATCH_OLD_Y),
          load<f64>(height, HEIGHT_OLD) - load<f64>(watch, WATCH_OLD_Z),
        ) > old;
      if (isOut != outward || wasOut == outward) continue;
      store<i32>(found, load<i32>(slots + ((<usize>i) << 2)));
      found += 4;
    }
  }
  return found;
}

/** Of a camera: its borders are squares in its frame, and heights do not count. */
function compareInFrame(watch: usize, border: usize, snapshot: usize, runs: usize, last: usize, found: usize): usize {
  const frame = <usize>load<i32>(watch, WATCH_FRAME);
  const now = load<f64>(border, BORDER_NOW);
  const old = load<f64>(border, BORDER_OLD);
  const outward = load<i32>(border, BORDER_OUTWARD) != 0;
  const slots = <usize>load<i32>(snapshot, SNAPSHOT_SLOTS);
  const spots = <usize>load<i32>(snapshot, SNAPSHOT_SPOTS);
  const x = load<f64>(watch, WATCH_X);
  const y = load<f64>(watch, WATCH_Y);
  const oldX = load<f64>(watch, WATCH_OLD_X);
  const oldY = load<f64>(watch, WATCH_OLD_Y);
  for (let run = runs; run < last; run += PLACES) {
    const end = load<i32>(run, PLACES_TO);
    for (let i = load<i32>(run, PLACES_FROM); i < end; i++) {
      const spot = spots + <usize>i * SPOT;
      const isOut = distanceInFrame(frame, load<f64>(spot, SPOT_X) - x, load<f64>(spot, SPOT_Y) - y) > now;
      const wasOut =
        distanceInFrame(frame, load<f64>(spot, SPOT_OLD_X) - oldX, load<f64>(spot, SPOT_OLD_Y) - oldY) > old;
      if (isOut != outward || wasOut == outward) continue;
      store<i32>(found, load<i32>(slots + ((<usize>i) << 2)));
      found += 4;
    }
  }
  return found;
}
