/**
 * The hot loop for pictures that move on by themselves (`predicted`), at the velocity they were sent with or ever more slowly. It judges the listed pairs of a
 * plain view exactly as `GeneralJudge` does, and leaves rare cases to it. If the list is of ripe pairs, it sends them all.
 *
 * A sample is position and velocity as sent. Object and picture part by the difference of their velocities, and by how far the object drifts from its
 * own velocity. If the velocity changes, or the object drifts farther than before, the engine marks all its pairs.
 */

import {
  BODY,
  BODY_ID,
  BODY_SPEED,
  BODY_TRAITS,
  BODY_VERSION,
  BODY_WIRE_X,
  BODY_WIRE_Y,
  BODY_WIRE_Z,
  BODY_X,
  BODY_Y,
  BODY_Z,
  BUSY_SHIFT,
  CELL,
  CELL_MISSED,
  CELL_ROUNDS,
  CELL_VALUE,
  CELL_VALUE_SQUARE,
  DEFERS,
  ENGINE_BODIES,
  ENGINE_LAST_UPDATE,
  ENGINE_MOTIONS,
  ENGINE_OWNER,
  ENGINE_ROUND,
  ENGINE_ROUND_MS,
  FARTHEST_PLAN,
  FURTHER,
  FURTHER_VX,
  FURTHER_VY,
  FURTHER_VZ,
  FURTHER_Z,
  LEFT_LEAVE,
  LEFT_MISS,
  LEFT_OTHER,
  LEFT_REST,
  METRIC_MASK,
  METRIC_SHIFT,
  MOTION,
  MOTION_DRIFT,
  MOTION_MOVED_IN,
  MOTION_X,
  MOTION_Y,
  MOTION_Z,
  PAIR,
  PAIR_HELD,
  PAIR_LAST_SEND,
  PAIR_SAMPLE,
  PAIR_SAMPLE_Y,
  PAIR_TAG,
  RECORDS,
  ROUGH,
  SET,
  SET_CLOCK,
  SET_FADING,
  SET_MASK,
  SET_METRIC,
  SET_OWN,
  SET_SECTORS,
  SET_SHIFT,
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
  VIEW_FLIGHTS_MORE,
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
} from "../src/engine/memory/layout";
import { MADE, placeAmong } from "./among";
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
import { ahead, CAUTION, PATIENCE, planned, roundsInSector, soonest } from "./plan";
import { defer, loosenedCause, press, SHORT } from "./pressed";
import { roundsUnseen } from "./unseen";
import { CHANGE, CREATION, decide, errorOf, LEAVE, leave, REMOVAL, RIPE, SEQUENCE, TIME, VALUE, WAIT } from "./verdict";

export function judgeMoving(view: usize, list: usize, count: i32, thread: usize): void {
  const round = load<i32>(0, ENGINE_ROUND);
  const roundMs = load<f64>(0, ENGINE_ROUND_MS);
  const now = planned(round);
  const bodies = <usize>load<i32>(0, ENGINE_BODIES);
  const motions = <usize>load<i32>(0, ENGINE_MOTIONS);
  const owner = <usize>load<i32>(0, ENGINE_OWNER);
  const lastUpdate = <usize>load<i32>(0, ENGINE_LAST_UPDATE);
  const pairs = <usize>load<i32>(view, VIEW_PAIRS);
  const next = <usize>load<i32>(view, VIEW_NEXT);
  const more = <usize>load<i32>(view, VIEW_MORE);
  const leaves = load<i32>(view, VIEW_LEAVES) != 0;
  const flights = load<i32>(view, VIEW_FLIGHTS);
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
    const slot = tag & SLOT_MASK;
    const body = bodies + slot * BODY;
    const motion = motions + slot * MOTION;
    const sample = more + number * FURTHER;
    const index = (tag >>> SET_SHIFT) & SET_MASK;
    const set = sets + index * SET;
    const dx = load<f64>(body, BODY_X) - px;
    const dy = load<f64>(body, BODY_Y) - py;
    const dz = load<f64>(body, BODY_Z) - pz;
    let square = dx * dx + dy * dy + dz * dz;
    const version = load<i32>(body, BODY_VERSION);
    const traits = load<i32>(body, BODY_TRAITS);
    const missing = version - held;
    const since = round - load<i32>(pair, PAIR_LAST_SEND);
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
    const own = session != 0 && load<i32>(owner + (slot << 2)) == session && load<i32>(set, SET_OWN) != 0;
    // While the picture of an own object goes on after its last change, bounds decide. Whether it changes again must be seen at once.
    const hasChanged = own && missing != 0;
    const metric = load<i32>(set, SET_METRIC);
    const sampled = ((tag >>> METRIC_SHIFT) & METRIC_MASK) == metric;
    const elapsed = <f64>since * roundMs;
    const fading = 1 + elapsed / load<f64>(set, SET_FADING);
    const vx = load<f64>(sample, FURTHER_VX);
    const vy = load<f64>(sample, FURTHER_VY);
    const vz = load<f64>(sample, FURTHER_VZ);
    const goesOn = !sampled || vx != 0 || vy != 0 || vz != 0;
    // Time runs since the last send, or, under the other clock, since the first miss. A picture that goes on is off from the round after its send.
    const clock = load<i32>(set, SET_CLOCK);
    let late = since - clock;
    if (clock != 0 && !goesOn) late = roundsMissed(view, number, pair, slot, held, round, body);
    let apart = Infinity;
    let cause = WAIT;

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
    } else if (missing == 0 && !goesOn) {
      if (round - load<i32>(lastUpdate + (slot << 2)) >= PATIENCE) left = leave(left, number, LEFT_REST);
      else store<u8>(next + number, ahead(now, 1));
      continue;
    } else if (isRipe) cause = RIPE;
    else if (hasChanged) cause = CHANGE;
    else if (late >= load<i32>(cell, CELL_ROUNDS)) cause = TIME;
    else if (missing >= load<i32>(cell, CELL_MISSED)) cause = SEQUENCE;
    else {
      if (sampled) apart = apartFromMoving(pair, sample, body, elapsed / fading / 1000);
      const limit = load<f64>(cell, CELL_VALUE_SQUARE);
      if (limit != Infinity && apart >= limit) cause = VALUE;
    }
    if ((loosened || budgeted) && (cause == TIME || cause == SEQUENCE) && sampled) {
      apart = apartFromMoving(pair, sample, body, elapsed / fading / 1000);
    }
    const updates = (traits >>> UPDATES_SHIFT) & UPDATES;
    const windows = traits >>> BUSY_SHIFT;
    if (loosened && cause >= TIME && cause <= VALUE) {
      const stated = cause;
      cause = loosenedCause(view, number, cell, stated, late, missing, apart, round);
      if (cause == SHORT) {
        const pace = 1 / (fading * fading);
        const growth = growthOf(body, motion, set, vx * pace, vy * pace, vz * pace, roundMs);
        const value = sqrt(apart);
        let wait = roundsUnseen(view, number, cell, stated, late, missing, value, updates, windows, growth, round);
        if (own) wait = 1;
        if (wait > 1 && load<i32>(set, SET_SECTORS) > 1) {
          const sector = <i32>((cell - strictest) / CELL);
          const speed = <f64>load<f32>(body, BODY_SPEED);
          wait = among ? 1 : min(wait, roundsInSector(view, set, sector, dx, dy, dz, square, speed));
        }
        passOver(view, number, zone, stated, round, now, wait, thread);
        const noted = load<i32>(firstMiss + (number << 2));
        if (missing != 0 && since + wait > FARTHEST_PLAN && noted <= round - since)
          left = leave(left, number, LEFT_MISS);
        continue;
      }
    }

    const bound = load<f64>(strictest, CELL_VALUE);
    const rounds = load<i32>(strictest, CELL_ROUNDS);
    const missed = load<i32>(strictest, CELL_MISSED);
    if (cause == WAIT) {
      const pace = 1 / (fading * fading);
      const growth = bound == Infinity ? 0 : growthOf(body, motion, set, vx * pace, vy * pace, vz * pace, roundMs);
      const gap = bound == Infinity ? bound : (bound - sqrt(apart)) / CAUTION;
      const wait = own ? 1 : soonest(rounds - late, missed - missing, updates, windows, gap, growth);
      store<u8>(next + number, ahead(now, wait));
      if (missing != 0 && since + wait > FARTHEST_PLAN && load<i32>(firstMiss + (number << 2)) <= round - since)
        left = leave(left, number, LEFT_MISS);
      continue;
    }

    if (flights != 0 && !hasRoom(view)) {
      left = leave(left, number, LEFT_OTHER);
      continue;
    }
    const settles = load<i32>(motion, MOTION_MOVED_IN) != round;
    if (budgeted && defers != RECORDS) {
      const far = among ? load<f64>(thread, THREAD_SQUARE) : square;
      press(view, row, number, cell, zone, cause, hasChanged, late, missing, sqrt(apart), far, round);
      if (defers == DEFERS) {
        defer(view, row, number);
        decideSend(view, row++, body, cause, zone, <i32>settles);
        continue;
      }
    }
    const sentX = settles ? 0 : load<f64>(motion, MOTION_X);
    const sentY = settles ? 0 : load<f64>(motion, MOTION_Y);
    const sentZ = settles ? 0 : load<f64>(motion, MOTION_Z);
    if (flights != 0) {
      const flight = depart(view, number, pair, slot, held, version, round, zone, cause, metric, body);
      keepVelocity(<usize>load<i32>(view, VIEW_FLIGHTS_MORE) + flight * FURTHER, sentX, sentY, sentZ);
    } else noteBase(pair, held);
    noteSend(pair, tag, metric, ROUGH, version, round);
    store<f64>(pair, load<f64>(body, BODY_WIRE_X), PAIR_SAMPLE);
    store<f64>(pair, load<f64>(body, BODY_WIRE_Y), PAIR_SAMPLE_Y);
    store<f64>(sample, load<f64>(body, BODY_WIRE_Z), FURTHER_Z);
    keepVelocity(sample, sentX, sentY, sentZ);
    let wait = 1;
    if (!own) {
      const growth = bound == Infinity ? 0 : growthOf(body, motion, set, sentX, sentY, sentZ, roundMs);
      const gap = bound == Infinity ? bound : bound / CAUTION - errorOf(body);
      wait = soonest(rounds + clock, missed, updates, windows, gap, growth);
    }
    store<u8>(next + number, ahead(now, wait));
    if (defers != RECORDS) {
      decideSend(view, row++, body, cause, zone, <i32>settles);
    }
    const rests = sentX == 0 && sentY == 0 && sentZ == 0;
    if (rests && restsFor(traits, wait)) left = leave(left, number, LEFT_REST);
  }
  endLooks(view, row, list, left);
}

/** Square of the distance between an object and its picture, which has gone on for so long. */
export function apartFromMoving(pair: usize, sample: usize, body: usize, seconds: f64): f64 {
  const dx = load<f64>(body, BODY_X) - (load<f64>(pair, PAIR_SAMPLE) + load<f64>(sample, FURTHER_VX) * seconds);
  const dy = load<f64>(body, BODY_Y) - (load<f64>(pair, PAIR_SAMPLE_Y) + load<f64>(sample, FURTHER_VY) * seconds);
  const dz = load<f64>(body, BODY_Z) - (load<f64>(sample, FURTHER_Z) + load<f64>(sample, FURTHER_VZ) * seconds);
  return dx * dx + dy * dy + dz * dz;
}

function keepVelocity(sample: usize, x: f64, y: f64, z: f64): void {
  store<f64>(sample, x, FURTHER_VX);
  store<f64>(sample, y, FURTHER_VY);
  store<f64>(sample, z, FURTHER_VZ);
}

/**
 * The most by which an object and its picture, whose velocity this is now, part in a round: by the difference of their velocities, which is
 * largest now or once the picture has faded, and what the object drifts; and by no more than both together move.
 */
function growthOf(body: usize, motion: usize, set: usize, vx: f64, vy: f64, vz: f64, roundMs: f64): f64 {
  const x = load<f64>(motion, MOTION_X);
  const y = load<f64>(motion, MOTION_Y);
  const z = load<f64>(motion, MOTION_Z);
  let parting = lengthSquare(x - vx, y - vy, z - vz);
  if (load<f64>(set, SET_FADING) != Infinity) parting = max(parting, lengthSquare(x, y, z));
  const seconds = roundMs / 1000;
  return min(
    <f64>load<f32>(motion, MOTION_DRIFT) + sqrt(parting) * seconds,
    <f64>load<f32>(body, BODY_SPEED) + sqrt(lengthSquare(vx, vy, vz)) * seconds,
  );
}

function lengthSquare(x: f64, y: f64, z: f64): f64 {
  return x * x + y * y + z * z;
}
