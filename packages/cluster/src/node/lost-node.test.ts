import { describe, expect, it } from "vitest";
import { Unanswered } from "./lost-node.ts";

describe("a node of NATS", () => {
  it("is in doubt 500 ms after the first write that it did not answer, however many came since", () => {
    const unanswered = new Unanswered();
    unanswered.asks("write", 0);
    unanswered.asks("write", 400);
    expect(unanswered.isInDoubt(499)).toBe(false);
    expect(unanswered.isInDoubt(500)).toBe(true);
  });

  it("is in doubt although it still answers reads", () => {
    const unanswered = new Unanswered();
    unanswered.asks("write", 0);
    unanswered.asks("read", 400);
    unanswered.hears("read");
    expect(unanswered.isInDoubt(500)).toBe(true);
  });

  it("is not in doubt while it answers, nor while nobody asks", () => {
    const unanswered = new Unanswered();
    expect(unanswered.isInDoubt(5000)).toBe(false);
    unanswered.asks("read", 5000);
    unanswered.hears("read");
    expect(unanswered.isInDoubt(9000)).toBe(false);
    unanswered.asks("read", 9000);
    expect(unanswered.isInDoubt(9400)).toBe(false);
  });

  it("is in doubt again and again while it does not answer", () => {
    const unanswered = new Unanswered();
    unanswered.asks("write", 0);
    const doubts: number[] = [];
    for (let ms = 0; ms <= 2000; ms += 100) if (unanswered.isInDoubt(ms)) doubts.push(ms);
    expect(doubts).toEqual([500, 1000, 1500, 2000]);
  });
});
