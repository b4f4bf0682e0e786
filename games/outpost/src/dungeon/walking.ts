/** Going against walls: each way by itself, so that who runs into a wall slides along it. */

import type { Layout } from "./layout.ts";

interface Bodies {
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly vx: Float32Array;
  readonly vy: Float32Array;
}

/** Moves one body by its velocity; what a wall stops is taken from the velocity. True: a wall was in the way. */
export function walk(layout: Layout, { x, y, vx, vy }: Bodies, at: number, half: number): boolean {
  let isStopped = false;
  if (layout.fits(x[at]! + vx[at]!, y[at]!, half)) x[at]! += vx[at]!;
  else {
    vx[at] = 0;
    isStopped = true;
  }
  if (layout.fits(x[at]!, y[at]! + vy[at]!, half)) y[at]! += vy[at]!;
  else {
    vy[at] = 0;
    isStopped = true;
  }
  return isStopped;
}

/** Whether two places are nearer to each other than that. */
export function isNear(x: number, y: number, otherX: number, otherY: number, distance: number): boolean {
  const dx = x - otherX;
  const dy = y - otherY;
  return dx * dx + dy * dy < distance * distance;
}
