/**
 * Which preset fits a recorded movement, from the movement alone. Two things tell the genres apart (N §3.2.2): whether the heading changes at
 * once, as under direct control, or turns; and how long the object takes to reach its top speed. An arcade figure does so in a frame or
 * two, a ship in a second.
 */

import { angleBetween } from "@nearfield/schema/internal";
import { arcade, type GenrePreset, type GenreSettings, shooter, simulation, sport } from "./presets.ts";

/** One moment of a movement. */
export interface MovementSample {
  readonly timeMs: number;
  readonly x: number;
  readonly y: number;
  /** Radians. Left out in all samples: only inertia counts. */
  readonly heading?: number;
}

export interface Recommendation {
  readonly preset: GenrePreset;
  /** Top speed ÷ what the velocity changes at when it changes fast, in ms: the inertia. */
  readonly responseMs: number;
  /** Share of all turning that was done at once, 0 to 1; NaN where there are no headings, or none that turned. */
  readonly turnsAtOnce: number;
}

/** Faster than this, in radians per second, is no turning: the heading was set. Three turns a second. */
const AT_ONCE: number = 6 * Math.PI;
/** A movement with less than this is no basis for anything. */
const LEAST_SAMPLES = 10;
/** Top speed and strongest change are taken below the rarest few, which may be a respawn or a crash. */
const USUAL = 0.95;
/** Borders between what the presets' own movements measure, in ms: arcade 40 to 90, shooter 90 to 130, sport 210 to 270, simulation 500 and more. */
const ARCADE_SPORT_MS = 140;
const SHOOTER_SIMULATION_MS = 260;
const ARCADE_SHOOTER_MS = 90;
const SHOOTER_SPORT_MS = 165;
const SPORT_SIMULATION_MS = 370;

/** Times must ascend. A dozen seconds of typical play are enough. */
export function recommendPreset(movement: readonly MovementSample[]): Recommendation {
  if (movement.length < LEAST_SAMPLES) {
    throw new RangeError(`movement has ${movement.length} samples, but at least ${LEAST_SAMPLES} are needed`);
  }
  const responseMs = responseOf(movement);
  const turnsAtOnce = shareAtOnce(movement);
  return { preset: choose(responseMs, turnsAtOnce), responseMs, turnsAtOnce };
}

/** A preset's settings for a link and an entity of another size: tuned ones, for the network nearer to the round trip. */
export function settingsFor(
  preset: GenrePreset,
  link: { readonly rttMs: number; readonly size?: number },
): GenreSettings {
  const { umts, gprs } = preset.tuned;
  const settings = link.rttMs > SLOW_MS && gprs !== undefined ? gprs : umts;
  const scale = (link.size ?? preset.size) / preset.size;
  return { ...settings, positionThreshold: settings.positionThreshold * scale };
}

/** Half-way between the round trips of UMTS and GPRS. */
const SLOW_MS = 628;

function choose(responseMs: number, turnsAtOnce: number): GenrePreset {
  if (turnsAtOnce > 0.5) return responseMs < ARCADE_SPORT_MS ? arcade : sport;
  if (turnsAtOnce <= 0.5) return responseMs < SHOOTER_SIMULATION_MS ? shooter : simulation;
  if (responseMs < ARCADE_SHOOTER_MS) return arcade;
  if (responseMs < SHOOTER_SPORT_MS) return shooter;
  return responseMs < SPORT_SIMULATION_MS ? sport : simulation;
}

function responseOf(movement: readonly MovementSample[]): number {
  const speeds: number[] = [];
  const changes: number[] = [];
  let lastX = Number.NaN;
  let lastY = Number.NaN;
  for (const [index, sample] of movement.entries()) {
    const before = movement[index - 1];
    if (before === undefined) continue;
    const seconds = (sample.timeMs - before.timeMs) / 1000;
    if (!(seconds > 0)) throw new RangeError(`movement[${index}].timeMs is ${sample.timeMs}, but times must ascend`);
    const velocityX = (sample.x - before.x) / seconds;
    const velocityY = (sample.y - before.y) / seconds;
    speeds.push(length(velocityX, velocityY));
    if (index > 1) changes.push(length(velocityX - lastX, velocityY - lastY) / seconds);
    lastX = velocityX;
    lastY = velocityY;
  }
  const change = usual(changes);
  return change === 0 ? Number.POSITIVE_INFINITY : (1000 * usual(speeds)) / change;
}

function shareAtOnce(movement: readonly MovementSample[]): number {
  let atOnce = 0;
  let all = 0;
  for (const [index, { timeMs, heading }] of movement.entries()) {
    const before = movement[index - 1];
    if (before?.heading === undefined || heading === undefined) continue;
    const turn = Math.abs(angleBetween(before.heading, heading));
    all += turn;
    if (turn / ((timeMs - before.timeMs) / 1000) > AT_ONCE) atOnce += turn;
  }
  return all === 0 ? Number.NaN : atOnce / all;
}

function usual(values: number[]): number {
  values.sort((a, b) => a - b);
  return values[Math.floor((values.length - 1) * USUAL)]!;
}

function length(x: number, y: number): number {
  return Math.sqrt(x * x + y * y);
}
