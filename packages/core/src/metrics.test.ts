import { hold } from "@nearfield/presentation";
import { describe, expect, test } from "vitest";
import { Comet, Crate, Ship, smallWorld } from "../test/small-world.ts";
import {
  displacement,
  type Metric,
  MetricRegistry,
  path,
  predicted,
  relative,
  SAMPLE_SIZE,
  ViewError,
} from "./index.ts";

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
    const hoarder = { ...hold, name: "hoarder", stateSize: SAMPLE_SIZE + 1 };
    expect(() => predicted(hoarder)).toThrow(/predicted:hoarder.*keeps 7 numbers/);
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
