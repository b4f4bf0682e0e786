/**
 * A pair's deadline: the first round in which an unequal pair can be due. The general judge asks for it after each look and plans the next
 * look for that round. The kernel plans its own pairs by the same rule (`packages/core/kernel/plan.ts`).
 *
 * Claim: before its deadline the pair cannot be due, unless something happens of which the engine is told: the pair crosses a border, the
 * object breaks a cap or changes its set, the view changes, a send is lost. Within a zone the bound is known. Time passes evenly. At most
 * `UpdateCaps.capOf` updates come in a round. The metric grows by at most `growth` in a round. A view may turn at any time, so a
 * zone counts with its strictest sector.
 */

import { asFarAsItGoes, awaitsWrites, type Metric, withoutLimit } from "../../metrics.ts";
import type { ResolvedSet } from "../../resolve-view.ts";
import type { EngineContext } from "../engine-context.ts";
import { At, type Figures } from "../judges/figures.ts";
import { NEVER } from "../memory/layout.ts";
import { MOTIONS } from "../objects/bodies.ts";

const UNBOUNDED = Number.POSITIVE_INFINITY;
/** Quotients are rounded; plans are made this much on the safe side. */
const CAUTION = 1 + 1e-9;
// Constants of this module: see `pair-table.ts`.
const [STRICTEST, DIVERGED] = [At.strictest, At.diverged];
const [SEQUENCE, VALUE] = [1, 2];
/** Places in the column of this class: how far the object may move in a round, and how much the metric may grow. */
const [STEP, GROWTH] = [0, 1];

export class Deadlines {
  readonly #context: EngineContext;
  readonly #figures: Figures;
  readonly #own = new Float64Array(2);
  readonly #velocity = new Float64Array(3);

  /** @param figures of the pair at hand; its divergence has been measured. */
  constructor(context: EngineContext, figures: Figures) {
    this.#context = context;
    this.#figures = figures;
  }

  /**
   * Rounds until the pair can be due, at least 1 and at most `NEVER`.
   *
   * @param passed rounds for which its time has been running.
   */
  roundsToBite(set: ResolvedSet, slot: number, passed: number): number {
    const { options, updates } = this.#context;
    const { reals } = this.#figures;
    const rounds = reals[STRICTEST]! / options.roundMs;
    const byTime = (set.strict ? Math.floor(rounds - 1e-9) : Math.ceil(rounds - 1e-9)) - passed;
    const missing = reals[STRICTEST + SEQUENCE]! - reals[DIVERGED + SEQUENCE]!;
    const bySequence = Math.ceil(missing / updates.capOf(slot));
    const byValue = this.#figures.boundsValue ? this.#roundsToValue(set.metric, slot) : NEVER;
    return Math.max(1, Math.min(byTime, bySequence, byValue, NEVER));
  }

  #roundsToValue(metric: Metric, slot: number): number {
    const { reals } = this.#figures;
    const gap = reals[STRICTEST + VALUE]! - reals[DIVERGED + VALUE]!;
    if (!(gap > 0)) return 0;
    this.#measureGrowth(metric, slot);
    const growth = this.#own[GROWTH]!;
    return growth === 0 ? NEVER : Math.min(NEVER, Math.floor(gap / (growth * CAUTION)));
  }

  /**
   * The most that the divergence can grow in a round. A picture that goes on by itself is left behind by what the object drifts from its own
   * velocity, and by the difference of their velocities; and by no more than both together move.
   */
  #measureGrowth(metric: Metric, slot: number): void {
    const { bodies, speeds, drifts, options, spans } = this.#context;
    const own = this.#own;
    speeds.copyTo(own, STEP, slot);
    if (awaitsWrites(metric)) {
      // It does not grow before the object is written, and then the pair is looked at.
      own[GROWTH] = 0;
      return;
    }
    if (metric.velocity === undefined) {
      // What the metrics in the box answer is known; asking them could box the step.
      if (metric.growth === asFarAsItGoes) own[GROWTH] = own[STEP]!;
      else own[GROWTH] = metric.growth === withoutLimit ? UNBOUNDED : metric.growth(own[STEP]!);
      return;
    }
    const velocity = this.#velocity;
    metric.velocity(this.#figures.sample, 0, spans.of(this.#figures.elapsed), velocity);
    const u = velocity[0]!;
    const v = velocity[1]!;
    const w = velocity[2]!;
    const at = slot * MOTIONS;
    const x = bodies.motion[at]!;
    const y = bodies.motion[at + 1]!;
    const z = bodies.motion[at + 2]!;
    const seconds = options.roundMs / 1000;
    let apart = Math.sqrt((x - u) * (x - u) + (y - v) * (y - v) + (z - w) * (z - w));
    if (metric.fadingMs !== UNBOUNDED) apart = Math.max(apart, Math.sqrt(x * x + y * y + z * z));
    const together = Math.sqrt(u * u + v * v + w * w);
    drifts.copyTo(own, GROWTH, slot);
    own[GROWTH] = Math.min(own[GROWTH]! + apart * seconds, own[STEP]! + together * seconds);
  }
}
