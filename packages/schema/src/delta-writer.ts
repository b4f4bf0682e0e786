/**
 * Writes one object's state as a difference from earlier states of it that both sides have. These are at most four, the newest first, each
 * with the number of rounds between it and the state before. There is one writer per type, made once, so that nothing is looked up or
 * allocated per record. `DeltaReader` mirrors it.
 *
 * For each predicted field the writer writes the residual, the difference between value and prediction, in a code that depends on how the
 * prediction did before; two residuals that are likely small share a code. Still and plain fields share one bit as long as none of them
 * changes; the caller says which plain fields changed.
 * Why so: docs/decisions/0006-predicted-deltas.md and docs/decisions/0024-unfitted-tables.md.
 */

import type { BitWriter } from "./bit-writer.ts";
import type { ObjectType } from "./describe.ts";
import type { Wire } from "./field.ts";
import { writeGamma } from "./gamma.ts";
import { DRIVEN, difference, type Past, Prediction } from "./prediction.ts";
import {
  hasBeyond,
  isFirstBeyond,
  PAIR_CODE_LENGTHS,
  PAIR_CODES,
  pairOf,
  pairPart,
  writePair,
} from "./residual-pairs.ts";
import { beyondPair, isStartling, isSteady, STARTLED, STEADY_MASK, writeResidual } from "./residuals.ts";
import { DIFFERENCE_LOW_BITS, SHORT_BITS, TrackedFields } from "./tracked-fields.ts";

/** Bits that are written together. One more, and they would often be a number on the heap. */
const MOST_TOGETHER = 31;
const PAIR_BITS = 8;
// A constant of this module is inlined; an imported one would be looked up at every use.
const DRIVEN_FROM: number = DRIVEN;
const UNSTEADY: number = ~STEADY_MASK;

/** Plain fields where they are kept. */
export interface PlainSource {
  plainWire(fieldIndex: number): Wire;
}

export class DeltaWriter {
  readonly fields: TrackedFields;
  readonly #prediction: Prediction;

  constructor(type: ObjectType) {
    this.fields = new TrackedFields(type);
    this.#prediction = new Prediction(this.fields);
  }

  /**
   * @param now row of the state to write, in the same array as the past.
   * @param rounds between it and the base, at least 1.
   * @param changedPlain mask of the plain fields that changed since the base.
   */
  write(w: BitWriter, past: Past, now: number, rounds: number, changedPlain: number, source: PlainSource): void {
    const { values } = past;
    const still = this.#prediction.predict(past, rounds);
    const { queue, contexts, queued } = this.#prediction;
    let startled = 0;
    for (let n = 0; n < queued; n++) {
      if (isSteady(contexts[queue[n]!]! | contexts[queue[n + 1]!]! | startled)) {
        n = this.#writePairs(w, n, values, now);
        if (n >= queued) break;
      }
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
    const shared = still + this.fields.plain.length;
    if (shared === 0) return;
    const base = past.at[0]!;
    let isChanged = changedPlain !== 0;
    for (let at = 0; at < still && !isChanged; at++) {
      const i = this.#prediction.still[at]!;
      isChanged = values[now + i] !== values[base + i];
    }
    w.writeBits(isChanged ? 1 : 0, 1);
    if (isChanged) this.#writeShared(w, past, now, still, changedPlain, source);
  }

  /**
   * Writes pairs from a predicted field on that is not startled, as long as both residuals of each are small, as most are. Returns the number
   * of the field after the last one written. Its loop calls nothing, not even small functions: so the compiler looks up arrays and their
   * lengths once, not for every field.
   */
  #writePairs(w: BitWriter, from: number, values: Int32Array, now: number): number {
    const { queue, queued, guesses, contexts } = this.#prediction;
    const aboves = this.fields.above;
    const codes = PAIR_CODES;
    const lengths = PAIR_CODE_LENGTHS;
    let bits = 0;
    let length = 0;
    let n = from;
    while (n + 1 < queued && length <= MOST_TOGETHER - PAIR_BITS) {
      const i = queue[n]!;
      const next = queue[n + 1]!;
      const context = contexts[i]!;
      const context2 = contexts[next]!;
      if (((context | context2) & UNSTEADY) !== 0) break;
      const above = aboves[i]!;
      const above2 = aboves[next]!;
      const part = ((((values[now + i]! - guesses[i]!) << above) >> above) + 1) >>> 0;
      const part2 = ((((values[now + next]! - guesses[next]!) << above2) >> above2) + 1) >>> 0;
      if (part > 2 || part2 > 2) break;
      const at = (context << 6) | (context2 << 3) | (part << 2) | part2;
      bits |= codes[at]! << length;
      length += lengths[at]!;
      n += 2;
    }
    w.writeBits(bits, length);
    return n;
  }

  #residual(i: number, past: Past, now: number): number {
    const { values } = past;
    const { guesses, contexts } = this.#prediction;
    const isDriven = contexts[i]! >= DRIVEN_FROM;
    const guess = isDriven ? this.#prediction.drivenGuess(i, past, values, now) : guesses[i]!;
    return difference(values[now + i]!, guess, this.fields.above[i]!);
  }

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
    const count = still + this.fields.plain.length;
    let before = 0;
    for (let n = 0; n < count; n++) {
      const field = n < this.fields.plain.length ? this.fields.plain[n]! : -1;
      const i = field < 0 ? this.#prediction.still[count - 1 - n]! : 0;
      const isChanged = field < 0 ? values[now + i] !== values[base + i] : ((changedPlain >>> field) & 1) === 1;
      if (!isChanged) continue;
      if (before > 0) w.writeBits(1, 1);
      writeGamma(w, n + 1 - before);
      before = n + 1;
      if (field < 0) this.#writeNew(w, values[now + i]!, values[base + i]!, i);
      else this.fields.type.fields[field]!.field.writeWire(w, source.plainWire(field));
    }
    if (before < count) w.writeBits(0, 1);
  }

  /** A tracked number that is not `old`. */
  #writeNew(w: BitWriter, value: number, old: number, i: number): void {
    const bits = this.fields.bits[i]!;
    if (this.fields.spans[i] === 1) return;
    if (bits <= SHORT_BITS) {
      w.writeBits(value, bits);
      return;
    }
    const way = difference(value, old, this.fields.above[i]!);
    const size = (way < 0 ? -way : way) - 1;
    w.writeBits(way < 0 ? 1 : 0, 1);
    writeGamma(w, (size >>> DIFFERENCE_LOW_BITS) + 1);
    w.writeBits(size & ((1 << DIFFERENCE_LOW_BITS) - 1), DIFFERENCE_LOW_BITS);
  }
}
