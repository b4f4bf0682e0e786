/** The engine on one workload, without brute force beside it, timed block by block, so that several can take turns. */

import { type Crew, Engine, type ViewId } from "@nearfield/core/internal";
import { BlockTimes, type Pace, runBlock } from "../pace.ts";
import { ROUND_MS, Workload, type WorkloadPlan } from "./workload.ts";

export class EngineRun {
  readonly plan: WorkloadPlan;
  readonly times: BlockTimes = new BlockTimes();
  /** By timed round. */
  readonly sends: number[] = [];
  readonly checks: number[] = [];
  readonly #workload: Workload;
  readonly #engine: Engine;
  readonly #views: ViewId[] = [];
  #round = 0;

  /** @param crew threads that help the engine. Default: none. */
  constructor(plan: WorkloadPlan, crew?: Crew) {
    this.plan = plan;
    this.#workload = new Workload(plan);
    this.#engine = new Engine(this.#workload.world, {
      roundMs: ROUND_MS,
      ...this.#workload.visibility,
      ...(crew && { crew }),
    });
  }

  dispose(): void {
    this.#engine.dispose();
  }

  /** Crossings and views that the crew has worked on so far. */
  get doneByCrew(): number {
    return this.#engine.doneByCrew.reduce((sum, done) => sum + done, 0);
  }

  get pairsTracked(): number {
    return this.#engine.pairCount;
  }

  /** Views join over some rounds, so that their clocks do not beat in step. */
  warmUp(joinRounds: number, settle: Pace): void {
    const { pivots } = this.#workload;
    for (let round = 1; round <= joinRounds; round++) {
      for (const pivot of pivots.slice(this.#views.length, Math.ceil((pivots.length * round) / joinRounds))) {
        this.#views.push(this.#engine.addView(this.#workload.viewOn(pivot), { assumeDelivered: true }));
      }
      this.#play();
    }
    runBlock(settle, () => this.#play());
  }

  /** A round that is not timed. */
  playOn(): void {
    this.#play();
  }

  block(block: number, pace: Pace): void {
    runBlock(pace, () => {
      this.#play(block, this.times);
      this.sends.push(this.#views.reduce((sum, view) => sum + this.#engine.decisions(view).count, 0));
      this.checks.push(this.#engine.checks);
    });
  }

  #play(block = 0, times: BlockTimes = new BlockTimes()): void {
    this.#workload.step();
    this.#round += 1;
    times.time(block, () => this.#engine.round(this.#round));
  }
}
