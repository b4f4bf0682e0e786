/** Numbers as both sides of the kernel must see them. */

import { CYCLE } from "../src/engine/memory/layout";

/** The next integer below; of one that is too large, what remains of it in 32 bits, as the torus of cells wants it. */
export function whole(value: f64): i32 {
  return <i32>(<i64>floor(value));
}

/** The byte that stands for a round in a plan, as `planByte` makes it. */
export function planned(round: i32): i32 {
  return 1 + (round % CYCLE);
}
