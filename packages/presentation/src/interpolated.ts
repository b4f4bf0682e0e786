/**
 * Interpolation with position history as a target (N §2.7.3): the object is shown where it was some time ago, between the two sends on
 * either side of that moment, so nothing is guessed. How long ago follows its zone and sends (`delay.ts`), and changes slowly.
 *
 * Two sends far apart do not mean a slow movement: an object that rested is sent as soon as it moves. So the picture takes no longer for a step
 * than the usual time between sends of this object. Example: sends at 0 ms and 10,000 ms, 200 ms being usual: it rests until 9,800, then moves.
 *
 * Invariants: a new send does not change the picture of the moment that is shown when it arrives. Where the object was at a given moment depends
 * only on the times of its sends and their bounds; when the sends arrived only decides which moment is shown.
 */

import { angleBetween } from "@nearfield/schema/internal";
import { delayFor, slewedDelay } from "./delay.ts";
import { PLACE_SIZE, SAME_MOMENT_MS } from "./motion-model.ts";
import { SendField } from "./send.ts";
import type { ResolvedPresenterSettings } from "./settings.ts";
import { PICTURE_SIZE, type Target } from "./target.ts";

/** Sends that are kept. With a delay of twice the spacing four are needed; the others are for one that comes nearer and is sent oftener. */
const CAPACITY = 12;
/** Where no bound is known, the first gap counts as no longer than this, ms: an object may have rested since it came. */
const FIRST_GAP_MS = 200;

const COUNT = 0;
/** Entry of the newest send. */
const NEWEST = 1;
const APPLIED = 2;
/** Smoothed: time between sends, age when applied, and how much that varies. */
const SPACING = 3;
const AGE = 4;
const JITTER = 5;
const LAST_GAP = 6;
const LAST_AGE = 7;
/** The delay when the newest send was applied, and where it is going. */
const DELAY = 8;
const GOAL = 9;
/** What of it is beyond the age of sends, and how much of that is not for jitter: as long as a step takes. */
const NORMAL = 10;
const STEP = 11;
const ENTRIES = 12;

/** An entry: time of the send, when the step towards it begins, the picture. */
const TIME = 0;
const BEGIN = 1;
const PICTURE = 2;
const ENTRY_SIZE: number = PICTURE + PICTURE_SIZE;

export class Interpolated implements Target {
  readonly stateSize: number = ENTRIES + CAPACITY * ENTRY_SIZE;
  readonly #settings: ResolvedPresenterSettings;

  constructor(settings: ResolvedPresenterSettings) {
    this.#settings = settings;
  }

  receive(state: Float64Array, at: number, send: Float64Array, appliedAtMs: number): boolean {
    const time = send[SendField.time]!;
    const count = state[at + COUNT]!;
    const lastTime = count === 0 ? time : state[entryOf(state, at, 0) + TIME]!;
    const gap = time - lastTime;
    if (gap < 0) return false;
    if (count > 0 && gap < SAME_MOMENT_MS) {
      putPicture(state, entryOf(state, at, 0), send);
      return true;
    }
    this.#measure(state, at, send, gap, Math.max(0, appliedAtMs - time));
    const begin = Math.max(lastTime, time - state[at + STEP]!);
    const delay = slewedDelay(state[at + DELAY]!, state[at + GOAL]!, appliedAtMs - state[at + APPLIED]!);
    const goal = state[at + AGE]! + state[at + NORMAL]!;
    push(state, at);
    const entry = entryOf(state, at, 0);
    state[entry + TIME] = time;
    state[entry + BEGIN] = begin;
    putPicture(state, entry, send);
    state[at + APPLIED] = appliedAtMs;
    state[at + GOAL] = goal;
    // Who stands at what was the newest send, for want of this one, sets out now: the delay grows to where the step begins.
    state[at + DELAY] = count === 0 ? goal : Math.max(delay, appliedAtMs - begin);
    return true;
  }

  /** Takes in when a send was sent and how old it is, and so which delay beyond its age is normal now. */
  #measure(state: Float64Array, at: number, send: Float64Array, gap: number, age: number): void {
    const { deltaMs, longestDelayMs } = this.#settings;
    const bound = send[SendField.bound]!;
    const isFirst = state[at + COUNT] === 0;
    const isBounded = bound < Number.POSITIVE_INFINITY;
    if (gap > 0) this.#space(state, at, gap, bound);
    if (isFirst) state[at + AGE] = age;
    else {
      smooth(state, at + AGE, age, 8);
      smooth(state, at + JITTER, Math.abs(age - state[at + LAST_AGE]!), 8);
    }
    state[at + LAST_AGE] = age;
    const most = isBounded ? Number.POSITIVE_INFINITY : longestDelayMs;
    const delayWith = (jitter: number): number => Math.min(most, delayFor(bound, state[at + SPACING]!, jitter));
    state[at + NORMAL] = deltaMs >= 0 ? deltaMs : delayWith(state[at + JITTER]!);
    state[at + STEP] = deltaMs >= 0 ? deltaMs : delayWith(0);
  }

  /** A rest makes one long gap, a farther zone makes many: so the shorter of the last two counts. It grows fast and shrinks slowly. */
  #space(state: Float64Array, at: number, gap: number, bound: number): void {
    const lastGap = state[at + LAST_GAP]!;
    const spacing = state[at + SPACING]!;
    const isBounded = bound < Number.POSITIVE_INFINITY;
    const longest = isBounded ? Math.max(bound, this.#settings.longestDelayMs) : this.#settings.longestDelayMs;
    const usual = lastGap > 0 ? lastGap : isBounded ? bound : FIRST_GAP_MS;
    const counted = Math.min(gap, usual, longest);
    if (spacing === 0) state[at + SPACING] = counted;
    else smooth(state, at + SPACING, counted, counted > spacing ? 2 : 8);
    state[at + LAST_GAP] = gap;
  }

  momentOf(state: Float64Array, at: number, renderMs: number): number {
    return renderMs - slewedDelay(state[at + DELAY]!, state[at + GOAL]!, renderMs - state[at + APPLIED]!);
  }

  place(state: Float64Array, at: number, momentMs: number, out: Float64Array, outAt: number): void {
    const count = state[at + COUNT]!;
    let back = 0;
    while (back < count && state[entryOf(state, at, back) + TIME]! > momentMs) back++;
    const after = entryOf(state, at, Math.max(0, back - 1));
    const before = entryOf(state, at, Math.min(back, count - 1));
    const begin = state[after + BEGIN]!;
    const length = state[after + TIME]! - begin;
    const share = length > 0 ? Math.min(1, Math.max(0, (momentMs - begin) / length)) : 1;
    between(state, before, after, share, out, outAt);
  }

  bend(): number {
    return 1;
  }
}

function between(
  state: Float64Array,
  before: number,
  after: number,
  share: number,
  out: Float64Array,
  outAt: number,
): void {
  for (let axis = 0; axis < PLACE_SIZE; axis++) {
    const from = state[before + PICTURE + axis]!;
    const to = state[after + PICTURE + axis]!;
    out[outAt + axis] = share === 1 ? to : from + (to - from) * share;
    const angle = state[before + PICTURE + PLACE_SIZE + axis]!;
    const turn = angleBetween(angle, state[after + PICTURE + PLACE_SIZE + axis]!);
    out[outAt + PLACE_SIZE + axis] = angle + turn * share;
  }
}

/** Where the entry stands that was filled so many sends before the newest. */
function entryOf(state: Float64Array, at: number, back: number): number {
  const index = (state[at + NEWEST]! - back + CAPACITY) % CAPACITY;
  return at + ENTRIES + index * ENTRY_SIZE;
}

function push(state: Float64Array, at: number): void {
  state[at + NEWEST] = (state[at + NEWEST]! + 1) % CAPACITY;
  state[at + COUNT] = Math.min(CAPACITY, state[at + COUNT]! + 1);
}

function putPicture(state: Float64Array, entry: number, send: Float64Array): void {
  for (let axis = 0; axis < PLACE_SIZE; axis++) {
    state[entry + PICTURE + axis] = send[SendField.motion + axis]!;
    state[entry + PICTURE + PLACE_SIZE + axis] = send[SendField.orientation + axis]!;
  }
}

function smooth(state: Float64Array, index: number, sample: number, over: number): void {
  state[index] = state[index]! + (sample - state[index]!) / over;
}
