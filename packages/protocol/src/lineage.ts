/**
 * A lineage says on which states the next delta of an object can build: the round of its newest state, and the gaps in rounds from
 * there to the state before, and so on, three at most, packed eight bits each. Both sides derive it from the same records: a delta's
 * state follows its base, any other begins anew.
 */

import { PAST_STATES } from "@nearfield/schema/internal";

const GAP_BITS = 8;
const GAP_SIZE = 1 << GAP_BITS;
const GAPS_MASK: number = (1 << (GAP_BITS * (PAST_STATES - 1))) - 1;

/** A state with none before it. */
export const NO_GAPS = 0;

/** Rounds between the state `step` steps back and the one before; 0 where there is none. */
export function gapAt(gaps: number, step: number): number {
  return (gaps >>> (step * GAP_BITS)) & (GAP_SIZE - 1);
}

/** The gaps of a state `rounds` after one whose gaps are given. A gap that is too long to be noted ends the line. */
export function gapsAfter(rounds: number, gaps: number): number {
  return rounds < GAP_SIZE ? ((gaps << GAP_BITS) & GAPS_MASK) | rounds : NO_GAPS;
}
