/** The experiment without a page: what a run promises about error, bytes and luck. */
import { MOTION_MODELS } from "@nearfield/presentation";
import { EntityField, Keys } from "@nearfield/simulation";
import type { ControlInput } from "@nearfield/simulation/internal";
import { describe, expect, test } from "vitest";
import { Player } from "../../web/simulator/recording.ts";
import { sampleRecording } from "../../web/simulator/sample.ts";
import { turningOf, updateBytes } from "../../web/simulator/sending.ts";
import { DEFAULT_SETTINGS, type ModelName, type SimulatorSettings, withGenre } from "../../web/simulator/settings.ts";
import { Simulation } from "../../web/simulator/simulation.ts";
import { playThrough } from "../../web/simulator/test-run.ts";

const perfect: SimulatorSettings = {
  ...DEFAULT_SETTINGS,
  network: "own",
  latencyMs: 0,
  jitterPercent: 0,
  lossPercent: 0,
  bandwidthKbits: 0,
  convergence: "snap",
};
const models = Object.keys(MOTION_MODELS) as (keyof typeof MOTION_MODELS)[];
const sample = sampleRecording("direct", "1");
const forward: ControlInput = { keys: Keys.forward, targetX: 0, targetY: 0 };

describe("Simulation", () => {
  test.each(models)("without latency %s is never a threshold off", (model) => {
    const { statistics } = playThrough({ ...perfect, model }, sample);
    expect(statistics.figures().maxDistanceError).toBeLessThan(perfect.positionThreshold);
  });

  test("interpolation is late, and on the path", () => {
    const figures = playThrough({ ...perfect, model: "interpolation" }, sample).statistics.figures();
    expect(figures.avgDistanceError).toBeGreaterThan(5);
    expect(figures.pathDeviation).toBeLessThan(0.5);
    expect(figures.updatesPerSecond).toBeLessThanOrEqual(4.1);
  });

  test("the same settings and inputs give the same figures, another seed others", () => {
    const play = (seed: string) =>
      playThrough({ ...DEFAULT_SETTINGS, lossPercent: 20, seed }, sample).statistics.figures();
    expect(play("1")).toEqual(play("1"));
    expect(play("1")).not.toEqual(play("2"));
  });

  test("latency, loss and a narrow path cost error; thresholds cost bytes", () => {
    const error = (changed: Partial<SimulatorSettings>) =>
      playThrough({ ...perfect, ...changed }, sample).statistics.figures().avgDistanceError;
    expect(error({ latencyMs: 400 })).toBeGreaterThan(error({ latencyMs: 100 }));
    expect(error({ lossPercent: 30 })).toBeGreaterThan(2 * error({}));
    expect(error({ bandwidthKbits: 0.5 })).toBeGreaterThan(2 * error({}));
    const data = (positionThreshold: number) =>
      playThrough({ ...perfect, positionThreshold }, sample).statistics.figures().avgDataSent;
    expect(data(10)).toBeLessThan(data(1));
  });

  test("outside the sensitive region thresholds are larger", () => {
    const near = playThrough({ ...perfect, sensitiveRadius: 1000 }, sample).statistics.figures();
    const far = playThrough({ ...perfect, sensitiveRadius: 1, outsideFactor: 10 }, sample).statistics.figures();
    expect(far.updates).toBeLessThan(near.updates);
    expect(far.maxDistanceError).toBeGreaterThan(near.maxDistanceError);
  });

  test("pre-reckoning tells of a start in the frame it happens", () => {
    const firstMove = (preReckoning: boolean): number => {
      const simulation = new Simulation({ ...perfect, preReckoning });
      simulation.step({ ...forward, keys: 0 });
      for (let frame = 1; ; frame++) {
        simulation.step(forward);
        if (simulation.received.length > 1) return frame;
      }
    };
    expect(firstMove(true)).toBe(1);
    // Looking up is a turn by 90°, which passes the angle threshold as well; without thresholds on it only the way counts.
    const simulation = new Simulation({ ...perfect, angleThreshold: 180 });
    simulation.step({ ...forward, keys: 0 });
    simulation.step(forward);
    expect(simulation.received).toHaveLength(1);
  });

  test("loses what the network loses, and says so", () => {
    const simulation = playThrough({ ...perfect, lossPercent: 50 }, sample);
    const { updates } = simulation.statistics.figures();
    expect(simulation.lost).toBeGreaterThan(0.3 * updates);
    expect(simulation.lost).toBeLessThan(0.7 * updates);
  });

  test("the picture comes to the convergence point when it is said to be reached", () => {
    const simulation = new Simulation({ ...perfect, convergence: "linear", positionMs: 50, latencyMs: 100 });
    const player = new Player(sample);
    let [reached, wasReached, heard] = [0, false, 0];
    for (let input = player.next(); input !== undefined; input = player.next()) {
      const before = simulation.convergencePoint;
      simulation.step(input);
      const point = simulation.convergencePoint;
      const newest = simulation.received.at(-1)?.timeMs ?? 0;
      if (newest === heard && point?.isReached && !wasReached) {
        reached += 1;
        // It was there at most a frame ago.
        const off = Math.hypot(simulation.shown!.x - before!.x, simulation.shown!.y - before!.y);
        expect(off).toBeLessThan(1);
      }
      wasReached = point?.isReached ?? false;
      heard = newest;
    }
    expect(reached).toBeGreaterThan(20);
  });

  test("other settings take over where the entity is", () => {
    const simulation = new Simulation(perfect);
    for (let frame = 0; frame < 60; frame++) simulation.step(forward);
    const y = simulation.truth[EntityField.y]!;
    simulation.change(withGenre(perfect, "simulation"));
    expect(simulation.statistics.figures().seconds).toBe(0);
    simulation.step(forward);
    expect(simulation.truth[EntityField.y]).toBeGreaterThan(y);
    expect(simulation.shown!.y).toBeCloseTo(simulation.truth[EntityField.y]!, 6);
  });
});

test("what updates do not carry is not known: turn rates of order 0 and of position history", () => {
  const turning = (changed: Partial<SimulatorSettings>) => turningOf({ ...perfect, turning: "sent", ...changed });
  expect(turning({ model: "linear" })).toBe("sent");
  expect(turning({ model: "hold", control: "thrust" })).toBe("hold");
  expect(turning({ model: "history", control: "thrust" })).toBe("derived");
  expect(turning({ model: "history", control: "direct" })).toBe("hold");
  expect(turning({ model: "linear", turning: "derived" })).toBe("derived");
});

test("updates weigh what the paper's table says", () => {
  const bytes = (model: ModelName, compensationMs: number) => updateBytes({ model, compensationMs });
  expect([bytes("linear", 0), bytes("linear", 100)]).toEqual([25, 33]);
  expect([bytes("accelerated", 0), bytes("accelerated", 100)]).toEqual([33, 41]);
  expect([bytes("history", 0), bytes("history", 100)]).toEqual([21, 21]);
  expect([bytes("interpolation", 0), bytes("interpolation", 100)]).toEqual([21, 21]);
});
