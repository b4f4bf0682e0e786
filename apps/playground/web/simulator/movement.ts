/** Says in words which genre a recorded movement looks like: it runs the recording and asks the recommender about the true movement. */

import { type MovementSample, recommendPreset } from "@nearfield/presentation";
import { EntityField } from "@nearfield/simulation";
import { Player, type Recording } from "./recording.ts";
import type { SimulatorSettings } from "./settings.ts";
import { Simulation } from "./simulation.ts";

/** The recommender's borders were measured at about 30 samples per second. */
const EVERY_FRAMES = 2;
/** Shorter than two seconds says nothing. */
const LEAST_FRAMES = 120;

const GENRE_WORDS = {
  sport: "sport",
  simulation: "a simulation",
  shooter: "a 3D shooter",
  arcade: "arcade action",
} as const;

export function movementOf(settings: SimulatorSettings, recording: Recording): MovementSample[] {
  const simulation = new Simulation(settings);
  const player = new Player(recording);
  const samples: MovementSample[] = [];
  for (let input = player.next(); input !== undefined; input = player.next()) {
    simulation.step(input);
    if (player.frame % EVERY_FRAMES !== 0) continue;
    const { truth, nowMs } = simulation;
    const [x, y, heading] = [truth[EntityField.x]!, truth[EntityField.y]!, truth[EntityField.heading]!];
    samples.push({ timeMs: nowMs, x, y, heading });
  }
  return samples;
}

export function describeMovement(settings: SimulatorSettings, recording: Recording): string {
  if (recording.keys.length < LEAST_FRAMES) return "Record at least two seconds, then the movement can be judged.";
  const { preset, responseMs, turnsAtOnce } = recommendPreset(movementOf(settings, recording));
  if (responseMs === Number.POSITIVE_INFINITY) return "Nothing moves in this recording.";
  const turns = Number.isNaN(turnsAtOnce) ? "" : ` and ${Math.round(100 * turnsAtOnce)} % of its turns at once`;
  return `This moves like ${GENRE_WORDS[preset.name]}: top speed after ${Math.round(responseMs)} ms${turns}.`;
}
