/**
 * The figures of the pair that the general judge looks at: its distance, bounds, divergence and urgency. The arithmetic is that of `judge.ts` and
 * `urgency.ts`. Numbers with a fraction stand in one column, and no call takes or returns one: V8 allocates an object for such a number
 * wherever it does not inline the call, and which calls it inlines differs between two processes.
 */

import { LEAVE_FACTOR } from "../../judge.ts";
import { LARGEST_SAMPLE } from "../../metrics.ts";
import { Cause } from "../../model.ts";
import type { PlacedPivot } from "../../pivots.ts";
import type { ResolvedSet } from "../../resolve-view.ts";
import { INNER_FIRST, OUTER_LIMIT, USUAL_PACE_MS } from "../../urgency.ts";
import type { EngineContext } from "../engine-context.ts";
import type { EngineView } from "../engine-view.ts";

const UNBOUNDED = Number.POSITIVE_INFINITY;

/** A bound of the pair, by which it can be due: where it stands. */
export const Bound = { stated: 0, loose: 3 } as const;
export type Bound = (typeof Bound)[keyof typeof Bound];

/** Places in `Figures.reals`. The first four are of three numbers each: time, sequence, value. */
export const At = {
  stated: 0,
  loose: 3,
  strictest: 6,
  diverged: 9,
  nearest: 12,
  pace: 13,
} as const;
const REALS = 14;
// Constants of this module: see `pair-table.ts`.
const [STATED, LOOSE, STRICTEST, DIVERGED] = [At.stated, At.loose, At.strictest, At.diverged];
const [SEQUENCE, VALUE] = [1, 2];
const [NEAREST, PACE] = [At.nearest, At.pace];

export class Figures {
  /** Lowest zone in which the object lies. */
  zone = 0;
  /** What was last sent of the object; filled in by the judge. */
  readonly sample: Float64Array = new Float64Array(LARGEST_SAMPLE);
  /** Rounds since the sample was taken. */
  elapsed = 0;
  readonly #context: EngineContext;
  readonly reals: Float64Array = new Float64Array(REALS);
  /** What metrics write. */
  readonly #answer = new Float64Array(1);

  constructor(context: EngineContext) {
    this.#context = context;
  }

  // ── where it is ────────────────────────────────────────────────────────────────────────────────────────────────

  /** Distance, zone and bounds of an object for a view; of one that is not spatial there are none. */
  measure(view: EngineView, index: number, slot: number, spatial: boolean): void {
    const set = view.resolved.sets[index]!;
    const judged = view.judged.sets[index]!;
    this.reals[NEAREST] = UNBOUNDED;
    this.zone = spatial ? set.zoneCount - 1 : 0;
    if (!spatial) return;
    for (let i = STATED; i < DIVERGED; i++) this.reals[i] = UNBOUNDED;
    const { placed } = view;
    const count = set.pivots === undefined ? placed.length : set.pivots.length;
    let counted = 0;
    for (let i = 0; i < count; i++) {
      const pivot = placed[set.pivots === undefined ? i : set.pivots[i]!];
      if (pivot === undefined || !pivot.placed) continue;
      counted++;
      this.#measureFrom(set, judged, pivot, slot);
    }
    if (counted === 0) this.#tighten(set, judged, set.zoneCount - 1, 0);
  }

  #measureFrom(set: ResolvedSet, judged: ResolvedSet, pivot: PlacedPivot, slot: number): void {
    const { x, y, z } = this.#context.world;
    const { radii, cosHalf } = set;
    const dx = x[slot]! - pivot.x;
    const dy = y[slot]! - pivot.y;
    const dz = z[slot]! - pivot.z;
    const euclid = Math.sqrt(dx * dx + dy * dy + dz * dz);
    const { frame } = pivot;
    let d = set.shape === "square" ? Math.max(Math.abs(dx), Math.abs(dy), Math.abs(dz)) : euclid;
    if (d < this.reals[NEAREST]!) this.reals[NEAREST] = d;
    // As `distanceInFrame` has it.
    if (frame !== undefined) {
      const across = Math.abs(dx * frame.across[0] + dy * frame.across[1]);
      d = Math.max(across, Math.abs(dx * frame.along[0] + dy * frame.along[1]));
    }
    const own = pivot.radii;
    let zone = 0;
    // As `pivotRadius` has it.
    while (zone < radii.length) {
      const radius = own === undefined ? radii[zone]! : own[Math.min(zone, own.length - 1)]!;
      if (!(d > radius * pivot.scale)) break;
      zone++;
    }
    let sector = 0;
    if (set.sectorCount > 1 && euclid > 0 && (pivot.dirX !== 0 || pivot.dirY !== 0 || pivot.dirZ !== 0)) {
      const along = dx * pivot.dirX + dy * pivot.dirY + dz * pivot.dirZ;
      while (sector < cosHalf.length && along < euclid * cosHalf[sector]!) sector++;
    }
    if (zone < this.zone) this.zone = zone;
    this.#tighten(set, judged, zone, sector);
  }

  #tighten(set: ResolvedSet, judged: ResolvedSet, zone: number, sector: number): void {
    const first = zone * set.sectorCount;
    tighten(this.reals, STATED, set, first + sector);
    tighten(this.reals, STRICTEST, set, first);
    tighten(this.reals, LOOSE, judged, first + sector);
  }

  /** Whether it belongs to the replica, given whether it is in it already. */
  isInRange({ range }: ResolvedSet, present: boolean): boolean {
    return range === UNBOUNDED || this.reals[NEAREST]! <= (present ? LEAVE_FACTOR * range : range);
  }

  // ── how far the client is behind ───────────────────────────────────────────────────────────────────────────────

  /** The pair has been unequal for so many rounds and updates; its value counts as infinite until it is measured. */
  diverge(rounds: number, updates: number): void {
    this.reals[DIVERGED] = rounds * this.#context.options.roundMs;
    this.reals[DIVERGED + SEQUENCE] = updates;
    this.reals[DIVERGED + VALUE] = UNBOUNDED;
  }

  /** The pair has just been sent: nothing is behind. */
  settle(): void {
    this.elapsed = 0;
    for (let i = DIVERGED; i <= DIVERGED + VALUE; i++) this.reals[i] = 0;
  }

  /** Measures the value of the pair whose sample was taken so many rounds ago. */
  measureValue({ metric }: ResolvedSet, slot: number, rounds: number): void {
    const { world, spans } = this.#context;
    const elapsedMs = spans.of(rounds);
    this.elapsed = rounds;
    if (metric.divergeInto === undefined) {
      this.reals[DIVERGED + VALUE] = metric.divergence(world, slot, this.sample, 0, elapsedMs);
      return;
    }
    metric.divergeInto(world, slot, this.sample, 0, elapsedMs, this.#answer);
    this.reals[DIVERGED + VALUE] = this.#answer[0]!;
  }

  /** The first dimension in which the pair has reached a bound; −1 if none has. */
  causeBy(bound: Bound, set: ResolvedSet): Cause | -1 {
    const reals = this.reals;
    const time = reals[DIVERGED]!;
    if (set.strict ? time + this.#context.options.roundMs > reals[bound]! : time >= reals[bound]!) return Cause.time;
    if (reals[DIVERGED + SEQUENCE]! >= reals[bound + SEQUENCE]!) return Cause.sequence;
    const value = reals[bound + VALUE]!;
    return value !== UNBOUNDED && reals[DIVERGED + VALUE]! >= value ? Cause.value : -1;
  }

  /** Whether the pair has reached this share of its stated bound, as `isRipe` has it. */
  isRipe(share: number): boolean {
    const reals = this.reals;
    const value = reals[STATED + VALUE]!;
    return (
      reals[DIVERGED]! >= share * reals[STATED]! ||
      reals[DIVERGED + SEQUENCE]! >= share * reals[STATED + SEQUENCE]! ||
      (value !== UNBOUNDED && reals[DIVERGED + VALUE]! >= share * value)
    );
  }

  /** Whether the value can make the pair due, in any sector of its zone. */
  get boundsValue(): boolean {
    return this.reals[STRICTEST + VALUE] !== UNBOUNDED;
  }

  // ── how much it presses ────────────────────────────────────────────────────────────────────────────────────────

  /** As `updateUrgency` has it, into `out[at]`. */
  urgeUpdate(waited: number, out: Float64Array, at: number): void {
    const reals = this.reals;
    let diverged = 0;
    for (let i = 0; i <= VALUE; i++) {
      const bound = reals[STATED + i]!;
      if (bound === UNBOUNDED) continue;
      diverged = Math.max(diverged, bound === 0 ? 1 : reals[DIVERGED + i]! / bound);
    }
    this.#measurePace();
    const waiting = waited === 0 ? 0 : 1 + waited / reals[PACE]!;
    const pressing = Math.max(waiting, Math.min(OUTER_LIMIT, diverged));
    if (this.zone === 0) out[at] = INNER_FIRST + pressing;
    else out[at] = pressing < OUTER_LIMIT ? pressing : INNER_FIRST + 1 + pressing - OUTER_LIMIT;
  }

  /** As `creationUrgency` has it, into `out[at]`. */
  urgeCreation({ outer }: EngineView, waited: number, out: Float64Array, at: number): void {
    const reals = this.reals;
    const nearness = 1 / (1 + reals[NEAREST]!);
    this.#measurePace();
    const usual = Math.max(1, USUAL_PACE_MS / this.#context.options.roundMs);
    const waiting = waited / Math.min(reals[PACE]!, usual);
    const risen = 1 + waiting - OUTER_LIMIT;
    if (this.zone === 0) out[at] = INNER_FIRST + OUTER_LIMIT + nearness + waiting;
    else out[at] = risen < 0 ? outer * (2 + nearness) + waiting : INNER_FIRST + 1 + risen + nearness;
  }

  /** Whether a pair that has reached its stated bound is sent although its loosened bound would let it wait on. */
  hasWaitedEnough(waited: number): boolean {
    this.#measurePace();
    return waited >= OUTER_LIMIT * this.reals[PACE]!;
  }

  /** As `paceOf` has it, of the bound as stated. */
  #measurePace(): void {
    const reals = this.reals;
    const time = reals[STATED]!;
    const sequence = reals[STATED + SEQUENCE]!;
    const isZero = time === 0 || sequence === 0 || reals[STATED + VALUE] === 0;
    const letsNoneWait = isZero || (time === UNBOUNDED && sequence <= 1);
    const paceMs = time === UNBOUNDED ? USUAL_PACE_MS : time;
    reals[PACE] = letsNoneWait ? 1 : Math.max(1, paceMs / this.#context.options.roundMs);
  }
}

/** Each dimension of a bound is the smallest of the cells that count. */
function tighten(reals: Float64Array, bound: number, set: ResolvedSet, cell: number): void {
  const time = set.time[cell]!;
  const sequence = set.sequence[cell]!;
  const value = set.value[cell]!;
  if (time < reals[bound]!) reals[bound] = time;
  if (sequence < reals[bound + SEQUENCE]!) reals[bound + SEQUENCE] = sequence;
  if (value < reals[bound + VALUE]!) reals[bound + VALUE] = value;
}
