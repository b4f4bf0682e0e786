/**
 * The engine on a workload whose views have budgets: each may be sent half as many records a round as it asks for. The most urgent go first, the rest
 * is withheld, and bounds are loosened as a server does it. Sends arrive two rounds later. Timed is what the engine does for decisions: the round, what is
 * withheld, and what is loosened. Neither acknowledgements are timed, which no other run has, nor the order of decisions, which is not the engine's part.
 */

import { Engine, INNER_FIRST, type ViewId } from "@nearfield/core/internal";
import { PressingOrder } from "@nearfield/protocol/internal";
import { Loosening } from "@nearfield/server/internal";
import { BlockTimes, type Pace, runBlock } from "../pace.ts";
import { ROUND_MS, Workload, type WorkloadPlan } from "./workload.ts";

/** Of what a view asks for. */
const SHARE = 0.5;
/** Rounds over which that is measured, and rounds until factors have settled. */
const ASKING_ROUNDS = 10;
const SETTLING_ROUNDS = 600;
/** Rounds of budget that may be saved up, and that zone 0 may take in advance, as in a server. */
const BURST_ROUNDS = 4;
const ADVANCE_ROUNDS = 8;
/** Rounds until a send is known to have arrived. */
const DELAY_ROUNDS = 2;

interface Budgeted {
  readonly id: ViewId;
  readonly order: PressingOrder;
  readonly loosening: Loosening;
  /** Records that may be sent now; negative if some are owed. */
  tokens: number;
  /** Rows that are withheld in this round, and how many. */
  withheld: Int32Array;
  withheldCount: number;
  /** What was sent in the last rounds, by round. */
  readonly sent: { ids: Uint32Array; count: number }[];
}

export class BudgetRun {
  readonly plan: WorkloadPlan;
  readonly times: BlockTimes = new BlockTimes();
  /** By timed round. */
  readonly sends: number[] = [];
  readonly checks: number[] = [];
  readonly #workload: Workload;
  readonly #engine: Engine;
  readonly #views: Budgeted[] = [];
  /** Records a round and view. */
  #budget = Number.POSITIVE_INFINITY;
  #round = 0;

  constructor(plan: WorkloadPlan) {
    this.plan = plan;
    this.#workload = new Workload(plan);
    this.#engine = new Engine(this.#workload.world, { roundMs: ROUND_MS });
  }

  get pairsTracked(): number {
    return this.#engine.pairCount;
  }

  /** Records a round and view. */
  get budget(): number {
    return this.#budget;
  }

  /** By how much the views' outer bounds are loosened, on average. */
  get outer(): number {
    return this.#views.reduce((sum, { loosening }) => sum + loosening.outer, 0) / this.#views.length;
  }

  /** Pair-rounds over the stated bound, as the engine has counted them. */
  get short(): number {
    return this.#engine.account.decided;
  }

  /** Views join over some rounds. Then it is seen how much they ask for, and they get their budgets. */
  warmUp(joinRounds: number, settle: Pace): void {
    const { pivots } = this.#workload;
    for (let round = 1; round <= joinRounds; round++) {
      for (const pivot of pivots.slice(this.#views.length, Math.ceil((pivots.length * round) / joinRounds))) {
        this.#seat(this.#engine.addView(this.#workload.viewOn(pivot), { budgeted: true }));
      }
      this.#play();
    }
    runBlock(settle, () => this.#play());
    let asked = 0;
    for (let round = 0; round < ASKING_ROUNDS; round++) asked += this.#play();
    this.#budget = (SHARE * asked) / ASKING_ROUNDS / this.#views.length;
    for (const view of this.#views) view.tokens = 0;
    for (let round = 0; round < SETTLING_ROUNDS; round++) this.#play();
  }

  block(block: number, pace: Pace): void {
    runBlock(pace, () => {
      this.sends.push(this.#play(block, this.times));
      this.checks.push(this.#engine.checks);
    });
  }

  #seat(id: ViewId): void {
    const sent = Array.from({ length: DELAY_ROUNDS }, () => ({ ids: new Uint32Array(64), count: 0 }));
    const order = new PressingOrder();
    const loosening = new Loosening(ROUND_MS);
    this.#views.push({ id, order, loosening, tokens: 0, withheld: new Int32Array(64), withheldCount: 0, sent });
  }

  /** Plays a round; how many records were sent. */
  #play(block = 0, times: BlockTimes = new BlockTimes()): number {
    this.#workload.step();
    this.#round += 1;
    for (const view of this.#views) this.#acknowledge(view);
    let elapsedMs = timed(() => this.#engine.round(this.#round));
    let sends = 0;
    for (const view of this.#views) sends += this.#choose(view);
    elapsedMs += timed(() => {
      for (const view of this.#views) this.#withhold(view);
    });
    const turned = this.#views.filter(({ id, loosening }) => loosening.note(this.#engine.decisions(id)));
    elapsedMs += timed(() => {
      for (const { id, loosening } of turned) this.#engine.loosen(id, loosening.outer, loosening.inner);
    });
    times.blocks[block]!.push(elapsedMs);
    return sends;
  }

  #acknowledge({ id, sent }: Budgeted): void {
    const { ids, count } = sent[this.#round % DELAY_ROUNDS]!;
    if (count > 0) this.#engine.acknowledgeAll(id, ids, count, this.#round - DELAY_ROUNDS);
  }

  /** Chooses what is sent of the decisions of a view, and lists what is withheld; how many records are sent. */
  #choose(view: Budgeted): number {
    const decisions = this.#engine.decisions(view.id);
    const { count, ids, urgencies } = decisions;
    const sent = makeRoom(view, this.#round, count);
    view.tokens = Math.min(BURST_ROUNDS * this.#budget, view.tokens + this.#budget);
    view.order.begin(decisions);
    sent.count = 0;
    while (sent.count < count) {
      const row = view.order.first;
      const least = urgencies[row]! >= INNER_FIRST ? -ADVANCE_ROUNDS * this.#budget : 0;
      if (view.tokens - 1 < least) break;
      view.tokens -= 1;
      view.order.shift();
      sent.ids[sent.count++] = ids[row]!;
    }
    view.withheldCount = 0;
    for (let row = view.order.pop(); row >= 0; row = view.order.pop()) view.withheld[view.withheldCount++] = row;
    return sent.count;
  }

  #withhold({ id, withheld, withheldCount }: Budgeted): void {
    this.#engine.withholdAll(id, withheld, withheldCount);
  }
}

/** Room for so many records in what is sent in this round, and for so many rows that are withheld. */
function makeRoom(view: Budgeted, round: number, count: number): Budgeted["sent"][number] {
  const sent = view.sent[round % DELAY_ROUNDS]!;
  if (sent.ids.length < count) sent.ids = new Uint32Array(count * 2);
  if (view.withheld.length < count) view.withheld = new Int32Array(count * 2);
  return sent;
}

function timed(run: () => void): number {
  const startMs = performance.now();
  run();
  return performance.now() - startMs;
}
