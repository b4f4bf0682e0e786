/** The ore patches of a match, in columns. A patch keeps its number when it is used up. */

import type { OrePatch } from "../terrain/layout.ts";

export class Deposits {
  readonly count: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly amount: Uint32Array;

  constructor(patches: readonly OrePatch[]) {
    this.count = patches.length;
    this.x = Float64Array.from(patches, ({ x }) => x);
    this.y = Float64Array.from(patches, ({ y }) => y);
    this.amount = Uint32Array.from(patches, ({ amount }) => amount);
  }

  /** The patch with ore left that is nearest to a place and no farther than `reach`; −1: none. */
  nearest(x: number, y: number, reach: number): number {
    let best = -1;
    let bestSquare = reach * reach;
    for (let patch = 0; patch < this.count; patch++) {
      const [dx, dy] = [this.x[patch]! - x, this.y[patch]! - y];
      const square = dx * dx + dy * dy;
      if (this.amount[patch] === 0 || square > bestSquare) continue;
      best = patch;
      bestSquare = square;
    }
    return best;
  }
}
