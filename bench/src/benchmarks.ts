/** All benchmarks, in the order in which `--list` names them. */

import type { Benchmark } from "./benchmark.ts";
import { roundBenchmark } from "./engine/round.ts";
import { inspectorBenchmark } from "./inspector/inspector.ts";
import { loadBenchmark } from "./load/load.ts";
import { pageBenchmark } from "./page/page.ts";
import { actionBenchmark } from "./papers/action.ts";
import { bandwidthBenchmark } from "./papers/bandwidth.ts";
import { clusterBenchmark } from "./papers/cluster.ts";
import { fpsBenchmark } from "./papers/fps.ts";
import { rtsBenchmark } from "./papers/rts.ts";
import { peersBenchmark } from "./peers/peers.ts";
import { presentationBenchmark } from "./presentation/presentation.ts";
import { rollbackBenchmark } from "./rollback/peers-rollback.ts";
import { storeBenchmark } from "./store/store.ts";
import { replayBenchmark } from "./traces/replay.ts";
import { wireBenchmark } from "./wire/wire.ts";

export const BENCHMARKS: readonly Benchmark[] = [
  roundBenchmark,
  wireBenchmark,
  peersBenchmark,
  rollbackBenchmark,
  loadBenchmark,
  replayBenchmark,
  bandwidthBenchmark,
  fpsBenchmark,
  rtsBenchmark,
  actionBenchmark,
  clusterBenchmark,
  presentationBenchmark,
  inspectorBenchmark,
  pageBenchmark,
  storeBenchmark,
];
