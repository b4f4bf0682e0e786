import { type Metric, predicted, relative, thresholds } from "@nearfield/core";
import { MOTION_MODELS } from "@nearfield/presentation";
import { describe, expect, test } from "vitest";
import { guardedMetric } from "./guarded-metric.ts";

/** Every member of `Metric`; the compiler says so when one is missing. */
const MEMBERS: Readonly<Record<keyof Metric, true>> = {
  name: true,
  sampleSize: true,
  sample: true,
  divergence: true,
  divergeInto: true,
  growth: true,
  carriesOn: true,
  velocity: true,
  fadingMs: true,
  again: true,
  byFields: true,
  missing: true,
  memoryless: true,
};

describe("a guarded metric", () => {
  test.each([
    thresholds({ name: "derived", position: 2, angle: 0.5, model: "history", turning: "derived" }),
    thresholds({ name: "sent", position: 2, turning: "sent" }),
    predicted(MOTION_MODELS.fading),
    relative("health"),
  ])("has the members of the metric that it guards: $name", (metric) => {
    const guarded = guardedMetric(metric, () => {});
    for (const member of Object.keys(MEMBERS) as (keyof Metric)[]) {
      expect([member, typeof guarded[member]]).toEqual([member, typeof metric[member]]);
      if (typeof metric[member] !== "function") expect(guarded[member]).toBe(metric[member]);
    }
  });

  test("that throws counts as over its bound", () => {
    const faults: unknown[] = [];
    const broken = (): never => {
      throw new Error("broken");
    };
    const metric = {
      ...thresholds({ name: "t", position: 1 }),
      name: "broken",
      divergeInto: broken,
      divergence: broken,
    };
    const guarded = guardedMetric({ ...metric, sample: broken, growth: broken }, (error) => faults.push(error));
    const out = new Float64Array(1);
    guarded.divergeInto!(undefined as never, 0, out, 0, 0, out);
    expect(out[0]).toBe(Number.POSITIVE_INFINITY);
    expect(guarded.divergence(undefined as never, 0, out, 0, 0)).toBe(Number.POSITIVE_INFINITY);
    expect(faults).toHaveLength(2);
  });
});
