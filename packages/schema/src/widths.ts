/**
 * Widths in bits. Powers of two come from a table, so that every machine agrees on them to the last bit and the hot paths of
 * the bit writer and reader need no arithmetic for them.
 */

/** The widest integer a JavaScript number holds without loss. */
export const MAX_INTEGER_BITS = 53;

/** `POWERS_OF_TWO[n]` is 2ⁿ, for n from 0 to 53. */
export const POWERS_OF_TWO: Float64Array = powersOfTwo();

/** How many bits hold every integer from 0 to `max`; 0 for a `max` of 0. */
export function bitsFor(max: number): number {
  let bits = 0;
  while (POWERS_OF_TWO[bits]! <= max) bits++;
  return bits;
}

function powersOfTwo(): Float64Array {
  const powers = new Float64Array(MAX_INTEGER_BITS + 1);
  for (let bits = 0, power = 1; bits <= MAX_INTEGER_BITS; bits++, power *= 2) powers[bits] = power;
  return powers;
}
