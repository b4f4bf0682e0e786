/** The counters behind `link.traffic`: one writer (the link), any number of readers. */

import type { Channel, ChannelTraffic, Traffic } from "./link.ts";
import { type Carrier, type Direction, wireBytes, wirePackets } from "./wire-cost.ts";

type Counters = { -readonly [Key in keyof ChannelTraffic]: number };

export class TrafficCounter implements Traffic {
  readonly reliable: Counters = newCounters();
  readonly sequenced: Counters = newCounters();
  readonly unsequenced: Counters = newCounters();
  readonly upkeep: Counters = newCounters();
  #direction: Direction = "toClient";

  /** Where this side's messages go. No property of its own, so that whoever sums up `Object.values` finds counters only. */
  set direction(direction: Direction) {
    this.#direction = direction;
  }

  countOut(channel: Channel | "upkeep", bytes: number, carrier: Carrier): void {
    const counters = this.#of(channel);
    counters.messagesOut += 1;
    counters.bytesOut += bytes;
    counters.packetsOut += wirePackets(carrier, this.#direction, bytes);
    counters.wireBytesOut += wireBytes(carrier, this.#direction, bytes);
  }

  countIn(channel: Channel | "upkeep", bytes: number, carrier: Carrier): void {
    const direction = this.#direction === "toClient" ? "toServer" : "toClient";
    const counters = this.#of(channel);
    counters.messagesIn += 1;
    counters.bytesIn += bytes;
    counters.packetsIn += wirePackets(carrier, direction, bytes);
    counters.wireBytesIn += wireBytes(carrier, direction, bytes);
  }

  countStale(channel: Channel): void {
    this.#of(channel).staleOut += 1;
  }

  countLate(channel: Channel): void {
    this.#of(channel).lateIn += 1;
  }

  /** Spelled out, because a property looked up by a name that changes is slow. */
  #of(channel: Channel | "upkeep"): Counters {
    if (channel === "unsequenced") return this.unsequenced;
    if (channel === "sequenced") return this.sequenced;
    return channel === "reliable" ? this.reliable : this.upkeep;
  }
}

function newCounters(): Counters {
  return {
    messagesOut: 0,
    bytesOut: 0,
    packetsOut: 0,
    wireBytesOut: 0,
    messagesIn: 0,
    bytesIn: 0,
    packetsIn: 0,
    wireBytesIn: 0,
    staleOut: 0,
    lateIn: 0,
  };
}
