/**
 * The models of order 2: an object starts at the velocity it was sent with, and an acceleration changes that. `accelerated` takes the
 * acceleration as sent (DIS). `quadratic` computes it from the last two velocities, for games that send no acceleration.
 */

import { FULL_MOTION_SIZE, MOTION_SIZE, type MotionModel, PLACE_SIZE, SAME_MOMENT_MS } from "./motion-model.ts";

const VELOCITY = PLACE_SIZE;
const ACCELERATION = 2 * PLACE_SIZE;

export const quadratic: MotionModel = {
  name: "quadratic",
  stateSize: FULL_MOTION_SIZE,
  remembers: true,
  receive(state, at, motion, motionAt, sinceMs, settles) {
    for (let axis = 0; axis < PLACE_SIZE; axis++) {
      const velocity = motion[motionAt + VELOCITY + axis]!;
      if (sinceMs >= SAME_MOMENT_MS) {
        state[at + ACCELERATION + axis] = ((velocity - state[at + VELOCITY + axis]!) * 1000) / sinceMs;
      }
      state[at + axis] = motion[motionAt + axis]!;
      state[at + VELOCITY + axis] = velocity;
    }
    if (settles) state.fill(0, at + VELOCITY, at + FULL_MOTION_SIZE);
  },
  place: placeOnParabola,
  velocity: velocityOnParabola,
  rests: restsOnParabola,
};

export const accelerated: MotionModel = {
  name: "accelerated",
  stateSize: FULL_MOTION_SIZE,
  motionSize: FULL_MOTION_SIZE,
  receive(state, at, motion, motionAt, _sinceMs, settles) {
    for (let i = 0; i < FULL_MOTION_SIZE; i++) state[at + i] = motion[motionAt + i]!;
    if (settles) state.fill(0, at + VELOCITY, at + FULL_MOTION_SIZE);
  },
  place: placeOnParabola,
  velocity: velocityOnParabola,
  rests: restsOnParabola,
};

/** For states that begin with position, velocity and acceleration. */
export function placeOnParabola(
  state: Float64Array,
  at: number,
  elapsedMs: number,
  out: Float64Array,
  outAt: number,
): void {
  const seconds = elapsedMs / 1000;
  for (let axis = 0; axis < PLACE_SIZE; axis++) {
    const velocity = state[at + VELOCITY + axis]! + 0.5 * state[at + ACCELERATION + axis]! * seconds;
    out[outAt + axis] = state[at + axis]! + velocity * seconds;
  }
}

/** Only on a parabola that is a line does it stay the same. */
export function velocityOnParabola(
  state: Float64Array,
  at: number,
  _elapsedMs: number,
  out: Float64Array,
  outAt: number,
): void {
  const acceleration = at + ACCELERATION;
  const isLine = state[acceleration] === 0 && state[acceleration + 1] === 0 && state[acceleration + 2] === 0;
  for (let axis = 0; axis < PLACE_SIZE; axis++) {
    out[outAt + axis] = isLine ? state[at + VELOCITY + axis]! : Number.POSITIVE_INFINITY;
  }
}

export function restsOnParabola(state: Float64Array, at: number): boolean {
  for (let i = MOTION_SIZE - PLACE_SIZE; i < FULL_MOTION_SIZE; i++) if (state[at + i] !== 0) return false;
  return true;
}
