/** Where a picture should be, before convergence: moved on by a motion model, or interpolated between two sends and so shown late. */

import { PLACE_SIZE } from "./motion-model.ts";

/** Numbers of a picture: position, then orientation. */
export const PICTURE_SIZE: number = 2 * PLACE_SIZE;

export interface Target {
  readonly stateSize: number;
  /**
   * Takes in a cleaned send, applied at that render time. False, and nothing changes, if a newer one is known.
   *
   * @param state all 0 from `at` on before the first send.
   */
  receive(state: Float64Array, at: number, send: Float64Array, appliedAtMs: number): boolean;
  /** The moment of the server's time that is shown at a render time not before the last `appliedAtMs`: that time, or an earlier one. */
  momentOf(state: Float64Array, at: number, renderMs: number): number;
  /** Writes the picture of a moment into `out[outAt … outAt + PICTURE_SIZE − 1]`. */
  place(state: Float64Array, at: number, momentMs: number, out: Float64Array, outAt: number): void;
  /** As `MotionModel.bend`; −1 if the course is not known to bend, 1 if nothing is known about the course. */
  bend(state: Float64Array, at: number): number;
}
