/** What the page works on: steering, recording, playing back, changing settings meanwhile; and its small helpers. */
import { Keys } from "@nearfield/simulation";
import type { ControlInput } from "@nearfield/simulation/internal";
import { describe, expect, test } from "vitest";
import { Camera, FIELD_ACROSS } from "../../web/simulator/camera.ts";
import { FRAME_MS } from "../../web/simulator/recording.ts";
import { DEFAULT_SETTINGS } from "../../web/simulator/settings.ts";
import { Statistics } from "../../web/simulator/statistics.ts";
import { playThrough } from "../../web/simulator/test-run.ts";
import { LiveSeries, Trail } from "../../web/simulator/trail.ts";
import { framesFor, Workbench } from "../../web/simulator/workbench.ts";

const right = (): ControlInput => ({ keys: Keys.right, targetX: 0, targetY: 0 });

function tick(bench: Workbench, frames: number): void {
  for (let frame = 0; frame < frames; frame++) bench.tick(right);
}

describe("Workbench", () => {
  test("records what is steered and plays it back to the same figures, at any speed", () => {
    const bench = new Workbench();
    tick(bench, 30);
    bench.record();
    tick(bench, 90);
    const figures = bench.simulation.statistics.figures();
    bench.stopRecording();
    tick(bench, 10);
    bench.play();
    expect(bench.mode).toBe("playback");
    tick(bench, 91);
    expect(bench.mode).toBe("ended");
    expect(bench.simulation.statistics.figures()).toEqual(figures);
    expect(playThrough(bench.settings, bench.recording!).statistics.figures()).toEqual(figures);
  });

  test("plays again under other settings", () => {
    const bench = new Workbench();
    bench.takeSample();
    bench.play();
    tick(bench, 1300);
    bench.change({ ...bench.settings, model: "hold" });
    expect(bench.mode).toBe("playback");
    expect(bench.simulation.nowMs).toBe(0);
  });

  test("moves on under other settings while somebody steers, and starts over with other luck", () => {
    const bench = new Workbench();
    tick(bench, 60);
    bench.change({ ...bench.settings, model: "hold" });
    expect(bench.simulation.nowMs).toBeCloseTo(60 * FRAME_MS);
    bench.change({ ...bench.settings, seed: "other" });
    expect(bench.simulation.nowMs).toBe(0);
  });

  test("takes another sample for another control, and knows when a recording does not suit it", () => {
    const bench = new Workbench();
    bench.takeSample();
    bench.play();
    bench.change({ ...bench.settings, control: "point" });
    expect(bench.recording!.clicks.length).toBeGreaterThan(5);
    expect(bench.suits).toBe(true);
    bench.record();
    tick(bench, 10);
    bench.stopRecording();
    expect(bench.suits).toBe(false);
    bench.change({ ...bench.settings, control: "direct" });
    expect(bench.suits).toBe(true);
  });

  test("has nothing to play before anything is recorded", () => {
    const bench = new Workbench();
    bench.play();
    expect(bench.mode).toBe("steer");
    bench.record();
    bench.stopRecording();
    expect(bench.recording).toBeUndefined();
  });
});

test("a screen of about 60 frames per second steps once per frame, others as time goes", () => {
  expect(framesFor(16, 0).frames).toBe(1);
  expect(framesFor(18.5, 0).frames).toBe(1);
  expect(framesFor(100, 0).frames).toBe(6);
  expect(framesFor(60_000, 0).frames).toBeLessThanOrEqual(15);
  let [frames, leftMs] = [0, 0];
  for (let at = 0; at < 144; at++) {
    const step = framesFor(1000 / 144, leftMs);
    frames += step.frames;
    leftMs = step.leftMs;
  }
  expect(Math.abs(frames - 60)).toBeLessThanOrEqual(1);
});

test("statistics agree with a run counted by hand", () => {
  const statistics = new Statistics();
  for (let frame = 0; frame < 120; frame++) {
    statistics.frame(frame, 0, 60, frame % 30 === 0 ? 100 : 0);
    statistics.shown(frame - 3, frame === 60 ? 4 : 0);
  }
  const figures = statistics.figures();
  expect(figures).toMatchObject({ seconds: 2, updates: 4, updatesPerSecond: 2, avgDataSent: 0.2, maxDataSent: 0.2 });
  expect(figures.avgDistanceError).toBeCloseTo((119 * 3 + 5) / 120);
  expect(figures.maxDistanceError).toBe(5);
  // Off the path by 4 in one frame, and behind its start in the first three.
  expect(figures.pathDeviation).toBeCloseTo((4 + 3 + 2 + 1) / 120);
  expect(figures.jumpsPerSecond).toBe(1);
});

test("the camera keeps the entity inside and knows where a click is", () => {
  const camera = new Camera();
  const view = { width: 400, height: 300 };
  camera.follow(10, 5, view);
  expect([camera.x, camera.y]).toEqual([0, 0]);
  camera.follow(500, -500, view);
  expect(500 - camera.x).toBeLessThan(FIELD_ACROSS / 2);
  expect(camera.toField(200, 150, view)).toEqual({ x: camera.x, y: camera.y });
  expect(camera.toField(400, 0, view).x).toBeCloseTo(camera.x + FIELD_ACROSS / 2);
  expect(camera.toField(400, 0, view).y).toBeGreaterThan(camera.y);
});

test("trails and series keep the last of what they are told", () => {
  const trail = new Trail(3);
  for (let at = 0; at < 5; at++) trail.push(at, -at);
  expect([trail.length, trail.x(0), trail.x(2), trail.y(2)]).toEqual([3, 2, 4, -4]);
  const series = new LiveSeries(2);
  for (let at = 0; at < 4; at++) series.push(at, at === 2 ? null : at, 10 * at);
  expect(series.columns("error")).toEqual([
    [2, 3],
    [null, 3],
  ]);
  expect(series.columns("rate")).toEqual([
    [2, 3],
    [20, 30],
  ]);
});

test("defaults are those of sport over UMTS", () => {
  expect(DEFAULT_SETTINGS).toMatchObject({ genre: "sport", control: "direct", network: "umts", latencyMs: 340 });
});
