/** How far a pivot has come in this round. */

import { WATCH_OLD_X, WATCH_OLD_Y, WATCH_OLD_Z, WATCH_X, WATCH_Y, WATCH_Z } from "../src/engine/memory/layout";

export function stepOf(watch: usize): f64 {
  const dx = load<f64>(watch, WATCH_X) - load<f64>(watch, WATCH_OLD_X);
  const dy = load<f64>(watch, WATCH_Y) - load<f64>(watch, WATCH_OLD_Y);
  const dz = load<f64>(watch, WATCH_Z) - load<f64>(watch, WATCH_OLD_Z);
  return sqrt(dx * dx + dy * dy + dz * dz);
}
