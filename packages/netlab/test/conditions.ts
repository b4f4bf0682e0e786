/** The path on which everything must hold: a fifth lost in bursts, a tenth late, a tenth twice. */

import type { Conditions } from "../src/internal/index.ts";

export const ROUGH: Conditions = {
  latencyMs: 60,
  jitterMs: 20,
  burst: { loss: 0.2, meanBurst: 3 },
  reorder: 0.1,
  reorderMs: 120,
  duplicate: 0.1,
};
