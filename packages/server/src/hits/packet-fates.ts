/**
 * Which packets one client has, and when each took effect there, according to its acks. `TargetLog` is built on this. The ledger gives up
 * on a packet when its ack is overdue. This class keeps waiting for the ack, because the client may have seen the packet all the same.
 *
 * Bound: the last `PACKETS` packets, which is as many as may be in flight. Older packets that no ack told of count as missing.
 */

import type { PacketAck } from "@nearfield/protocol/internal";

export const PacketFate = { unknown: 0, arrived: 1, missing: 2 } as const;
export type PacketFate = (typeof PacketFate)[keyof typeof PacketFate];

/** As many as an ack can tell of. */
const PACKETS = 1024;

export class PacketFates {
  readonly #fate: Uint8Array = new Uint8Array(PACKETS);
  readonly #timeMs: Float64Array = new Float64Array(PACKETS);
  readonly #appliedMs: Float64Array = new Float64Array(PACKETS);
  #next = 0;
  #told = -1;

  /** A packet was sent, in a frame of that time. */
  sent(packet: number, timeMs: number): void {
    this.#fate[packet % PACKETS] = PacketFate.unknown;
    this.#timeMs[packet % PACKETS] = timeMs;
    this.#next = packet + 1;
  }

  /** The time of the newest packet in this ack, if no earlier ack told of that packet; else NaN. */
  newsOf({ newest, runs }: PacketAck): number {
    const packet = this.#unwrap(newest);
    return runs.length === 0 || packet <= this.#told || packet < 0 ? Number.NaN : this.#timeMs[packet % PACKETS]!;
  }

  /**
   * Takes in an ack. It is final for all packets up to its newest.
   *
   * @param appliedMs render time of the client's frame in which the ack left; the newest packet took effect in it.
   * @param ageMs how long after their time packets usually take effect, ms. Used for packets whose own ack did not arrive.
   */
  acked({ newest, runs }: PacketAck, appliedMs: number, ageMs: number): void {
    const newestPacket = this.#unwrap(newest);
    if (runs.length === 0 || newestPacket <= this.#told) return;
    let packet = newestPacket;
    for (let run = 0; run < runs.length && packet > this.#told; run++) {
      const fate = run % 2 === 0 ? PacketFate.arrived : PacketFate.missing;
      const end = Math.max(packet - runs[run]!, this.#told);
      for (; packet > end; packet--) {
        const at = packet % PACKETS;
        this.#fate[at] = fate;
        this.#appliedMs[at] = packet === newestPacket ? appliedMs : Math.min(appliedMs, this.#timeMs[at]! + ageMs);
      }
    }
    for (; packet > this.#told && packet >= 0; packet--) this.#fate[packet % PACKETS] = PacketFate.missing;
    this.#told = newestPacket;
  }

  fateOf(packet: number): PacketFate {
    return packet <= this.#next - PACKETS ? PacketFate.missing : (this.#fate[packet % PACKETS]! as PacketFate);
  }

  /** Render time at which a packet that arrived took effect. */
  appliedMsOf(packet: number): number {
    return this.#appliedMs[packet % PACKETS]!;
  }

  /** The full number of a sent packet, from its low 16 bits. */
  #unwrap(low: number): number {
    const last = this.#next - 1;
    return last - ((last - low) & 0xffff);
  }
}
