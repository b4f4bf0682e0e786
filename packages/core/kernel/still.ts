/**
 * The hot loop for pictures that stay as they were sent (`displacement`, `path`, `relative`). It judges the listed pairs of a plain view exactly as
 * `GeneralJudge` does, and leaves rare cases to it. If the list is of ripe pairs, it sends them all.
 */

import {
  BODY,
  BODY_ID,
  BODY_SPEED,
  BODY_TRAITS,
  BODY_VERSION,
  BODY_WIRE_X,
  BODY_WIRE_Z,
  BODY_X,
  BODY_Y,
  BODY_Z,
  BUSY,
  BUSY_SHIFT,
  CELL,
  CELL_MISSED,
  CELL_ROUNDS,
  CELL_SAFE,
  CELL_VALUE,
  CELL_VALUE_SQUARE,
  DEFERS,
  DISTANCE,
  ENGINE_BODIES,
  ENGINE_LAST_UPDATE,
  ENGINE_OWNER,
  ENGINE_ROUND,
  FARTHEST_PLAN,
  FLIGHT,
  FLIGHT_SAMPLE,
  FLIGHT_SAMPLE_Y,
  FURTHER,
  FURTHER_Z,
  INEXACT,
  LEFT_LEAVE,
  LEFT_MISS,
  LEFT_OTHER,
  LEFT_REST,
  PAIR,
  PAIR_HELD,
  PAIR_LAST_SEND,
  PAIR_SAMPLE,
  PAIR_SAMPLE_Y,
  PAIR_TAG,
  PERCENT,
  RECORDS,
  REMEMBERED,
  ROUGH,
  SET,
  SET_BITE,
  SET_CAREFREE,
  SET_CLOCK,
  SET_MASK,
  SET_MEASURE,
  SET_METRIC,
  SET_OWN,
  SET_SECTORS,
  SET_SHIFT,
  SET_STAY,
  SLOT_MASK,
  SPATIAL,
  THREAD_BOUNDS,
  THREAD_MIXED,
  THREAD_NEAREST,
  THREAD_SQUARE,
  THREAD_ZONE,
  UPDATES,
  UPDATES_SHIFT,
  VIEW_BUDGETED,
  VIEW_DECIDED,
  VIEW_DEFERS,
  VIEW_FIRST_MISS,
  VIEW_FLIGHTS,
  VIEW_LEAVES,
  VIEW_LOOSENED,
  VIEW_MORE,
  VIEW_NEXT,
  VIEW_PAIRS,
  VIEW_PIVOTS,
  VIEW_RIPE,
  VIEW_SEEN,
  VIEW_SESSION,
  VIEW_SETS,
  VIEW_WATCH,
  WATCH_X,
  WATCH_Y,
  WATCH_Z,
  WINDOW,
} from "../src/engine/memory/layout";
import { MADE, placeAmong } from "./among";
import {
  apartOf,
  isSampled,
  percentAfterSend,
  percentGrowth,
  sampleOf,
  secondSampleOf,
  sentNumber,
  valueOf,
} from "./apart";
import { cellOf, strictestOf, zoneOf } from "./cells";
import { roundsMissed } from "./clock";
import { depart, hasRoom } from "./flights";
import { keepLeeway } from "./leeway";
import {
  decideSend,
  endLooks,
  GONE,
  hide,
  isSeen,
  LEFT_HIDDEN,
  noteBase,
  noteSend,
  passOver,
  presenceOf,
  restsFor,
  VANISHED,
} from "./look";
import { free } from "./pairs";
import { ahead, CAUTION, LONG, PATIENCE, planned, roundsInSector, roundsToStricter, soonest } from "./plan";
import { defer, loosenedCause, press, SHORT } from "./pressed";
import { roundsUnseen } from "./unseen";
import { CHANGE, CREATION, decide, errorOf, LEAVE, leave, REMOVAL, RIPE, SEQUENCE, TIME, VALUE, WAIT } from "./verdict";

/** The traits of an object that is exact and is updated at most once in every round, as most that move are. */
const REGULAR = SPATIAL | INEXACT | (UPDATES << UPDATES_SHIFT) | (BUSY << BUSY_SHIFT);
const REGULAR_TRAITS = SPATIAL | (1 << UPDATES_SHIFT) | (WINDOW << BUSY_SHIFT);

/** A value that was not measured. */
const UNKNOWN: f64 = -1;

export function judgeStill(view: usize, list: usize, count: i32, thread: usize): void {
  const round = load<i32>(0, ENGINE_ROUND);
  const now = planned(round);
  const bodies = <usize>load<i32>(0, ENGINE_BODIES);
  const owner = <usize>load<i32>(0, ENGINE_OWNER);
  const lastUpdate = <usize>load<i32>(0, ENGINE_LAST_UPDATE);
  const pairs = <usize>load<i32>(view, VIEW_PAIRS);
  const next = <usize>load<i32>(view, VIEW_NEXT);
  const more = <usize>load<i32>(view, VIEW_MORE);
  const flights = load<i32>(view, VIEW_FLIGHTS);
  const leaves = load<i32>(view, VIEW_LEAVES) != 0;
  const sets = <usize>load<i32>(view, VIEW_SETS);
  const session = load<i32>(view, VIEW_SESSION);
  const budgeted = load<i32>(view, VIEW_BUDGETED) != 0;
  const loosened = load<i32>(view, VIEW_LOOSENED) != 0;
  const defers = load<i32>(view, VIEW_DEFERS);
  const isRipe = load<i32>(view, VIEW_RIPE) != 0;
  const firstMiss = <usize>load<i32>(view, VIEW_FIRST_MISS);
  const among = load<i32>(view, VIEW_PIVOTS) != 0;
  const seen = <usize>load<i32>(view, VIEW_SEEN);
  const pivot = <usize>load<i32>(view, VIEW_WATCH);
  const px = load<f64>(pivot, WATCH_X);
  const py = load<f64>(pivot, WATCH_Y);
  const pz = load<f64>(pivot, WATCH_Z);
  let row = <usize>load<i32>(view, VIEW_DECIDED);
  const end = list + ((<usize>count) << 2);
  let left = list;

  for (let at = list; at < end; at += 4) {
    const number = load<i32>(at);
    const pair = pairs + number * PAIR;
    const tag = load<i32>(pair, PAIR_TAG);
    const held = load<i32>(pair, PAIR_HELD);
    const lastSend = load<i32>(pair, PAIR_LAST_SEND);
    const slot = tag & SLOT_MASK;
    const body = bodies + slot * BODY;
    const index = (tag >>> SET_SHIFT) & SET_MASK;
    const set = sets + index * SET;
    const dx = load<f64>(body, BODY_X) - px;
    const dy = load<f64>(body, BODY_Y) - py;
    const dz = load<f64>(body, BODY_Z) - pz;
    let square = dx * dx + dy * dy + dz * dz;
    const version = load<i32>(body, BODY_VERSION);
    const traits = load<i32>(body, BODY_TRAITS);
    const speed = <f64>load<f32>(body, BODY_SPEED);
    const missing = version - held;
    const since = round - lastSend;
    const measure = load<i32>(set, SET_MEASURE);
    // Time runs since the last send, or, under the other clock, since the first miss: after a send a round later.
    const clock = load<i32>(set, SET_CLOCK);
    const late = clock == 0 ? since : roundsMissed(view, number, pair, slot, held, round, body);
    let zone: i32;
    let strictest: usize;
    let cell: usize;
    if (among) {
      placeAmong(view, set, index, body, thread);
      keepLeeway(view, number, set, index, body, thread);
      square = load<f64>(thread, THREAD_NEAREST);
      zone = load<i32>(thread, THREAD_ZONE);
      strictest = strictestOf(set, zone);
      cell = <usize>load<i32>(thread, THREAD_BOUNDS);
      const mixed = load<i32>(thread, THREAD_MIXED);
      if ((loosened && mixed != 0) || (budgeted && mixed == MADE)) {
        left = leave(left, number, LEFT_OTHER);
        continue;
      }
    } else {
      zone = zoneOf(set, square);
      strictest = strictestOf(set, zone);
      cell = cellOf(view, set, strictest, dx, dy, dz, square);
    }
    if (!isSeen(seen, slot)) {
      const what = hide(view, number, pair, set, traits, square, flights, leaves);
      if (what == VANISHED) decide(view, row++, load<i32>(body, BODY_ID), LEAVE, REMOVAL, 0, 0);
      else if (what == LEFT_HIDDEN) left = leave(left, number, LEFT_OTHER);
      continue;
    }
    const updates = (traits >>> UPDATES_SHIFT) & UPDATES;
    const windows = traits >>> BUSY_SHIFT;
    const own = session != 0 && load<i32>(owner + (slot << 2)) == session && load<i32>(set, SET_OWN) != 0;
    let wait = load<i32>(set + (zone << 2), SET_BITE);
    let cause = WAIT;

    // What most looks find: a pair that is due, of an object that moves as most do, so that the next look is as far off as it can be.
    if (
      held > 0 &&
      missing > 0 &&
      !own &&
      !loosened &&
      (traits & REGULAR) == REGULAR_TRAITS &&
      wait <= WINDOW &&
      square <= load<f64>(set, SET_STAY) &&
      speed <= load<f64>(set + (zone << 3), SET_CAREFREE)
    ) {
      if (late >= load<i32>(cell, CELL_ROUNDS)) cause = TIME;
      else if (missing >= load<i32>(cell, CELL_MISSED)) cause = SEQUENCE;
    }

    if (cause == WAIT) {
      const rounds = load<i32>(strictest, CELL_ROUNDS);
      const missed = load<i32>(strictest, CELL_MISSED);
      const safe = load<f64>(strictest, CELL_SAFE);
      const way = speed * <f64>since;
      // How far the pair has diverged at most is told by the object's speed.
      const isTold = measure != PERCENT && (tag & ROUGH) == 0 && since <= REMEMBERED && isSampled(set, tag);
      const foreseeable = !own && (safe == Infinity || isTold);
      let apart = UNKNOWN;
      if ((traits & SPATIAL) == 0) {
        left = leave(left, number, LEFT_OTHER);
        continue;
      }
      cause = presenceOf(set, held, square);
      if (cause < WAIT) {
        if (leaves) {
          if (cause == GONE) decide(view, row++, load<i32>(body, BODY_ID), LEAVE, REMOVAL, 0, 0);
          free(view, number);
        } else left = leave(left, number, cause == GONE ? LEFT_LEAVE : LEFT_OTHER);
        continue;
      }
      if (cause == CREATION) {
        // Sent, whatever its bound.
      } else if (missing == 0) {
        // A tag below 0 is listed: the pair rests already.
        if (tag < 0 || !foreseeable || late + 1 >= rounds || missed <= 1) {
          if (round - load<i32>(lastUpdate + (slot << 2)) >= PATIENCE) {
            left = leave(left, number, LEFT_REST);
          } else store<u8>(next + number, ahead(now, 1));
          continue;
        }
      } else if (isRipe) cause = RIPE;
      else if (own) cause = CHANGE;
      else if (late >= load<i32>(cell, CELL_ROUNDS)) cause = TIME;
      else if (missing >= load<i32>(cell, CELL_MISSED)) cause = SEQUENCE;
      else if (!foreseeable || !(way < load<f64>(cell, CELL_SAFE))) {
        apart = apartOf(pair, tag, set, body, more, number);
        const limit = load<f64>(cell, CELL_VALUE_SQUARE);
        if (limit != Infinity && apart >= limit) cause = VALUE;
      }

      if (loosened && cause >= TIME && cause <= VALUE) {
        const far = apart == UNKNOWN ? apartOf(pair, tag, set, body, more, number) : apart;
        const stated = cause;
        cause = loosenedCause(view, number, cell, stated, late, missing, far, round);
        if (cause == SHORT) {
          const value = valueOf(set, far);
          const growth = measure == PERCENT ? percentGrowth(set, slot, sentNumber(pair)) : speed;
          wait = roundsUnseen(view, number, cell, stated, late, missing, value, updates, windows, growth, round);
          if (wait > 1 && load<i32>(set, SET_SECTORS) > 1) {
            const sector = <i32>((cell - strictest) / CELL);
            wait = among ? 1 : min(wait, roundsInSector(view, set, sector, dx, dy, dz, square, speed));
          }
          passOver(view, number, zone, stated, round, now, wait, thread);
          if (since + wait > FARTHEST_PLAN && load<i32>(firstMiss + (number << 2)) <= lastSend) {
            left = leave(left, number, LEFT_MISS);
          }
          continue;
        }
      }
      if (cause == WAIT) {
        const value = apart == UNKNOWN ? UNKNOWN : valueOf(set, apart);
        const growth = measure == PERCENT ? percentGrowth(set, slot, sentNumber(pair)) : speed;
        let gap = gapIn(strictest, value, way);
        // Most that wait in a loose sector would be due in the strictest.
        const isPast = own || rounds - late <= 1 || missed - missing <= 1;
        wait = isPast ? 1 : soonest(rounds - late, missed - missing, updates, windows, gap, growth);
        if (cell != strictest && !own) {
          gap = gapIn(cell, value, way);
          const byTime = load<i32>(cell, CELL_ROUNDS) - late;
          const later = soonest(byTime, load<i32>(cell, CELL_MISSED) - missing, updates, windows, gap, growth);
          const sector = <i32>((cell - strictest) / CELL);
          const nearer = among ? 1 : roundsToStricter(view, set, sector, dx, dy, dz, square, speed);
          wait = min(later, max(wait, nearer));
        }
        store<u8>(next + number, ahead(now, wait));
        // The first miss is read last: it lies in a column of its own, which few looks need.
        const isLong = missing == 0 ? wait > LONG : since + wait > FARTHEST_PLAN;
        if (isLong && (missing == 0 || load<i32>(firstMiss + (number << 2)) <= lastSend)) {
          left = leave(left, number, missing == 0 ? LEFT_REST : LEFT_MISS);
        }
        continue;
      }
      const carefree = speed <= load<f64>(set + (zone << 3), SET_CAREFREE);
      if (own) wait = 1;
      else if ((traits & INEXACT) != 0 || measure == PERCENT) {
        const gap = gapAfterSend(set, slot, strictest, traits, body);
        wait = soonest(rounds + clock, missed, updates, windows, gap, growthAfterSend(set, slot, body, speed));
      } else if (updates > 1 || (windows & BUSY) < WINDOW || !carefree) {
        wait = soonest(rounds + clock, missed, updates, windows, safe, speed);
      }
    }

    if (cell != strictest && !own) {
      const gap = gapAfterSend(set, slot, cell, traits, body);
      const growth = growthAfterSend(set, slot, body, speed);
      const missed = load<i32>(cell, CELL_MISSED);
      const later = soonest(load<i32>(cell, CELL_ROUNDS) + clock, missed, updates, windows, gap, growth);
      const sector = <i32>((cell - strictest) / CELL);
      const nearer = among ? 1 : roundsToStricter(view, set, sector, dx, dy, dz, square, speed);
      wait = min(later, max(wait, nearer));
    }
    if (flights != 0 && !hasRoom(view)) {
      left = leave(left, number, LEFT_OTHER);
      continue;
    }
    if (budgeted && defers != RECORDS) {
      const value = held > 0 ? valueOf(set, apartOf(pair, tag, set, body, more, number)) : 0;
      const far = among ? load<f64>(thread, THREAD_SQUARE) : square;
      press(view, row, number, cell, zone, cause, own, late, missing, value, far, round);
      if (defers == DEFERS) {
        defer(view, row, number);
        decideSend(view, row++, body, cause, zone, 0);
        continue;
      }
    }
    const metric = load<i32>(set, SET_METRIC);
    const rough = (traits & INEXACT) == 0 ? 0 : ROUGH;
    if (flights != 0) {
      const flight = depart(view, number, pair, slot, held, version, round, zone, cause, metric, body);
      if (measure != DISTANCE) keepSample(<usize>flights + flight * FLIGHT, set, slot, body);
    } else noteBase(pair, held);
    noteSend(pair, tag, metric, rough, version, round);
    if (measure == DISTANCE) v128.store(pair, v128.load(body, BODY_WIRE_X), PAIR_SAMPLE);
    else {
      store<f64>(pair, sampleOf(set, slot, body), PAIR_SAMPLE);
      store<f64>(pair, secondSampleOf(set, body), PAIR_SAMPLE_Y);
    }
    if (more != 0) store<f64>(more + number * FURTHER, load<f64>(body, BODY_WIRE_Z), FURTHER_Z);
    store<u8>(next + number, ahead(now, wait));
    if (defers != RECORDS) {
      decideSend(view, row++, body, cause, zone, 0);
    }
    if (restsFor(traits, wait)) left = leave(left, number, LEFT_REST);
  }
  endLooks(view, row, list, left);
}

/** Of a send whose fate is followed, what is remembered instead of a place. */
function keepSample(flight: usize, set: usize, slot: i32, body: usize): void {
  store<f64>(flight, sampleOf(set, slot, body), FLIGHT_SAMPLE);
  store<f64>(flight, secondSampleOf(set, body), FLIGHT_SAMPLE_Y);
}

/** How much farther a pair may diverge in this cell, given its value, or else how far the object can have come. */
function gapIn(cell: usize, value: f64, way: f64): f64 {
  return value == UNKNOWN ? load<f64>(cell, CELL_SAFE) - way : (load<f64>(cell, CELL_VALUE) - value) / CAUTION;
}

function gapAfterSend(set: usize, slot: i32, cell: usize, traits: i32, body: usize): f64 {
  const measure = load<i32>(set, SET_MEASURE);
  if (measure == PERCENT) return load<f64>(cell, CELL_VALUE) / CAUTION - percentAfterSend(set, slot);
  const isExact = measure != DISTANCE || (traits & INEXACT) == 0;
  return isExact ? load<f64>(cell, CELL_SAFE) : load<f64>(cell, CELL_VALUE) / CAUTION - errorOf(body);
}

function growthAfterSend(set: usize, slot: i32, body: usize, speed: f64): f64 {
  return load<i32>(set, SET_MEASURE) == PERCENT ? percentGrowth(set, slot, sampleOf(set, slot, body)) : speed;
}
