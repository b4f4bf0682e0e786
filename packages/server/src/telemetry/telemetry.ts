/**
 * Counters: traffic per session and channel, and what each room decided and why. They only grow; a display takes differences. Debug traffic
 * is counted separately and never as the game's. Bytes are payload; packets and wire bytes are what the network carries for it, with all headers.
 */

import { CAUSE_NAMES } from "@nearfield/core";
import type { Decisions } from "@nearfield/core/internal";
import { grown } from "@nearfield/schema/internal";
import {
  addIn,
  addOut,
  type Channel,
  type ChannelCounters,
  type ChannelTraffic,
  carrierOf,
  framedBytes,
  newCounters,
  wireBytes,
  wirePackets,
} from "@nearfield/transport/internal";

const CAUSES = CAUSE_NAMES.length;

/** Figures that a session keeps for itself. They are read when somebody asks: copying them in every round would touch every session's objects once more. */
interface TelemetrySource {
  readonly writer: {
    readonly written: {
      readonly changed: number;
      readonly whole: number;
      readonly removed: number;
      readonly silent: number;
    };
    readonly own: { readonly records: number; readonly bits: number };
    readonly ledger: {
      readonly arrived: number;
      readonly lost: number;
      readonly roundTripRounds: number;
      readonly probeRounds: number;
    };
  };
  readonly budget: { readonly linkBytesPerSecond: number };
}

/** Of a player that has no session, or none yet. */
const NO_SESSION: TelemetrySource = {
  writer: {
    written: { changed: 0, whole: 0, removed: 0, silent: 0 },
    own: { records: 0, bits: 0 },
    ledger: { arrived: 0, lost: 0, roundTripRounds: -1, probeRounds: 0 },
  },
  budget: { linkBytesPerSecond: Number.POSITIVE_INFINITY },
};

export class SessionTelemetry {
  readonly reliable: ChannelCounters = newCounters();
  readonly sequenced: ChannelCounters = newCounters();
  readonly unsequenced: ChannelCounters = newCounters();
  /** Bytes of all channels. A count of its own, because every round asks for it. */
  bytesOut = 0;
  debugBytesOut = 0;
  debugMessagesOut = 0;
  debugPacketsOut = 0;
  debugWireBytesOut = 0;
  /** Packets of frames and their bytes, events that rode on them included. */
  framePackets = 0;
  frameBytes = 0;
  /** Rounds in which the view was paused because the link was behind. */
  pausedRounds = 0;
  /** Rounds that the client sat out because the server had too little time. */
  roundsOut = 0;
  /** Decisions that were not sent because bytes ran short. They are taken again in the next round. */
  withheld = 0;
  /** Factors by which the bounds of zones 1 and up, and of zone 0, are loosened now. */
  outerFactor = 1;
  innerFactor = 1;
  /** Where figures are read that the session keeps for itself; a copy of them once the player has left. */
  #source: TelemetrySource = NO_SESSION;

  /** What the links before this one sent of their own: beats and signals; and the counters of this one. */
  readonly #upkeepBefore: ChannelCounters = newCounters();
  #upkeepNow: Readonly<ChannelTraffic> | undefined;

  /** @param inOrder whether the link keeps all messages in order, as a WebSocket does. */
  countOut(channel: Channel, bytes: number, inOrder: boolean): void {
    const carrier = carrierOf(channel, inOrder);
    addOut(this.#of(channel), bytes, framedBytes(carrier, channel, bytes), carrier, "toClient");
    this.bytesOut += bytes;
  }

  countIn(channel: Channel, bytes: number, inOrder: boolean): void {
    const carrier = carrierOf(channel, inOrder);
    addIn(this.#of(channel), bytes, framedBytes(carrier, channel, bytes), carrier, "toServer");
  }

  countDebug(bytes: number, inOrder: boolean): void {
    this.debugMessagesOut += 1;
    this.debugBytesOut += bytes;
    const carrier = carrierOf("unsequenced", inOrder);
    const framed = framedBytes(carrier, "unsequenced", bytes);
    this.debugPacketsOut += wirePackets(carrier, "toClient", framed);
    this.debugWireBytesOut += wireBytes(carrier, "toClient", framed);
  }

  /** From now on these are the figures of that session. */
  follow(source: TelemetrySource): void {
    this.#source = source;
  }

  /** The player has left: keeps the figures, and lets go of the session. */
  conclude(): void {
    const { writer, budget } = this.#source;
    const { arrived, lost, roundTripRounds, probeRounds } = writer.ledger;
    this.#source = {
      writer: { written: writer.written, own: writer.own, ledger: { arrived, lost, roundTripRounds, probeRounds } },
      budget: { linkBytesPerSecond: budget.linkBytesPerSecond },
    };
  }

  /** Records by kind; and sends that needed no record because the client itself wrote the change. */
  get recordsChanged(): number {
    return this.#source.writer.written.changed;
  }

  get recordsWhole(): number {
    return this.#source.writer.written.whole;
  }

  get recordsRemoved(): number {
    return this.#source.writer.written.removed;
  }

  get recordsSpared(): number {
    return this.#source.writer.written.silent;
  }

  /** The part of the records that tells of the client's own objects, and their bytes, without those of packets. The others are the rest. */
  get ownRecords(): number {
    return this.#source.writer.own.records;
  }

  get ownBytes(): number {
    return this.#source.writer.own.bits / 8;
  }

  /** Packets whose fate is known. */
  get packetsArrived(): number {
    return this.#source.writer.ledger.arrived;
  }

  get packetsLost(): number {
    return this.#source.writer.ledger.lost;
  }

  /** Smoothed round trip in rounds, ack delay included; −1 before the first ack. */
  get roundTripRounds(): number {
    return this.#source.writer.ledger.roundTripRounds;
  }

  /** Rounds without an ack after which a packet counts as lost; `Infinity` over a link that keeps order. */
  get probeRounds(): number {
    return this.#source.writer.ledger.probeRounds;
  }

  /** What the link was measured to take; `Infinity` while it keeps up. */
  get linkBytesPerSecond(): number {
    return this.#source.budget.linkBytesPerSecond;
  }

  /** The session has a new link. */
  relinked(upkeep: Readonly<ChannelTraffic>): void {
    if (this.#upkeepNow !== undefined) addCounters(this.#upkeepBefore, this.#upkeepNow);
    this.#upkeepNow = upkeep;
  }

  /** What the links sent and received of their own, beside all messages: beats and signals. */
  get upkeep(): ChannelCounters {
    const sum = newCounters();
    this.addUpkeep(sum);
    return sum;
  }

  addUpkeep(to: ChannelCounters): void {
    addCounters(to, this.#upkeepBefore);
    if (this.#upkeepNow !== undefined) addCounters(to, this.#upkeepNow);
  }

  /** Records that were written, and sends that needed none. */
  get sends(): number {
    return this.recordsChanged + this.recordsWhole + this.recordsRemoved + this.recordsSpared;
  }

  get bytesIn(): number {
    return this.reliable.bytesIn + this.sequenced.bytesIn + this.unsequenced.bytesIn;
  }

  /** Packets of all channels, without debug traffic and upkeep. */
  get packetsOut(): number {
    return this.reliable.packetsOut + this.sequenced.packetsOut + this.unsequenced.packetsOut;
  }

  get wireBytesOut(): number {
    return this.reliable.wireBytesOut + this.sequenced.wireBytesOut + this.unsequenced.wireBytesOut;
  }

  get packetsIn(): number {
    return this.reliable.packetsIn + this.sequenced.packetsIn + this.unsequenced.packetsIn;
  }

  get wireBytesIn(): number {
    return this.reliable.wireBytesIn + this.sequenced.wireBytesIn + this.unsequenced.wireBytesIn;
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
  readonly upkeep: ChannelCounters = newCounters();
  debugBytesOut = 0;
  debugMessagesOut = 0;
  debugPacketsOut = 0;
  debugWireBytesOut = 0;
  framePackets = 0;
  frameBytes = 0;
  /** Records that were written, and sends that needed none. */
  records = 0;
  spared = 0;
  /** The part of the records that tells clients of their own objects, and their bytes, without those of packets. */
  ownRecords = 0;
  ownBytes = 0;
  packetsArrived = 0;
  packetsLost = 0;
  pausedRounds = 0;
  roundsOut = 0;

  add(client: Readonly<SessionTelemetry> | TrafficSum): void {
    addCounters(this.reliable, client.reliable);
    addCounters(this.sequenced, client.sequenced);
    addCounters(this.unsequenced, client.unsequenced);
    this.debugBytesOut += client.debugBytesOut;
    this.debugMessagesOut += client.debugMessagesOut;
    this.debugPacketsOut += client.debugPacketsOut;
    this.debugWireBytesOut += client.debugWireBytesOut;
    this.framePackets += client.framePackets;
    this.frameBytes += client.frameBytes;
    this.packetsArrived += client.packetsArrived;
    this.packetsLost += client.packetsLost;
    this.pausedRounds += client.pausedRounds;
    this.roundsOut += client.roundsOut;
    this.ownRecords += client.ownRecords;
    this.ownBytes += client.ownBytes;
    if (client instanceof TrafficSum) {
      addCounters(this.upkeep, client.upkeep);
      this.spared += client.spared;
      this.records += client.records;
    } else {
      client.addUpkeep(this.upkeep);
      this.spared += client.recordsSpared;
      this.records += client.sends - client.recordsSpared;
    }
  }
}

export function addCounters(to: ChannelCounters, from: Readonly<ChannelCounters>): void {
  to.messagesOut += from.messagesOut;
  to.bytesOut += from.bytesOut;
  to.packetsOut += from.packetsOut;
  to.wireBytesOut += from.wireBytesOut;
  to.messagesIn += from.messagesIn;
  to.bytesIn += from.bytesIn;
  to.packetsIn += from.packetsIn;
  to.wireBytesIn += from.wireBytesIn;
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
  /** Each client is served once in so many rounds now, on average. 1: there is time enough. */
  every = 1;
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
