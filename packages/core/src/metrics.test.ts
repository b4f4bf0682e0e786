import { accelerated, history, historyCurve, historyLine, hold, quadratic } from "@nearfield/presentation";
import { int, object, Protocol, slotOf } from "@nearfield/schema";
import { describe, expect, test } from "vitest";
import { Comet, Crate, Ship, smallWorld } from "../test/small-world.ts";
import { displacement, type Metric, path, predicted, relative, ViewError, World } from "./index.ts";
import { LARGEST_SAMPLE, type Match, MetricRegistry, resolveView, SAMPLE_SIZE } from "./internal/index.ts";

const world = smallWorld();
const { protocol } = world;

/** Divergence after these changes, a commit each, from a sample that was taken before. */
function after(metric: Metric, start: object, ...changes: object[]): number {
  const own = smallWorld();
  const ship = own.spawn(Ship, start);
  const sent = new Float64Array(2 * SAMPLE_SIZE);
  metric.sample(own, 0, sent, SAMPLE_SIZE, 0, false);
  for (const change of changes) {
    Object.assign(ship, change);
    own.commit(0);
  }
  return metric.divergence(own, 0, sent, SAMPLE_SIZE, 0);
}

describe("displacement", () => {
  test("from the primary now to the position as sent, which was quantised", () => {
    expect(after(displacement, { x: 10, y: 10 }, { x: 13, y: 14 })).toBe(5);
    expect(after(displacement, { x: 10.2 })).toBeCloseTo(0.2, 12);
  });
  test("there and back is none", () => {
    expect(after(displacement, { x: 0 }, { x: 3 }, { x: 0 })).toBe(0);
  });
});

describe("path", () => {
  test("counts the way, there and back", () => {
    expect(after(path, { x: 0 })).toBe(0);
    expect(after(path, { x: 0 }, { x: 3 }, { x: 0 })).toBe(6);
  });
  test("counts from the last sample", () => {
    const own = smallWorld();
    const ship = own.spawn(Ship, { x: 0 });
    ship.x = 50;
    own.commit(0);
    const sent = new Float64Array(SAMPLE_SIZE);
    path.sample(own, 0, sent, 0, 0, false);
    expect(path.divergence(own, 0, sent, 0, 0)).toBe(0);
  });
});

describe("relative", () => {
  const hull = relative("hull");
  test("percent of the value last sent", () => {
    expect(after(hull, { hull: 80 }, { hull: 60 })).toBe(25);
    expect(after(hull, { hull: 40 }, { hull: 60 })).toBe(50);
    expect(after(relative("x"), { x: -10 }, { x: -5 })).toBe(50);
  });
  test("any change from 0 is infinite, none is none", () => {
    expect(after(hull, { hull: 0 }, { hull: 1 })).toBe(Number.POSITIVE_INFINITY);
    expect(after(hull, { hull: 0 })).toBe(0);
  });
  test("an object without the field never diverges by it", () => {
    const own = smallWorld();
    own.spawn(Crate, { label: "a" });
    const sent = new Float64Array(SAMPLE_SIZE);
    hull.sample(own, 0, sent, 0, 0, false);
    expect(hull.divergence(own, 0, sent, 0, 0)).toBe(0);
  });
});

describe("predicted", () => {
  test("from the primary now to where the model puts it by now", () => {
    const own = smallWorld();
    const comet = own.spawn(Comet, { x: 10, vx: 20, vy: -4 });
    const sent = new Float64Array(SAMPLE_SIZE);
    predicted().sample(own, 0, sent, 0, 0, false);
    expect(predicted().carriesOn!(sent, 0)).toBe(true);
    comet.x = 13;
    own.commit(0);
    expect(predicted().divergence(own, 0, sent, 0, 0)).toBe(3);
    expect(predicted().divergence(own, 0, sent, 0, 500)).toBe(Math.sqrt(7 * 7 + 2 * 2));
    predicted().sample(own, 0, sent, 0, 50, true);
    expect([predicted().carriesOn!(sent, 0), predicted().divergence(own, 0, sent, 0, 500)]).toEqual([false, 0]);
  });
  test("is named after its model, and refuses one that keeps too much", () => {
    expect([predicted().name, predicted(hold).name]).toEqual(["predicted", "predicted:hold"]);
    const hoarder = { ...hold, name: "hoarder", stateSize: LARGEST_SAMPLE + 1 };
    expect(() => predicted(hoarder)).toThrow(/predicted:hoarder.*keeps 21 numbers/);
  });
  test("takes a sample again as if another send had been the one before", () => {
    for (const model of [quadratic, historyLine, historyCurve, history]) {
      const metric = predicted(model);
      const own = smallWorld();
      const comet = own.spawn(Comet, { x: 10, vx: 20, vy: -4 });
      const slot = slotOf(comet.id);
      /** The sample after sends at these places and velocities, a second apart. */
      const after = (...sends: readonly (readonly [x: number, vx: number])[]): Float64Array => {
        const sample = new Float64Array(LARGEST_SAMPLE);
        for (const [index, [x, vx]] of sends.entries()) {
          Object.assign(comet, { x, vx });
          own.commit(0);
          metric.sample(own, slot, sample, 0, index === 0 ? 0 : 1000, false);
        }
        return sample;
      };
      const sent = after([10, 20], [500, -50], [40, 30]);
      metric.again!(sent, 0, after([10, 20]), 1000, false);
      expect(sent).toEqual(after([10, 20], [40, 30]));
      metric.again!(sent, 0, new Float64Array(LARGEST_SAMPLE), 0, false);
      expect(sent).toEqual(after([40, 30]));
      metric.again!(sent, 0, after([10, 20]), 1000, true);
      expect(metric.carriesOn!(sent, 0)).toBe(false);
    }
  });
  test("reads an acceleration where the model goes by it", () => {
    const Rocket = object(
      "rocket",
      { x: int(20), y: int(20), vx: int(10), vy: int(10), ax: int(10), ay: int(10) },
      { position: ["x", "y"], velocity: ["vx", "vy"], acceleration: ["ax", "ay"] },
    );
    const space = new World({ protocol: new Protocol({ objects: [Rocket] }) });
    const rocket = space.spawn(Rocket, { x: 10, vx: 20, ay: 8 });
    const sent = new Float64Array(LARGEST_SAMPLE);
    const metric = predicted(accelerated);
    metric.sample(space, slotOf(rocket.id), sent, 0, 0, false);
    Object.assign(rocket, { x: 50, y: 16 });
    space.commit(0);
    expect(metric.divergence(space, slotOf(rocket.id), sent, 0, 2000)).toBe(0);
    expect(metric.divergence(space, slotOf(rocket.id), sent, 0, 1000)).toBeCloseTo(Math.hypot(20, 12), 9);
  });
  test("is refused where nothing that can match is sent what its model goes by, and the reason says what to do", () => {
    const at = (metric: string, match: Match): (() => unknown) => {
      const sets = [
        { match, metric, bounds: [{ value: 1 }] },
        { match: "everything" as const, bounds: [{}] },
      ];
      return () => resolveView({ sets, pivots: [] }, smallWorld(), new MetricRegistry());
    };
    const refused = expect.objectContaining({ code: "unfit-metric", at: "sets[0].metric" });
    expect(at("predicted:accelerated", { type: "comet" })).toThrow(refused);
    expect(at("predicted:accelerated", "everything")).toThrow(
      /"predicted:accelerated" goes by .*: ship has no velocity, .*, comet has no acceleration\. Name its fields/,
    );
    expect(at("predicted:quadratic", { type: "ship" })).toThrow(refused);
    for (const metric of ["predicted", "predicted:quadratic"]) {
      expect(at(metric, "everything")).not.toThrow();
      expect(at(metric, { tag: "vip" })).not.toThrow();
    }
    expect(at("predicted:history", { type: "ship" })).not.toThrow();
    expect(at("predicted:quadratic", { type: "score" })).not.toThrow();
  });
});

test("growth bounds what a round can add", () => {
  expect([displacement.growth(3), path.growth(3), relative("hull").growth(3)]).toEqual([
    3,
    3,
    Number.POSITIVE_INFINITY,
  ]);
});

describe("registry", () => {
  const danger: Metric = { name: "danger", sample() {}, divergence: () => 1, growth: () => 0 };

  test("knows what is in the box, relative fields, and what was registered; a name keeps its number", () => {
    const metrics = new MetricRegistry([danger]);
    const ids = ["displacement", "path", "predicted", "predicted:hold", "relative:hull", "danger"].map((name) => {
      const { metric, metricId } = metrics.resolve(name, "here", protocol);
      expect([metric.name, metrics.nameOf(metricId)]).toEqual([name, name]);
      return metricId;
    });
    expect(new Set([0, ...ids]).size).toBe(7);
    expect(metrics.resolve("predicted:linear", "here", protocol).metricId).toBe(ids[2]);
    expect(metrics.resolve("path", "here", protocol).metricId).toBe(ids[1]);
    expect(metrics.nameOf(0)).toBe("");
  });

  test("refuses by name and place what it does not know", () => {
    const metrics = new MetricRegistry([danger]);
    for (const name of ["speed", "relative:", "relative:nothing", "relative:label", "Relative:hull"]) {
      const refused = expect.objectContaining({ code: "unknown-metric", at: "sets[1].metric" });
      expect(() => metrics.resolve(name, "sets[1].metric", protocol)).toThrow(refused);
    }
    expect(() => metrics.resolve("speed", "m", protocol)).toThrow(/"speed".*displacement, path, predicted, .*danger/);
  });

  test("what clients make up does not fill it", () => {
    const metrics = new MetricRegistry();
    for (let i = 0; i < 1000; i++) {
      expect(() => metrics.resolve(`relative:f${i}`, "m", protocol)).toThrow(ViewError);
    }
    expect(metrics.resolve("relative:hull", "m", protocol).metricId).toBe(1);
  });

  test("holds 62, and says so", () => {
    const many = Array.from({ length: 63 }, (_, i) => ({ ...danger, name: `m${i}` }));
    const metrics = new MetricRegistry(many);
    for (const { name } of many.slice(0, 62)) metrics.resolve(name, "m", protocol);
    const refused = expect.objectContaining({ code: "too-many" });
    expect(() => metrics.resolve("m62", "m", protocol)).toThrow(refused);
  });
});
