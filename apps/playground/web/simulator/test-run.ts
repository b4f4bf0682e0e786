/**
 * The test run (N §3.2.5): one recording played again and again under other latencies, and other losses or models. It is a generator, so
 * that the caller can show progress and stop. Every cell uses the same seed for losses and delays, so curves differ only by what was varied.
 */

import { readLosses } from "./field.ts";
import { Player, type Recording } from "./recording.ts";
import type { ModelName, SimulatorSettings } from "./settings.ts";
import { Simulation } from "./simulation.ts";
import type { Figures } from "./statistics.ts";

export interface TestPlan {
  readonly latencies: readonly number[];
  /** In percent. */
  readonly losses: readonly number[];
  readonly models: readonly ModelName[];
}

export interface TestRow {
  readonly latencyMs: number;
  readonly lossPercent: number;
  readonly model: ModelName;
  /** Means are means over the repeats, and the most is the most of any. */
  readonly figures: Figures;
}

/** Compared with each other when there is a curve per model: what the paper compares, and order 0. */
const COMPARED: readonly ModelName[] = ["hold", "linear", "accelerated", "history", "interpolation"];

export function planOf(settings: SimulatorSettings): TestPlan {
  const latencies: number[] = [];
  for (let latency = 0; latency <= settings.runToMs; latency += settings.runStepMs) latencies.push(latency);
  if (settings.runCurves === "model") {
    const models = COMPARED.includes(settings.model) ? COMPARED : [...COMPARED, settings.model];
    return { latencies, losses: [settings.lossPercent], models };
  }
  return { latencies, losses: readLosses(settings.runLosses) ?? [settings.lossPercent], models: [settings.model] };
}

export function countCells({ latencies, losses, models }: TestPlan): number {
  return latencies.length * losses.length * models.length;
}

export function* testRun(
  settings: SimulatorSettings,
  recording: Recording,
  plan: TestPlan,
): Generator<TestRow, void, void> {
  for (const model of plan.models) {
    for (const lossPercent of plan.losses) {
      for (const latencyMs of plan.latencies) {
        const cell: SimulatorSettings = { ...settings, model, lossPercent, latencyMs, network: "own" };
        yield { latencyMs, lossPercent, model, figures: repeat(cell, recording) };
      }
    }
  }
}

/** Plays a recording to its end. */
export function playThrough(settings: SimulatorSettings, recording: Recording): Simulation {
  const simulation = new Simulation(settings);
  const player = new Player(recording);
  for (let input = player.next(); input !== undefined; input = player.next()) simulation.step(input);
  return simulation;
}

function repeat(settings: SimulatorSettings, recording: Recording): Figures {
  const all: Figures[] = [];
  for (let turn = 0; turn < settings.runRepeats; turn++) {
    // The first has the seed itself, so that a playback shows what the run measured.
    const seed = turn === 0 ? settings.seed : `${settings.seed}/${turn}`;
    all.push(playThrough({ ...settings, seed }, recording).statistics.figures());
  }
  return {
    seconds: mean(all, "seconds"),
    avgDataSent: mean(all, "avgDataSent"),
    maxDataSent: most(all, "maxDataSent"),
    avgDistanceError: mean(all, "avgDistanceError"),
    maxDistanceError: most(all, "maxDistanceError"),
    updates: mean(all, "updates"),
    updatesPerSecond: mean(all, "updatesPerSecond"),
    pathDeviation: mean(all, "pathDeviation"),
    jumpsPerSecond: mean(all, "jumpsPerSecond"),
  };
}

function mean(all: readonly Figures[], name: keyof Figures): number {
  return all.reduce((sum, figures) => sum + figures[name], 0) / all.length;
}

function most(all: readonly Figures[], name: keyof Figures): number {
  return Math.max(...all.map((figures) => figures[name]));
}
