/**
 * Which of a view's due pairs is sent first while bytes are short, and what a loosened bound asks for. Plain functions, like `judge.ts`; the oracle and the
 * engine both decide by them.
 *
 * Claim: while the budget carries at least half of what is asked for, no pair waits longer than `8 × pace` rounds in zone 0 and `16 × pace` rounds
 * elsewhere, plus the rounds in which the budget carries everything that is over its bound twice. Sketch: a divergence counts as 8 at most;
 * waiting counts without limit. So after that many rounds a pair comes before every pair that has not waited. Each pair that has waited
 * goes before it once, and again only after waiting 8 of its own paces.
 * Why so: docs/decisions/0007-bytes-by-urgency.md.
 */

import type { Divergence } from "./model.ts";

/** By so much the urgencies of zone 0 lie above those of all other zones. */
export const INNER_FIRST: number = 2 ** 32;
/**
 * How many times its bound a divergence counts at most; how many times their bounds the outer zones may be loosened before the inner zone is
 * touched; and for how many paces a loosened bound can keep a pair waiting that has reached its stated one.
 */
export const OUTER_LIMIT = 8;

/** The pace of a cell that bounds no time and lets some updates wait. A creation's pace is never slower. */
export const USUAL_PACE_MS = 1000;

/**
 * Rounds of waiting that count like one more bound: the time bound, at least one round. Without one, a round where the bound lets no update
 * wait (a 0, or `sequence: 1`), else a second.
 */
export function paceOf(bound: Readonly<Divergence>, roundMs: number): number {
  if (isZero(bound) || (bound.time === Number.POSITIVE_INFINITY && bound.sequence <= 1)) return 1;
  return Math.max(1, (bound.time === Number.POSITIVE_INFINITY ? USUAL_PACE_MS : bound.time) / roundMs);
}

/** The same for a creation, whose pace is never slower than a second. */
export function creationPaceOf(bound: Readonly<Divergence>, roundMs: number): number {
  return Math.min(paceOf(bound, roundMs), Math.max(1, USUAL_PACE_MS / roundMs));
}

/**
 * How pressing an update is, by its stated bound: its largest divergence ÷ bound, at most 8; or, while it waits, 1 and what it has waited in
 * paces, if that is more. A dimension without requirement does not press; one with a bound of 0 presses as if just reached.
 * From 8 on an update outside zone 0 counts like one of zone 0 that has just reached its bound, and from then on only waiting adds to it.
 *
 * @param waited rounds in a row, up to this one, in which the pair was over its bound and not sent.
 */
export function updateUrgency(
  zone: number,
  bound: Readonly<Divergence>,
  divergence: Readonly<Divergence>,
  waited: number,
  roundMs: number,
): number {
  const diverged = Math.max(
    pressure(divergence.time, bound.time),
    pressure(divergence.sequence, bound.sequence),
    pressure(divergence.value, bound.value),
  );
  const waiting = waited === 0 ? 0 : 1 + waited / paceOf(bound, roundMs);
  const pressing = Math.max(waiting, Math.min(OUTER_LIMIT, diverged));
  if (zone === 0) return INNER_FIRST + pressing;
  return pressing < OUTER_LIMIT ? pressing : INNER_FIRST + 1 + pressing - OUTER_LIMIT;
}

/**
 * How pressing the creation of a spatial object is. In zone 0: above all updates that have not waited, nearer ones more. Elsewhere: as an
 * update that stands at 2 to 3 times the bound by which its zone is judged. Waiting adds to both; after 7 paces a creation
 * outside zone 0 counts like an update of zone 0.
 *
 * @param nearest distance to the nearest pivot.
 * @param factor by which its zone is loosened now.
 */
export function creationUrgency(
  zone: number,
  bound: Readonly<Divergence>,
  nearest: number,
  factor: number,
  waited: number,
  roundMs: number,
): number {
  const nearness = 1 / (1 + nearest);
  const waiting = waited / creationPaceOf(bound, roundMs);
  if (zone === 0) return INNER_FIRST + OUTER_LIMIT + nearness + waiting;
  const risen = 1 + waiting - OUTER_LIMIT;
  return risen < 0 ? factor * (2 + nearness) + waiting : INNER_FIRST + 1 + risen + nearness;
}

/** Whether a pair that has reached its stated bound is sent although its loosened bound would let it wait on. */
export function hasWaitedEnough(bound: Readonly<Divergence>, waited: number, roundMs: number): boolean {
  return waited >= OUTER_LIMIT * paceOf(bound, roundMs);
}

/**
 * What a bound asks for once it is loosened by a factor above 1: so many times as much in each dimension. A bound with a 0 in any dimension
 * asks for every update in its round; loosened, it asks for an update every `factor` rounds, and its zeros for nothing more.
 * A time bound below a round counts as a round.
 */
export function loosenedBound(bound: Readonly<Divergence>, factor: number, roundMs: number): Divergence {
  if (factor === 1) return { ...bound };
  return {
    time: (isZero(bound) ? roundMs : Math.max(roundMs, bound.time)) * factor,
    sequence: bound.sequence === 0 ? Number.POSITIVE_INFINITY : bound.sequence * factor,
    value: bound.value === 0 ? Number.POSITIVE_INFINITY : bound.value * factor,
  };
}

function isZero({ time, sequence, value }: Readonly<Divergence>): boolean {
  return time === 0 || sequence === 0 || value === 0;
}

function pressure(divergence: number, bound: number): number {
  if (bound === Number.POSITIVE_INFINITY) return 0;
  return bound === 0 ? 1 : divergence / bound;
}
