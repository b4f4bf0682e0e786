/**
 * Everything a person can choose in the simulator, as plain data: a link carries it and a form shows it. A run depends only on it and on the
 * steering. Choosing a genre or a network fills in its numbers; every number can then be changed on its own.
 */

import { networkPresets } from "@nearfield/netlab";
import type { NetworkName } from "@nearfield/netlab/internal";
import {
  type Convergence,
  GENRES,
  type GenreName,
  type GenrePreset,
  type MotionModelName,
  type Turning,
} from "@nearfield/presentation/internal";
import { GENRE_ENTITIES } from "@nearfield/simulation";
import type { ControlModel } from "@nearfield/simulation/internal";

export type ModelName = MotionModelName | "interpolation";
export type ControlName = ControlModel["name"];

/** Lengths in px (world units), times in ms, angles in degrees. */
export interface SimulatorSettings {
  readonly genre: GenreName;
  /** Which settings a genre fills in: those that the paper recommends, or our own, which measured better. */
  readonly advice: "paper" | "tuned";
  readonly control: ControlName;
  readonly acceleration: number;
  readonly drag: number;
  readonly brakeForce: number;
  readonly turnSpeed: number;

  readonly model: ModelName;
  readonly convergence: Convergence;
  readonly positionMs: number;
  readonly orientationMs: number;
  readonly compensationMs: number;
  readonly turning: Turning;
  /** Interpolation: time between sends. */
  readonly intervalMs: number;
  /** Interpolation: how late, beyond the age of sends; 0: it follows them. */
  readonly deltaMs: number;

  readonly positionThreshold: number;
  readonly angleThreshold: number;
  /** Around the watcher, where the thresholds hold; 0: they hold everywhere. */
  readonly sensitiveRadius: number;
  /** How many times larger they are further away. */
  readonly outsideFactor: number;
  readonly preReckoning: boolean;

  readonly network: NetworkName | "own";
  /** From player to player. */
  readonly latencyMs: number;
  readonly jitterPercent: number;
  readonly lossPercent: number;
  /** Mean number of packets lost in a row. */
  readonly meanBurst: number;
  /** 0: no limit. */
  readonly bandwidthKbits: number;
  /** Where in a network recording the replay begins, seconds. */
  readonly replayFromS: number;
  readonly seed: string;

  readonly runCurves: "loss" | "model";
  readonly runToMs: number;
  readonly runStepMs: number;
  /** Loss rates in percent, with commas. */
  readonly runLosses: string;
  readonly runRepeats: number;
}

const DEGREES: number = 180 / Math.PI;

const BEFORE_PRESETS: SimulatorSettings = {
  genre: "sport",
  advice: "paper",
  control: "direct",
  acceleration: 100,
  drag: 4,
  brakeForce: 0,
  turnSpeed: 180,
  model: "linear",
  convergence: "linear",
  positionMs: 100,
  orientationMs: 100,
  compensationMs: 200,
  turning: "hold",
  intervalMs: 250,
  deltaMs: 0,
  positionThreshold: 1,
  angleThreshold: 44,
  sensitiveRadius: 0,
  outsideFactor: 5,
  preReckoning: false,
  network: "umts",
  latencyMs: 340,
  jitterPercent: 7,
  lossPercent: 1,
  meanBurst: 1,
  bandwidthKbits: 48,
  replayFromS: 0,
  seed: "1",
  runCurves: "loss",
  runToMs: 1000,
  runStepMs: 100,
  runLosses: "0, 5, 10",
  runRepeats: 3,
};

export const DEFAULT_SETTINGS: SimulatorSettings = withNetwork(withGenre(BEFORE_PRESETS, "sport"), "umts");

function presetOf(genre: GenreName): GenrePreset {
  return GENRES.find(({ name }) => name === genre)!;
}

/** Rounded so far that a form shows a preset's number as it was meant: 180°, not 180.00000000000003. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** The genre's entity, and how to show it. */
export function withGenre(settings: SimulatorSettings, genre: GenreName): SimulatorSettings {
  const { control, traits } = GENRE_ENTITIES[genre];
  const { acceleration, drag, brakeForce, turnSpeed } = traits;
  const entity = {
    genre,
    control: control.name,
    acceleration,
    drag,
    brakeForce,
    // Direct control does not turn; this stands ready for whoever then takes another.
    turnSpeed: turnSpeed > 0 ? rounded(turnSpeed * DEGREES) : 180,
  };
  return withAdvice({ ...settings, ...entity }, settings.advice);
}

/** How to send and show the genre, by the chosen advice; the settings for GPRS if that is the network. */
export function withAdvice(settings: SimulatorSettings, advice: SimulatorSettings["advice"]): SimulatorSettings {
  const preset = presetOf(settings.genre);
  const networks = advice === "tuned" ? preset.tuned : preset;
  const isSlow = settings.network === "gprs" || settings.network === "gprsMobile";
  const shown = (isSlow ? networks.gprs : undefined) ?? networks.umts;
  const { model, convergence, positionMs, orientationMs, compensationMs, turning, positionThreshold } = shown;
  const picture = { model, convergence, positionMs, orientationMs, compensationMs, turning, positionThreshold };
  return { ...settings, ...picture, advice, angleThreshold: rounded(shown.angleThreshold * DEGREES) };
}

/**
 * The way from one player through a server to the other takes one round trip of the preset. As in the paper's measurements, the preset's loss
 * counts once for the whole way. The bandwidth is that of the narrower direction.
 */
export function withNetwork(settings: SimulatorSettings, network: SimulatorSettings["network"]): SimulatorSettings {
  if (network === "own") return { ...settings, network };
  const { rttMs, up, down } = networkPresets[network];
  const { burst } = up;
  const isBurst = burst !== undefined && "loss" in burst;
  return {
    ...settings,
    network,
    latencyMs: rttMs,
    jitterPercent: rounded(up.jitterShare * 100),
    lossPercent: rounded((isBurst ? burst.loss : (up.loss ?? 0)) * 100),
    meanBurst: isBurst ? burst.meanBurst : 1,
    bandwidthKbits: rounded(Math.min(up.bandwidthBytesPerSecond, down.bandwidthBytesPerSecond) / 125),
  };
}

const OF_NETWORK: readonly (keyof SimulatorSettings)[] = [
  "latencyMs",
  "jitterPercent",
  "lossPercent",
  "meanBurst",
  "bandwidthKbits",
];

/** One setting changed by hand, with what follows from it. */
export function withSetting<Name extends keyof SimulatorSettings>(
  settings: SimulatorSettings,
  name: Name,
  value: SimulatorSettings[Name],
): SimulatorSettings {
  const changed = { ...settings, [name]: value };
  if (name === "genre") return withGenre(settings, changed.genre);
  if (name === "advice") return withAdvice(settings, changed.advice);
  if (name === "network") return withNetwork(settings, changed.network);
  return OF_NETWORK.includes(name) ? { ...changed, network: "own" } : changed;
}

/** Whether entity and presentation are still as the genre has them. */
export function isAsGenre(settings: SimulatorSettings): boolean {
  const preset = withGenre(settings, settings.genre);
  return (Object.keys(preset) as (keyof SimulatorSettings)[]).every((name) => preset[name] === settings[name]);
}
