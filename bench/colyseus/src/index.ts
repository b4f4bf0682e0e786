/**
 * Colyseus' side of the benchmarks, whole. `bench` loads this module when a benchmark needs it, and knows of it only what
 * `ColyseusSide` says: so everything else compiles and runs where Colyseus is not installed.
 */
import type { ColyseusSide } from "@nearfield/bench/peers";
import { ColyseusIdleCrowd } from "./idle-crowd.ts";
import { ColyseusCrowd, ColyseusHost } from "./walkers.ts";

export const side: ColyseusSide = {
  startHost: (size, form) => ColyseusHost.start(size, form),
  startCrowd: (url, size, form) => new ColyseusCrowd(url, size, form),
  startIdleCrowd: (url) => new ColyseusIdleCrowd(url),
};
