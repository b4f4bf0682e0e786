/** How large updates are on the wire, from the counters alone. */

import { type SessionTelemetry, TrafficSum } from "@nearfield/server/internal";

/** Bytes of a packet without any record, as a heartbeat is. In a client that is sent much it is a byte less. */
export const FRAME_HEAD_BYTES = 6;

/** Mean bytes of a record, without packet headers, with unreliable events; `undefined` before the first. */
export function meanRecordBytes(of: Readonly<SessionTelemetry> | TrafficSum): number | undefined {
  const records = of instanceof TrafficSum ? of.records : of.sends - of.recordsSpared;
  return recordBytes(of.frameBytes, of.framePackets, records);
}

export function recordBytes(frameBytes: number, packets: number, records: number): number | undefined {
  return records > 0 ? Math.max(0, frameBytes - packets * FRAME_HEAD_BYTES) / records : undefined;
}
