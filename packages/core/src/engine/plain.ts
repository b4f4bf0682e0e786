/**
 * The hot loop: judges the pairs of a view that is plain — one pivot, round zones, `displacement`, the `refresh` clock, nothing budgeted,
 * loosened, hidden, demanded or paused — which is what most views are. Decides exactly as `GeneralJudge`, to which it leaves whatever is
 * rare.
 *
 * A batch of pairs goes through passes: `classify` finds out what is to be done with each, `weigh` where that takes a look at its value,
 * `apply` does it for those that are sent or wait, `finish` does the rest. The first three call nothing, so that all they need stays in registers; a loop that calls must load
 * everything anew after each call, and took twice as long.
 */

import type { ObjectId } from "../ids.ts";
import { Cause, DecisionKind } from "../model.ts";
import { BUSY, BUSY_SHIFT, GAP, INEXACT, INTS, Int, REALS, Real, SPATIAL, UPDATES, UPDATES_SHIFT } from "./bodies.ts";
import type { EngineView } from "./engine-view.ts";
import type { GeneralJudge } from "./general.ts";
import { REMEMBERED } from "./motion.ts";
import { HOT, Hot, INLINE, MORE } from "./pair-pages.ts";
import {
  ABSENT,
  CYCLE,
  FARTHEST_PLAN,
  METRIC_MASK,
  METRIC_SHIFT,
  planByte,
  ROUGH,
  SET_MASK,
  SET_SHIFT,
  SLOT_MASK,
  UNSAMPLED,
} from "./pair-table.ts";
import type { Sends } from "./sends.ts";
import type { Shared } from "./shared.ts";
import { CELLS, NEVER, SECTORS, type Thresholds, ZONES } from "./thresholds.ts";
import { WINDOW } from "./update-caps.ts";

const CAUTION = 1 + 1e-9;
/** Pairs whose memory fits the nearest cache, with that of their objects. */
const BATCH = 128;
/** To look at an equal pair that many times costs about as much as to have it rest and be woken. */
const PATIENCE = 16;
/** An equal pair that cannot be due for so many rounds rests, so that it costs nothing if its object does too. */
const LONG = 64;

// An import is looked up at every use; a constant of the module itself compiles to a number. The loops took a third longer without these.
const { tag: TAG, held: HELD, lastSend: LAST_SEND, base: BASE } = Hot;
const { x: X, y: Y, z: Z, wireX: WIRE_X, wireY: WIRE_Y, wireZ: WIRE_Z } = Real;
const { version: VERSION, id: ID, traits: TRAITS, speed: SPEED } = Int;
const { creation: CREATION, time: TIME, sequence: SEQUENCE, value: VALUE, change: CHANGE, removal: REMOVAL } = Cause;
const { create: CREATE, update: UPDATE } = DecisionKind;
const PAIR = HOT;
const SAMPLE = INLINE;
const MORE_SIZE = MORE;
const REAL = REALS;
const INT = INTS;
const ZONE = ZONES;
const SECTOR = SECTORS;
const CELL = CELLS;
const SLOT = SLOT_MASK;
const SET = SET_MASK;
const TO_SET = SET_SHIFT;
const TO_METRIC = METRIC_SHIFT;
const METRIC_BITS = METRIC_MASK;
const KEPT = UNSAMPLED;
const ROUGH_BIT = ROUGH;
const NOT_HELD = ABSENT;
const GAP_BITS = GAP;
const INEXACT_BIT = INEXACT;
const SPATIAL_BIT = SPATIAL;
const TO_UPDATES = UPDATES_SHIFT;
const UPDATE_BITS = UPDATES;
const TO_BUSY = BUSY_SHIFT;
const BUSY_BITS = BUSY;
const FULL_WINDOW = WINDOW;
const PAST = REMEMBERED;
const BYTES = CYCLE;
const FARTHEST = FARTHEST_PLAN;
const FOREVER = NEVER;

/** What is to be done with a pair: send it, for a cause of `Cause`, or one of these. */
const Code = { wait: 15, rest: 16, value: 17, leave: 18, other: 19 } as const;
/** What is left to be done with a pair that was sent, or that waits. */
const After = { nothing: 0, rest: 1, plan: 2, note: 3 } as const;

export class PlainJudge {
  readonly #shared: Shared;
  readonly #sends: Sends;
  readonly #general: GeneralJudge;
  /** Scratch, by place in the batch. */
  readonly #tags = new Int32Array(BATCH);
  readonly #codes = new Uint8Array(BATCH);
  readonly #after = new Uint8Array(BATCH);
  readonly #zones = new Uint8Array(BATCH);
  readonly #cells = new Int32Array(BATCH);
  /** How much farther an object may go before its value can make it due. */
  readonly #lefts = new Float64Array(BATCH);

  constructor(shared: Shared, sends: Sends, general: GeneralJudge) {
    this.#shared = shared;
    this.#sends = sends;
    this.#general = general;
  }

  /** Judges the first `count` of `due`, which say where in their page the pairs lie. */
  judge(view: EngineView, thresholds: Thresholds, due: Int32Array, count: number, round: number): void {
    view.decisions.reserve(count);
    for (let from = 0; from < count; from += BATCH) {
      const to = Math.min(count, from + BATCH);
      if (!view.sweeps) this.#touch(view, due, from, to);
      if (this.#classify(view, thresholds, due, from, to, round)) this.#weigh(view, thresholds, due, from, to);
      if (view.flights !== undefined) this.#noteMisses(view, due, from, to);
      const sent = view.decisions.count;
      this.#apply(view, thresholds, due, from, to, round);
      if (view.flights !== undefined) this.#depart(view, due, from, to);
      if (view.removals.size > 0 && view.decisions.count > sent) this.#forgetRemovals(view, sent);
      this.#finish(view, thresholds, due, from, to, round);
    }
  }

  /** Reads a line of each pair and then of each object: loads that do not wait for one another, so that all are under way at once. */
  #touch({ pairs }: EngineView, due: Int32Array, from: number, to: number): void {
    const { hot, sample } = pairs.page;
    const { ints } = this.#shared.bodies;
    const tags = this.#tags;
    for (let i = from; i < to; i++) tags[i - from] = hot[due[i]! * PAIR]!;
    let sum = 0;
    for (let i = from; i < to; i++) sum += sample[due[i]! * SAMPLE]!;
    for (let i = 0; i < to - from; i++) sum += ints[(tags[i]! & SLOT) * INT + VERSION]!;
    this.#cells[0] = sum;
  }

  /** Returns whether some pair's value must be looked at. */
  #classify(
    view: EngineView,
    thresholds: Thresholds,
    due: Int32Array,
    from: number,
    to: number,
    round: number,
  ): boolean {
    const { hot } = view.pairs.page;
    const { reals, ints, floats, owner } = this.#shared.bodies;
    const { session } = view;
    const { edges, enter, stay, rounds, missed, safe, sectors, cosines } = thresholds;
    const { x: px, y: py, z: pz, dirX, dirY, dirZ } = view.placed[0]!;
    const directed = dirX !== 0 || dirY !== 0 || dirZ !== 0;
    const codes = this.#codes;
    const zones = this.#zones;
    const cells = this.#cells;
    const lefts = this.#lefts;
    let someValue = 0;
    for (let i = from; i < to; i++) {
      const pair = due[i]! * PAIR;
      const tag = hot[pair + TAG]!;
      const held = hot[pair + HELD]!;
      const slot = tag & SLOT;
      const set = (tag >>> TO_SET) & SET;
      const dx = reals[slot * REAL + X]! - px;
      const dy = reals[slot * REAL + Y]! - py;
      const dz = reals[slot * REAL + Z]! - pz;
      const square = dx * dx + dy * dy + dz * dz;
      const missing = ints[slot * INT + VERSION]! - held;
      const since = round - hot[pair + LAST_SEND]!;
      // Which zone cannot be foreseen, so the first three are told apart without a branch.
      const first = set * ZONE;
      let zone =
        (square > edges[first]! ? 1 : 0) + (square > edges[first + 1]! ? 1 : 0) + (square > edges[first + 2]! ? 1 : 0);
      if (zone === 3) while (square > edges[first + zone]!) zone++;
      const strictest = set * CELL + zone * SECTOR;
      let cell = strictest;
      if (directed && sectors[set]! > 1 && square > 0) {
        const along = dx * dirX + dy * dirY + dz * dirZ;
        const distance = Math.sqrt(square);
        for (let cosine = set * SECTOR; along < distance * cosines[cosine]!; cosine++) cell++;
      }
      const own = session !== 0 && owner[slot] === session;
      const way = floats[slot * INT + SPEED]! * since;
      const bounded = safe[strictest] !== Number.POSITIVE_INFINITY;
      const foreseeable = !own && !(bounded && ((tag & ROUGH_BIT) !== 0 || since > PAST));
      // A tag below 0 is listed: the pair rests already.
      let code: number;
      if ((ints[slot * INT + TRAITS]! & SPATIAL_BIT) === 0) code = Code.other;
      else if (held === NOT_HELD) code = square > enter[set]! ? Code.other : CREATION;
      else if (square > stay[set]!) code = Code.leave;
      else if (held < 0) code = CREATION;
      else if (missing === 0)
        code =
          tag >= 0 && foreseeable && since + 1 < rounds[strictest]! && missed[strictest]! > 1 ? Code.wait : Code.rest;
      else if (own) code = CHANGE;
      else if (since >= rounds[cell]!) code = TIME;
      else if (missing >= missed[cell]!) code = SEQUENCE;
      else code = foreseeable && way < safe[cell]! ? Code.wait : Code.value;
      if (code === Code.value) someValue = 1;
      codes[i - from] = code;
      zones[i - from] = zone;
      cells[i - from] = cell;
      lefts[i - from] = safe[strictest]! - way;
    }
    return someValue === 1;
  }

  /** Neither time nor updates make these pairs due; their value may, or is at least known for planning. */
  #weigh(view: EngineView, thresholds: Thresholds, due: Int32Array, from: number, to: number): void {
    const { hot, sample, more } = view.pairs.page;
    const { isDeep } = view.pairs;
    const { reals } = this.#shared.bodies;
    const { value, valueSquare, metric } = thresholds;
    const codes = this.#codes;
    const cells = this.#cells;
    const lefts = this.#lefts;
    for (let i = from; i < to; i++) {
      if (codes[i - from] !== Code.value) continue;
      const at = due[i]!;
      const tag = hot[at * PAIR + TAG]!;
      const slot = tag & SLOT;
      const cell = cells[i - from]!;
      const strictest = cell - (cell % SECTOR);
      const dx = reals[slot * REAL + X]! - sample[at * SAMPLE]!;
      const dy = reals[slot * REAL + Y]! - sample[at * SAMPLE + 1]!;
      const dz = reals[slot * REAL + Z]! - (isDeep ? more[at * MORE_SIZE]! : 0);
      const sampled = ((tag >>> TO_METRIC) & METRIC_BITS) === metric[(tag >>> TO_SET) & SET];
      const apart = sampled ? dx * dx + dy * dy + dz * dz : Number.POSITIVE_INFINITY;
      const limit = valueSquare[cell]!;
      codes[i - from] = limit !== Number.POSITIVE_INFINITY && apart >= limit ? VALUE : Code.wait;
      lefts[i - from] = (value[strictest]! - Math.sqrt(apart)) / CAUTION;
    }
  }

  /** Records what is sent, decides it, and plans the next look. */
  #apply(view: EngineView, thresholds: Thresholds, due: Int32Array, from: number, to: number, round: number): void {
    const { pairs, decisions, session } = view;
    const { hot, next, sample: samples, more } = pairs.page;
    const { reals, ints, floats, owner } = this.#shared.bodies;
    const { metric, rounds, missed, safe, bite, carefree } = thresholds;
    const { isDeep } = pairs;
    const settlesBase = view.flights === undefined;
    const { ids, kinds, causes, zones: zonesOut, settled } = decisions;
    const codes = this.#codes;
    const after = this.#after;
    const zones = this.#zones;
    const lefts = this.#lefts;
    const now = planByte(round);
    let row = decisions.count;
    for (let i = from; i < to; i++) {
      const code = codes[i - from]!;
      if (code > Code.wait) continue;
      const at = due[i]!;
      const pair = at * PAIR;
      const tag = hot[pair + TAG]!;
      const held = hot[pair + HELD]!;
      const slot = tag & SLOT;
      const set = (tag >>> TO_SET) & SET;
      const zone = zones[i - from]!;
      const traits = ints[slot * INT + TRAITS]!;
      const version = ints[slot * INT + VERSION]!;
      const isSent = code !== Code.wait;
      const since = isSent ? 0 : round - hot[pair + LAST_SEND]!;
      const behind = isSent ? 0 : version - held;

      const strictest = set * CELL + zone * SECTOR;
      const speed = floats[slot * INT + SPEED]!;
      const updates = (traits >>> TO_UPDATES) & UPDATE_BITS;
      const inWindow = updates * ((traits >>> TO_BUSY) & BUSY_BITS);
      const own = session !== 0 && owner[slot] === session;
      let wait = own ? 1 : bite[set * ZONE + zone]!;
      const isUsual = updates <= 1 && inWindow >= missed[strictest]! && speed <= carefree[set * ZONE + zone]!;
      if (!own && !(isSent && isUsual)) {
        let bySequence = missed[strictest]! - behind;
        if (updates > 1) bySequence = updates === UPDATE_BITS ? 1 : bySequence / updates;
        else if (inWindow < bySequence) bySequence = Math.floor((bySequence - 1) / inWindow) * FULL_WINDOW + 1;
        const byValue = speed === 0 ? FOREVER : (isSent ? safe[strictest]! : lefts[i - from]!) / speed;
        const soonest = Math.min(rounds[strictest]! - since, bySequence, byValue, FARTHEST);
        wait = soonest > 1 ? soonest | 0 : 1;
      }
      next[at] = now + wait > BYTES ? now + wait - BYTES : now + wait;
      if (!isSent) {
        if (behind === 0) after[i - from] = wait > LONG ? After.rest : After.nothing;
        else after[i - from] = since + wait > FARTHEST ? After.note : After.nothing;
        continue;
      }
      const rough = (traits & INEXACT_BIT) === 0 ? 0 : ROUGH_BIT;
      hot[pair + TAG] = (tag & KEPT) | (metric[set]! << TO_METRIC) | rough;
      hot[pair + HELD] = version;
      hot[pair + LAST_SEND] = round;
      if (settlesBase) hot[pair + BASE] = Math.max(held, 0);
      samples[at * SAMPLE] = reals[slot * REAL + WIRE_X]!;
      samples[at * SAMPLE + 1] = reals[slot * REAL + WIRE_Y]!;
      if (isDeep) more[at * MORE_SIZE] = reals[slot * REAL + WIRE_Z]!;
      ids[row] = ints[slot * INT + ID]!;
      kinds[row] = code === CREATION ? CREATE : UPDATE;
      causes[row] = code;
      zonesOut[row] = zone;
      settled[row] = 0;
      row++;
      const gap = traits & GAP_BITS;
      if (gap === GAP_BITS || wait * PATIENCE < gap) after[i - from] = After.rest;
      else after[i - from] = wait === 1 || rough === 0 ? After.nothing : After.plan;
    }
    decisions.count = row;
  }

  /** All that calls. */
  #finish(view: EngineView, thresholds: Thresholds, due: Int32Array, from: number, to: number, round: number): void {
    const { pairs } = view;
    const codes = this.#codes;
    const after = this.#after;
    for (let i = from; i < to; i++) {
      const code = codes[i - from]!;
      if (code < Code.rest && after[i - from] === After.nothing) continue;
      const pair = due[i]! - pairs.start;
      if (code < Code.rest) {
        if (after[i - from] === After.rest) this.#rest(view, pair);
        else if (after[i - from] === After.note) this.#sends.noteMiss(view, pair, FARTHEST);
        else this.#planSent(view, thresholds, pair, this.#zones[i - from]!, round);
      } else if (code === Code.rest) this.#wait(view, pair, round);
      else if (code === Code.leave) {
        this.#sends.leave(view, pair);
        if (view.wide) pairs.unplan(pair);
        else this.#sends.release(view, pair);
      } else this.#general.judge(view, pair, round);
    }
  }

  // ── one pair ───────────────────────────────────────────────────────────────────────────────────────────────────

  /** An equal pair waits for its object's next update: it is looked at again and again while that is likely to come soon. */
  #wait(view: EngineView, pair: number, round: number): void {
    if (this.#shared.bodies.quietFor(view.pairs.slotOf(pair), round) >= PATIENCE) this.#rest(view, pair);
    else view.pairs.plan(pair, round + 1);
  }

  #rest(view: EngineView, pair: number): void {
    view.pairs.unplan(pair);
    this.#shared.observers.rest(view.pairs.slotOf(pair), view.id, pair, view.pairs);
  }

  /** A pair that was just sent with a sample that is rough. */
  #planSent(view: EngineView, thresholds: Thresholds, pair: number, zone: number, round: number): void {
    const { pairs } = view;
    const { reals, floats, ints } = this.#shared.bodies;
    const slot = pairs.slotOf(pair);
    const strictest = pairs.setOf(pair) * CELL + zone * SECTOR;
    const cap = (ints[slot * INT + TRAITS]! >>> TO_UPDATES) & UPDATE_BITS;
    let wait = biteOf(thresholds.rounds[strictest]!, thresholds.missed[strictest]!, cap);
    const bound = thresholds.value[strictest]!;
    if (bound !== Number.POSITIVE_INFINITY) {
      const dx = reals[slot * REAL + X]! - reals[slot * REAL + WIRE_X]!;
      const dy = reals[slot * REAL + Y]! - reals[slot * REAL + WIRE_Y]!;
      const dz = reals[slot * REAL + Z]! - reals[slot * REAL + WIRE_Z]!;
      const left = bound - Math.sqrt(dx * dx + dy * dy + dz * dz);
      wait = roundsToCover(left, floats[slot * INT + SPEED]!, wait);
    }
    pairs.plan(pair, round + Math.max(1, Math.min(wait, FARTHEST)));
  }

  // ── sends whose fate is followed ───────────────────────────────────────────────────────────────────────────────

  /** What the pairs stood on until now is behind: since when must be known before they are sent. */
  #noteMisses(view: EngineView, due: Int32Array, from: number, to: number): void {
    const { pairs, flights } = view;
    for (let i = from; i < to; i++) {
      const code = this.#codes[i - from]!;
      if (code === CREATION || code > REMOVAL) continue;
      const pair = due[i]! - pairs.start;
      flights!.missSince(pair, this.#sends.firstMiss(view, pair));
    }
  }

  #depart(view: EngineView, due: Int32Array, from: number, to: number): void {
    for (let i = from; i < to; i++) {
      const code = this.#codes[i - from]!;
      if (code <= REMOVAL) view.flights!.depart(due[i]! - view.pairs.start, this.#zones[i - from]!, code as Cause);
    }
  }

  /** What has been decided since `first` is not to be removed. */
  #forgetRemovals(view: EngineView, first: number): void {
    const { ids, count } = view.decisions;
    for (let row = first; row < count; row++) this.#sends.forgetRemoval(view, ids[row]! as ObjectId);
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
