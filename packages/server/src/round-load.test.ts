import { expect, test } from "vitest";
import { MOST_EVERY, RoundLoad } from "./round-load.ts";

const ALLOWED_MS = 30;

/** Plays rounds whose time goes into records and packets, of which strain makes fewer; returns how long the last ones took. */
function play(load: RoundLoad, rounds: number, costMs: number, fixedMs = 2): number[] {
  return Array.from({ length: rounds }, () => {
    const tookMs = fixedMs + (costMs * 0.6) / load.outer + (costMs * 0.4) / load.every;
    load.note(tookMs);
    return tookMs;
  }).slice(-50);
}

test("rounds that fit bring no strain", () => {
  const load = new RoundLoad(ALLOWED_MS);
  play(load, 400, 27);
  expect([load.every, load.outer]).toEqual([1, 1]);
});

test("a slow round now and then is none of its business", () => {
  const load = new RoundLoad(ALLOWED_MS);
  for (let round = 0; round < 400; round++) load.note(round % 8 === 3 ? 500 : 10);
  expect(load.every).toBe(1);
});

test("rounds that take too long are held, and nothing swings", () => {
  for (const costMs of [40, 100, 150]) {
    const load = new RoundLoad(ALLOWED_MS);
    play(load, 600, costMs);
    const { every } = load;
    const took = play(load, 400, costMs);
    expect(Math.max(...took), `${costMs} ms`).toBeLessThanOrEqual(ALLOWED_MS);
    expect(Math.min(...took), `${costMs} ms`).toBeGreaterThan(ALLOWED_MS / 2);
    expect(load.every, `${costMs} ms`).toBeCloseTo(every, 5);
  }
});

test("they are held within two seconds, at 20 rounds a second", () => {
  const load = new RoundLoad(ALLOWED_MS);
  expect(play(load, 40, 100).at(-1)).toBeLessThan(1.2 * ALLOWED_MS);
});

test("outer bounds give way first, and nothing beyond its limit", () => {
  const load = new RoundLoad(ALLOWED_MS);
  play(load, 24, 60);
  expect(load.outer).toBeGreaterThan(load.every);
  play(load, 400, 100_000);
  expect([load.every, load.outer]).toEqual([MOST_EVERY, 8]);
});

test("when there is time again, all strain goes", () => {
  const load = new RoundLoad(ALLOWED_MS);
  play(load, 400, 100_000);
  play(load, 1000, 10);
  expect([load.every, load.outer]).toEqual([1, 1]);
});

test("without a limit there is never any strain", () => {
  const load = new RoundLoad(Number.POSITIVE_INFINITY);
  play(load, 100, 100_000);
  expect(load.every).toBe(1);
});
