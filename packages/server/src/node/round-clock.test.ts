import { describe, expect, it } from "vitest";
import { RoundClock } from "./round-clock.ts";

/** Time by hand: one pending task, run when asked. */
class Hand {
  nowMs = 0;
  #task: (() => void) | undefined;
  #dueMs = 0;
  readonly timers = {
    after: (ms: number, task: () => void): (() => void) => {
      this.#task = task;
      this.#dueMs = this.nowMs + ms;
      return () => {
        this.#task = undefined;
      };
    },
    every: (): (() => void) => () => {},
  };

  /** Lets the timer fire `lateMs` after it is due; false where none waits. */
  fire(lateMs = 0): boolean {
    const task = this.#task;
    if (task === undefined) return false;
    this.nowMs = this.#dueMs + lateMs;
    this.#task = undefined;
    task();
    return true;
  }
}

function clock(hand: Hand, round: (times: number[]) => void = () => {}): { times: number[]; clock: RoundClock } {
  const times: number[] = [];
  const made = new RoundClock({
    roundMs: 50,
    now: () => hand.nowMs,
    timers: hand.timers,
    round: () => {
      times.push(hand.nowMs);
      round(times);
    },
  });
  return { times, clock: made };
}

describe("the round clock", () => {
  it("keeps its beat although every timer is late", () => {
    const hand = new Hand();
    const { times } = clock(hand);
    for (let i = 0; i < 20; i++) hand.fire(7);
    expect(times).toEqual(Array.from({ length: 20 }, (_, i) => (i + 1) * 50 + 7));
  });

  it("makes up for a short stop, and lets a long one go", () => {
    const hand = new Hand();
    const { times, clock: rounds } = clock(hand);
    hand.fire(110);
    expect(times).toEqual([160, 160, 160]);
    expect(rounds.skipped).toBe(0);
    hand.fire(10_000);
    expect(times).toHaveLength(6);
    expect(rounds.skipped).toBeGreaterThan(190);
    hand.fire();
    expect(times.at(-1)! - times.at(-2)!).toBeLessThanOrEqual(50);
  });

  it("stops, from within a round too", () => {
    const hand = new Hand();
    const { times, clock: rounds } = clock(hand, () => rounds.stop());
    hand.fire(500);
    expect(times).toHaveLength(1);
    expect(hand.fire()).toBe(false);
  });
});
