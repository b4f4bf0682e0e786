/**
 * A lineage says which states the next delta of an object can build on: the round of the newest state, and the gaps in rounds from each
 * state to the one before, at most three, in eight bits each. Both sides derive it from the same records: the state of a delta continues
 * the lineage of its base; any other record begins a new one.
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

/** The gaps of a state that is `rounds` after one with these gaps. A gap that is too long for eight bits ends the lineage. */
export function gapsAfter(rounds: number, gaps: number): number {
  return rounds < GAP_SIZE ? ((gaps << GAP_BITS) & GAPS_MASK) | rounds : NO_GAPS;
}
