/**
 * Predicts the tracked fields of an object from its last states, at most four. `DeltaWriter` and `DeltaReader` both build on it.
 *
 * A field that moves goes straight on, or in a curve, or, if it is a position whose velocity is known, its last step is changed as the
 * velocity changed; the prediction is taken that would have told the base best. Fields that stood still in three states, and fields that do
 * not move, are not predicted: they are *still*.
 * Invariant: writer and reader compute the prediction from the same numbers by the same steps, so they agree to the bit.
 * Why so: docs/decisions/0006-predicted-deltas.md and docs/decisions/0024-unfitted-tables.md.
 */

import { otherContext, smallMissContext, straightContext } from "./residuals.ts";
import type { TrackedFields } from "./tracked-fields.ts";

/** States that a delta builds on, at most. */
export const PAST_STATES = 4;

/** Added to a context: the field is predicted from its velocity (`drivenGuess`), and its guess says how far the last step goes on. */
export const DRIVEN = 4096;
/** If a step is longer than the field's range shifted right by this many bits, the field has jumped. */
const JUMP_SHIFT = 3;
/** A field whose straight prediction missed by no more than this, counted as the predictions are weighed, goes straight on. */
const MOST_STRAIGHT = 4;
/** Steps that are scaled to other rounds or velocities are brought within these. */
const LONGEST_STEP: number = 2 ** 30;
/** If two velocities together are smaller than this, in steps of the wire, how they changed says nothing. */
const LEAST_RATE = 4;

/**
 * The states a delta builds on, as rows of one array: row `at[0]` is the base, `at[1]` the state before it, and so on; `gaps[i]` is
 * the number of rounds from row i + 1 to row i, 0 where there is no row i + 1.
 */
export interface Past {
  values: Int32Array;
  readonly at: Int32Array;
  readonly gaps: Int32Array;
}

export function emptyPast(): Past {
  return { values: new Int32Array(0), at: new Int32Array(PAST_STATES), gaps: new Int32Array(PAST_STATES - 1) };
}

export class Prediction {
  /** By tracked field: the guess, and the context to use, −1 if the field is not predicted. The context behind the last is −1. */
  readonly guesses: Int32Array;
  readonly contexts: Int32Array;
  /** The predicted fields in the order in which they travel; behind them the number behind the last field. */
  readonly queue: Int32Array;
  queued = 0;
  /** The still fields. */
  readonly still: Int32Array;
  readonly #fields: TrackedFields;

  constructor(fields: TrackedFields) {
    const { width } = fields;
    this.#fields = fields;
    this.guesses = new Int32Array(width);
    this.contexts = new Int32Array(width + 1).fill(-1);
    this.queue = new Int32Array(width + 1);
    this.still = new Int32Array(width);
  }

  /**
   * Sets guess and context of every field that can be predicted; returns how many cannot. These are fields that do not move, fields that stood
   * still in the last states, and all fields if there is only one state or the last two are too old.
   */
  predict(past: Past, rounds: number): number {
    const { values, at, gaps } = past;
    const gap1 = gaps[0]!;
    if (gap1 === 0 || rounds > reach(gap1)) return this.#predictNothing();
    const gap2 = gaps[1]!;
    const gap3 = gap2 === 0 ? 0 : gaps[2]!;
    const isEven = (rounds | 0) === gap1 && gap1 === gap2 && gap2 === gap3;
    const at0 = at[0]!;
    const at1 = at[1]!;
    const at2 = gap2 === 0 ? at1 : at[2]!;
    const at3 = gap3 === 0 ? at2 : at[3]!;
    const { spans, above: aboves, masks, moves, rates } = this.#fields;
    const { guesses, contexts, still: stills, queue } = this;
    let queued = 0;
    let still = 0;
    for (let i = 0; i < moves.length; i++) {
      const x0 = values[at0 + i]!;
      const x1 = values[at1 + i]!;
      const x2 = values[at2 + i]!;
      if (moves[i] === 0 || (x0 === x1 && x1 === x2)) {
        contexts[i] = -1;
        stills[still++] = i;
        continue;
      }
      queue[queued++] = i;
      const above = aboves[i]!;
      const span = spans[i]!;
      const far = span >> JUMP_SHIFT;
      const step1 = difference(x0, x1, above);
      let step2 = difference(x1, x2, above);
      let step3 = difference(x2, values[at3 + i]!, above);
      // Most fields go straight on. For them nothing has to be weighed, and integers suffice.
      if (isEven) {
        const miss = (step1 - step2) | 0;
        const guess = (x0 + step1) & masks[i]!;
        const isStraight =
          !isBeyondReach(miss, 1) &&
          !isBeyondReach(step1, far) &&
          !isBeyondReach(step2, far) &&
          !isBeyondReach(step3, far) &&
          guess >>> 0 <= span >>> 0;
        if (isStraight) {
          guesses[i] = guess;
          contexts[i] = smallMissContext(miss, (step2 - step3) | 0);
          continue;
        }
      }
      if (isBeyondReach(step2, far)) {
        step2 = 0;
        step3 = 0;
      } else if (isBeyondReach(step3, far)) {
        step3 = step2;
      }
      if (isBeyondReach(step1, far)) {
        // After a jump, how it got here says nothing about where it goes.
        guesses[i] = x0;
        contexts[i] = otherContext(step2);
        continue;
      }
      const before = isEven ? step2 : onward(step2, gap2, gap1);
      const ahead = isEven ? step1 : onward(step1, gap1, rounds);
      const e1 = step1 - before;
      const e2 = step2 - (isEven ? step3 : onward(step3, gap3, gap2));
      const straight = 4 * Math.abs(e1);
      const turn = e1 - e2;
      const curved = 5 * Math.abs(turn) + 4;
      const isCurved = isEven && straight > MOST_STRAIGHT && curved < straight;
      if (straight > MOST_STRAIGHT && rates[i]! >= 0) {
        const miss = step1 - this.#drivenStep(i, past, before);
        if (4 * Math.abs(miss) < (isCurved ? curved : straight)) {
          guesses[i] = ahead;
          contexts[i] = otherContext(miss) | DRIVEN;
          continue;
        }
      }
      const guess = isCurved ? x0 + ahead + e1 : x0 + ahead;
      guesses[i] = above === 0 ? within(guess, span) : guess & span;
      contexts[i] = isCurved ? otherContext(turn) : straightContext(e1, e2);
    }
    queue[queued] = moves.length;
    this.queued = queued;
    if (this.#fields.isReordered) this.#reorder();
    return still;
  }

  /** The step of a position before its last one, changed as its velocity did. */
  #drivenStep(i: number, { values, at, gaps }: Past, before: number): number {
    const rate = this.#fields.rates[i]!;
    const zero = 2 * this.#fields.zeros[i]!;
    const v1 = values[at[1]! + rate]!;
    const v2 = gaps[1] === 0 ? v1 : values[at[2]! + rate]!;
    return driven(before, values[at[0]! + rate]! + v1 - zero, v1 + v2 - zero);
  }

  /** The guess for a driven field. It needs the new velocity, which must stand in row `now` of `values`. */
  drivenGuess(i: number, past: Past, values: Int32Array, now: number): number {
    const base = past.at[0]!;
    const rate = this.#fields.rates[i]!;
    const v0 = this.#rateAt(i, past, base);
    const v1 = this.#rateAt(i, past, past.at[1]!);
    const v = this.contexts[rate]! < 0 ? v0 : values[now + rate]! - this.#fields.zeros[i]!;
    return within(past.values[base + i]! + driven(this.guesses[i]!, v + v0, v0 + v1), this.#fields.spans[i]!);
  }

  /** The velocity of a position's field, in the row at `at`. */
  #rateAt(i: number, { values }: Past, at: number): number {
    return values[at + this.#fields.rates[i]!]! - this.#fields.zeros[i]!;
  }

  #predictNothing(): number {
    const count = this.still.length;
    this.contexts.fill(-1);
    for (let i = 0; i < count; i++) this.still[i] = i;
    this.queued = 0;
    return count;
  }

  /** Puts the queue into the order in which fields travel. */
  #reorder(): void {
    const order = this.#fields.order;
    let queued = 0;
    for (let n = 0; n < order.length; n++) {
      if (this.contexts[order[n]!]! >= 0) this.queue[queued++] = order[n]!;
    }
  }
}

/** For how many rounds a movement measured over `gap` rounds is extrapolated: after that the object has more likely stopped. */
function reach(gap: number): number {
  return 4 * gap + 8;
}

/** What a step made in `gap` rounds comes to in `rounds`, to the nearest whole number; 0 if that is too far ahead. */
function onward(step: number, gap: number, rounds: number): number {
  return gap === 0 || rounds > reach(gap) ? 0 : bounded(Math.floor((2 * rounds * step + gap) / (2 * gap)));
}

/** A step of a position, changed as the velocity changed: `before` and `after` are sums of two velocities each. */
function driven(step: number, after: number, before: number): number {
  return before > -LEAST_RATE && before < LEAST_RATE ? step : bounded(Math.floor((step * after) / before + 0.5));
}

function bounded(step: number): number {
  return step < -LONGEST_STEP ? -LONGEST_STEP : step > LONGEST_STEP ? LONGEST_STEP : step;
}

/**
 * a − b; of an angle the shorter way round, half a turn counting as backward: its full turn is a power of two, so that is the
 * difference in its own bits, with their sign. `above`: the bits above them, 0 where it is no angle; then a − b fits 32 bits.
 */
export function difference(a: number, b: number, above: number): number {
  return ((a - b) << above) >> above;
}

/**
 * Whether a step is longer than `far`, either way; in one comparison. Steps lie within ±2³², `far` below 2³⁰. Both sides are unsigned: else
 * the compiler compares floating-point numbers.
 */
function isBeyondReach(step: number, far: number): boolean {
  return (step + far) >>> 0 > (2 * far) >>> 0;
}

/** By comparisons: with `Math.max` and `Math.min` a frame takes a twelfth longer to decode. */
function within(number: number, span: number): number {
  return number < 0 ? 0 : number > span ? span : number;
}
