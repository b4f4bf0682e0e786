/** The counters behind `link.traffic`: one writer (the link), any number of readers. */

import type { Channel, ChannelTraffic, Traffic } from "./link.ts";

type Counters = { -readonly [Key in keyof ChannelTraffic]: number };

export class TrafficCounter implements Traffic {
  readonly reliable: Counters = newCounters();
  readonly sequenced: Counters = newCounters();
  readonly unsequenced: Counters = newCounters();

  countOut(channel: Channel, bytes: number): void {
    const counters = this.#of(channel);
    counters.messagesOut += 1;
    counters.bytesOut += bytes;
  }

  countIn(channel: Channel, bytes: number): void {
    const counters = this.#of(channel);
    counters.messagesIn += 1;
    counters.bytesIn += bytes;
  }

  countStale(channel: Channel): void {
    this.#of(channel).staleOut += 1;
  }

  countLate(channel: Channel): void {
    this.#of(channel).lateIn += 1;
  }

  /** Spelled out, because a property looked up by a name that changes is slow. */
  #of(channel: Channel): Counters {
    if (channel === "unsequenced") return this.unsequenced;
    return channel === "sequenced" ? this.sequenced : this.reliable;
  }
}

function newCounters(): Counters {
  return { messagesOut: 0, bytesOut: 0, messagesIn: 0, bytesIn: 0, staleOut: 0, lateIn: 0 };
}
