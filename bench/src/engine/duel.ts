/**
 * Engine against brute force on one workload. Each has a world of its own; both worlds move in the same way. They take turns by blocks of rounds,
 * not round by round: brute force walks through all of its pairs, and the engine would find its caches empty after every round. In every
 * round, timed or not, the decisions of both must be the same. Views join one after another during the warm-up, so that their time bounds do
 * not all end in the same round.
 */

import { Engine, type ViewId } from "@nearfield/core/internal";
import { BLOCKS, BlockTimes, collectGarbage, type Pace, runBlock } from "../pace.ts";
import { mean } from "../statistics.ts";
import { BruteForce } from "./brute-force.ts";
import { FlatDecisions } from "./flat-decisions.ts";
import { requireSame } from "./same-decisions.ts";
import { ROUND_MS, Workload, type WorkloadPlan } from "./workload.ts";

export interface DuelOptions {
  readonly pace: Pace;
  /** Rounds over which the views join, and what is played after that before times are taken. */
  readonly joinRounds: number;
  readonly settle: Pace;
  /** Views that brute force judges too: all, or the first so many where all would not fit in memory. */
  readonly judgedTwice: number;
  readonly progress: (line: string) => void;
}

export interface DuelResult {
  readonly plan: WorkloadPlan;
  readonly engine: BlockTimes;
  /** Times of brute force, for the views that both judge. */
  readonly bruteForce: BlockTimes;
  readonly judgedTwice: number;
  /** Mean time of game step and commit, where the engine takes notes of what moved, ms. */
  readonly step: number;
  /** Per round. */
  readonly checks: number;
  readonly sends: number;
  readonly pairsTracked: number;
}

export function duel(plan: WorkloadPlan, options: DuelOptions): DuelResult {
  const { pace, joinRounds, settle, progress } = options;
  const judgedTwice = Math.min(options.judgedTwice, plan.views);
  const engine = new EngineSide(plan, judgedTwice);
  const bruteForce = new BruteForceSide(plan, judgedTwice);
  progress(`${plan.name}: ${plan.about}; ${judgedTwice} of ${plan.views} views judged by both`);
  const warmUp = new BlockTimes();
  for (let round = 1; round <= joinRounds; round++) {
    engine.seat(Math.ceil((plan.views * round) / joinRounds));
    engine.play(0, warmUp);
    bruteForce.follow(engine.takeDecisions(), 0, warmUp);
  }
  runBlock(settle, () => engine.play(0, warmUp));
  bruteForce.follow(engine.takeDecisions(), 0, warmUp);
  progress(`${plan.name}: warm`);
  const times = { engine: new BlockTimes(), bruteForce: new BlockTimes() };
  engine.forgetCounts();
  for (let block = 0; block < BLOCKS; block++) {
    runBlock(pace, () => engine.play(block, times.engine));
    collectGarbage();
    bruteForce.follow(engine.takeDecisions(), block, times.bruteForce);
  }
  return { plan, ...times, judgedTwice, step: mean(engine.stepMs), ...engine.counts };
}

class EngineSide {
  readonly stepMs: number[] = [];
  readonly #plan: WorkloadPlan;
  readonly #workload: Workload;
  readonly #engine: Engine;
  readonly #judgedTwice: number;
  readonly #views: ViewId[] = [];
  #decisions: FlatDecisions[] = [];
  #round = 0;
  #checks: number[] = [];
  #sends: number[] = [];

  constructor(plan: WorkloadPlan, judgedTwice: number) {
    this.#plan = plan;
    this.#judgedTwice = judgedTwice;
    this.#workload = new Workload(plan);
    this.#engine = new Engine(this.#workload.world, { roundMs: ROUND_MS });
  }

  /** Lets views join until there are so many. */
  seat(views: number): void {
    for (const pivot of this.#workload.pivots.slice(this.#views.length, views)) {
      this.#views.push(this.#engine.addView(this.#workload.viewOn(pivot), { assumeDelivered: true }));
    }
  }

  play(block: number, times: BlockTimes): void {
    const startMs = performance.now();
    this.#workload.step();
    this.stepMs.push(performance.now() - startMs);
    this.#round += 1;
    times.time(block, () => this.#engine.round(this.#round));
    this.#checks.push(this.#engine.checks);
    this.#sends.push(this.#views.reduce((sum, view) => sum + this.#engine.decisions(view).count, 0));
    this.#decisions.push(this.#copyDecisions());
  }

  /** What was decided since the last call, a round each, for the views judged twice. */
  takeDecisions(): readonly FlatDecisions[] {
    const taken = this.#decisions;
    this.#decisions = [];
    return taken;
  }

  get counts(): Pick<DuelResult, "checks" | "sends" | "pairsTracked"> {
    return { checks: mean(this.#checks), sends: mean(this.#sends), pairsTracked: this.#engine.pairCount };
  }

  forgetCounts(): void {
    this.#checks = [];
    this.#sends = [];
    this.stepMs.length = 0;
  }

  #copyDecisions(): FlatDecisions {
    const copy = new FlatDecisions(this.#plan.views);
    for (const view of this.#views.slice(0, this.#judgedTwice)) copy.addView(this.#engine.decisions(view));
    return copy;
  }
}

class BruteForceSide {
  readonly #workload: Workload;
  readonly #bruteForce: BruteForce;
  #round = 0;

  constructor(plan: WorkloadPlan, judgedTwice: number) {
    this.#workload = new Workload(plan);
    this.#bruteForce = new BruteForce(this.#workload.world, plan, this.#workload.pivots.slice(0, judgedTwice));
  }

  /** Plays the rounds that the engine has played; throws where it decides otherwise. */
  follow(rounds: readonly FlatDecisions[], block: number, times: BlockTimes): void {
    for (const engines of rounds) {
      this.#workload.step();
      this.#round += 1;
      times.time(block, () => this.#bruteForce.round(this.#round, engines.views));
      for (let view = 0; view < engines.views; view++) {
        const where = `workload ${this.#workload.plan.name}, round ${this.#round}, view ${view}`;
        requireSame(engines.of(view), this.#bruteForce.decisions.of(view), where);
      }
    }
  }
}
