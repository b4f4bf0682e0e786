/**
 * Walls and other fixed things of a world, for maps seen from above. A game gives them to its room (`room.outlines`). They are checked when
 * they are given, and have no effect on the game.
 */

import { ServerError } from "../errors.ts";

/** A `Level` is one. */
export interface Outlines {
  /** Rectangles, as smallest x and y, largest x and y. */
  readonly walls?: {
    readonly count: number;
    boundsOf(wall: number): readonly [minX: number, minY: number, maxX: number, maxY: number];
  };
  /** Lines, each as x, y, x, y, … from point to point. A line that ends where it began is filled. */
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
