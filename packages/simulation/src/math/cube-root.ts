/** The cube root, to the same bits on every machine and good to the last of them: a cube of a whole number gives that number. */

import { exponentOf, scaled } from "./binary.ts";

/** From a first guess that is 8 % off, each step leaves the third power of the error: 3e-4, 3e-11, nothing. */
const STEPS = 3;

export function cubeRoot(x: number): number {
  if (x === 0 || !Number.isFinite(x)) return x;
  const third = Math.floor(exponentOf(x) / 3);
  const near = Math.abs(scaled(x, -3 * third));
  // From 1 to 8, so that the root is from 1 to 2.
  let root = (near + 5) / 6;
  for (let step = 0; step < STEPS; step++) {
    const cube = root * root * root;
    root *= (cube + 2 * near) / (2 * cube + near);
  }
  root -= (root * root * root - near) / (3 * root * root);
  return scaled(x < 0 ? -root : root, third);
}
