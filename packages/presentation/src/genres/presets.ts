/**
 * A preset per genre (N §3.2.4, §3.3): how others are best shown its entity on which network. `umts` and `gprs` are what the paper recommends
 * for a ship of 10 px; `tuned` is what measured better with our own presenter, on movements other than those it is judged by
 * (docs/decisions/0011-the-papers-ships.md). Lengths scale with `size`. How the entity is steered and moves is `GENRE_ENTITIES` of
 * `@nearfield/simulation`.
 */

import type { Convergence, MotionModelName, Turning } from "../settings.ts";

export type GenreName = "sport" | "simulation" | "shooter" | "arcade";

/** How to send and show an object; a presenter takes it as it is. Lengths in world units, angles in radians. */
export interface GenreSettings {
  readonly model: MotionModelName;
  readonly positionThreshold: number;
  readonly angleThreshold: number;
  readonly convergence: Convergence;
  /** Convergence times, in ms. */
  readonly positionMs: number;
  readonly orientationMs: number;
  /** At most so much of an update's age is made up for, in ms. */
  readonly compensationMs: number;
  readonly turning: Turning;
}

/** Settings by network. */
export interface GenreNetworks {
  /** For round trips of about 340 ms. */
  readonly umts: GenreSettings;
  /** For round trips of about 900 ms. Only simulations bear that, says the paper. */
  readonly gprs?: GenreSettings;
}

export interface GenrePreset extends GenreNetworks {
  readonly name: GenreName;
  /** Whether a heading is set at once, as under direct control, and does not turn on between two sends. */
  readonly turnsAtOnce: boolean;
  /** Length of the entity that the thresholds are meant for, in world units. */
  readonly size: number;
  readonly tuned: GenreNetworks;
}

const DEGREE: number = Math.PI / 180;

interface Choice {
  readonly compensationMs: number;
  readonly positionMs: number;
  readonly orientationMs: number;
  readonly angleDegrees: number;
  /** Default 1: a tenth of the ship. */
  readonly positionThreshold?: number;
  /** Default "linear". */
  readonly model?: MotionModelName;
}

function settings({ angleDegrees, positionThreshold = 1, model = "linear", ...times }: Choice): GenreSettings {
  const angleThreshold = angleDegrees * DEGREE;
  return Object.freeze({ model, positionThreshold, angleThreshold, convergence: "linear", turning: "sent", ...times });
}

/** Direct control, little inertia, no brakes: football, tennis. */
export const sport: GenrePreset = Object.freeze({
  name: "sport",
  turnsAtOnce: true,
  size: 10,
  umts: settings({ compensationMs: 200, positionMs: 100, orientationMs: 100, angleDegrees: 44 }),
  tuned: Object.freeze({
    umts: settings({ compensationMs: 225, positionMs: 150, orientationMs: 100, angleDegrees: 44 }),
  }),
});

/** Thrust, much inertia, 90° per second: cars, ships, aeroplanes. */
export const simulation: GenrePreset = Object.freeze({
  name: "simulation",
  turnsAtOnce: false,
  size: 10,
  umts: settings({ compensationMs: 400, positionMs: 300, orientationMs: 100, angleDegrees: 1 }),
  gprs: settings({ compensationMs: 600, positionMs: 250, orientationMs: 250, angleDegrees: 1 }),
  tuned: Object.freeze({
    umts: settings({
      model: "quadratic",
      compensationMs: 300,
      positionMs: 150,
      orientationMs: 100,
      angleDegrees: 4,
    }),
    gprs: settings({
      model: "quadratic",
      compensationMs: 550,
      positionMs: 250,
      orientationMs: 250,
      angleDegrees: 4,
    }),
  }),
});

/** Action control, hardly any inertia, 180° per second: first- and third-person fights. */
export const shooter: GenrePreset = Object.freeze({
  name: "shooter",
  turnsAtOnce: false,
  size: 10,
  umts: settings({ compensationMs: 100, positionMs: 125, orientationMs: 125, angleDegrees: 1 }),
  tuned: Object.freeze({
    umts: settings({
      model: "quadratic",
      compensationMs: 50,
      positionMs: 150,
      orientationMs: 125,
      angleDegrees: 4,
    }),
  }),
});

/** Direct control without inertia, brakes by itself: mazes, bombs. */
export const arcade: GenrePreset = Object.freeze({
  name: "arcade",
  turnsAtOnce: true,
  size: 10,
  umts: settings({ compensationMs: 100, positionMs: 100, orientationMs: 1, angleDegrees: 1 }),
  tuned: Object.freeze({
    umts: settings({
      compensationMs: 0,
      positionMs: 80,
      orientationMs: 1,
      angleDegrees: 1,
      positionThreshold: 1.5,
    }),
  }),
});

export const GENRES: readonly GenrePreset[] = [sport, simulation, shooter, arcade];
