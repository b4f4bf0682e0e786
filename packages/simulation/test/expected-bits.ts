/** What `bits.ts` comes to in Node 20, 22 and 24 and in Chromium. */

import type { Bits } from "./bits.ts";

export const EXPECTED_BITS: Bits = {
  angles: "98076547",
  math: "dbcc4680",
  steering: "2e1fbcaa",
  collisions: "2fee2d0c",
  walls: "3ad96684",
  world: "6a54956d",
};
