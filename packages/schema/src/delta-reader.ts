/**
 * Reads what `DeltaWriter` wrote: one object's state as a difference from earlier states of it. There is one reader per type.
 *
 * Every bit may come from an attacker. Whatever the bits are, the state that is read fits its fields, or the reader throws `WireError`.
 */

import type { BitReader } from "./bit-reader.ts";
import type { ObjectType } from "./describe.ts";
import { WireError } from "./errors.ts";
import type { Wire } from "./field.ts";
import { readGamma } from "./gamma.ts";
import { type Past, Prediction } from "./prediction.ts";
import { hasBeyond, isFirstBeyond, readPair } from "./residual-pairs.ts";
import { beyondPair, isStartling, isSteady, readResidual, STARTLED } from "./residuals.ts";
import { DIFFERENCE_LOW_BITS, SHORT_BITS, TrackedFields } from "./tracked-fields.ts";

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
    const queue = this.#prediction.queue;
    const guesses = this.#prediction.guesses;
    const contexts = this.#prediction.contexts;
    const stills = this.#prediction.still;
    for (let at = 0; at < still; at++) into[now + stills[at]!] = past.values[base + stills[at]!]!;
    const count = this.#prediction.queued;
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
      const guess = this.#prediction.guess(i, past, into, now);
      const residual = readResidual(r, context);
      into[now + i] = this.#moved(guess, residual, i);
      startled = 0;
      // An if, not an expression: the processor then goes on with the next field before it knows.
      if (isStartling(residual, context)) startled = STARTLED;
    }
    if (still + this.fields.plain.length === 0 || r.readBits(1) === 0) return 0;
    return this.#readShared(r, into, now, still, sink);
  }

  #readShared(r: BitReader, into: Int32Array, now: number, still: number, sink: PlainSink): number {
    const count = still + this.fields.plain.length;
    let changedPlain = 0;
    let n = 0;
    do {
      n += readGamma(r);
      if (n > count)
        throw new WireError("range", `${this.fields.type.name} has no field ${n} of ${count} that may have changed`);
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
