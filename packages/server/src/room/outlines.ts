/**
 * What stands in a world and never moves, for people who look at it from above. A game gives it to its room (`room.outlines`); it changes
 * nothing but pictures. Checked when it is given.
 */

import { ServerError } from "../errors.ts";

/** A `Level` is one. */
export interface Outlines {
  /** Rectangles, as smallest x and y, largest x and y. */
  readonly walls?: {
    readonly count: number;
    boundsOf(wall: number): readonly [minX: number, minY: number, maxX: number, maxY: number];
  };
  /** Lines from point to point: x, y, x, y, … of each. One that ends where it began is filled. */
  readonly lines?: readonly (readonly number[])[];
}

/** Throws `ServerError("bad-option")`, naming the line. */
export function checkOutlines({ lines = [] }: Outlines): void {
  for (const [index, line] of lines.entries()) {
    if (line.length >= 4 && line.length % 2 === 0 && line.every(Number.isFinite)) continue;
    const rule = "must be x and y of two points or more, all finite";
    throw new ServerError("bad-option", `outlines.lines[${index}]: has ${line.length} numbers, but ${rule}`);
  }
}
