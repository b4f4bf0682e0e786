/**
 * A preset per genre (N §3.2.4, §3.3): how its entity is steered and moves, and how others are best shown it on which network. The settings
 * are those the paper recommends for a ship of 10 px; lengths scale with `size`. Of the entities the paper gives the control model,
 * turn speeds, whether they brake by themselves, and that a sportsman at full speed turns back within a second; the other numbers are
 * those with which its measurements come out (docs/decisions/0011).
 */

import { action, direct, thrust } from "./controls.ts";
import type { ControlModel, EntityTraits } from "./entity.ts";

export type GenreName = "sport" | "simulation" | "shooter" | "arcade";

/** How to send and show an object. Lengths in world units, angles in radians. */
export interface GenreSettings {
  readonly model: "hold" | "linear" | "quadratic";
  readonly positionThreshold: number;
  readonly angleThreshold: number;
  readonly convergence: "snap" | "linear";
  /** Convergence times, in ms. */
  readonly positionMs: number;
  readonly orientationMs: number;
  /** At most so much of an update's age is made up for, in ms. */
  readonly compensationMs: number;
}

export interface GenrePreset {
  readonly name: GenreName;
  readonly control: ControlModel;
  readonly traits: EntityTraits;
  /** Length of the entity, in world units. */
  readonly size: number;
  /** For round trips of about 340 ms; what the paper recommends for UMTS. */
  readonly umts: GenreSettings;
  /** For round trips of about 900 ms. Only simulations bear that, says the paper. */
  readonly gprs?: GenreSettings;
}

const DEGREE: number = Math.PI / 180;

function settings(
  compensationMs: number,
  positionMs: number,
  orientationMs: number,
  angleThreshold: number,
): GenreSettings {
  return {
    model: "linear",
    positionThreshold: 1,
    angleThreshold: angleThreshold * DEGREE,
    convergence: "linear",
    positionMs,
    orientationMs,
    compensationMs,
  };
}

/** Direct control, little inertia, no brakes: football, tennis. */
export const sport: GenrePreset = Object.freeze({
  name: "sport",
  control: direct,
  traits: Object.freeze({ acceleration: 95, drag: 2.89, brakeForce: 0, turnSpeed: 0 }),
  size: 10,
  umts: settings(200, 100, 100, 44),
});

/** Thrust, much inertia, 90° per second: cars, ships, aeroplanes. */
export const simulation: GenrePreset = Object.freeze({
  name: "simulation",
  control: thrust,
  traits: Object.freeze({ acceleration: 64, drag: 1.2, brakeForce: 0, turnSpeed: 90 * DEGREE }),
  size: 10,
  umts: settings(400, 300, 100, 1),
  gprs: settings(600, 250, 250, 1),
});

/** Action control, hardly any inertia, 180° per second: first- and third-person fights. */
export const shooter: GenrePreset = Object.freeze({
  name: "shooter",
  control: action,
  traits: Object.freeze({ acceleration: 333, drag: 7.7, brakeForce: 0, turnSpeed: 180 * DEGREE }),
  size: 10,
  umts: settings(100, 125, 125, 1),
});

/** Direct control without inertia, brakes by itself: mazes, bombs. */
export const arcade: GenrePreset = Object.freeze({
  name: "arcade",
  control: direct,
  traits: Object.freeze({ acceleration: 618, drag: 14.4, brakeForce: 1290, turnSpeed: 0 }),
  size: 10,
  umts: settings(100, 100, 1, 1),
});

export const GENRES: readonly GenrePreset[] = [sport, simulation, shooter, arcade];
