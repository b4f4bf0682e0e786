/**
 * Writes and reads one object's state as a difference from earlier states of it that both sides have. These are at most four, the newest
 * first, each with the number of rounds between it and the state before. There is one codec per type, made once, so that nothing is looked
 * up or allocated per record.
 *
 * *Tracked* fields are whole numbers of at most 31 bits; they lie in rows of 32-bit columns, counted from their field's smallest wire
 * number. Some tracked fields move: quantised numbers, angles, and the fields that the type names for position, orientation or their rates.
 * These are predicted in a straight line from the last two states. The codec writes the residual, the difference between value and prediction,
 * in a code that depends on the last two residuals. Fields that stood still in three states, and fields that do not move, share one bit as
 * long as none of them changes. All other fields are *plain*: they travel as they are, and the caller says which changed.
 * Invariant: writer and reader compute the prediction from the same whole numbers by the same steps, so they agree to the bit.
 * Why so: docs/decisions/0006-predicted-deltas.md.
 */

import type { BitReader } from "./bit-reader.ts";
import type { BitWriter } from "./bit-writer.ts";
import type { ObjectType } from "./describe.ts";
import { WireError } from "./errors.ts";
import type { Field, Wire } from "./field.ts";
import type { NumericField } from "./numeric-field.ts";
import { readGamma, readResidual, residualContext, writeGamma, writeResidual } from "./residuals.ts";

/** States that a delta builds on, at most. */
export const PAST_STATES = 4;

const TRACKED_BITS = 31;
/** Fields of up to so many bits travel as they are when they change, not as a difference. */
const SHORT_BITS = 4;
/** A difference is written as a gamma code of its size without this many lowest bits, then these bits. */
const DIFFERENCE_LOW_BITS = 1;
const WORD_BITS = 32;
/** If the prediction misses by more than the field's range shifted right by this many bits, the field has jumped. */
const JUMP_SHIFT = 3;

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
  /** What `#predict` found, by tracked field: the guess, and the code to use, −1 if the field is not predicted. */
  readonly #guesses: Int32Array;
  readonly #contexts: Int32Array;
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
    this.#guesses = new Int32Array(tracked.length);
    this.#contexts = new Int32Array(tracked.length);
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
    const guesses = this.#guesses;
    const contexts = this.#contexts;
    const above = this.#above;
    for (let i = 0; i < contexts.length; i++) {
      const context = contexts[i]!;
      if (context >= 0) writeResidual(w, difference(values[now + i]!, guesses[i]!, above[i]!), context);
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
    const guesses = this.#guesses;
    const contexts = this.#contexts;
    for (let i = 0; i < contexts.length; i++) {
      const context = contexts[i]!;
      into[now + i] = context < 0 ? past.values[base + i]! : this.#moved(guesses[i]!, readResidual(r, context), i);
    }
    if (still + this.plain.length === 0 || r.readBits(1) === 0) return 0;
    return this.#readShared(r, into, now, still, sink);
  }

  // ── fields that share one bit ──────────────────────────────────────────────────────────────────────────────────

  /** One bit for each field, followed at once by the new value if the field changed. If no field before the last one changed, the last one must have, and its bit is left out. */
  #writeShared(
    w: BitWriter,
    { values, at }: Past,
    now: number,
    still: number,
    changedPlain: number,
    source: PlainSource,
  ): void {
    const last = still + this.plain.length - 1;
    let before = 0;
    for (let n = 0; n <= last; n++) {
      const i = n < still ? this.#still[n]! : 0;
      const field = n < still ? 0 : this.plain[n - still]!;
      const isChanged = n < still ? values[now + i] !== values[at[0]! + i] : ((changedPlain >>> field) & 1) === 1;
      if (n < last || before > 0) w.writeBits(isChanged ? 1 : 0, 1);
      if (!isChanged) continue;
      before += 1;
      if (n < still) this.#writeNew(w, values[now + i]!, values[at[0]! + i]!, i);
      else this.#type.fields[field]!.field.writeWire(w, source.plainWire(field));
    }
  }

  #readShared(r: BitReader, into: Int32Array, now: number, still: number, sink: PlainSink): number {
    const last = still + this.plain.length - 1;
    let before = 0;
    let changedPlain = 0;
    for (let n = 0; n <= last; n++) {
      if ((n < last || before > 0) && r.readBits(1) === 0) continue;
      before += 1;
      if (n < still) {
        const at = now + this.#still[n]!;
        into[at] = this.#readNew(r, into[at]!, this.#still[n]!);
      } else {
        const field = this.plain[n - still]!;
        sink.putPlain(field, this.#type.fields[field]!.field.readWire(r));
        changedPlain |= 1 << field;
      }
    }
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
   * Sets guess and misses of every field that can be predicted; returns how many cannot. These are fields that do not move, fields that stood
   * still in the last states, and all fields if there is only one state or the last two are too old.
   */
  #predict({ values, at, gaps }: Past, rounds: number): number {
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
      const x3 = values[at3 + i]!;
      const span = spans[i]!;
      const above = aboves[i]!;
      let guess = 0;
      let e1 = 0;
      let e2 = 0;
      if (!isEven) {
        guess = onward(x0, x1, gap1, rounds, span, above);
        e1 = difference(x0, onward(x1, x2, gap2, gap1, span, above), above);
        e2 = difference(x1, onward(x2, x3, gap3, gap2, span, above), above);
      } else if (above === 0) {
        guess = within(x0 + (x0 - x1), span);
        e1 = x0 - within(x1 + (x1 - x2), span);
        e2 = x1 - within(x2 + (x2 - x3), span);
      } else {
        guess = (x0 + (x0 - x1)) & span;
        e1 = difference(x0, x1 + (x1 - x2), above);
        e2 = difference(x1, x2 + (x2 - x3), above);
      }
      if (e1 > span >> JUMP_SHIFT || -e1 > span >> JUMP_SHIFT) {
        // After a jump, how it got here says nothing about where it goes.
        guess = x0;
        e1 = difference(x1, x2, above);
      }
      guesses[i] = guess;
      contexts[i] = residualContext(e1, e2);
    }
    return still;
  }

  #predictNothing(): number {
    const count = this.#still.length;
    this.#contexts.fill(-1);
    for (let i = 0; i < count; i++) this.#still[i] = i;
    return count;
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

/** Extrapolates the step from `older` to `newer`, made in `gap` rounds, for `rounds` more; just `newer` if that is too far ahead. */
function onward(newer: number, older: number, gap: number, rounds: number, span: number, above: number): number {
  if (gap === 0 || rounds > reach(gap)) return newer;
  const way = difference(newer, older, above);
  const guess = newer + (rounds === gap ? way : Math.floor((2 * rounds * way + gap) / (2 * gap)));
  return above === 0 ? within(guess, span) : guess & span;
}

/**
 * a − b; of an angle the shorter way round, half a turn counting as backward: its full turn is a power of two, so that is the
 * difference in its own bits, with their sign. `above`: the bits above them, 0 where it is no angle.
 */
function difference(a: number, b: number, above: number): number {
  return above === 0 ? a - b : ((a - b) << above) >> above;
}

/** By comparisons: with `Math.max` and `Math.min` a frame takes a twelfth longer to decode. */
function within(number: number, span: number): number {
  return number < 0 ? 0 : number > span ? span : number;
}

function isShortInteger({ kind, wireBits }: NumericField<unknown>): boolean {
  return kind !== "float32" && kind !== "float64" && wireBits <= TRACKED_BITS;
}
