/** Pivots that lie on objects and go where they go. */

import {
  BODY,
  BODY_ID,
  BODY_X,
  BODY_Z,
  ENGINE_BODIES,
  ENGINE_MARGIN,
  FOLLOW,
  FOLLOW_WATCH,
  FOLLOW_WAY,
  LEAPT,
  MOVED,
  STOOD,
  WATCH_ID,
  WATCH_OLD_X,
  WATCH_OLD_Z,
  WATCH_SLOT,
  WATCH_X,
  WATCH_Z,
} from "../src/engine/memory/layout";
import { stepOf } from "./steps";

/** Takes note of where the pivots of a batch are in this round, and says how each got there. One whose object is gone stays where it was. */
export function follow(batch: usize, count: i32): void {
  const bodies = <usize>load<i32>(0, ENGINE_BODIES);
  const margin = load<f64>(0, ENGINE_MARGIN);
  for (let at = batch; at < batch + count * FOLLOW; at += FOLLOW) {
    const watch = <usize>load<i32>(at, FOLLOW_WATCH);
    const body = bodies + load<i32>(watch, WATCH_SLOT) * BODY;
    v128.store(watch, v128.load(watch, WATCH_X), WATCH_OLD_X);
    store<f64>(watch, load<f64>(watch, WATCH_Z), WATCH_OLD_Z);
    if (load<i32>(body, BODY_ID) == load<i32>(watch, WATCH_ID)) {
      v128.store(watch, v128.load(body, BODY_X), WATCH_X);
      store<f64>(watch, load<f64>(body, BODY_Z), WATCH_Z);
    }
    const step = stepOf(watch);
    store<i32>(at, step > margin ? LEAPT : step > 0 ? MOVED : STOOD, FOLLOW_WAY);
  }
}
