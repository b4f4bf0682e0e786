/**
 * Which packets arrived: kept by the client, told to the server in every ack. The last `ACK_WINDOW` packets are remembered one by one, so a
 * packet that comes twice is noticed.
 *
 * An ack is final. If an ack said that a packet is missing, the packet counts as missing for good, even if it comes later; its contents may
 * still be used. So for every packet up to the newest acknowledged one both sides know the same, whichever acks got through. The server can
 * refer to "the newest state that you told me of" without a number. A packet that comes after one that builds on it counts as missing in
 * the same way (`passOver`).
 *
 * An ack is run-length coded from the newest packet downward: [3, 1, 12] means that the newest three arrived, the one before did not, the
 * twelve before that did. It repeats what earlier acks said, so a lost ack costs nothing. On a link without loss an ack is one run.
 */

import { type BitReader, type BitWriter, IS_DEVELOPMENT, WireError } from "@nearfield/schema/internal";
import { readFlag, writeFlag } from "./primitives.ts";
import { short } from "./sequence.ts";

/** Packets whose arrival is remembered, and the most that may be in flight. */
export const ACK_WINDOW = 1024;
/** Most runs in one ack. Packets further back are left out. Under 20 % loss this covers some 400 packets. */
export const MAX_ACK_RUNS = 128;

/** On a link that loses nothing, nobody waits for acks. There they wait for so many rounds, so that one ack tells of several packets. */
export const IN_ORDER_ACK_ROUNDS = 4;
/** The longest time that an ack can say it waited, ms. */
const MOST_WAITED_MS = 60_000;

const Seen = { never: 0, inTime: 1, late: 2 } as const;

export interface PacketAck {
  /** Low 16 bits of the newest packet that arrived. Without meaning if there are no runs. */
  readonly newest: number;
  /** Lengths, from the newest downward, of arrived, missing, arrived … packets. Empty: nothing has arrived yet. */
  readonly runs: readonly number[];
}

/** What a client tells of what has arrived. It is a message of its own, or rides in another message. */
export interface AckPart {
  /** Low 16 bits of the number of the last reliable message received. */
  readonly heard: number;
  readonly packets: PacketAck;
  /** Ms from when the newest packet was read until this left. The server takes it out of the round trip. */
  readonly waitedMs: number;
}

export class Arrivals {
  #newest = -1;
  /** The newest packet that an ack has told of, or that a received packet builds on although it is missing. */
  #told = -1;
  readonly #seen: Uint8Array = new Uint8Array(ACK_WINDOW);

  /** The newest packet that arrived, −1 before the first. */
  get newest(): number {
    return this.#newest;
  }

  /** Whether a packet came before. Also true if it is too old to be known. */
  has(packet: number): boolean {
    if (packet <= this.#newest - ACK_WINDOW || packet < 0) return true;
    return packet <= this.#newest && this.#seen[packet % ACK_WINDOW] !== Seen.never;
  }

  /** Whether a packet came before any ack said that it is missing: then both sides count it as arrived. */
  counts(packet: number): boolean {
    return (
      packet > this.#newest - ACK_WINDOW && packet <= this.#newest && this.#seen[packet % ACK_WINDOW] === Seen.inTime
    );
  }

  /** Takes note of a new packet. False if an ack has already said that it is missing: it counts as missing. */
  admit(packet: number): boolean {
    const inTime = packet > this.#told;
    if (packet > this.#newest) {
      const skipped = Math.min(packet - this.#newest - 1, ACK_WINDOW);
      for (let i = 1; i <= skipped; i++) this.#seen[(packet - i) % ACK_WINDOW] = Seen.never;
      this.#newest = packet;
    }
    this.#seen[packet % ACK_WINDOW] = inTime ? Seen.inTime : Seen.late;
    return inTime;
  }

  /**
   * A packet that builds on `packet` came without it, so what it built there counts as missing for good. As after an ack, `packet` and all
   * earlier packets that are not here yet count as missing, too.
   */
  passOver(packet: number): void {
    if (packet > this.#told) this.#told = packet;
  }

  ack(): PacketAck {
    const runs: number[] = [];
    const oldest = Math.max(0, this.#newest - ACK_WINDOW + 1);
    let packet = this.#newest;
    while (packet >= oldest && runs.length < MAX_ACK_RUNS) {
      const arrived = runs.length % 2 === 0;
      const start = packet;
      while (packet >= oldest && (this.#seen[packet % ACK_WINDOW] === Seen.inTime) === arrived) packet--;
      runs.push(start - packet);
    }
    this.#told = this.#newest;
    return { newest: short(Math.max(0, this.#newest)), runs };
  }
}

export function writePacketAck(w: BitWriter, ack: PacketAck): void {
  w.writeBits(ack.newest, 16);
  w.writeVar(ack.runs.length);
  for (const run of ack.runs) w.writeVar(run - 1);
}

export function readPacketAck(r: BitReader): PacketAck {
  const newest = r.readBits(16);
  const count = r.readVar();
  if (count > MAX_ACK_RUNS)
    throw new WireError("length", IS_DEVELOPMENT && `ack: ${count} runs, at most ${MAX_ACK_RUNS}`);
  const runs: number[] = [];
  let covered = 0;
  for (let i = 0; i < count; i++) {
    const run = r.readVar() + 1;
    covered += run;
    if (covered > ACK_WINDOW)
      throw new WireError("range", IS_DEVELOPMENT && `ack: speaks of ${covered} packets, at most ${ACK_WINDOW}`);
    runs.push(run);
  }
  return { newest, runs };
}

export function writeAckPart(w: BitWriter, { heard, packets, waitedMs }: AckPart): void {
  w.writeBits(heard, 16);
  writePacketAck(w, packets);
  w.writeVar(Math.min(MOST_WAITED_MS, Math.round(waitedMs)));
}

export function readAckPart(r: BitReader): AckPart {
  const heard = r.readBits(16);
  const packets = readPacketAck(r);
  const waitedMs = r.readVar();
  if (waitedMs > MOST_WAITED_MS)
    throw new WireError("range", IS_DEVELOPMENT && `ack: waited ${waitedMs} ms, at most ${MOST_WAITED_MS}`);
  return { heard, packets, waitedMs };
}

/** A flag, and the ack if there is one. */
export function writeRidingAck(w: BitWriter, ack: AckPart | undefined): void {
  writeFlag(w, ack !== undefined);
  if (ack !== undefined) writeAckPart(w, ack);
}

export function readRidingAck(r: BitReader): AckPart | undefined {
  return readFlag(r) ? readAckPart(r) : undefined;
}
