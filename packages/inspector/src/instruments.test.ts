/** The inspector's instruments, one by one: meter, stopwatch, heat map, configuration file. */

import { World } from "@nearfield/core";
import { float32, object, Protocol, quantized } from "@nearfield/schema";
import { describe, expect, it } from "vitest";
import { FeedReader } from "./feed-reader.ts";
import { HeatMap } from "./heat-map.ts";
import { Meters } from "./meters.ts";
import type { Value } from "./shape.ts";
import { StageTimes } from "./stage-times.ts";

describe("Meters", () => {
  it("have the rate of the last two samples, the mean and the highest", () => {
    const meters = new Meters(2);
    for (const [atMs, total] of [
      [0, 100],
      [500, 100],
      [1000, 300],
      [1500, 400],
      [2000, 400],
    ] as const)
      meters.sample(atMs, Float64Array.of(7, total));
    const values: Value[] = ["before"];
    meters.writeFlows(values, 1, 2);
    expect(values).toEqual(["before", 0, 0, 0, 7, 100_00, 150_00, 300_00, 400]);
    expect([meters.risen(0), meters.risen(1)]).toEqual([0, 300]);
  });
});

describe("StageTimes", () => {
  it("gives percentiles of whole rounds and means of their stages", () => {
    let nowMs = 0;
    const times = new StageTimes(() => nowMs, 2);
    for (let round = 1; round <= 600; round++) {
      times.start();
      nowMs += 1;
      times.lap(0);
      nowMs += round;
      times.lap(1);
    }
    const { count, p50Ms, p99Ms, maxMs, stages } = times.times();
    expect({ count, maxMs }).toEqual({ count: 512, maxMs: 601 });
    expect(p50Ms).toBeCloseTo(345, -1);
    expect(p99Ms).toBeCloseTo(596, -1);
    // Rounds 89, 97, … 593: every 8th of the last 512.
    expect(stages).toEqual([1, (89 + 593) / 2]);
    expect(times.lastMs).toBe(601);
  });
});

describe("HeatMap", () => {
  it("covers a world with ends, in its proportions", () => {
    const wide = object("wide", { x: quantized(0, 2000, 1), y: quantized(0, 1000, 1) }, { position: ["x", "y"] });
    const heat = new HeatMap(new World({ protocol: new Protocol({ objects: [wide] }) }), 0);
    heat.count(0, 0);
    heat.count(2000, 1000);
    heat.count(1999, 999);
    heat.endSample();
    const tell = heat.tell("main");
    expect(tell).toMatchObject({ columns: 64, rows: 32, x: [0, 2000], y: [0, 1000], samples: 1, most: 2 });
    expect([tell.counts[0], tell.counts.at(-1)]).toEqual([1, 2]);
  });

  it("grows with a world that has none, and keeps what it counted", () => {
    const free = object("free", { x: float32(), y: float32() }, { position: ["x", "y"] });
    const heat = new HeatMap(new World({ protocol: new Protocol({ objects: [free] }) }), 0);
    for (const at of [1, 60, -60, 300, -5000, 1e30]) heat.count(at, at);
    const { counts, x, columns, rows, most } = heat.tell("main");
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(6);
    expect(most).toBe(Math.max(...counts));
    expect(columns * rows).toBe(64 * 64);
    expect(x[1]).toBe(2 ** 40);
  });

  it("tells what was counted since; everything to whom it is new, after it grew or was cleared, and if it is too much", () => {
    const free = object("free", { x: float32(), y: float32() }, { position: ["x", "y"] });
    const heat = new HeatMap(new World({ protocol: new Protocol({ objects: [free] }) }), 0);
    const reader = new FeedReader();
    let told = -1;
    const tell = (): boolean => {
      const text = heat.text("main", told);
      told = heat.counted;
      expect(reader.read(text)).toEqual([heat.tell("main")]);
      return text.includes("counts");
    };
    heat.count(1, 1);
    expect(tell()).toBe(true);
    expect(tell()).toBe(false);
    for (const at of [1, -60, 60, 60]) heat.count(at, at);
    heat.endSample();
    expect(tell()).toBe(false);
    heat.count(300, 300);
    expect(tell()).toBe(true);
    heat.clear();
    expect(tell()).toBe(true);
    for (let i = 0; i < 1000; i++) heat.count(2, 2);
    expect(tell()).toBe(false);
    for (let i = 0; i < 2000; i++) heat.count(2, 2);
    expect(tell()).toBe(true);
    for (let sample = 0; sample < 60; sample++) {
      for (let i = 0; i < 100; i++) heat.count(sample, 2);
      expect(tell()).toBe(false);
    }
  });
});
