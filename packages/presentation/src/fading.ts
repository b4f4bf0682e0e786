/**
 * A model between order 0 and 1: an object goes on at the velocity it was sent with, but ever more slowly. For things that stop and turn when
 * nobody expects it, as people on foot do: the picture of one that stopped does not run away, and one that goes on is followed for long.
 *
 * After t it has come as far as `linear` after t ÷ (1 + t ÷ FADING), so never farther than in FADING at full speed.
 */

import { MOTION_SIZE, type MotionModel, PLACE_SIZE } from "./motion-model.ts";

/** On recorded matches of a hundred people on foot and in vehicles, 8 to 32 s save within 2 % the same. */
const FADING_MS = 16_000;

export const fading: MotionModel = {
  name: "fading",
  stateSize: MOTION_SIZE,
  receive(state, at, motion, motionAt, _sinceMs, settles) {
    for (let axis = 0; axis < PLACE_SIZE; axis++) {
      state[at + axis] = motion[motionAt + axis]!;
      state[at + PLACE_SIZE + axis] = settles ? 0 : motion[motionAt + PLACE_SIZE + axis]!;
    }
  },
  place(state, at, elapsedMs, out, outAt) {
    const seconds = elapsedMs / (1000 * (1 + elapsedMs / FADING_MS));
    for (let axis = 0; axis < PLACE_SIZE; axis++) {
      out[outAt + axis] = state[at + axis]! + state[at + PLACE_SIZE + axis]! * seconds;
    }
  },
  rests(state, at) {
    const velocity = at + PLACE_SIZE;
    return state[velocity] === 0 && state[velocity + 1] === 0 && state[velocity + 2] === 0;
  },
};
