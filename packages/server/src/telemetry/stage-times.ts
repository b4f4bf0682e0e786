/** A stopwatch for rounds: what each took, and each of its stages, over the last rounds. Its clock is a parameter. */

import type { RoundTimes } from "./feed/report.ts";
import type { Stopwatch } from "./instrument.ts";

/** Rounds that are kept: some seconds, enough for a 99th percentile. */
const KEPT = 512;

export class StageTimes implements Stopwatch {
  readonly #now: () => number;
  readonly #stages: number;
  /** By round kept: the whole round, then its stages. */
  readonly #times: Float64Array;
  readonly #sums: Float64Array;
  /** Ms since the beginning: whole rounds, then each stage. */
  readonly totals: Float64Array;
  /** Told of each round's length, ms. */
  onRound: ((ms: number) => void) | undefined;
  #count = 0;
  #at = 0;
  #begunMs = 0;
  #lapMs = 0;

  constructor(now: () => number, stages: number) {
    this.#now = now;
    this.#stages = stages;
    this.#times = new Float64Array(KEPT * (stages + 1));
    this.#sums = new Float64Array(stages + 1);
    this.totals = new Float64Array(stages + 1);
  }

  start(): void {
    this.#begunMs = this.#now();
    this.#lapMs = this.#begunMs;
  }

  lap(stage: number): void {
    const nowMs = this.#now();
    this.#note(stage + 1, nowMs - this.#lapMs);
    this.#lapMs = nowMs;
    if (stage < this.#stages - 1) return;
    this.#note(0, nowMs - this.#begunMs);
    this.onRound?.(nowMs - this.#begunMs);
    this.#at = (this.#at + 1) % KEPT;
    this.#count += 1;
  }

  /** Length of the last round, ms; 0 before the first. */
  get lastMs(): number {
    return this.#times[((this.#at + KEPT - 1) % KEPT) * (this.#stages + 1)]!;
  }

  times(): RoundTimes {
    const count = Math.min(this.#count, KEPT);
    if (count === 0) return noTimes(this.#stages);
    const whole = new Float64Array(count);
    for (let i = 0; i < count; i++) whole[i] = this.#times[i * (this.#stages + 1)]!;
    whole.sort();
    const mean = (column: number): number => this.#sums[column]! / count;
    return {
      count,
      meanMs: mean(0),
      p50Ms: whole[Math.floor((count - 1) * 0.5)]!,
      p99Ms: whole[Math.ceil((count - 1) * 0.99)]!,
      maxMs: whole[count - 1]!,
      stages: Array.from({ length: this.#stages }, (_, stage) => mean(stage + 1)),
    };
  }

  #note(column: number, ms: number): void {
    const index = this.#at * (this.#stages + 1) + column;
    this.#sums[column]! += ms - this.#times[index]!;
    this.#times[index] = ms;
    this.totals[column]! += ms;
  }
}

export function noTimes(stages: number): RoundTimes {
  return { count: 0, meanMs: 0, p50Ms: 0, p99Ms: 0, maxMs: 0, stages: new Array<number>(stages).fill(0) };
}
