/**
 * The hot loop for pictures that stay where they were sent (`displacement`). It judges the listed pairs of a plain view exactly as `GeneralJudge` does, and
 * leaves rare cases to it. If the list is of ripe pairs, it sends them all.
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
  ENGINE_BODIES,
  ENGINE_LAST_UPDATE,
  ENGINE_OWNER,
  ENGINE_ROUND,
  FARTHEST_PLAN,
  FURTHER,
  FURTHER_Z,
  INEXACT,
  LEFT_LEAVE,
  LEFT_MISS,
  LEFT_OTHER,
  LEFT_REST,
  METRIC_MASK,
  METRIC_SHIFT,
  PAIR,
  PAIR_HELD,
  PAIR_LAST_SEND,
  PAIR_SAMPLE,
  PAIR_SAMPLE_Y,
  PAIR_TAG,
  RECORDS,
  REMEMBERED,
  ROUGH,
  SET,
  SET_BITE,
  SET_CAREFREE,
  SET_MASK,
  SET_METRIC,
  SET_SECTORS,
  SET_SHIFT,
  SET_STAY,
  SLOT_MASK,
  SPATIAL,
  THREAD_BOUNDS,
  THREAD_CELL,
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
import { placeAmong } from "./among";
import { cellOf, strictestOf, zoneOf } from "./cells";
import { depart, hasRoom } from "./flights";
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

/** Square of a distance that was not looked at. */
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
    let zone: i32;
    let strictest: usize;
    let cell: usize;
    if (among) {
      placeAmong(view, set, index, body, thread);
      square = load<f64>(thread, THREAD_NEAREST);
      zone = load<i32>(thread, THREAD_ZONE);
      strictest = strictestOf(set, zone);
      cell = <usize>load<i32>(thread, THREAD_BOUNDS);
      if ((loosened && load<i32>(thread, THREAD_MIXED) != 0) || (budgeted && cell == thread + THREAD_CELL)) {
        left = leave(left, number, LEFT_OTHER);
        continue;
      }
    } else {
      zone = zoneOf(set, square);
      strictest = strictestOf(set, zone);
      cell = cellOf(view, set, strictest, dx, dy, dz, square);
    }
    if (!isSeen(seen, slot)) {
      const what = hide(view, number, pair, set, traits, square, flights);
      if (what == VANISHED) decide(view, row++, load<i32>(body, BODY_ID), LEAVE, REMOVAL, 0, 0);
      else if (what == LEFT_HIDDEN) left = leave(left, number, LEFT_OTHER);
      continue;
    }
    const updates = (traits >>> UPDATES_SHIFT) & UPDATES;
    const inWindow = updates * ((traits >>> BUSY_SHIFT) & BUSY);
    const own = session != 0 && load<i32>(owner + (slot << 2)) == session;
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
      if (since >= load<i32>(cell, CELL_ROUNDS)) cause = TIME;
      else if (missing >= load<i32>(cell, CELL_MISSED)) cause = SEQUENCE;
    }

    if (cause == WAIT) {
      const rounds = load<i32>(strictest, CELL_ROUNDS);
      const missed = load<i32>(strictest, CELL_MISSED);
      const safe = load<f64>(strictest, CELL_SAFE);
      const way = speed * <f64>since;
      const foreseeable = !own && !(safe != Infinity && ((tag & ROUGH) != 0 || since > REMEMBERED));
      let apart = UNKNOWN;
      if ((traits & SPATIAL) == 0) {
        left = leave(left, number, LEFT_OTHER);
        continue;
      }
      cause = presenceOf(set, held, square);
      if (cause < WAIT) {
        if (cause == GONE && leaves) {
          decide(view, row++, load<i32>(body, BODY_ID), LEAVE, REMOVAL, 0, 0);
          free(view, number);
        } else left = leave(left, number, cause == GONE ? LEFT_LEAVE : LEFT_OTHER);
        continue;
      }
      if (cause == CREATION) {
        // Sent, whatever its bound.
      } else if (missing == 0) {
        // A tag below 0 is listed: the pair rests already.
        if (tag < 0 || !foreseeable || since + 1 >= rounds || missed <= 1) {
          if (round - load<i32>(lastUpdate + (slot << 2)) >= PATIENCE) {
            left = leave(left, number, LEFT_REST);
          } else store<u8>(next + number, ahead(now, 1));
          continue;
        }
      } else if (isRipe) cause = RIPE;
      else if (own) cause = CHANGE;
      else if (since >= load<i32>(cell, CELL_ROUNDS)) cause = TIME;
      else if (missing >= load<i32>(cell, CELL_MISSED)) cause = SEQUENCE;
      else if (!foreseeable || !(way < load<f64>(cell, CELL_SAFE))) {
        apart = apartOf(pair, tag, set, body, more, number);
        const limit = load<f64>(cell, CELL_VALUE_SQUARE);
        if (limit != Infinity && apart >= limit) cause = VALUE;
      }

      if (loosened && cause >= TIME && cause <= VALUE) {
        const far = apart == UNKNOWN ? apartOf(pair, tag, set, body, more, number) : apart;
        const stated = cause;
        cause = loosenedCause(view, number, cell, stated, since, missing, far, round);
        if (cause == SHORT) {
          wait = roundsUnseen(view, number, cell, stated, since, missing, far, updates, inWindow, speed, round);
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
        let gap = gapIn(strictest, apart, way);
        // Most that wait in a loose sector would be due in the strictest.
        const isPast = own || rounds - since <= 1 || missed - missing <= 1;
        wait = isPast ? 1 : soonest(rounds - since, missed - missing, updates, inWindow, gap, speed);
        if (cell != strictest && !own) {
          gap = gapIn(cell, apart, way);
          const byTime = load<i32>(cell, CELL_ROUNDS) - since;
          const later = soonest(byTime, load<i32>(cell, CELL_MISSED) - missing, updates, inWindow, gap, speed);
          const sector = <i32>((cell - strictest) / CELL);
          const nearer = among ? 1 : roundsToStricter(view, set, sector, dx, dy, dz, square, speed);
          wait = min(later, max(wait, nearer));
        }
        store<u8>(next + number, ahead(now, wait));
        if (missing == 0 ? wait > LONG : since + wait > FARTHEST_PLAN) {
          left = leave(left, number, missing == 0 ? LEFT_REST : LEFT_MISS);
        }
        continue;
      }
      const carefree = speed <= load<f64>(set + (zone << 3), SET_CAREFREE);
      if (own) wait = 1;
      else if ((traits & INEXACT) != 0) {
        wait = soonest(rounds, missed, updates, inWindow, gapAfterSend(strictest, traits, body), speed);
      } else if (updates > 1 || inWindow < missed || !carefree) {
        wait = soonest(rounds, missed, updates, inWindow, safe, speed);
      }
    }

    if (cell != strictest && !own) {
      const gap = gapAfterSend(cell, traits, body);
      const missed = load<i32>(cell, CELL_MISSED);
      const later = soonest(load<i32>(cell, CELL_ROUNDS), missed, updates, inWindow, gap, speed);
      const sector = <i32>((cell - strictest) / CELL);
      const nearer = among ? 1 : roundsToStricter(view, set, sector, dx, dy, dz, square, speed);
      wait = min(later, max(wait, nearer));
    }
    if (flights != 0 && !hasRoom(view)) {
      left = leave(left, number, LEFT_OTHER);
      continue;
    }
    if (budgeted && defers != RECORDS) {
      const apart = held > 0 ? apartOf(pair, tag, set, body, more, number) : 0;
      const far = among ? load<f64>(thread, THREAD_SQUARE) : square;
      press(view, row, number, cell, zone, cause, own, since, missing, apart, far, round);
      if (defers == DEFERS) {
        defer(view, row, number);
        decideSend(view, row++, body, cause, zone, 0);
        continue;
      }
    }
    const metric = load<i32>(set, SET_METRIC);
    const rough = (traits & INEXACT) == 0 ? 0 : ROUGH;
    if (flights != 0) depart(view, number, pair, slot, held, version, round, zone, cause, metric, body);
    else noteBase(pair, held);
    noteSend(pair, tag, metric, rough, version, round);
    v128.store(pair, v128.load(body, BODY_WIRE_X), PAIR_SAMPLE);
    if (more != 0) store<f64>(more + number * FURTHER, load<f64>(body, BODY_WIRE_Z), FURTHER_Z);
    store<u8>(next + number, ahead(now, wait));
    if (defers != RECORDS) {
      decideSend(view, row++, body, cause, zone, 0);
    }
    if (restsFor(traits, wait)) left = leave(left, number, LEFT_REST);
  }
  endLooks(view, row, list, left);
}

/** Square of the distance between an object and its picture; infinite where another metric took the sample. */
function apartOf(pair: usize, tag: i32, set: usize, body: usize, more: usize, number: i32): f64 {
  if (((tag >>> METRIC_SHIFT) & METRIC_MASK) != load<i32>(set, SET_METRIC)) return Infinity;
  return apartFromStill(pair, body, more, number);
}

/** Square of the distance between an object and its picture, which stays where it was sent. */
export function apartFromStill(pair: usize, body: usize, more: usize, number: i32): f64 {
  const dx = load<f64>(body, BODY_X) - load<f64>(pair, PAIR_SAMPLE);
  const dy = load<f64>(body, BODY_Y) - load<f64>(pair, PAIR_SAMPLE_Y);
  const dz = load<f64>(body, BODY_Z) - (more == 0 ? 0 : load<f64>(more + number * FURTHER, FURTHER_Z));
  return dx * dx + dy * dy + dz * dz;
}

/** How much farther an object may go from its picture in this cell, given how far it is, or else how far it can have come. */
function gapIn(cell: usize, apart: f64, way: f64): f64 {
  return apart == UNKNOWN ? load<f64>(cell, CELL_SAFE) - way : (load<f64>(cell, CELL_VALUE) - sqrt(apart)) / CAUTION;
}

function gapAfterSend(cell: usize, traits: i32, body: usize): f64 {
  return (traits & INEXACT) == 0 ? load<f64>(cell, CELL_SAFE) : load<f64>(cell, CELL_VALUE) / CAUTION - errorOf(body);
}
