/** Thresholds on places and headings as a metric: by hand, and beside the sender that decides by the same rules. */

import { MOTION_MODELS, Sender, shooter, sport } from "@nearfield/presentation";
import type { MotionModelName, Turning } from "@nearfield/presentation/internal";
import { object, Protocol, quantized } from "@nearfield/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Metric, thresholds, World } from "./index.ts";
import { LARGEST_SAMPLE } from "./internal/index.ts";

const axis = quantized(-1000, 1000, 0.5);
const turn = quantized(-4, 4, 0.25);
const fields = { x: axis, y: axis, vx: axis, vy: axis, ax: axis, ay: axis, heading: turn, spin: turn };
const Ship = object("ship", fields, {
  position: ["x", "y"],
  velocity: ["vx", "vy"],
  acceleration: ["ax", "ay"],
  orientation: "heading",
  turnRate: "spin",
});
const Buoy = object("buoy", { x: axis, y: axis, heading: turn }, { position: ["x", "y"], orientation: "heading" });
const Boat = object("boat", fields, { position: ["x", "y"], velocity: ["vx", "vy"], orientation: "heading" });
const protocol = new Protocol({ objects: [Ship, Buoy, Boat] });

type State = Partial<Record<keyof typeof fields, number>>;

/** A ship that is sent as `sent`; what the metric says of it as `now`, so long after. */
function value(metric: Metric, sent: State, now: State, elapsedMs: number, settles = false): number {
  const world = new World({ protocol });
  const ship = world.spawn(Ship, sent);
  const sample = new Float64Array(LARGEST_SAMPLE);
  metric.sample(world, 0, sample, 0, 0, settles);
  Object.assign(ship, now);
  world.commit(0);
  return metric.divergence(world, 0, sample, 0, elapsedMs);
}

describe("the value", () => {
  const metric = thresholds({ name: "mine", position: 2, angle: 0.5, turning: "sent" });

  test("is how far off the picture is, in thresholds: its place or its heading, whichever is more", () => {
    expect(value(metric, { vx: 20 }, { x: 20 }, 1000)).toBe(0);
    expect(value(metric, { vx: 20 }, { x: 23 }, 1000)).toBe(1.5);
    expect(value(metric, { heading: 1 }, { heading: 2 }, 0)).toBe(2);
    expect(value(metric, {}, { x: 8, heading: 1 }, 0)).toBe(4);
  });

  test("headings turn on as sent, also on the spot; without a threshold they do not count", () => {
    expect(value(metric, { spin: 0.5 }, { heading: 1 }, 2000)).toBe(0);
    expect(value(metric, { spin: 0.5 }, { heading: 1 }, 2000, true)).toBe(0);
    expect(value(metric, { spin: 0.5 }, {}, 2000)).toBe(2);
    expect(value(thresholds({ name: "p", position: 2 }), {}, { heading: 3 }, 0)).toBe(0);
  });

  test("is without bound at a start, a stop and a sharp turn, with pre-reckoning", () => {
    const early = thresholds({ name: "early", position: 100, preReckoning: { restSpeed: 1 } });
    expect(value(early, {}, { vx: 5 }, 50)).toBe(Number.POSITIVE_INFINITY);
    expect(value(early, { vx: 5 }, { vx: 1 }, 50)).toBe(Number.POSITIVE_INFINITY);
    expect(value(early, { vx: 5 }, { vx: 0, vy: 5 }, 50)).toBe(Number.POSITIVE_INFINITY);
    expect(value(early, { vx: 5 }, { vx: 4, vy: 3 }, 50)).toBeLessThan(1);
    expect(value(early, { vx: 5 }, { vx: 5 }, 50, true)).toBe(Number.POSITIVE_INFINITY);
  });
});

test("by a preset: its model and thresholds, scaled to the entity", () => {
  expect([thresholds(sport).name, thresholds(shooter).name]).toEqual(["thresholds:sport", "thresholds:shooter"]);
  const { positionThreshold, angleThreshold } = shooter.tuned.umts;
  expect(value(thresholds(shooter), {}, { x: 3 }, 0)).toBe(3 / positionThreshold);
  expect(value(thresholds(shooter, { size: 2 }), {}, { x: 3 }, 0)).toBe(15 / positionThreshold);
  expect(value(thresholds(shooter), {}, { heading: 1 }, 0)).toBe(1 / angleThreshold);
});

test("builds on earlier sends only where its model or its turning does", () => {
  expect(thresholds(sport)).toMatchObject({ memoryless: true });
  expect(thresholds(sport).again).toBeUndefined();
  expect(thresholds({ name: "t", position: 1, turning: "derived" }).memoryless).toBe(false);
  const metric = thresholds({ name: "t", position: 2, angle: 0.5, model: "quadratic", turning: "derived" });
  const world = new World({ protocol });
  const ship = world.spawn(Ship, {});
  /** The sample after sends in these states, a second apart. */
  const after = (...states: readonly State[]): Float64Array => {
    const sample = new Float64Array(LARGEST_SAMPLE);
    for (const [index, state] of states.entries()) {
      Object.assign(ship, { vx: 0, heading: 0, ...state });
      world.commit(0);
      metric.sample(world, 0, sample, 0, index === 0 ? 0 : 1000, false);
    }
    return sample;
  };
  const [first, lost, last] = [{ vx: 10 }, { vx: 300, heading: -2 }, { vx: 30, heading: 1 }];
  const sent = after(first, lost, last);
  metric.again!(sent, 0, after(first), 1000, false);
  expect(sent).toEqual(after(first, last));
});

describe("decides as a sender with the same model and thresholds does", () => {
  const number = fc.integer({ min: -40, max: 40 }).map((halves) => halves / 2);
  const angles = fc.integer({ min: -8, max: 8 }).map((quarters) => quarters / 4);
  const state = fc.record({
    x: number,
    y: number,
    vx: number,
    vy: number,
    ax: number,
    ay: number,
    heading: angles,
    spin: angles,
  });
  const rounds = fc.array(state, { minLength: 3, maxLength: 30 });

  test.each<[MotionModelName, Turning]>([
    ["linear", "sent"],
    ["linear", "hold"],
    ["quadratic", "sent"],
    ["accelerated", "sent"],
  ])("%s, turning %s", (model, turning) => {
    const [position, angle, preReckoning] = [12, 1.5, { restSpeed: 3 }];
    fc.assert(
      fc.property(rounds, fc.boolean(), (states, isEarly) => {
        const early = isEarly ? { preReckoning } : {};
        const metric = thresholds({ name: "t", position, angle, model, turning, ...early });
        const sender = new Sender({
          model: MOTION_MODELS[model],
          thresholds: { position, angle },
          carriesTurn: turning === "sent",
          ...early,
        });
        const world = new World({ protocol });
        const ship = world.spawn(Ship, {});
        const sample = new Float64Array(LARGEST_SAMPLE);
        let sentMs = Number.NaN;
        states.forEach((now, round) => {
          Object.assign(ship, now);
          world.commit(0);
          const nowMs = round * 50;
          const motion = Float64Array.of(now.x, now.y, 0, now.vx, now.vy, 0, now.ax, now.ay, 0);
          const isDue = Number.isNaN(sentMs) || metric.divergence(world, 0, sample, 0, nowMs - sentMs) >= 1;
          expect(sender.reason(motion, 0, now.heading, nowMs) !== "none").toBe(isDue);
          if (!isDue) return;
          sender.sent(motion, 0, now.heading, now.spin, nowMs);
          metric.sample(world, 0, sample, 0, Number.isNaN(sentMs) ? 0 : nowMs - sentMs, false);
          sentMs = nowMs;
        });
      }),
    );
  });
});

test("mistakes are named", () => {
  expect(() => thresholds({ name: "t", position: 0 })).toThrow(/thresholds:t.position.*must be above 0, is 0/);
  expect(() => thresholds({ name: "t", position: 1, angle: -1 })).toThrow(/angle.*must be above 0/);
  expect(() => thresholds({ name: "t", position: 1, model: "history", preReckoning: {} })).toThrow(
    /history goes by none/,
  );
  const sent = thresholds({ name: "t", position: 1, angle: 1, turning: "sent" });
  expect([sent.missing!(Ship), sent.missing!(Boat), sent.missing!(Buoy)]).toEqual([undefined, "turnRate", "turnRate"]);
  expect(thresholds({ name: "t", position: 1 }).missing!(Buoy)).toBe("velocity");
  expect([thresholds(shooter).missing!(Boat), thresholds(shooter).missing!(Buoy)]).toEqual([undefined, "velocity"]);
});
