/**
 * Ripe pairs ride along. A packet costs 76 to 93 bytes of headers, an update 4 to 7. So when a view has anything due, its ripe pairs are sent
 * with it: pairs that are not equal and have reached a stated share of their bound in any dimension. Then the next packet comes later.
 * Plain functions, like `judge.ts` and `urgency.ts`; the oracle and the engine both decide by them.
 *
 * An early update wastes the part of its bound that was not used up: at most 3 of 6 bytes with a share of 0.5. It saves bytes only if the
 * round in which the pair would have been due stays silent. So ripe pairs ride along only where that is likely:
 *   · at least 8 of the view's last 32 rounds were silent. A view that sends in most rounds does not even look for ripe pairs.
 *   · there are at most half as many ripe pairs as silent rounds, for each round in which some of them were last sent. Pairs that were sent
 *     together mostly become due together, so riding along saves one packet for all of them.
 * A view with thousands of unequal pairs looks for ripe ones less often, since a look takes time for each of them.
 * A view whose bounds are loosened sends nothing early. A view whose bytes are limited does so only with bytes that no later round could use:
 * whoever counts them says how many updates these carry at least, what is due included (`mayRide`).
 * Why so, with measurements: docs/decisions/0023-ripe.md.
 */

import { ViewError } from "./errors.ts";
import type { Divergence } from "./model.ts";
import type { ResolvedSet } from "./resolve-view.ts";

/** The share of its bound at which a pair is ripe in a server's rooms, unless their options say otherwise. */
export const USUAL_RIPENESS = 0.5;

/** Of the last 32 rounds, so many must have been silent. */
const LEAST_SILENT = 8;
const ROUNDS = 32;
/** For every so many unequal pairs, the view looks for ripe ones a round later. */
const LOOKS_SHIFT = 8;

/** The share that a model's options state. */
export function ripenessOf(ripe = 1): number {
  if (ripe > 0 && ripe <= 1) return ripe;
  throw new ViewError("bad-number", "ripe", `must be above 0 and at most 1, is ${ripe}`);
}

/** Whether an unequal pair that is not due has reached this share of its bound. */
export function isRipe(bound: Readonly<Divergence>, divergence: Readonly<Divergence>, share: number): boolean {
  return (
    divergence.time >= share * bound.time ||
    divergence.sequence >= share * bound.sequence ||
    (bound.value !== Number.POSITIVE_INFINITY && divergence.value >= share * bound.value)
  );
}

/** A set by whose bounds a pair is due exactly where it is ripe by the bounds of `set`. */
export function ripened(set: ResolvedSet, share: number): ResolvedSet {
  const part = (bound: number): number => share * bound;
  return {
    ...set,
    strict: false,
    time: set.time.map(part),
    sequence: set.sequence.map(part),
    value: set.value.map(part),
  };
}

/** Whether a pair of this set can be ripe before it is due: some bound is neither 0, nor 1 update, nor missing. */
export function canRipen({ time, sequence, value }: ResolvedSet): boolean {
  const isBetween = (bound: number): boolean => bound > 0 && bound < Number.POSITIVE_INFINITY;
  return time.some(isBetween) || value.some(isBetween) || sequence.some((bound) => bound > 1 && isBetween(bound));
}

/**
 * Whether so many ripe pairs ride along.
 *
 * @param sends bit n of it says that one of them was last sent in a round that is n modulo 32.
 * @param silent how many of the view's last 32 rounds were silent.
 */
export function rideAlong(ripe: number, sends: number, silent: number): boolean {
  return 2 * ripe <= ones(sends) * silent;
}

/**
 * Whether a view whose bytes are limited may send so many updates, what is due and what is ripe.
 *
 * @param spare how many updates surely fit into bytes that would go unused (`Model.setSpare`).
 * @param shortIn the last round in which something was withheld.
 */
export function mayRide(updates: number, spare: number, shortIn: number, round: number): boolean {
  return updates <= spare && round - shortIn > ROUNDS;
}

/** The bit of `rideAlong` for a pair that was last sent in this round. */
export function sendBit(lastSend: number): number {
  return 1 << (lastSend & (ROUNDS - 1));
}

/** In which rounds a view had something due, and when it may look for ripe pairs again. */
export class Rhythm {
  /**
   * Bit n is 1 if something was due n rounds before the last one. Rounds in which the view was paused do not count. The rounds before a new view's first one
   * count as due: nobody knows yet whether it will send in most rounds, and a view that does must not pay for riding along.
   */
  #due = -1;
  #looksAgainIn = 0;

  /** How many of the last 32 rounds were silent. */
  get silent(): number {
    return ROUNDS - ones(this.#due);
  }

  /** Whether the view, which has something due in this round, looks for ripe pairs. */
  mayLook(round: number): boolean {
    return round >= this.#looksAgainIn && this.silent >= LEAST_SILENT;
  }

  /** @param unequal pairs that are not equal and were not due: those that a look takes time for. */
  noteLook(round: number, unequal: number): void {
    this.#looksAgainIn = round + 1 + (unequal >> LOOKS_SHIFT);
  }

  /** Called at the end of a round. */
  noteRound(isDue: boolean): void {
    this.#due = (this.#due << 1) | (isDue ? 1 : 0);
  }
}

/** How many bits of a 32-bit number are 1. */
function ones(bits: number): number {
  let pairs = bits - ((bits >>> 1) & 0x55555555);
  pairs = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((pairs + (pairs >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
