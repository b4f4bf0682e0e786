/** Distances between a pivot and an object, as `judge.ts` has them, in the unit in which edges and borders are given: squares where zones are round. */

import { FRAME_ACROSS_X, FRAME_ACROSS_Y, FRAME_ALONG_X, FRAME_ALONG_Y } from "../src/engine/memory/layout";

export function apart(square: bool, dx: f64, dy: f64, dz: f64): f64 {
  return square ? max(abs(dx), max(abs(dy), abs(dz))) : dx * dx + dy * dy + dz * dz;
}

/** The same from two pivots, operation by operation. */
export function apartOfTwo(square: bool, dx: v128, dy: v128, dz: v128): v128 {
  return square
    ? f64x2.max(f64x2.abs(dx), f64x2.max(f64x2.abs(dy), f64x2.abs(dz)))
    : f64x2.add(f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy)), f64x2.mul(dz, dz));
}

/** From a camera. The root of a square of a double is that double again, so squares compare as the distances do. */
export function apartInFrame(square: bool, frame: usize, dx: f64, dy: f64): f64 {
  const distance = distanceInFrame(frame, dx, dy);
  return square ? distance : distance * distance;
}

export function distanceInFrame(frame: usize, dx: f64, dy: f64): f64 {
  return max(
    abs(dx * load<f64>(frame, FRAME_ACROSS_X) + dy * load<f64>(frame, FRAME_ACROSS_Y)),
    abs(dx * load<f64>(frame, FRAME_ALONG_X) + dy * load<f64>(frame, FRAME_ALONG_Y)),
  );
}
