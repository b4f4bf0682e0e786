/** The model of order 0: an object stays where it was last sent. */

import { type MotionModel, PLACE_SIZE } from "./motion-model.ts";

export const hold: MotionModel = {
  name: "hold",
  stateSize: PLACE_SIZE,
  motionSize: PLACE_SIZE,
  receive(state, at, motion, motionAt) {
    for (let axis = 0; axis < PLACE_SIZE; axis++) state[at + axis] = motion[motionAt + axis]!;
  },
  place(state, at, _elapsedMs, out, outAt) {
    for (let axis = 0; axis < PLACE_SIZE; axis++) out[outAt + axis] = state[at + axis]!;
  },
  velocity(_state, _at, _elapsedMs, out, outAt) {
    for (let axis = 0; axis < PLACE_SIZE; axis++) out[outAt + axis] = 0;
  },
  rests: () => true,
};
