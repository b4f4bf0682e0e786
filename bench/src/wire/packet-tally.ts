/**
 * Packets to clients as the network carries them: their number, payload and wire bytes with the headers of a data channel. Beside it stands what the same
 * match would have cost with a packet in every round, empty ones included.
 */

import type { ViewSettings } from "@nearfield/core";
import type { FramePacket } from "@nearfield/protocol/internal";
import { Protocol } from "@nearfield/schema";
import { framedBytes, wireBytes } from "@nearfield/transport/internal";
import { FrameLoop } from "./frame-loop.ts";

const NOTHING: ViewSettings = { sets: [{ match: "everything", bounds: [{}] }], pivots: [] };

/** Bytes on the wire of a packet with that payload, from the server to a client, on a data channel. */
export function downBytes(payload: number): number {
  return wireBytes("datachannel", "toClient", framedBytes("datachannel", "unsequenced", payload));
}

/** Payload of a packet that says nothing. */
export function emptyPacketBytes(): number {
  const loop = new FrameLoop({ protocol: new Protocol({ objects: [] }), view: NOTHING, roundMs: 50 });
  loop.begin();
  loop.judge();
  loop.encode();
  return loop.tally().bytes;
}

export class PacketTally {
  packets = 0;
  payload = 0;
  wireBytes = 0;
  /** Wire bytes if every round had a packet. */
  everyRound = 0;
  readonly #emptyWireBytes = downBytes(emptyPacketBytes());

  /** What one client was sent in one round. */
  add(packets: readonly Pick<FramePacket, "bytes">[]): void {
    if (packets.length === 0) this.everyRound += this.#emptyWireBytes;
    for (const { bytes } of packets) {
      const wire = downBytes(bytes.length);
      this.packets += 1;
      this.payload += bytes.length;
      this.wireBytes += wire;
      this.everyRound += wire;
    }
  }
}
