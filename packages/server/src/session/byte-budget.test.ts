import { describe, expect, test } from "vitest";
import { ByteBudget } from "./byte-budget.ts";

/** A client that always has more to send than it may, for so many rounds of 50 ms. */
function spend(budget: ByteBudget, rounds: number, frame: (mayHave: number) => number, sent = 0): number {
  for (let round = 0; round < rounds; round++) {
    budget.pay(sent);
    sent += frame(budget.frameBytes);
  }
  return sent;
}

function limited(bytesPerSecond: number): ByteBudget {
  const budget = new ByteBudget(50);
  budget.bytesPerSecond = bytesPerSecond;
  return budget;
}

describe("the bucket", () => {
  test("without a limit frames have what they take", () => {
    const budget = new ByteBudget(50);
    budget.pay(0);
    budget.pay(1_000_000);
    expect([budget.frameBytes, budget.urgentBytes]).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
  });

  test("hands out a round's share, and over time the budget, whatever frames cost", () => {
    const budget = limited(2000);
    budget.pay(0);
    expect(budget.frameBytes).toBe(100);
    for (const frame of [
      (mayHave: number) => mayHave,
      (mayHave: number) => Math.floor(mayHave / 7) * 7,
      (mayHave: number) => mayHave + 30,
    ]) {
      const sent = spend(limited(2000), 1200, frame);
      expect(Math.abs(sent - 120_000)).toBeLessThan(500);
    }
  });

  test("saves up no more than four rounds", () => {
    const budget = limited(2000);
    spend(budget, 100, () => 0);
    expect(budget.frameBytes).toBe(400);
  });

  test("has bytes to spare only where no later round could use them", () => {
    const budget = limited(2000);
    expect(budget.spareBytes(0)).toBe(0);
    spend(budget, 3, () => 0);
    expect(budget.spareBytes(0)).toBe(100);
    budget.pay(0);
    // The frame of this round took 30 of them.
    expect(budget.spareBytes(30)).toBe(100);
    expect(budget.spareBytes(250)).toBe(0);
    expect(new ByteBudget(50).spareBytes(0)).toBe(0);
  });

  test("what was overspent is owed", () => {
    const budget = limited(2000);
    budget.pay(0);
    budget.pay(350);
    expect(budget.frameBytes).toBe(0);
    budget.pay(350);
    expect(budget.frameBytes).toBe(0);
    budget.pay(350);
    expect(budget.frameBytes).toBe(50);
  });

  test("zone 0 may take eight rounds in advance, not more; what never waits has eight of its own", () => {
    const budget = limited(2000);
    budget.pay(0);
    expect([budget.urgentBytes, budget.firstBytes]).toEqual([900, 1700]);
    budget.pay(900);
    expect([budget.frameBytes, budget.urgentBytes, budget.firstBytes]).toEqual([0, 100, 900]);
    budget.pay(1000);
    expect([budget.frameBytes, budget.urgentBytes, budget.firstBytes]).toEqual([0, 100, 900]);
    budget.pay(1900);
    expect([budget.frameBytes, budget.urgentBytes, budget.firstBytes]).toEqual([0, 0, 100]);
  });

  test("a limit that is set later does not charge for what went before", () => {
    const budget = new ByteBudget(50);
    budget.pay(50_000);
    budget.bytesPerSecond = 2000;
    budget.pay(50_000);
    expect(budget.frameBytes).toBe(100);
  });
});

describe("the link", () => {
  /** A link that takes so many bytes a round; what waits in it at the end. */
  function play(budget: ByteBudget, rounds: number, takes: number, wants: number): { backlog: number; sent: number } {
    let [backlog, sent] = [0, 0];
    for (let round = 0; round < rounds; round++) {
      budget.askLink(backlog, sent);
      budget.pay(sent);
      const frame = Math.min(wants, budget.frameBytes);
      sent += frame;
      backlog = Math.max(0, backlog + frame - takes);
    }
    return { backlog, sent };
  }

  test("that keeps up is not limited", () => {
    const budget = new ByteBudget(50);
    expect(play(budget, 100, 1000, 900)).toEqual({ backlog: 0, sent: 90_000 });
    expect(budget.linkBytesPerSecond).toBe(Number.POSITIVE_INFINITY);
  });

  test("that does not is kept busy, and little waits in it", () => {
    const budget = new ByteBudget(50);
    const { backlog, sent } = play(budget, 1200, 200, 1500);
    expect(backlog).toBeLessThan(400);
    expect(sent).toBeGreaterThan(0.95 * 1200 * 200);
    expect(budget.linkBytesPerSecond).toBeGreaterThan(0.7 * 4000);
    expect(budget.linkBytesPerSecond).toBeLessThan(1.3 * 4000);
  });

  test("is tried with more until it takes everything again", () => {
    const budget = new ByteBudget(50);
    play(budget, 200, 200, 1500);
    budget.askLink(0, 0);
    for (let round = 0; round < 200; round++) budget.askLink(0, 0);
    expect(budget.linkBytesPerSecond).toBe(Number.POSITIVE_INFINITY);
  });

  test("a little that waits is no sign: a reliable message is sent again", () => {
    const budget = new ByteBudget(50);
    for (let round = 0; round < 20; round++) budget.askLink(1500, 0);
    expect(budget.frameBytes).toBe(Number.POSITIVE_INFINITY);
  });

  test("of a new link nothing is known", () => {
    const budget = new ByteBudget(50);
    const { sent } = play(budget, 200, 200, 1500);
    budget.relink(sent);
    budget.askLink(0, sent);
    expect(budget.frameBytes).toBe(Number.POSITIVE_INFINITY);
  });

  test("and a budget: the lesser counts", () => {
    const budget = limited(1000);
    expect(play(budget, 1200, 200, 1500).sent).toBeLessThan(1200 * 50 + 400);
  });
});
