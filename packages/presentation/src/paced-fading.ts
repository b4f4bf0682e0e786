/**
 * Like `fading`, but a slow object stops sooner than a fast one. An object that runs or drives keeps going for long; an object that hardly moves
 * stays almost where it is. For worlds of people and vehicles, and wherever a slow velocity says little about where somebody is going: a step
 * aside, a look around a corner, an error of rounding.
 *
 * An object of speed v fades in f = (v ÷ pace)² seconds: after a time t it is where `linear` puts it after t ÷ (1 + t ÷ f).
 */

import { PresentationError } from "./errors.ts";
import { linear } from "./linear.ts";
import { type MotionModel, PLACE_SIZE } from "./motion-model.ts";

/**
 * @param pace the speed that fades within a second, in world units per second: a stroll. Walking three times as fast fades in nine
 * seconds. In metres 1.4 suits people on foot and in vehicles.
 */
export function pacedFading(pace: number): MotionModel {
  if (!(pace > 0 && Number.isFinite(pace))) throw new PresentationError("pace", pace, "must be a number above 0");
  const squarePace = pace * pace;

  const share = new Float64Array(1);

  /** Fills in `share`. 1 at the time of the send, ever less after: what is left of the time since, if it is to be gone at full speed. */
  function measureShare(state: Float64Array, at: number, elapsedMs: number): void {
    const x = state[at + PLACE_SIZE]!;
    const y = state[at + PLACE_SIZE + 1]!;
    const z = state[at + PLACE_SIZE + 2]!;
    const fadingMs = (1000 * (x * x + y * y + z * z)) / squarePace;
    share[0] = fadingMs > 0 ? 1 / (1 + elapsedMs / fadingMs) : 0;
  }

  return {
    name: `pacedFading-${pace}`,
    stateSize: linear.stateSize,
    receive: linear.receive,
    place(state, at, elapsedMs, out, outAt) {
      measureShare(state, at, elapsedMs);
      const seconds = (elapsedMs * share[0]!) / 1000;
      for (let axis = 0; axis < PLACE_SIZE; axis++) {
        out[outAt + axis] = state[at + axis]! + state[at + PLACE_SIZE + axis]! * seconds;
      }
    },
    velocity(state, at, elapsedMs, out, outAt) {
      measureShare(state, at, elapsedMs);
      const fading = share[0]!;
      for (let axis = 0; axis < PLACE_SIZE; axis++)
        out[outAt + axis] = state[at + PLACE_SIZE + axis]! * fading * fading;
    },
    rests: linear.rests,
  };
}
