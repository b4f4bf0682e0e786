/**
 * A model between order 0 and 1: an object keeps the velocity it was sent with at first, then slows down. It suits objects that stop and turn
 * without warning, as people on foot do: if somebody stopped, the picture does not run far ahead; if somebody walks on, the picture follows for long.
 *
 * After a time t the object is where `linear` puts it after t ÷ (1 + t ÷ FADING), so it never gets farther than `linear` does in FADING.
 */

import { linear } from "./linear.ts";
import { type MotionModel, PLACE_SIZE } from "./motion-model.ts";

/** On recorded matches of a hundred people on foot and in vehicles, 8 to 32 s save within 2 % the same. */
const FADING_MS = 16_000;

export const fading: MotionModel = {
  name: "fading",
  stateSize: linear.stateSize,
  fadingMs: FADING_MS,
  receive: linear.receive,
  place(state, at, elapsedMs, out, outAt) {
    const seconds = elapsedMs / (1 + elapsedMs / FADING_MS) / 1000;
    for (let axis = 0; axis < PLACE_SIZE; axis++) {
      out[outAt + axis] = state[at + axis]! + state[at + PLACE_SIZE + axis]! * seconds;
    }
  },
  velocity(state, at, elapsedMs, out, outAt) {
    const slowness = 1 + elapsedMs / FADING_MS;
    const pace = 1 / (slowness * slowness);
    for (let axis = 0; axis < PLACE_SIZE; axis++) out[outAt + axis] = state[at + PLACE_SIZE + axis]! * pace;
  },
  rests: linear.rests,
};
