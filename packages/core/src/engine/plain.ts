/**
 * The hot loop: judges the pairs of a view that is plain — one pivot, round zones, `displacement`, the `refresh` clock, nothing loosened,
 * hidden, demanded or paused — which is what most views are. Decides exactly as `GeneralJudge`, to which it leaves whatever is rare:
 * objects without a place, creations and departures.
 *
 * All state it touches is hoisted into locals, a pair is one line of memory and an object another, and the pairs come in the order in which
 * they lie in memory.
 */

import { Cause, DecisionKind } from "../model.ts";
import { GAP, INTS, Int, REALS, Real, SPATIAL, UPDATES, UPDATES_SHIFT } from "./bodies.ts";
import type { EngineView } from "./engine-view.ts";
import type { GeneralJudge } from "./general.ts";
import { HOT, Hot, INLINE, MORE } from "./pair-pages.ts";
import {
  ABSENT,
  CYCLE,
  FARTHEST_PLAN,
  METRIC_MASK,
  METRIC_SHIFT,
  planByte,
  SET_MASK,
  SET_SHIFT,
  SLOT_MASK,
  UNSAMPLED,
} from "./pair-table.ts";
import type { Sends } from "./sends.ts";
import type { Shared } from "./shared.ts";
import { CELLS, NEVER, SECTORS, type Thresholds, ZONES } from "./thresholds.ts";

const CAUTION = 1 + 1e-9;
/** Pairs whose memory fits the nearest cache, with that of their objects. */
const BATCH = 128;

export class PlainJudge {
  readonly #shared: Shared;
  readonly #sends: Sends;
  readonly #general: GeneralJudge;
  readonly #tags = new Int32Array(BATCH);

  constructor(shared: Shared, sends: Sends, general: GeneralJudge) {
    this.#shared = shared;
    this.#sends = sends;
    this.#general = general;
  }

  /** Judges the first `count` of `due`, some at a time. */
  judge(view: EngineView, thresholds: Thresholds, due: Int32Array, count: number, round: number): void {
    view.decisions.reserve(count);
    for (let from = 0; from < count; from += BATCH) {
      const to = Math.min(count, from + BATCH);
      this.#touch(view, due, from, to);
      this.#judge(view, thresholds, due, from, to, round);
    }
  }

  /** Reads a line of each pair and then of each object: loads that do not wait for one another, so that all are under way at once. */
  #touch({ pairs }: EngineView, due: Int32Array, from: number, to: number): void {
    const { hot } = pairs.page;
    const bodyInts = this.#shared.bodies.ints;
    const tags = this.#tags;
    for (let i = from; i < to; i++) tags[i - from] = hot[due[i]! * HOT]!;
    let sum = 0;
    for (let i = 0; i < to - from; i++) sum += bodyInts[(tags[i]! & SLOT_MASK) * INTS + Int.version]!;
    tags[0] = sum;
  }

  #judge(view: EngineView, thresholds: Thresholds, due: Int32Array, from: number, to: number, round: number): void {
    const { pairs, decisions, session, flights } = view;
    const { start, isDeep, page } = pairs;
    const { hot, next, sample: samples, more } = page;
    const { bodies, observers } = this.#shared;
    const { reals, ints, floats, owner } = bodies;
    const { edges, enter, stay, rounds, missed, value, valueSquare, metric, bite, carefree, sectors, cosines } =
      thresholds;
    const { x: px, y: py, z: pz, dirX, dirY, dirZ } = view.placed[0]!;
    const directed = dirX !== 0 || dirY !== 0 || dirZ !== 0;
    const hasRemovals = view.removals.size > 0;
    const { ids, kinds, causes, zones, settled } = decisions;
    const now = planByte(round);

    for (let i = from; i < to; i++) {
      const at = due[i]!;
      const pair = at * HOT;
      const tag = hot[pair + Hot.tag]!;
      const held = hot[pair + Hot.held]!;
      const slot = tag & SLOT_MASK;
      const set = (tag >>> SET_SHIFT) & SET_MASK;
      const real = slot * REALS;
      const int = slot * INTS;
      const traits = ints[int + Int.traits]!;
      const x = reals[real + Real.x]!;
      const y = reals[real + Real.y]!;
      const z = reals[real + Real.z]!;
      const dx = x - px;
      const dy = y - py;
      const dz = z - pz;
      const square = dx * dx + dy * dy + dz * dz;
      if ((traits & SPATIAL) === 0 || (held === ABSENT && square > enter[set]!)) {
        this.#general.judge(view, at - start, round);
        continue;
      }
      if (square > stay[set]!) {
        this.#sends.leave(view, at - start);
        if (!view.wide) this.#sends.release(view, at - start);
        else next[at] = 0;
        continue;
      }
      const version = ints[int + Int.version]!;
      if (held === version) {
        next[at] = 0;
        observers.rest(slot, view.id, at - start, pairs);
        continue;
      }
      let zone = 0;
      while (square > edges[set * ZONES + zone]!) zone++;
      const strictest = set * CELLS + zone * SECTORS;
      let cell = strictest;
      if (directed && sectors[set]! > 1 && square > 0) {
        const along = dx * dirX + dy * dirY + dz * dirZ;
        const distance = Math.sqrt(square);
        let cosine = set * SECTORS;
        while (along < distance * cosines[cosine]!) {
          cosine++;
          cell++;
        }
      }
      const since = round - hot[pair + Hot.lastSend]!;
      const own = session !== 0 && owner[slot] === session;
      let cause: Cause;
      if (held <= 0) cause = Cause.creation;
      else if (own) cause = Cause.change;
      else if (since >= rounds[cell]!) cause = Cause.time;
      else if (version - held >= missed[cell]!) cause = Cause.sequence;
      else {
        const mx = x - samples[at * INLINE]!;
        const my = y - samples[at * INLINE + 1]!;
        const mz = isDeep ? z - more[at * MORE]! : z;
        const apart = mx * mx + my * my + mz * mz;
        const limit = valueSquare[cell]!;
        const sampled = ((tag >>> METRIC_SHIFT) & METRIC_MASK) === metric[set];
        if (limit === Number.POSITIVE_INFINITY || (sampled && apart < limit)) {
          const left = value[strictest]! - (sampled ? Math.sqrt(apart) : Number.POSITIVE_INFINITY);
          const cap = (traits >>> UPDATES_SHIFT) & UPDATES;
          const rest = biteOf(rounds[strictest]! - since, missed[strictest]! - version + held, cap);
          this.#planUnsent(view, at, value[strictest]!, left, rest, floats[int + Int.speed]!, round);
          continue;
        }
        cause = Cause.value;
      }

      const wireX = reals[real + Real.wireX]!;
      const wireY = reals[real + Real.wireY]!;
      if (flights === undefined) hot[pair + Hot.base] = Math.max(held, 0);
      else if (held > 0) flights.missSince(at - start, this.#sends.firstMiss(view, at - start));
      if (((tag >>> METRIC_SHIFT) & METRIC_MASK) !== metric[set])
        hot[pair + Hot.tag] = (tag & UNSAMPLED) | (metric[set]! << METRIC_SHIFT);
      hot[pair + Hot.held] = version;
      hot[pair + Hot.lastSend] = round;
      samples[at * INLINE] = wireX;
      samples[at * INLINE + 1] = wireY;
      if (isDeep) more[at * MORE] = reals[real + Real.wireZ]!;
      if (flights !== undefined) flights.depart(at - start, zone, cause);
      if (hasRemovals) this.#sends.forgetRemoval(view, slot);
      const row = decisions.count++;
      ids[row] = ints[int + Int.id]!;
      kinds[row] = held > 0 ? DecisionKind.update : DecisionKind.create;
      causes[row] = cause;
      zones[row] = zone;
      settled[row] = 0;

      let wait = own ? 1 : bite[set * ZONES + zone]!;
      if (floats[int + Int.speed]! > carefree[set * ZONES + zone]! || ((traits >>> UPDATES_SHIFT) & UPDATES) > 1) {
        const cap = (traits >>> UPDATES_SHIFT) & UPDATES;
        wait = Math.min(wait, biteOf(rounds[strictest]!, missed[strictest]!, cap));
        if (value[strictest]! !== Number.POSITIVE_INFINITY) {
          const ex = x - wireX;
          const ey = y - wireY;
          const ez = z - reals[real + Real.wireZ]!;
          const left = value[strictest]! - Math.sqrt(ex * ex + ey * ey + ez * ez);
          wait = roundsToCover(left, floats[int + Int.speed]!, wait);
        }
        if (wait < 1) wait = 1;
      }
      if (wait < (traits & GAP)) {
        next[at] = 0;
        observers.rest(slot, view.id, at - start, pairs);
      } else next[at] = now + wait > CYCLE ? now + wait - CYCLE : now + wait;
    }
  }

  #planUnsent(
    view: EngineView,
    at: number,
    bound: number,
    left: number,
    rest: number,
    speed: number,
    round: number,
  ): void {
    const { pairs } = view;
    const { next } = pairs.page;
    const pair = at - pairs.start;
    if (pairs.firstMissOf(pair) < 0) pairs.setFirstMiss(pair, this.#sends.firstMiss(view, pair));
    let wait = rest;
    if (bound !== Number.POSITIVE_INFINITY) wait = roundsToCover(left, speed, wait);
    if (wait >= NEVER / 2) next[at] = 0;
    else next[at] = planByte(round + Math.max(1, Math.min(wait, FARTHEST_PLAN)));
  }
}

function biteOf(rounds: number, updates: number, cap: number): number {
  return Math.min(rounds, cap > 1 ? Math.ceil(updates / cap) : updates);
}

/** Rounds until a gap can have been covered, at most `most`. */
function roundsToCover(gap: number, speed: number, most: number): number {
  if (!(gap > 0)) return 0;
  return speed === 0 ? most : Math.min(most, Math.floor(gap / (speed * CAUTION)));
}
