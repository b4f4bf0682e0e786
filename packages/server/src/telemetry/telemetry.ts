/**
 * Counters: traffic per session and channel, and what each room decided and why. They only grow; a display takes differences. Debug traffic
 * is counted separately and never as the game's.
 */

import { CAUSE_NAMES } from "@nearfield/core";
import type { Decisions } from "@nearfield/core/internal";
import { grown } from "@nearfield/schema/internal";
import type { Channel } from "@nearfield/transport/internal";

const CAUSES = CAUSE_NAMES.length;

export interface ChannelCounters {
  messagesOut: number;
  bytesOut: number;
  messagesIn: number;
  bytesIn: number;
}

function newCounters(): ChannelCounters {
  return { messagesOut: 0, bytesOut: 0, messagesIn: 0, bytesIn: 0 };
}

export class SessionTelemetry {
  readonly reliable: ChannelCounters = newCounters();
  readonly sequenced: ChannelCounters = newCounters();
  readonly unsequenced: ChannelCounters = newCounters();
  debugBytesOut = 0;
  debugMessagesOut = 0;
  /** Packets of frames and their bytes, events that rode on them included. */
  framePackets = 0;
  frameBytes = 0;
  /** Records by kind; and sends that needed no record because the client itself wrote the change. */
  recordsChanged = 0;
  recordsWhole = 0;
  recordsRemoved = 0;
  recordsSpared = 0;
  /** Packets whose fate is known. */
  packetsArrived = 0;
  packetsLost = 0;
  /** Smoothed round trip in rounds, ack delay included; −1 before the first ack. */
  roundTripRounds = -1;
  /** Rounds in which the view was paused because the link was behind. */
  pausedRounds = 0;
  /** Decisions that were not sent because bytes ran short. They are taken again in the next round. */
  withheld = 0;
  /** Factors by which the bounds of zones 1 and up, and of zone 0, are loosened now. */
  outerFactor = 1;
  innerFactor = 1;
  /** What the link was measured to take; `Infinity` while it keeps up. */
  linkBytesPerSecond: number = Number.POSITIVE_INFINITY;

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

  countDebug(bytes: number): void {
    this.debugMessagesOut += 1;
    this.debugBytesOut += bytes;
  }

  /** Records that were written, and sends that needed none. */
  get sends(): number {
    return this.recordsChanged + this.recordsWhole + this.recordsRemoved + this.recordsSpared;
  }

  get bytesOut(): number {
    return this.reliable.bytesOut + this.sequenced.bytesOut + this.unsequenced.bytesOut;
  }

  get bytesIn(): number {
    return this.reliable.bytesIn + this.sequenced.bytesIn + this.unsequenced.bytesIn;
  }

  /** Spelled out, because a property access by a changing name is slow. */
  #of(channel: Channel): ChannelCounters {
    if (channel === "unsequenced") return this.unsequenced;
    return channel === "sequenced" ? this.sequenced : this.reliable;
  }
}

/** The traffic of several clients together. */
export class TrafficSum {
  readonly reliable: ChannelCounters = newCounters();
  readonly sequenced: ChannelCounters = newCounters();
  readonly unsequenced: ChannelCounters = newCounters();
  debugBytesOut = 0;
  debugMessagesOut = 0;
  framePackets = 0;
  frameBytes = 0;
  /** Records that were written, and sends that needed none. */
  records = 0;
  spared = 0;
  packetsArrived = 0;
  packetsLost = 0;
  pausedRounds = 0;

  add(client: Readonly<SessionTelemetry> | TrafficSum): void {
    addCounters(this.reliable, client.reliable);
    addCounters(this.sequenced, client.sequenced);
    addCounters(this.unsequenced, client.unsequenced);
    this.debugBytesOut += client.debugBytesOut;
    this.debugMessagesOut += client.debugMessagesOut;
    this.framePackets += client.framePackets;
    this.frameBytes += client.frameBytes;
    this.packetsArrived += client.packetsArrived;
    this.packetsLost += client.packetsLost;
    this.pausedRounds += client.pausedRounds;
    const isSum = client instanceof TrafficSum;
    this.spared += isSum ? client.spared : client.recordsSpared;
    this.records += isSum ? client.records : client.sends - client.recordsSpared;
  }
}

export function addCounters(to: ChannelCounters, from: Readonly<ChannelCounters>): void {
  to.messagesOut += from.messagesOut;
  to.bytesOut += from.bytesOut;
  to.messagesIn += from.messagesIn;
  to.bytesIn += from.bytesIn;
}

export class RoomTelemetry {
  /** The traffic of all clients that have left. Together with those that are here it is the room's traffic. */
  readonly departed: TrafficSum = new TrafficSum();
  rounds = 0;
  joins = 0;
  leaves = 0;
  /** Clients that left, by reason. */
  readonly ended: Map<string, number> = new Map();
  resumes = 0;
  commands = 0;
  events = 0;
  writesAccepted = 0;
  writesRefused = 0;
  handlerErrors = 0;
  /** Decisions that were not sent because bytes ran short. */
  withheld = 0;
  /** Decisions by cause, those withheld included, in the order of `CAUSE_NAMES`. */
  readonly sends: number[] = CAUSE_NAMES.map(() => 0);
  /** The same by cell, `zone × CAUSE_NAMES.length + cause`, for zones with at least one. */
  sendsByCell: Float64Array = new Float64Array(CAUSES);
  /** Views that were judged and sent a frame, summed over rounds. */
  viewRounds = 0;
  encodeHits = 0;
  encodeMisses = 0;
  packets = 0;
  /** Duration of the last round, ms; set by the host, which has a clock. */
  roundMs = 0;

  countDecisions(decisions: Decisions): void {
    this.viewRounds += 1;
    this.withheld += decisions.withheld;
    const { count, causes, zones } = decisions;
    for (let i = 0; i < count; i++) {
      const cell = zones[i]! * CAUSES + causes[i]!;
      this.sends[causes[i]!]! += 1;
      if (cell >= this.sendsByCell.length) this.#reserve(zones[i]!);
      this.sendsByCell[cell]! += 1;
    }
  }

  #reserve(zone: number): void {
    this.sendsByCell = grown(this.sendsByCell, zone + 1, CAUSES);
  }
}
