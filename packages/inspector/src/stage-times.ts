/** A stopwatch for rounds: the duration of the last rounds and of their stages. Its clock is a parameter. */

import { nthSmallest } from "@nearfield/server/internal";
import type { Stopwatch } from "@nearfield/server/seam";
import type { RoundTimes } from "./feed/report.ts";

/** Rounds that are kept: some seconds, enough for a 99th percentile. */
const KEPT = 512;
/** Stages are timed only in every n-th round, since reading the clock is not free. */
const STAGES_EVERY = 8;

export class StageTimes implements Stopwatch {
  readonly #now: () => number;
  readonly #lengths: Float64Array = new Float64Array(KEPT);
  readonly #sorting: Float64Array = new Float64Array(KEPT);
  /** Of the last rounds that were timed by stage: KEPT ÷ STAGES_EVERY rows. */
  readonly #stages: Float64Array;
  readonly #stageCount: number;
  /** Sums of the columns of `#stages`: added up again for each report, they took longer than all else of `times`. */
  readonly #stageSums: Float64Array;
  /** Ms since the beginning, by stage; scaled up from the rounds that were timed by stage. */
  readonly totals: Float64Array;
  /** Called with the duration of each round, ms. */
  onRound: ((ms: number) => void) | undefined;
  #rounds = 0;
  #begunMs = 0;
  #lapMs = 0;

  constructor(now: () => number, stages: number) {
    this.#now = now;
    this.#stageCount = stages;
    this.#stages = new Float64Array((KEPT / STAGES_EVERY) * stages);
    this.#stageSums = new Float64Array(stages);
    this.totals = new Float64Array(stages);
  }

  start(): void {
    this.#begunMs = this.#now();
    this.#lapMs = this.#begunMs;
  }

  lap(stage: number): void {
    const isLast = stage === this.#stageCount - 1;
    const isTimed = this.#rounds % STAGES_EVERY === 0;
    if (!isLast && !isTimed) return;
    const nowMs = this.#now();
    if (isTimed) this.#noteStage(stage, nowMs - this.#lapMs);
    this.#lapMs = nowMs;
    if (!isLast) return;
    this.#lengths[this.#rounds % KEPT] = nowMs - this.#begunMs;
    this.#rounds += 1;
    this.onRound?.(nowMs - this.#begunMs);
  }

  /** Duration of the last round, ms; 0 before the first. */
  get lastMs(): number {
    return this.#lengths[(this.#rounds + KEPT - 1) % KEPT]!;
  }

  times(): RoundTimes {
    const count = Math.min(this.#rounds, KEPT);
    if (count === 0) return noTimes(this.#stageCount);
    const lengths = this.#sorting;
    lengths.set(this.#lengths);
    let [sum, most] = [0, 0];
    for (let round = 0; round < count; round++) {
      sum += lengths[round]!;
      if (lengths[round]! > most) most = lengths[round]!;
    }
    return {
      count,
      meanMs: sum / count,
      p50Ms: nthSmallest(lengths, count, Math.floor((count - 1) * 0.5)),
      p99Ms: nthSmallest(lengths, count, Math.ceil((count - 1) * 0.99)),
      maxMs: most,
      stages: this.#stageMeans(Math.ceil(count / STAGES_EVERY)),
    };
  }

  #noteStage(stage: number, ms: number): void {
    const row = (this.#rounds % KEPT) / STAGES_EVERY;
    const at = row * this.#stageCount + stage;
    this.#stageSums[stage]! += ms - this.#stages[at]!;
    this.#stages[at] = ms;
    this.totals[stage]! += ms * STAGES_EVERY;
  }

  #stageMeans(rows: number): number[] {
    return Array.from(this.#stageSums, (sum) => Math.max(0, sum / rows));
  }
}

export function noTimes(stages: number): RoundTimes {
  return { count: 0, meanMs: 0, p50Ms: 0, p99Ms: 0, maxMs: 0, stages: new Array<number>(stages).fill(0) };
}
