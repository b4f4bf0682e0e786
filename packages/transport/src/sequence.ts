/**
 * Sequence numbers of the "sequenced" channel, where the carrier does not keep order: 16 bits that wrap.
 *
 * Invariant of the filter: the accepted numbers only go forward. Two numbers are compared by the shorter way round the
 * circle, so it would take a gap of 32,768 packets (nine minutes of total loss at 60 a second) to mistake a new one for
 * an old one; heartbeats end a link long before.
 */

/** Numbers run from 0 to 65,535 and start again. */
export const SEQUENCE_MODULUS = 0x10000;

/**
 * Is `a` later than `b`? Equal numbers, and numbers exactly half the circle apart, are not. `isNewer(2, 65_534)` is
 * true.
 */
export function isNewer(a: number, b: number): boolean {
  const ahead = (a - b) & (SEQUENCE_MODULUS - 1);
  return ahead > 0 && ahead < SEQUENCE_MODULUS / 2;
}

export class SequenceCounter {
  #next = 0;

  next(): number {
    const sequence = this.#next;
    this.#next = (sequence + 1) % SEQUENCE_MODULUS;
    return sequence;
  }
}

export class SequenceFilter {
  #newest: number | undefined;

  /** True if the number is newer than all accepted before; false for a late or a doubled one. */
  accept(sequence: number): boolean {
    if (this.#newest !== undefined && !isNewer(sequence, this.#newest)) return false;
    this.#newest = sequence;
    return true;
  }
}
