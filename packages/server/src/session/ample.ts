/**
 * Whether a frame surely has room for everything that was decided. Then decisions need not be sorted by urgency, so a budget that is large
 * enough costs nothing. The size is estimated from above. If a frame takes more all the same, its extra bytes are owed, as always.
 */

import type { Protocol } from "@nearfield/schema";

/** The most bits that a record takes besides its fields: its place in the frame, kind, generation, type and mask. */
const HEAD_BITS = 64;
/**
 * The most extra bits of a field. A field is told as its difference from a guess, which takes more than the field's width if the guess was
 * wrong.
 */
const FIELD_BITS = 16;
const FIELD_WIDTHS = 3;
/** The frame's own head. */
const FRAME_BITS = 72;

/** The most bits that any record takes; `Infinity` if some field has no greatest length. */
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

/** How many records of at most this many bits surely fit, if there are no events. */
export function surelyFit(budgetBits: number, recordBits: number): number {
  return Math.max(0, Math.ceil((budgetBits - FRAME_BITS) / recordBits) - 1);
}

/** Whether this many records of at most this many bits, and the events, surely fit. */
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
