/** The counters behind `link.traffic`: one writer (the link), any number of readers. */

import type { Channel, ChannelTraffic, Traffic } from "./link.ts";

type Counters = { -readonly [Key in keyof ChannelTraffic]: number };

export class TrafficCounter implements Traffic {
  readonly reliable: Counters = newCounters();
  readonly sequenced: Counters = newCounters();
  readonly unsequenced: Counters = newCounters();

  countOut(channel: Channel, bytes: number): void {
    const counters = this[channel];
    counters.messagesOut += 1;
    counters.bytesOut += bytes;
  }

  countIn(channel: Channel, bytes: number): void {
    const counters = this[channel];
    counters.messagesIn += 1;
    counters.bytesIn += bytes;
  }

  countStale(channel: Channel): void {
    this[channel].staleOut += 1;
  }

  countLate(channel: Channel): void {
    this[channel].lateIn += 1;
  }
}

function newCounters(): Counters {
  return { messagesOut: 0, bytesOut: 0, messagesIn: 0, bytesIn: 0, staleOut: 0, lateIn: 0 };
}
