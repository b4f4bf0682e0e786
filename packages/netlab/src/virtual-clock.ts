/**
 * Time that moves only when told to. Everything in a scenario that waits (packets in flight, rounds, timeouts) waits
 * here. So a run depends only on its seed and inputs, and a minute of game takes only as long as its computation.
 *
 * Invariant: tasks run in order of time; tasks of equal time in the order in which they were scheduled. While a task
 * runs, `nowMs` is its time.
 */

import { LabError } from "./lab-error.ts";

export interface VirtualClockOptions {
  /** Milliseconds. Default 0. */
  readonly startMs?: number;
  /**
   * Tasks that may run within one virtual millisecond before the clock throws "runaway": tasks that schedule each other
   * without letting time pass would never end. Default 1,000,000.
   */
  readonly maxTasksPerMs?: number;
}

/** What a network needs of time: a `VirtualClock`, or one that keeps pace with the host's (`PacedClock`). */
export type Clock = Pick<VirtualClock, "nowMs" | "at" | "after">;

interface Task {
  readonly timeMs: number;
  readonly order: number;
  /** Undefined once it ran or was cancelled. */
  run: (() => void) | undefined;
}

export class VirtualClock {
  readonly #maxTasksPerMs: number;
  /** A binary heap: each task is before its children at 2i + 1 and 2i + 2. */
  #heap: Task[] = [];
  #nowMs: number;
  #scheduled = 0;
  #cancelled = 0;
  #running = false;
  #tasksInThisMs = 0;

  constructor(options: VirtualClockOptions = {}) {
    this.#nowMs = options.startMs ?? 0;
    this.#maxTasksPerMs = options.maxTasksPerMs ?? 1_000_000;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** Tasks that wait to run. */
  get pending(): number {
    return this.#heap.length - this.#cancelled;
  }

  /** When the next task runs; undefined if none waits. */
  get nextMs(): number | undefined {
    this.#dropCancelled();
    return this.#heap[0]?.timeMs;
  }

  /** Runs `task` at the given time, which may be now but not before; returns a function that cancels it. */
  at(timeMs: number, task: () => void): () => void {
    if (!(timeMs >= this.#nowMs && timeMs < Number.POSITIVE_INFINITY)) {
      throw new LabError("past", `a task is scheduled for ${timeMs} ms, but must be at ${this.#nowMs} ms or later`);
    }
    const entry: Task = { timeMs, order: this.#scheduled, run: task };
    this.#scheduled += 1;
    this.#push(entry);
    return () => {
      if (entry.run === undefined) return;
      entry.run = undefined;
      this.#cancelled += 1;
      if (this.#cancelled > 1000 && this.#cancelled > this.#heap.length / 2) this.#compact();
    };
  }

  after(delayMs: number, task: () => void): () => void {
    return this.at(this.#nowMs + delayMs, task);
  }

  /** Runs `task` every `periodMs`, first after one period; returns a function that ends it. */
  every(periodMs: number, task: () => void): () => void {
    if (!(periodMs > 0)) throw new LabError("past", `a period is ${periodMs} ms, but must be above 0`);
    let stopped = false;
    let cancel: () => void;
    const startMs = this.#nowMs;
    const schedule = (count: number) => {
      // By multiplication, so that the thousandth beat is not a thousand rounding errors late.
      cancel = this.at(startMs + count * periodMs, () => {
        task();
        if (!stopped) schedule(count + 1);
      });
    };
    schedule(1);
    return () => {
      stopped = true;
      cancel();
    };
  }

  advance(ms: number): void {
    this.runUntil(this.#nowMs + ms);
  }

  /** Runs everything up to and including `timeMs`, what is scheduled meanwhile too, and leaves the clock there. */
  runUntil(timeMs: number): void {
    if (!(timeMs >= this.#nowMs && timeMs < Number.POSITIVE_INFINITY)) {
      throw new LabError("past", `the clock is told to run until ${timeMs} ms, but it is ${this.#nowMs} ms`);
    }
    if (this.#running) throw new LabError("reentrant", "a task tells the clock to run, but the clock is running it");
    this.#running = true;
    try {
      for (;;) {
        const next = this.#takeUntil(timeMs);
        if (next === undefined) break;
        next();
      }
      this.#moveTo(timeMs);
    } finally {
      this.#running = false;
    }
  }

  /** The next task's work, with the clock set to its time. */
  #takeUntil(timeMs: number): (() => void) | undefined {
    this.#dropCancelled();
    const first = this.#heap[0];
    if (first === undefined || first.timeMs > timeMs) return undefined;
    this.#removeFirst();
    this.#moveTo(first.timeMs);
    this.#tasksInThisMs += 1;
    if (this.#tasksInThisMs > this.#maxTasksPerMs) {
      throw new LabError(
        "runaway",
        `more than ${this.#maxTasksPerMs} tasks ran in the millisecond at ${this.#nowMs} ms`,
      );
    }
    const run = first.run;
    first.run = undefined;
    return run;
  }

  #moveTo(timeMs: number): void {
    if (Math.floor(timeMs) !== Math.floor(this.#nowMs)) this.#tasksInThisMs = 0;
    this.#nowMs = timeMs;
  }

  #dropCancelled(): void {
    while (this.#heap[0] !== undefined && this.#heap[0].run === undefined) {
      this.#removeFirst();
      this.#cancelled -= 1;
    }
  }

  /** Timeouts are mostly cancelled long before their time; without this they would pile up until then. */
  #compact(): void {
    const waiting = this.#heap.filter((task) => task.run !== undefined);
    this.#heap = [];
    this.#cancelled = 0;
    for (const task of waiting) this.#push(task);
  }

  #push(task: Task): void {
    const heap = this.#heap;
    let hole = heap.length;
    heap.push(task);
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      if (!isBefore(task, heap[parent]!)) break;
      heap[hole] = heap[parent]!;
      hole = parent;
    }
    heap[hole] = task;
  }

  #removeFirst(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let hole = 0;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
      if (!isBefore(heap[child]!, last)) break;
      heap[hole] = heap[child]!;
      hole = child;
    }
    heap[hole] = last;
  }
}

function isBefore(a: Task, b: Task): boolean {
  return a.timeMs < b.timeMs || (a.timeMs === b.timeMs && a.order < b.order);
}
