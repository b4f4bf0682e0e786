/**
 * Engine against brute force on one workload: the same world, the same rounds, one after the other in turns, and in every round, timed or not,
 * the decisions of both must be the same. Views join one after another while warming up, so that their clocks do not beat in step.
 */

import { Engine, type ViewId } from "@nearfield/core";
import { BlockTimes, collectGarbage, inBlocks, type Pace, runBlock } from "../pace.ts";
import { mean } from "../statistics.ts";
import { BruteForce } from "./brute-force.ts";
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
  /** Of the views judged twice. */
  readonly bruteForce: BlockTimes;
  readonly judgedTwice: number;
  /** Game step and commit, where the engine takes notes of what moved. */
  readonly step: BlockTimes;
  /** Per round. */
  readonly checks: number;
  readonly sends: number;
  readonly pairsTracked: number;
}

export function duel(plan: WorkloadPlan, options: DuelOptions): DuelResult {
  const { pace, joinRounds, settle, progress } = options;
  const table = new Table(plan, options.judgedTwice);
  progress(`${plan.name}: ${plan.about}; ${table.judgedTwice} views judged by both`);
  for (let round = 1; round <= joinRounds; round++) {
    table.seat(Math.ceil((plan.views * round) / joinRounds));
    table.play();
  }
  runBlock(settle, () => table.play());
  progress(`${plan.name}: warm`);
  const times = { engine: new BlockTimes(), bruteForce: new BlockTimes(), step: new BlockTimes() };
  const checks: number[] = [];
  const sends: number[] = [];
  inBlocks(pace, (block) => {
    table.play(block, times);
    checks.push(table.engine.checks);
    sends.push(table.sends);
  });
  const pairsTracked = table.engine.pairCount;
  table.engine.dispose();
  collectGarbage();
  return { plan, ...times, judgedTwice: table.judgedTwice, checks: mean(checks), sends: mean(sends), pairsTracked };
}

type DuelTimes = Pick<DuelResult, "engine" | "bruteForce" | "step">;

/** One world and its two judges. */
class Table {
  readonly engine: Engine;
  readonly judgedTwice: number;
  readonly #workload: Workload;
  readonly #bruteForce: BruteForce;
  readonly #views: ViewId[] = [];
  #round = 0;

  constructor(plan: WorkloadPlan, judgedTwice: number) {
    this.judgedTwice = Math.min(judgedTwice, plan.views);
    this.#workload = new Workload(plan);
    this.engine = new Engine(this.#workload.world, { roundMs: ROUND_MS });
    this.#bruteForce = new BruteForce(this.#workload.world, plan, this.#workload.pivots.slice(0, this.judgedTwice));
  }

  /** Lets views join until there are so many. */
  seat(views: number): void {
    for (const pivot of this.#workload.pivots.slice(this.#views.length, views)) {
      this.#views.push(this.engine.addView(this.#workload.viewOn(pivot), { assumeDelivered: true }));
    }
  }

  /** Who goes first changes from round to round. */
  play(
    block = 0,
    times: DuelTimes = { engine: new BlockTimes(), bruteForce: new BlockTimes(), step: new BlockTimes() },
  ): void {
    const round = ++this.#round;
    const judged = Math.min(this.judgedTwice, this.#views.length);
    const turns = [
      () => times.engine.time(block, () => this.engine.round(round)),
      () => times.bruteForce.time(block, () => this.#bruteForce.round(round, judged)),
    ];
    times.step.time(block, () => this.#workload.step());
    for (const turn of round % 2 === 0 ? turns : turns.reverse()) turn();
    for (let view = 0; view < judged; view++) {
      const where = `workload ${this.#workload.plan.name}, round ${round}, view ${view}`;
      requireSame(this.engine.decisions(this.#views[view]!), this.#bruteForce.decisions.of(view), where);
    }
  }

  get sends(): number {
    return this.#views.reduce((sum, view) => sum + this.engine.decisions(view).count, 0);
  }
}
