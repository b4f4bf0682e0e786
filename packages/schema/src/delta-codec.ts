/**
 * Writes and reads one object's state as a difference from earlier states of it that both sides have. These are at most four, the newest
 * first, each with the number of rounds between it and the state before. There is one codec per type, made once, so that nothing is looked
 * up or allocated per record.
 *
 * *Tracked* fields are whole numbers of at most 31 bits; they lie in rows of 32-bit columns, counted from their field's smallest wire
 * number. Some tracked fields move: quantised numbers, angles, and the fields that the type names for position, orientation or their rates.
 * These are predicted from the last states: straight on, in a curve, or, for a position whose velocity is known, as the velocity changed;
 * whichever of them would have told the base best. The codec writes the residual, the difference between value and prediction,
 * in a code that depends on how the prediction did before; two residuals that are likely small share a code. Fields that stood still in three states, and fields that do not move, share one bit as
 * long as none of them changes. All other fields are *plain*: they travel as they are, and the caller says which changed.
 * Invariant: writer and reader compute the prediction from the same numbers by the same steps, so they agree to the bit.
 * Why so: docs/decisions/0006-predicted-deltas.md and docs/decisions/0024-unfitted-tables.md.
 */

import type { BitReader } from "./bit-reader.ts";
import type { BitWriter } from "./bit-writer.ts";
import type { ObjectType } from "./describe.ts";
import { WireError } from "./errors.ts";
import type { Field, Wire } from "./field.ts";
import { readGamma, writeGamma } from "./gamma.ts";
import type { NumericField } from "./numeric-field.ts";
import { hasBeyond, isFirstBeyond, pairOf, pairPart, readPair, writePair } from "./residual-pairs.ts";
import {
  beyondPair,
  isStartling,
  isSteady,
  otherContext,
  readResidual,
  STARTLED,
  straightContext,
  writeResidual,
} from "./residuals.ts";

/** Added to a context: the field is predicted from its velocity, and its guess says how far the last step goes on. */
const DRIVEN = 4096;

/** States that a delta builds on, at most. */
export const PAST_STATES = 4;

const TRACKED_BITS = 31;
/** Fields of up to so many bits travel as they are when they change, not as a difference. */
const SHORT_BITS = 4;
/** A difference is written as a gamma code of its size without this many lowest bits, then these bits. */
const DIFFERENCE_LOW_BITS = 1;
const WORD_BITS = 32;
/** If a step is longer than the field's range shifted right by this many bits, the field has jumped. */
const JUMP_SHIFT = 3;
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

/** Plain fields where they are kept. */
export interface PlainSource {
  plainWire(fieldIndex: number): Wire;
}

export interface PlainSink {
  putPlain(fieldIndex: number, wire: Wire): void;
}

export class DeltaCodec {
  /** Field indices, ascending. */
  readonly tracked: Int32Array;
  readonly plain: Int32Array;
  /** The same as masks. */
  readonly trackedMask: number;
  readonly plainMask: number;
  /** Smallest wire number by tracked field. */
  readonly least: Float64Array;
  readonly #type: ObjectType;
  /** By tracked field: largest number; of an angle the bits above its own, else 0; width, and whether it moves. */
  readonly #spans: Int32Array;
  readonly #above: Uint8Array;
  readonly #bits: Uint8Array;
  readonly #moves: Uint8Array;
  /** The order in which tracked fields travel: velocities first, because positions are predicted from them. */
  readonly #order: Int32Array;
  /** Whether it is not the order of the fields. */
  readonly #isReordered: boolean;
  /** By tracked field: for a position its velocity, or −1; and the number that stands for a velocity of 0. */
  readonly #rates: Int32Array;
  readonly #zeros: Float64Array;
  /** What `#predict` found, by tracked field: the guess, and the context to use, −1 if the field is not predicted. The context behind the last is −1. */
  readonly #guesses: Int32Array;
  readonly #contexts: Int32Array;
  /** The predicted fields in the order in which they travel; behind them the number behind the last field. */
  readonly #queue: Int32Array;
  #queued = 0;
  /** … and those that share the bit, by their number. */
  readonly #still: Int32Array;

  constructor(type: ObjectType) {
    this.#type = type;
    const isTracked = ({ field }: { readonly field: Field<unknown> }): boolean =>
      field.numeric && isShortInteger(field);
    const tracked = type.fields.filter(isTracked);
    const fields = tracked.map(({ field }) => field as NumericField<unknown>);
    const { position, orientation, velocity, acceleration, turnRate } = type;
    const roles = new Set([position, orientation, velocity, acceleration, turnRate].flat());
    this.tracked = Int32Array.from(tracked, ({ index }) => index);
    this.plain = Int32Array.from(
      type.fields.filter((field) => !isTracked(field)),
      ({ index }) => index,
    );
    this.plainMask = this.plain.reduce((mask, index) => mask | (1 << index), 0) >>> 0;
    this.trackedMask = (type.allMask & ~this.plainMask) >>> 0;
    this.least = Float64Array.from(fields, ({ wireMin }) => wireMin);
    this.#spans = Int32Array.from(fields, ({ wireMin, wireMax }) => wireMax - wireMin);
    this.#above = Uint8Array.from(fields, ({ kind, wireBits }) => (kind === "angle" ? WORD_BITS - wireBits : 0));
    this.#bits = Uint8Array.from(fields, ({ wireBits }) => wireBits);
    this.#moves = Uint8Array.from(tracked, ({ index, field }) =>
      field.kind === "quantized" || field.kind === "angle" || roles.has(index) ? 1 : 0,
    );
    const rates = tracked.map(({ index, field }) => {
      const axis = field.kind === "angle" ? -1 : position.indexOf(index);
      return axis < 0 ? -1 : this.tracked.indexOf(velocity[axis] ?? -1);
    });
    this.#rates = Int32Array.from(rates);
    this.#zeros = Float64Array.from(rates, (rate) =>
      rate < 0 ? 0 : fields[rate]!.quantizeNumber(0) - fields[rate]!.wireMin,
    );
    const all = rates.map((_, i) => i);
    this.#order = Int32Array.from([...all.filter((i) => rates.includes(i)), ...all.filter((i) => !rates.includes(i))]);
    this.#isReordered = this.#order.some((field, n) => field !== n);
    this.#guesses = new Int32Array(tracked.length);
    this.#contexts = new Int32Array(tracked.length + 1).fill(-1);
    this.#queue = new Int32Array(tracked.length + 1);
    this.#still = new Int32Array(tracked.length);
  }

  /** How many tracked fields there are: the length of a row. */
  get width(): number {
    return this.tracked.length;
  }

  /**
   * @param now row of the state to write, in the same array as the past.
   * @param rounds between it and the base, at least 1.
   * @param changedPlain mask of the plain fields that changed since the base.
   */
  write(w: BitWriter, past: Past, now: number, rounds: number, changedPlain: number, source: PlainSource): void {
    const { values } = past;
    const still = this.#predict(past, rounds);
    const queue = this.#queue;
    const contexts = this.#contexts;
    const count = this.#queued;
    let startled = 0;
    for (let n = 0; n < count; n++) {
      const i = queue[n]!;
      let context = contexts[i]! | startled;
      let residual = this.#residual(i, past, now);
      const next = queue[n + 1]!;
      const context2 = contexts[next]!;
      if (isSteady(context | context2)) {
        const residual2 = this.#residual(next, past, now);
        const pair = pairOf(pairPart(residual), pairPart(residual2));
        writePair(w, context, context2, pair);
        if (!isFirstBeyond(pair)) {
          n += 1;
          if (!hasBeyond(pair)) continue;
          context = context2;
          residual = residual2;
        }
        context = beyondPair(context);
      }
      writeResidual(w, residual, context);
      startled = 0;
      // An if, not an expression: the processor then goes on with the next field before it knows.
      if (isStartling(residual, context)) startled = STARTLED;
    }
    const shared = still + this.plain.length;
    if (shared === 0) return;
    const base = past.at[0]!;
    let isChanged = changedPlain !== 0;
    for (let at = 0; at < still && !isChanged; at++) {
      const i = this.#still[at]!;
      isChanged = values[now + i] !== values[base + i];
    }
    w.writeBits(isChanged ? 1 : 0, 1);
    if (isChanged) this.#writeShared(w, past, now, still, changedPlain, source);
  }

  /** Mirror of `write`: fills row `now` and returns the mask of the plain fields that it has read. Throws nothing but `WireError`. */
  read(r: BitReader, past: Past, into: Int32Array, now: number, rounds: number, sink: PlainSink): number {
    const still = this.#predict(past, rounds);
    const base = past.at[0]!;
    const queue = this.#queue;
    const guesses = this.#guesses;
    const contexts = this.#contexts;
    const stills = this.#still;
    for (let at = 0; at < still; at++) into[now + stills[at]!] = past.values[base + stills[at]!]!;
    const count = this.#queued;
    let startled = 0;
    for (let n = 0; n < count; n++) {
      let i = queue[n]!;
      let context = contexts[i]! | startled;
      const next = queue[n + 1]!;
      const context2 = contexts[next]!;
      if (isSteady(context | context2)) {
        const pair = readPair(r, context, context2);
        if (!isFirstBeyond(pair)) {
          n += 1;
          into[now + i] = this.#moved(guesses[i]!, (pair >> 2) - 1, i);
          if (!hasBeyond(pair)) {
            into[now + next] = this.#moved(guesses[next]!, (pair & 3) - 1, next);
            continue;
          }
          i = next;
          context = context2;
        }
        context = beyondPair(context);
      }
      const guess = context < DRIVEN ? guesses[i]! : this.#drivenGuess(i, past, into, now);
      const residual = readResidual(r, context);
      into[now + i] = this.#moved(guess, residual, i);
      startled = 0;
      // An if, not an expression: the processor then goes on with the next field before it knows.
      if (isStartling(residual, context)) startled = STARTLED;
    }
    if (still + this.plain.length === 0 || r.readBits(1) === 0) return 0;
    return this.#readShared(r, into, now, still, sink);
  }

  #residual(i: number, past: Past, now: number): number {
    const { values } = past;
    const guess = this.#contexts[i]! < DRIVEN ? this.#guesses[i]! : this.#drivenGuess(i, past, values, now);
    return difference(values[now + i]!, guess, this.#above[i]!);
  }

  // ── fields that share one bit ──────────────────────────────────────────────────────────────────────────────────

  /**
   * How far it is to the next changed field, its new value, and whether another follows. Plain fields come first, then tracked ones from
   * the last to the first, because fields that do not move change most often and games name them last.
   */
  #writeShared(
    w: BitWriter,
    { values, at }: Past,
    now: number,
    still: number,
    changedPlain: number,
    source: PlainSource,
  ): void {
    const base = at[0]!;
    const count = still + this.plain.length;
    let before = 0;
    for (let n = 0; n < count; n++) {
      const field = n < this.plain.length ? this.plain[n]! : -1;
      const i = field < 0 ? this.#still[count - 1 - n]! : 0;
      const isChanged = field < 0 ? values[now + i] !== values[base + i] : ((changedPlain >>> field) & 1) === 1;
      if (!isChanged) continue;
      if (before > 0) w.writeBits(1, 1);
      writeGamma(w, n + 1 - before);
      before = n + 1;
      if (field < 0) this.#writeNew(w, values[now + i]!, values[base + i]!, i);
      else this.#type.fields[field]!.field.writeWire(w, source.plainWire(field));
    }
    if (before < count) w.writeBits(0, 1);
  }

  #readShared(r: BitReader, into: Int32Array, now: number, still: number, sink: PlainSink): number {
    const count = still + this.plain.length;
    let changedPlain = 0;
    let n = 0;
    do {
      n += readGamma(r);
      if (n > count)
        throw new WireError("range", `${this.#type.name} has no field ${n} of ${count} that may have changed`);
      if (n <= this.plain.length) {
        const field = this.plain[n - 1]!;
        sink.putPlain(field, this.#type.fields[field]!.field.readWire(r));
        changedPlain |= 1 << field;
      } else {
        const i = this.#still[count - n]!;
        into[now + i] = this.#readNew(r, into[now + i]!, i);
      }
    } while (n < count && r.readBits(1) === 1);
    return changedPlain >>> 0;
  }

  /** A tracked number that is not `old`. */
  #writeNew(w: BitWriter, value: number, old: number, i: number): void {
    const bits = this.#bits[i]!;
    if (this.#spans[i] === 1) return;
    if (bits <= SHORT_BITS) {
      w.writeBits(value, bits);
      return;
    }
    const way = difference(value, old, this.#above[i]!);
    const size = (way < 0 ? -way : way) - 1;
    w.writeBits(way < 0 ? 1 : 0, 1);
    writeGamma(w, (size >>> DIFFERENCE_LOW_BITS) + 1);
    w.writeBits(size & ((1 << DIFFERENCE_LOW_BITS) - 1), DIFFERENCE_LOW_BITS);
  }

  #readNew(r: BitReader, old: number, i: number): number {
    const bits = this.#bits[i]!;
    if (this.#spans[i] === 1) return 1 - old;
    if (bits <= SHORT_BITS) {
      const value = r.readBits(bits);
      if (value > this.#spans[i]! || value === old) throw this.#outOfRange(value, i);
      return value;
    }
    const isNegative = r.readBits(1) === 1;
    const high = (readGamma(r) - 1) * (1 << DIFFERENCE_LOW_BITS);
    const size = high + r.readBits(DIFFERENCE_LOW_BITS) + 1;
    return this.#moved(old, isNegative ? -size : size, i);
  }

  // ── prediction ─────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Sets guess and context of every field that can be predicted; returns how many cannot. These are fields that do not move, fields that stood
   * still in the last states, and all fields if there is only one state or the last two are too old.
   */
  #predict(past: Past, rounds: number): number {
    const { values, at, gaps } = past;
    const gap1 = gaps[0]!;
    if (gap1 === 0 || rounds > reach(gap1)) return this.#predictNothing();
    const gap2 = gaps[1]!;
    const gap3 = gap2 === 0 ? 0 : gaps[2]!;
    const isEven = rounds === gap1 && gap1 === gap2 && gap2 === gap3;
    const at0 = at[0]!;
    const at1 = at[1]!;
    const at2 = gap2 === 0 ? at1 : at[2]!;
    const at3 = gap3 === 0 ? at2 : at[3]!;
    const spans = this.#spans;
    const aboves = this.#above;
    const moves = this.#moves;
    const guesses = this.#guesses;
    const contexts = this.#contexts;
    const stills = this.#still;
    const queue = this.#queue;
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
      if (isBeyondReach(e1, 1)) {
        this.#choose(i, past, step1, before, ahead, e1, e2, isEven);
        continue;
      }
      const guess = x0 + ahead;
      guesses[i] = above === 0 ? within(guess, span) : guess & span;
      contexts[i] = straightContext(e1, e2);
    }
    queue[queued] = moves.length;
    this.#queued = queued;
    if (this.#isReordered) this.#reorder();
    return still;
  }

  /** Chooses among the predictions of a field that does not go straight on. */
  #choose(
    i: number,
    past: Past,
    step1: number,
    before: number,
    ahead: number,
    e1: number,
    e2: number,
    isEven: boolean,
  ): void {
    const x0 = past.values[past.at[0]! + i]!;
    const straight = 4 * (e1 < 0 ? -e1 : e1);
    const turn = e1 - e2;
    const curved = 5 * (turn < 0 ? -turn : turn) + 4;
    const isCurved = isEven && curved < straight;
    if (this.#rates[i]! >= 0) {
      const miss = step1 - this.#drivenStep(i, past, before);
      if (4 * (miss < 0 ? -miss : miss) < (isCurved ? curved : straight)) {
        this.#guesses[i] = ahead;
        this.#contexts[i] = otherContext(miss) | DRIVEN;
        return;
      }
    }
    const span = this.#spans[i]!;
    const guess = isCurved ? x0 + ahead + e1 : x0 + ahead;
    this.#guesses[i] = this.#above[i] === 0 ? within(guess, span) : guess & span;
    this.#contexts[i] = isCurved ? otherContext(turn) : straightContext(e1, e2);
  }

  /** The step of a position before its last one, changed as its velocity did. */
  #drivenStep(i: number, { values, at, gaps }: Past, before: number): number {
    const rate = this.#rates[i]!;
    const zero = 2 * this.#zeros[i]!;
    const v1 = values[at[1]! + rate]!;
    const v2 = gaps[1] === 0 ? v1 : values[at[2]! + rate]!;
    return driven(before, values[at[0]! + rate]! + v1 - zero, v1 + v2 - zero);
  }

  /** The guess of a driven field is made when the new velocity is known. */
  #drivenGuess(i: number, past: Past, values: Int32Array, now: number): number {
    const base = past.at[0]!;
    const rate = this.#rates[i]!;
    const v0 = this.#rateAt(i, past, base);
    const v1 = this.#rateAt(i, past, past.at[1]!);
    const v = this.#contexts[rate]! < 0 ? v0 : values[now + rate]! - this.#zeros[i]!;
    return within(past.values[base + i]! + driven(this.#guesses[i]!, v + v0, v0 + v1), this.#spans[i]!);
  }

  /** The velocity of a position's field, in the row at `at`. */
  #rateAt(i: number, { values }: Past, at: number): number {
    return values[at + this.#rates[i]!]! - this.#zeros[i]!;
  }

  #predictNothing(): number {
    const count = this.#still.length;
    this.#contexts.fill(-1);
    for (let i = 0; i < count; i++) this.#still[i] = i;
    this.#queued = 0;
    return count;
  }

  /** Puts the queue into the order in which fields travel. */
  #reorder(): void {
    const order = this.#order;
    let queued = 0;
    for (let n = 0; n < order.length; n++) {
      if (this.#contexts[order[n]!]! >= 0) this.#queue[queued++] = order[n]!;
    }
  }

  /** What lies `way` from `from`, checked: it came over the wire. */
  #moved(from: number, way: number, i: number): number {
    const value = from + way;
    const above = this.#above[i]!;
    const span = this.#spans[i]!;
    if (above === 0) {
      if (!(value >= 0 && value <= span)) throw this.#outOfRange(value, i);
      return value;
    }
    if ((way << above) >> above !== way) throw this.#outOfRange(value, i);
    return value & span;
  }

  #outOfRange(value: number, i: number): WireError {
    const { name, fields } = this.#type;
    return new WireError("range", `${value} is no number of ${name}.${fields[this.tracked[i]!]!.name}`);
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
function difference(a: number, b: number, above: number): number {
  return ((a - b) << above) >> above;
}

/** Whether a step is longer than `far`, either way; in one comparison. Steps lie within ±2³², `far` below 2³⁰. */
function isBeyondReach(step: number, far: number): boolean {
  return (step + far) >>> 0 > 2 * far;
}

/** By comparisons: with `Math.max` and `Math.min` a frame takes a twelfth longer to decode. */
function within(number: number, span: number): number {
  return number < 0 ? 0 : number > span ? span : number;
}

function isShortInteger({ kind, wireBits }: NumericField<unknown>): boolean {
  return kind !== "float32" && kind !== "float64" && wireBits <= TRACKED_BITS;
}
