/** The counters behind `link.traffic`: one writer (the link), any number of readers. The server's telemetry counts by the same two functions. */

import type { Channel, ChannelTraffic, Traffic } from "./link.ts";
import { type Carrier, type Direction, wireBytes, wirePackets } from "./wire-cost.ts";

/** What is counted of each channel, on both ends: messages and their bytes, and what they are on the wire. */
export interface ChannelCounters {
  messagesOut: number;
  bytesOut: number;
  packetsOut: number;
  wireBytesOut: number;
  messagesIn: number;
  bytesIn: number;
  packetsIn: number;
  wireBytesIn: number;
}

export function newCounters(): ChannelCounters {
  return {
    messagesOut: 0,
    bytesOut: 0,
    packetsOut: 0,
    wireBytesOut: 0,
    messagesIn: 0,
    bytesIn: 0,
    packetsIn: 0,
    wireBytesIn: 0,
  };
}

/**
 * Counts a message that left.
 *
 * @param bytes what counts as its bytes.
 * @param framed its bytes with our own framing: what the carrier is given.
 */
export function addOut(
  counters: ChannelCounters,
  bytes: number,
  framed: number,
  carrier: Carrier,
  to: Direction,
): void {
  counters.messagesOut += 1;
  counters.bytesOut += bytes;
  counters.packetsOut += wirePackets(carrier, to, framed);
  counters.wireBytesOut += wireBytes(carrier, to, framed);
}

/** The same for a message that came. */
export function addIn(counters: ChannelCounters, bytes: number, framed: number, carrier: Carrier, to: Direction): void {
  counters.messagesIn += 1;
  counters.bytesIn += bytes;
  counters.packetsIn += wirePackets(carrier, to, framed);
  counters.wireBytesIn += wireBytes(carrier, to, framed);
}

type LinkCounters = { -readonly [Key in keyof ChannelTraffic]: number };

export class TrafficCounter implements Traffic {
  readonly reliable: LinkCounters = newLinkCounters();
  readonly sequenced: LinkCounters = newLinkCounters();
  readonly unsequenced: LinkCounters = newLinkCounters();
  readonly upkeep: LinkCounters = newLinkCounters();
  #direction: Direction = "toClient";

  /** Where this side's messages go. No property of its own, so that whoever sums up `Object.values` finds counters only. */
  set direction(direction: Direction) {
    this.#direction = direction;
  }

  countOut(channel: Channel | "upkeep", bytes: number, carrier: Carrier): void {
    addOut(this.#of(channel), bytes, bytes, carrier, this.#direction);
  }

  countIn(channel: Channel | "upkeep", bytes: number, carrier: Carrier): void {
    addIn(this.#of(channel), bytes, bytes, carrier, this.#direction === "toClient" ? "toServer" : "toClient");
  }

  countStale(channel: Channel): void {
    this.#of(channel).staleOut += 1;
  }

  countLate(channel: Channel): void {
    this.#of(channel).lateIn += 1;
  }

  /** Spelled out, because a property looked up by a name that changes is slow. */
  #of(channel: Channel | "upkeep"): LinkCounters {
    if (channel === "unsequenced") return this.unsequenced;
    if (channel === "sequenced") return this.sequenced;
    return channel === "reliable" ? this.reliable : this.upkeep;
  }
}

/** Not by a spread: V8 gives each object that a spread made a hidden class of its own, and then every access to it is slow. */
function newLinkCounters(): LinkCounters {
  return Object.assign(newCounters(), { staleOut: 0, lateIn: 0 });
}
