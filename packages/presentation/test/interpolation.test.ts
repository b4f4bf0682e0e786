/** Interpolation: true to the path, as late as each object's zone asks, and never taking a normal gap for a stop. */

import { describe, expect, test } from "vitest";
import { Presenter, type PresenterSettings } from "../src/index.ts";
import { delayFor } from "../src/internal/index.ts";

const FRAME_MS = 16;
const SPEED = 0.1;

interface Schedule {
  /** Times of the sends. */
  readonly timesMs: readonly number[];
  readonly boundMs?: number;
  /** Age of a send when it is applied, by its number. */
  readonly ageMs?: (index: number) => number;
  readonly settings?: PresenterSettings;
}

/** An object that goes east at 0.1 per ms, shown frame by frame; returns how far it goes in each frame and how late it is. */
function watch({ timesMs, boundMs = Number.POSITIVE_INFINITY, ageMs = () => 40, settings }: Schedule) {
  const presenter = new Presenter({ model: "interpolation", ...settings });
  const steps: { renderMs: number; step: number; lateMs: number }[] = [];
  const endMs = timesMs.at(-1)!;
  let [next, x] = [0, 0];
  for (let renderMs = timesMs[0]! + ageMs(0); renderMs < endMs; renderMs += FRAME_MS) {
    while (next < timesMs.length && timesMs[next]! + ageMs(next) <= renderMs) {
      presenter.receive({ timeMs: timesMs[next]!, position: [timesMs[next]! * SPEED, 0], boundMs }, renderMs);
      next += 1;
    }
    const shown = presenter.at(renderMs).position[0]!;
    if (next > 1) steps.push({ renderMs, step: shown - x, lateMs: renderMs - shown / SPEED });
    x = shown;
  }
  return steps;
}

const every = (gapMs: number, count: number, fromMs = 0): number[] =>
  Array.from({ length: count }, (_, index) => fromMs + index * gapMs);
const jittered = (index: number): number => 30 + ((index * 37) % 50);
const frameStep = FRAME_MS * SPEED;
/** The first sends say how far apart sends are; after them nothing may be amiss. */
const settled = (steps: ReturnType<typeof watch>, afterMs: number) =>
  steps.filter(({ renderMs }) => renderMs >= afterMs);

test("delayFor: what is between sends, but not more than the zone allows, and something for jitter", () => {
  expect(delayFor(50, 0, 0)).toBe(50);
  expect(delayFor(Number.POSITIVE_INFINITY, 0, 10)).toBe(20);
  expect(delayFor(Number.POSITIVE_INFINITY, 100, 0)).toBe(200);
  expect(delayFor(1000, 1000, 5)).toBe(1010);
  expect(delayFor(1000, 100, 0)).toBe(200);
  // Bounds are met in whole rounds: 50 ms in rounds of 30 is 60.
  expect(delayFor(50, 60, 0)).toBe(60);
});

describe("graded rates", () => {
  test.each([50, 200, 1000, 5000])("a gap of %i ms that the zone allows is not a stop", (boundMs) => {
    const steps = watch({ timesMs: every(boundMs, 40), boundMs, ageMs: jittered });
    for (const { step } of settled(steps, boundMs * 12)) {
      expect(step).toBeGreaterThan(0.6 * frameStep);
      expect(step).toBeLessThan(1.4 * frameStep);
    }
  });

  test.each([50, 200, 1000])("nor is one of %i ms that the object itself made normal", (gapMs) => {
    const steps = watch({ timesMs: every(gapMs, 40), ageMs: jittered });
    for (const { step } of settled(steps, gapMs * 12)) expect(step).toBeGreaterThan(0.6 * frameStep);
  });

  test("a fixed delay stops what is sent less often", () => {
    const stops = (settings?: PresenterSettings): number =>
      settled(watch({ timesMs: every(1000, 40), boundMs: 1000, ...(settings && { settings }) }), 12_000).filter(
        ({ step }) => step === 0,
      ).length;
    expect(stops({ deltaMs: 100, convergence: "snap" })).toBeGreaterThan(1000);
    expect(stops()).toBe(0);
  });

  test("near objects are not shown later than their own sends ask", () => {
    const last = watch({ timesMs: every(50, 100), boundMs: 50 }).at(-1)!;
    expect(last.lateMs).toBeLessThan(50 + 40 + FRAME_MS + 10);
  });

  test("with spacing known and no bound, a send that is lost leaves no stop", () => {
    const timesMs = every(100, 80).filter((_, index) => index % 10 !== 7);
    for (const { step } of settled(watch({ timesMs }), 2000)) expect(step).toBeGreaterThan(0.6 * frameStep);
  });

  test("who changes zones is shown without going back or leaping", () => {
    const near = every(50, 60);
    const far = every(1000, 15, 4000);
    const nearAgain = every(50, 200, 19_000);
    for (const { step } of watch({ timesMs: [...near, ...far, ...nearAgain] })) {
      expect(step).toBeGreaterThanOrEqual(-1e-9);
      // One gap is met unprepared; its correction takes the convergence time, and no frame more than a quarter of the gap.
      expect(step).toBeLessThan(250 * SPEED);
    }
  });
});

test("from two slower sends on it is known that sends are slower, and there are no more stops", () => {
  const steps = watch({ timesMs: [...every(50, 60), ...every(1000, 12, 4000)] });
  const stops = settled(steps, 7000).filter(({ step }) => step < 0.5 * frameStep);
  expect(stops).toEqual([]);
});

test("a rest does not make an object's sends slow", () => {
  const lateMs = watch({ timesMs: [...every(50, 60), ...every(50, 60, 15_000)] }).at(-1)!.lateMs;
  expect(lateMs).toBeLessThan(200);
});

test("nor does a rest from the beginning", () => {
  const steps = watch({ timesMs: [0, ...every(50, 60, 10_000)] });
  const lateMs = steps.find(({ renderMs }) => renderMs > 10_700)!.lateMs;
  expect(lateMs).toBeLessThan(300);
});

test("where the server is short of bytes and keeps bounds four times over, the delay follows what is sent", () => {
  const steps = watch({ timesMs: every(800, 30), boundMs: 200, ageMs: jittered });
  for (const { step } of settled(steps, 8000)) expect(step).toBeGreaterThan(0.6 * frameStep);
});

test("with a fixed delay it is shown exactly where it was that long ago", () => {
  const presenter = new Presenter({ model: "interpolation", deltaMs: 100 });
  for (const timeMs of [0, 100, 200, 300])
    presenter.receive({ timeMs, position: [timeMs, timeMs === 200 ? 8 : 0] }, timeMs);
  expect([300, 325, 350, 400, 900].map((ms) => [...presenter.at(ms).position])).toEqual([
    [200, 8, 0],
    [225, 6, 0],
    [250, 4, 0],
    [300, 0, 0],
    [300, 0, 0],
  ]);
});

test("an object that rested moves when it stirred, not all the time before", () => {
  const presenter = new Presenter({ model: "interpolation" });
  const send = (timeMs: number, x: number): boolean =>
    presenter.receive({ timeMs, position: [x, 0], boundMs: 200 }, timeMs);
  for (let round = 0; round <= 10; round++) send(round * 200, round * 20);
  expect(presenter.at(2600).position[0]).toBe(200);
  send(12_000, 220);
  expect(presenter.at(12_000).position[0]).toBeCloseTo(200, 9);
  expect(presenter.at(12_100).position[0]).toBeGreaterThan(205);
  expect(presenter.at(12_100).position[0]).toBeLessThan(215);
  expect(presenter.at(12_500).position[0]).toBe(220);
});
