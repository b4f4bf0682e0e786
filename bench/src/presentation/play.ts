/** One run: a recorded movement, a sender that decides, a wire that delays and loses, a receiver that shows. Frame by frame, on one clock. */

import type { Sender } from "@nearfield/presentation";
import { FULL_MOTION_SIZE } from "@nearfield/presentation/internal";
import { FRAME_MS, type Track } from "./recording.ts";
import { type RunFigures, RunStatistics } from "./statistics.ts";
import type { Receiver, Shown, Update } from "./update.ts";
import type { Wire } from "./wire.ts";

export interface Run {
  readonly track: Track;
  readonly sender: Sender;
  readonly wire: Wire;
  readonly receiver: Receiver;
}

export function play({ track, sender, wire, receiver }: Run): RunFigures {
  const statistics = new RunStatistics(track);
  const motion = new Float64Array(FULL_MOTION_SIZE);
  const shown: Shown = { x: 0, y: 0, heading: 0 };
  for (let frame = 0; frame < track.frames; frame++) {
    const nowMs = frame * FRAME_MS;
    const truth = track.update(frame);
    const reason = sender.reason(asMotion(truth, motion), 0, truth.heading, nowMs);
    const sent = wire.send(frame, truth, reason !== "none");
    if (sent !== undefined) {
      const { update, bytes } = sent;
      sender.sent(asMotion(update, motion), 0, update.heading, update.turnRate, nowMs);
      statistics.sent(frame, bytes);
    }
    for (const update of wire.arrived(frame)) receiver.receive(update, nowMs);
    if (receiver.show(nowMs, shown)) statistics.shown(frame, shown);
  }
  return statistics.figures();
}

/** Position, velocity and acceleration as motion models take them. */
function asMotion(update: Update, out: Float64Array): Float64Array {
  out[0] = update.x;
  out[1] = update.y;
  out[3] = update.velocityX;
  out[4] = update.velocityY;
  out[6] = update.accelerationX;
  out[7] = update.accelerationY;
  return out;
}
