/**
 * A metric that bounds both where an avatar is shown and in which direction it looks. It is the larger of the distance that `predicted` measures and
 * the error of the direction, in which a radian counts as a given number of world units. `predicted` alone does not bound directions: an avatar that
 * turns on the spot is not sent.
 */

import type { Metric, World } from "@nearfield/core";
import type { ObjectType } from "@nearfield/schema";

export const POSED = "posed";

/** What is kept of a send: place, velocity, direction. */
const VX = 2;
const VY = 3;
const HEADING = 4;

/** @param arm world units that a radian counts as. */
export function posed(type: ObjectType, arm: number): Metric {
  const heading = type.orientation[0]!;
  const { field } = type.fields[heading]!;
  if (!field.numeric) throw new RangeError(`object ${type.name}: its orientation is no number`);
  return {
    name: POSED,
    sample(world: World, slot, out, at, _sinceMs, settles) {
      out[at] = world.wireX[slot]!;
      out[at + 1] = world.wireY[slot]!;
      out[at + VX] = settles ? 0 : world.velX[slot]!;
      out[at + VY] = settles ? 0 : world.velY[slot]!;
      out[at + HEADING] = field.dequantizeNumber(world.wireNumberAt(slot, heading));
    },
    divergence(world, slot, sent, at, elapsedMs) {
      const dx = world.x[slot]! - sent[at]! - (sent[at + VX]! * elapsedMs) / 1000;
      const dy = world.y[slot]! - sent[at + 1]! - (sent[at + VY]! * elapsedMs) / 1000;
      const turn = Math.abs(world.numberAt(slot, heading) - sent[at + HEADING]!) % (2 * Math.PI);
      return Math.max(Math.sqrt(dx * dx + dy * dy), arm * Math.min(turn, 2 * Math.PI - turn));
    },
    growth: () => Number.POSITIVE_INFINITY,
    carriesOn: (sent, at) => sent[at + VX] !== 0 || sent[at + VY] !== 0,
  };
}
