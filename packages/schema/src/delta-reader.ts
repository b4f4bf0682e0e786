/**
 * Reads what `DeltaWriter` wrote: one object's state as a difference from earlier states of it. There is one reader per type.
 *
 * Every bit may come from an attacker. Whatever the bits are, the state that is read fits its fields, or the reader throws `WireError`.
 */

import { IS_DEVELOPMENT } from "#development";
import type { BitReader } from "./bit-reader.ts";
import type { ObjectType } from "./describe.ts";
import { WireError } from "./errors.ts";
import type { Wire } from "./field.ts";
import { readGamma } from "./gamma.ts";
import { DRIVEN, type Past, Prediction } from "./prediction.ts";
import { hasBeyond, isFirstBeyond, PAIR_LOOKUP, readPair } from "./residual-pairs.ts";
import { beyondPair, isStartling, isSteady, readResidual, STARTLED, STEADY_MASK } from "./residuals.ts";
import { DIFFERENCE_LOW_BITS, SHORT_BITS, TrackedFields } from "./tracked-fields.ts";

/** Bits that are looked at together. */
const MOST_LOOKED = 24;
const PAIR_BITS = 8;
// A constant of this module is inlined; an imported one would be looked up at every use.
const DRIVEN_FROM: number = DRIVEN;
const BEYOND = 3;
const UNSTEADY: number = ~STEADY_MASK;

/** Takes plain fields. */
export interface PlainSink {
  putPlain(fieldIndex: number, wire: Wire): void;
}

export class DeltaReader {
  readonly fields: TrackedFields;
  readonly #prediction: Prediction;

  constructor(type: ObjectType) {
    this.fields = new TrackedFields(type);
    this.#prediction = new Prediction(this.fields);
  }

  /** Fills row `now` and returns the mask of the plain fields that it has read. Throws nothing but `WireError`. */
  read(r: BitReader, past: Past, into: Int32Array, now: number, rounds: number, sink: PlainSink): number {
    const still = this.#prediction.predict(past, rounds);
    const base = past.at[0]!;
    const stills = this.#prediction.still;
    for (let at = 0; at < still; at++) into[now + stills[at]!] = past.values[base + stills[at]!]!;
    const { queue, guesses, contexts, queued } = this.#prediction;
    let startled = 0;
    for (let n = 0; n < queued; n++) {
      if (isSteady(contexts[queue[n]!]! | contexts[queue[n + 1]!]! | startled)) {
        n = this.#readPairs(r, n, into, now);
        if (n >= queued) break;
      }
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
      const isDriven = context >= DRIVEN_FROM;
      const guess = isDriven ? this.#prediction.drivenGuess(i, past, into, now) : guesses[i]!;
      const residual = readResidual(r, context);
      into[now + i] = this.#moved(guess, residual, i);
      startled = 0;
      // An if, not an expression: the processor then goes on with the next field before it knows.
      if (isStartling(residual, context)) startled = STARTLED;
    }
    if (still + this.fields.plain.length === 0 || r.readBits(1) === 0) return 0;
    return this.#readShared(r, into, now, still, sink);
  }

  /**
   * Reads pairs from a predicted field on that is not startled, as long as both residuals of each are small, as most are. Returns the number
   * of the field after the last one read. Its loop calls nothing, not even small functions: so the compiler looks up arrays and their lengths once, not for
   * every field.
   */
  #readPairs(r: BitReader, from: number, into: Int32Array, now: number): number {
    const { queue, queued, guesses, contexts } = this.#prediction;
    const { spans, masks } = this.fields;
    const lookup = PAIR_LOOKUP;
    const ahead = r.peekBits(MOST_LOOKED);
    let taken = 0;
    let n = from;
    while (n + 1 < queued && taken <= MOST_LOOKED - PAIR_BITS) {
      const i = queue[n]!;
      const next = queue[n + 1]!;
      const context = contexts[i]!;
      const context2 = contexts[next]!;
      if (((context | context2) & UNSTEADY) !== 0) break;
      const found = lookup[(context << 10) | (context2 << 7) | ((ahead >> taken) & 255)]!;
      const part2 = (found >> 4) & 3;
      if (part2 === BEYOND) break;
      const value = (guesses[i]! + (found >> 6) - 1) & masks[i]!;
      const value2 = (guesses[next]! + part2 - 1) & masks[next]!;
      // What is not in range is read again by `read`, which throws.
      if (value >>> 0 > spans[i]! >>> 0 || value2 >>> 0 > spans[next]! >>> 0) break;
      into[now + i] = value;
      into[now + next] = value2;
      taken += found & 15;
      n += 2;
    }
    r.skipBits(taken);
    return n;
  }

  #readShared(r: BitReader, into: Int32Array, now: number, still: number, sink: PlainSink): number {
    const count = still + this.fields.plain.length;
    let changedPlain = 0;
    let n = 0;
    do {
      n += readGamma(r);
      if (n > count)
        throw new WireError(
          "range",
          IS_DEVELOPMENT && `${this.fields.type.name} has no field ${n} of ${count} that may have changed`,
        );
      if (n <= this.fields.plain.length) {
        const field = this.fields.plain[n - 1]!;
        sink.putPlain(field, this.fields.type.fields[field]!.field.readWire(r));
        changedPlain |= 1 << field;
      } else {
        const i = this.#prediction.still[count - n]!;
        into[now + i] = this.#readNew(r, into[now + i]!, i);
      }
    } while (n < count && r.readBits(1) === 1);
    return changedPlain >>> 0;
  }

  #readNew(r: BitReader, old: number, i: number): number {
    const bits = this.fields.bits[i]!;
    if (this.fields.spans[i] === 1) return 1 - old;
    if (bits <= SHORT_BITS) {
      const value = r.readBits(bits);
      if (value > this.fields.spans[i]! || value === old) throw this.fields.outOfRange(value, i);
      return value;
    }
    const isNegative = r.readBits(1) === 1;
    const high = (readGamma(r) - 1) * (1 << DIFFERENCE_LOW_BITS);
    const size = high + r.readBits(DIFFERENCE_LOW_BITS) + 1;
    return this.#moved(old, isNegative ? -size : size, i);
  }

  /** What lies `way` from `from`, checked: it came over the wire. */
  #moved(from: number, way: number, i: number): number {
    const value = from + way;
    const above = this.fields.above[i]!;
    const span = this.fields.spans[i]!;
    if (above === 0) {
      if (!(value >= 0 && value <= span)) throw this.fields.outOfRange(value, i);
      return value;
    }
    if ((way << above) >> above !== way) throw this.fields.outOfRange(value, i);
    return value & span;
  }
}
