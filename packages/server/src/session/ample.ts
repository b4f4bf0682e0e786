/**
 * Whether a frame has room for all that was decided, whatever it is. Then nothing needs to be put in order of urgency, and a budget that carries
 * what is asked for costs nothing. An estimate from above; should a frame take more after all, its bytes are owed, as they always are.
 */

import type { Protocol } from "@nearfield/schema";

/** A record's place in a frame, its kind, generation, type and mask, at most. */
const HEAD_BITS = 64;
/** A field that is told as its difference from a guess can take more than its own width, when the guess was wrong. */
const FIELD_BITS = 16;
const FIELD_WIDTHS = 3;
/** The frame's own head. */
const FRAME_BITS = 72;

/** Bits that any record takes at most; `Infinity` where some field has no greatest length. */
export function mostRecordBits({ objects }: Protocol): number {
  let most = 0;
  for (const { fields } of objects) {
    let bits = HEAD_BITS;
    for (const { field } of fields) {
      bits += field.numeric ? FIELD_BITS + FIELD_WIDTHS * field.wireBits : Number.POSITIVE_INFINITY;
    }
    if (bits > most) most = bits;
  }
  return most;
}

/** Whether so many records of at most so many bits, and the events, surely fit. */
export function isAmple(
  budgetBits: number,
  records: number,
  recordBits: number,
  events: readonly { readonly bitLength: number }[],
): boolean {
  let bits = FRAME_BITS + (records === 0 ? 0 : records * recordBits);
  for (const { bitLength } of events) bits += bitLength + 1;
  return bits < budgetBits;
}
