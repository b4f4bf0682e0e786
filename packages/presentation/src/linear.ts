/** The model of order 1: an object goes on from where it was last sent, at the velocity it was sent with. */

import { MOTION_SIZE, type MotionModel, PLACE_SIZE } from "./motion-model.ts";

export const linear: MotionModel = {
  name: "linear",
  stateSize: MOTION_SIZE,
  fadingMs: Number.POSITIVE_INFINITY,
  receive(state, at, motion, motionAt, _sinceMs, settles) {
    for (let axis = 0; axis < PLACE_SIZE; axis++) {
      state[at + axis] = motion[motionAt + axis]!;
      state[at + PLACE_SIZE + axis] = settles ? 0 : motion[motionAt + PLACE_SIZE + axis]!;
    }
  },
  place(state, at, elapsedMs, out, outAt) {
    const seconds = elapsedMs / 1000;
    for (let axis = 0; axis < PLACE_SIZE; axis++) {
      out[outAt + axis] = state[at + axis]! + state[at + PLACE_SIZE + axis]! * seconds;
    }
  },
  velocity(state, at, _elapsedMs, out, outAt) {
    for (let axis = 0; axis < PLACE_SIZE; axis++) out[outAt + axis] = state[at + PLACE_SIZE + axis]!;
  },
  rests(state, at) {
    const velocity = at + PLACE_SIZE;
    return state[velocity] === 0 && state[velocity + 1] === 0 && state[velocity + 2] === 0;
  },
};
