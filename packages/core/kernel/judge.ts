/**
 * The hot loop: judges the pairs of a view that is plain — one pivot, round zones, `displacement`, the `refresh` clock, nothing budgeted,
 * loosened, hidden, demanded or paused — which is what most views are. Decides exactly as `GeneralJudge`, to which it leaves whatever is
 * rare, in a list that the engine works off.
 */

import {
  ABSENT,
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
  BUSY,
  BUSY_SHIFT,
  CELL,
  CELL_MISSED,
  CELL_ROUNDS,
  CELL_SAFE,
  CELL_VALUE,
  CELL_VALUE_SQUARE,
  CYCLE,
  ENGINE_BODIES,
  ENGINE_LAST_UPDATE,
  ENGINE_OWNER,
  ENGINE_ROUND,
  FARTHEST_PLAN,
  FREE,
  GAP,
  INEXACT,
  LEFT_LEAVE,
  LEFT_MISS,
  LEFT_OTHER,
  LEFT_REST,
  LEFT_SHIFT,
  METRIC_MASK,
  METRIC_SHIFT,
  MORE,
  PAIR,
  PAIR_BASE,
  PAIR_HELD,
  PAIR_LAST_SEND,
  PAIR_SAMPLE,
  PAIR_TAG,
  REMEMBERED,
  ROUGH,
  SECTORS,
  SET,
  SET_BITE,
  SET_CAREFREE,
  SET_CELLS,
  SET_COSINES,
  SET_EDGES,
  SET_ENTER,
  SET_MASK,
  SET_METRIC,
  SET_SECTORS,
  SET_SHIFT,
  SET_STAY,
  SLOT_MASK,
  SPATIAL,
  UNSAMPLED,
  UPDATES,
  UPDATES_SHIFT,
  VIEW_CAUSES,
  VIEW_DECIDED,
  VIEW_DIR_X,
  VIEW_DIR_Y,
  VIEW_DIR_Z,
  VIEW_FLIGHTS,
  VIEW_HIGH,
  VIEW_IDS,
  VIEW_KINDS,
  VIEW_LEAVES,
  VIEW_LEFT,
  VIEW_LEFT_COUNT,
  VIEW_LOOKS,
  VIEW_MORE,
  VIEW_NEXT,
  VIEW_PAIRS,
  VIEW_SESSION,
  VIEW_SETS,
  VIEW_SETTLED,
  VIEW_SWEEPS,
  VIEW_X,
  VIEW_Y,
  VIEW_Z,
  VIEW_ZONES,
  WINDOW,
} from "../src/engine/layout";
import { depart, hasRoom, touchFlights } from "./flights";
import { planned } from "./numbers";
import { free } from "./pairs";

/** Quotients are rounded; plans are made this much on the safe side. */
const CAUTION: f64 = 1 + 1e-9;
/** To look at an equal pair that many times costs about as much as to have it rest and be woken. */
const PATIENCE = 16;
/** An equal pair that cannot be due for so many rounds rests, so that it costs nothing if its object does too. */
const LONG = 64;

// `DecisionKind` and `Cause`, as numbers.
const CREATE = 0;
const UPDATE = 1;
const LEAVE = 2;
const CREATION = 0;
const TIME = 1;
const SEQUENCE = 2;
const VALUE = 3;
const CHANGE = 4;
const REMOVAL = 6;
/** Not sent. */
const WAIT = -1;

/** Works on some views of a batch. */
export function judgeSome(batch: usize, from: i32, to: i32): void {
  for (let at = batch + ((<usize>from) << 2); at < batch + ((<usize>to) << 2); at += 4) judge(<usize>load<i32>(at));
}

/** Judges what is due of a view, or all of it. */
function judge(view: usize): void {
  const list = <usize>load<i32>(view, VIEW_LEFT);
  const count = load<i32>(view, VIEW_SWEEPS) == 0 ? gatherDue(view, list) : gatherAll(view, list);
  store<i32>(view, count, VIEW_LOOKS);
  judgeListed(view, list, count);
}

/** Lists the pairs that are planned for this round. */
function gatherDue(view: usize, list: usize): i32 {
  const next = <usize>load<i32>(view, VIEW_NEXT);
  const high = load<i32>(view, VIEW_HIGH);
  const byte = i8x16.splat(<i8>planned(load<i32>(0, ENGINE_ROUND)));
  let to = list;
  for (let first = 0; first < high; first += 16) {
    let due = i8x16.bitmask(i8x16.eq(v128.load(next + first), byte));
    while (due != 0) {
      store<i32>(to, first + ctz(due));
      to += 4;
      due &= due - 1;
    }
  }
  touch(view, list, to);
  return <i32>((to - list) >> 2);
}

function gatherAll(view: usize, list: usize): i32 {
  const pairs = <usize>load<i32>(view, VIEW_PAIRS);
  const high = load<i32>(view, VIEW_HIGH);
  let to = list;
  for (let pair = 0; pair < high; pair++) {
    store<i32>(to, pair);
    to += (<usize>(load<i32>(pairs + pair * PAIR, PAIR_TAG) != FREE)) << 2;
  }
  return <i32>((to - list) >> 2);
}

/** Reads of each pair, and then of each object: loads that do not wait for one another, so that all are under way at once. */
function touch(view: usize, list: usize, end: usize): void {
  const pairs = <usize>load<i32>(view, VIEW_PAIRS);
  const bodies = <usize>load<i32>(0, ENGINE_BODIES);
  let sum = 0;
  for (let at = list; at < end; at += 4) sum += load<i32>(pairs + load<i32>(at) * PAIR, PAIR_TAG);
  for (let at = list; at < end; at += 4) {
    sum += load<i32>(bodies + (load<i32>(pairs + load<i32>(at) * PAIR, PAIR_TAG) & SLOT_MASK) * BODY, BODY_VERSION);
  }
  if (load<i32>(view, VIEW_FLIGHTS) != 0) sum += touchFlights(view, list, end);
  store<i32>(view, sum, VIEW_LOOKS);
}

function judgeListed(view: usize, list: usize, count: i32): void {
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
  const px = load<f64>(view, VIEW_X);
  const py = load<f64>(view, VIEW_Y);
  const pz = load<f64>(view, VIEW_Z);
  const dirX = load<f64>(view, VIEW_DIR_X);
  const dirY = load<f64>(view, VIEW_DIR_Y);
  const dirZ = load<f64>(view, VIEW_DIR_Z);
  const directed = dirX != 0 || dirY != 0 || dirZ != 0;
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
    const set = sets + ((tag >>> SET_SHIFT) & SET_MASK) * SET;
    const dx = load<f64>(body, BODY_X) - px;
    const dy = load<f64>(body, BODY_Y) - py;
    const dz = load<f64>(body, BODY_Z) - pz;
    const square = dx * dx + dy * dy + dz * dz;
    const version = load<i32>(body, BODY_VERSION);
    const traits = load<i32>(body, BODY_TRAITS);
    const speed = <f64>load<f32>(body, BODY_SPEED);
    const missing = version - held;
    const since = round - lastSend;
    // Which zone cannot be foreseen, so the first three are told apart without a branch.
    let zone =
      <i32>(square > load<f64>(set, SET_EDGES)) +
      <i32>(square > load<f64>(set, SET_EDGES + 8)) +
      <i32>(square > load<f64>(set, SET_EDGES + 16));
    if (zone == 3) while (square > load<f64>(set + (zone << 3), SET_EDGES)) zone++;
    const strictest = set + SET_CELLS + zone * (SECTORS * CELL);
    let cell = strictest;
    if (directed && load<i32>(set, SET_SECTORS) > 1 && square > 0) {
      const along = dx * dirX + dy * dirY + dz * dirZ;
      const distance = sqrt(square);
      for (let sector = set; along < distance * load<f64>(sector, SET_COSINES); sector += 8) cell += CELL;
    }
    const own = session != 0 && load<i32>(owner + (slot << 2)) == session;
    const rounds = load<i32>(strictest, CELL_ROUNDS);
    const missed = load<i32>(strictest, CELL_MISSED);
    const safe = load<f64>(strictest, CELL_SAFE);
    const way = speed * <f64>since;
    const foreseeable = !own && !(safe != Infinity && ((tag & ROUGH) != 0 || since > REMEMBERED));
    let gap = safe - way;
    let cause = WAIT;

    if ((traits & SPATIAL) == 0) {
      left = leave(left, number, LEFT_OTHER);
      continue;
    }
    if (held == ABSENT) {
      if (square > load<f64>(set, SET_ENTER)) {
        left = leave(left, number, LEFT_OTHER);
        continue;
      }
      cause = CREATION;
    } else if (square > load<f64>(set, SET_STAY)) {
      if (leaves) {
        decide(view, row++, load<i32>(body, BODY_ID), LEAVE, REMOVAL, 0);
        free(view, number);
      } else {
        left = leave(left, number, LEFT_LEAVE);
      }
      continue;
    } else if (held < 0) cause = CREATION;
    else if (missing == 0) {
      // A tag below 0 is listed: the pair rests already.
      if (tag < 0 || !foreseeable || since + 1 >= rounds || missed <= 1) {
        if (round - load<i32>(lastUpdate + (slot << 2)) >= PATIENCE) {
          left = leave(left, number, LEFT_REST);
        } else store<u8>(next + number, now == CYCLE ? 1 : now + 1);
        continue;
      }
    } else if (own) cause = CHANGE;
    else if (since >= load<i32>(cell, CELL_ROUNDS)) cause = TIME;
    else if (missing >= load<i32>(cell, CELL_MISSED)) cause = SEQUENCE;
    else if (!foreseeable || !(way < load<f64>(cell, CELL_SAFE))) {
      let apart = Infinity;
      if (((tag >>> METRIC_SHIFT) & METRIC_MASK) == load<i32>(set, SET_METRIC)) {
        const awayX = load<f64>(body, BODY_X) - load<f64>(pair, PAIR_SAMPLE);
        const awayY = load<f64>(body, BODY_Y) - load<f64>(pair, PAIR_SAMPLE + 8);
        const awayZ = load<f64>(body, BODY_Z) - (more == 0 ? 0 : load<f64>(more + number * (MORE * 8)));
        apart = awayX * awayX + awayY * awayY + awayZ * awayZ;
      }
      const limit = load<f64>(cell, CELL_VALUE_SQUARE);
      if (limit != Infinity && apart >= limit) cause = VALUE;
      else gap = (load<f64>(strictest, CELL_VALUE) - sqrt(apart)) / CAUTION;
    }

    const updates = (traits >>> UPDATES_SHIFT) & UPDATES;
    const inWindow = updates * ((traits >>> BUSY_SHIFT) & BUSY);
    const byZone = set + (zone << 2);
    if (cause == WAIT) {
      const wait = own ? 1 : soonest(rounds - since, missed - missing, updates, inWindow, gap, speed);
      store<u8>(next + number, ahead(now, wait));
      if (missing == 0 ? wait > LONG : since + wait > FARTHEST_PLAN) {
        left = leave(left, number, missing == 0 ? LEFT_REST : LEFT_MISS);
      }
      continue;
    }

    if (flights != 0 && !hasRoom(view)) {
      left = leave(left, number, LEFT_OTHER);
      continue;
    }
    const rough = (traits & INEXACT) == 0 ? 0 : ROUGH;
    let wait = own ? 1 : load<i32>(byZone, SET_BITE);
    if (
      !own &&
      (rough != 0 || updates > 1 || inWindow < missed || speed > load<f64>(set + (zone << 3), SET_CAREFREE))
    ) {
      if (rough != 0) gap = load<f64>(strictest, CELL_VALUE) / CAUTION - errorOf(body);
      else gap = safe;
      wait = soonest(rounds, missed, updates, inWindow, gap, speed);
    }
    const metric = load<i32>(set, SET_METRIC);
    if (flights != 0) depart(view, number, pair, slot, held, version, round, zone, cause, metric, body);
    else store<i32>(pair, max(held, 0), PAIR_BASE);
    store<i32>(pair, (tag & UNSAMPLED) | (metric << METRIC_SHIFT) | rough, PAIR_TAG);
    store<i32>(pair, version, PAIR_HELD);
    store<i32>(pair, round, PAIR_LAST_SEND);
    store<f64>(pair, load<f64>(body, BODY_WIRE_X), PAIR_SAMPLE);
    store<f64>(pair, load<f64>(body, BODY_WIRE_Y), PAIR_SAMPLE + 8);
    if (more != 0) store<f64>(more + number * (MORE * 8), load<f64>(body, BODY_WIRE_Z));
    store<u8>(next + number, ahead(now, wait));
    decide(view, row++, load<i32>(body, BODY_ID), cause == CREATION ? CREATE : UPDATE, cause, zone);
    const between = traits & GAP;
    if (between == GAP || wait * PATIENCE < between) {
      left = leave(left, number, LEFT_REST);
    }
  }
  store<i32>(view, <i32>row, VIEW_DECIDED);
  store<i32>(view, <i32>((left - list) >> 2), VIEW_LEFT_COUNT);
}

/** Lists a pair for the engine to see to; returns where the list goes on. */
function leave(left: usize, number: i32, what: i32): usize {
  store<i32>(left, number | (what << LEFT_SHIFT));
  return left + 4;
}

function decide(view: usize, row: usize, id: i32, kind: i32, cause: i32, zone: i32): void {
  store<i32>(<usize>load<i32>(view, VIEW_IDS) + (row << 2), id);
  store<u8>(<usize>load<i32>(view, VIEW_KINDS) + row, kind);
  store<u8>(<usize>load<i32>(view, VIEW_CAUSES) + row, cause);
  store<u8>(<usize>load<i32>(view, VIEW_ZONES) + row, zone);
  store<u8>(<usize>load<i32>(view, VIEW_SETTLED) + row, 0);
}

/** Rounds until a pair can be due: by time, by missed updates, and by covering a distance. */
function soonest(byTime: i32, updatesLeft: i32, updates: i32, inWindow: i32, gap: f64, speed: f64): i32 {
  let wait = min(byTime, FARTHEST_PLAN);
  if (updates > 1) wait = min(wait, updates == UPDATES ? 1 : updatesLeft / updates);
  else if (updatesLeft <= inWindow) wait = min(wait, updatesLeft);
  else if (updatesLeft < FARTHEST_PLAN) wait = min(wait, ((updatesLeft - 1) / inWindow) * WINDOW + 1);
  // No quotient where it is certain to be the greater. What is not a number comes out as 1.
  if (!(gap > speed * <f64>wait)) wait = gap > 0 ? <i32>(gap / speed) : 1;
  return max(wait, 1);
}

function ahead(now: i32, wait: i32): i32 {
  return now + wait > CYCLE ? now + wait - CYCLE : now + wait;
}

/** How far the wire form is from the primary. */
function errorOf(body: usize): f64 {
  const dx = load<f64>(body, BODY_X) - load<f64>(body, BODY_WIRE_X);
  const dy = load<f64>(body, BODY_Y) - load<f64>(body, BODY_WIRE_Y);
  const dz = load<f64>(body, BODY_Z) - load<f64>(body, BODY_WIRE_Z);
  return sqrt(dx * dx + dy * dy + dz * dz);
}
