/** The rates of a room's counters: traffic by channel, sends by cause, and what the baselines are compared with. All are sampled together. */

import { CAUSE_NAMES } from "@nearfield/core";
import { addCounters, type ChannelCounters, newCounters, TrafficSum } from "@nearfield/server/internal";
import type { RoomSeam } from "@nearfield/server/seam";
import type { ChannelFlows, Report, WireFlows } from "./feed/report.ts";
import { Meters } from "./meters.ts";
import type { RoomProbe } from "./room-probe.ts";
import { FLOW_LENGTH, type Shape } from "./shape.ts";

/** The flows of a report. */
export type ReportFlows = Required<
  Pick<
    Report,
    | "traffic"
    | "wire"
    | "sends"
    | "causes"
    | "withheld"
    | "updates"
    | "frames"
    | "records"
    | "own"
    | "events"
    | "commands"
  >
>;

/** Where counters stand in a sample. A channel has four: bytes and messages out, bytes and messages in. The wire has packets, bytes and upkeep. */
const RELIABLE = 0;
const SEQUENCED = 4;
const UNSEQUENCED = 8;
const DEBUG = 12;
const ALL = 16;
const WIRE_OUT = 20;
const WIRE_IN = 23;
const SENDS = 26;
const WITHHELD = 27;
const UPDATES = 28;
const FRAME_BYTES = 29;
const RECORDS = 30;
const OWN_RECORDS = 31;
const OWN_BYTES = 32;
const EVENTS = 33;
const COMMANDS = 34;
const CAUSES = 35;
/** Counters up to here are told as flows. Those that follow are not. */
const TOLD = CAUSES + CAUSE_NAMES.length;
const FRAME_PACKETS = TOLD;
const FRAME_WIRE = TOLD + 1;
const BROADCAST = TOLD + 2;
const BROADCAST_PACKETS = TOLD + 3;
const AURA = TOLD + 4;
const AURA_PACKETS = TOLD + 5;
const COUNT = TOLD + 6;

type CounterName =
  | "bytesOut"
  | "bytesIn"
  | "sends"
  | "frameBytes"
  | "records"
  | "framePackets"
  | "frameWire"
  | "broadcast"
  | "broadcastPackets"
  | "aura"
  | "auraPackets";

/** Counters that reports are calculated from. */
export const Counter: Readonly<Record<CounterName, number>> = {
  bytesOut: ALL,
  bytesIn: ALL + 2,
  sends: SENDS,
  frameBytes: FRAME_BYTES,
  records: RECORDS,
  framePackets: FRAME_PACKETS,
  frameWire: FRAME_WIRE,
  broadcast: BROADCAST,
  broadcastPackets: BROADCAST_PACKETS,
  aura: AURA,
  auraPackets: AURA_PACKETS,
};

const flow = (counter: number): readonly [number] => [counter * FLOW_LENGTH];
const channel = (at: number): Shape<ChannelFlows> => ({ bytes: flow(at), messages: flow(at + 1) });
const wire = (at: number): Shape<WireFlows> => ({ packets: flow(at), bytes: flow(at + 1), upkeep: flow(at + 2) });

export const REPORT_FLOWS: Shape<ReportFlows> = {
  traffic: {
    out: {
      reliable: channel(RELIABLE),
      sequenced: channel(SEQUENCED),
      unsequenced: channel(UNSEQUENCED),
      debug: channel(DEBUG),
      all: channel(ALL),
    },
    in: {
      reliable: channel(RELIABLE + 2),
      sequenced: channel(SEQUENCED + 2),
      unsequenced: channel(UNSEQUENCED + 2),
      all: channel(ALL + 2),
    },
  },
  wire: { out: wire(WIRE_OUT), in: wire(WIRE_IN) },
  sends: flow(SENDS),
  causes: CAUSE_NAMES.map((_, cause) => flow(CAUSES + cause)),
  withheld: flow(WITHHELD),
  updates: flow(UPDATES),
  frames: flow(FRAME_BYTES),
  records: flow(RECORDS),
  own: { records: flow(OWN_RECORDS), bytes: flow(OWN_BYTES) },
  events: flow(EVENTS),
  commands: flow(COMMANDS),
};

export function roomTraffic({ telemetry, players }: Pick<RoomSeam, "telemetry" | "players">): TrafficSum {
  const sum = new TrafficSum();
  sum.add(telemetry.departed);
  for (const player of players.values()) sum.add(player.telemetry);
  return sum;
}

export class RoomMeters {
  readonly #seam: RoomSeam;
  readonly #probe: RoomProbe;
  /** By `Counter`. */
  readonly rates: Meters = new Meters(COUNT);
  readonly #totals = new Float64Array(COUNT);

  constructor(seam: RoomSeam, probe: RoomProbe) {
    this.#seam = seam;
    this.#probe = probe;
  }

  sample(atMs: number): void {
    const totals = this.#totals;
    const { telemetry } = this.#seam;
    const { baselines, changes } = this.#probe;
    this.#countTraffic(roomTraffic(this.#seam));
    let sends = 0;
    for (let cause = 0; cause < CAUSE_NAMES.length; cause++) {
      const ofCause = telemetry.sends[cause]!;
      totals[CAUSES + cause] = ofCause;
      sends += ofCause;
    }
    totals[SENDS] = sends - telemetry.withheld;
    totals[WITHHELD] = telemetry.withheld;
    totals[UPDATES] = changes.updates;
    totals[EVENTS] = telemetry.events;
    totals[COMMANDS] = telemetry.commands;
    totals[BROADCAST] = baselines.broadcastSends;
    totals[BROADCAST_PACKETS] = baselines.broadcastPackets;
    totals[AURA] = baselines.auraSends;
    totals[AURA_PACKETS] = baselines.auraPackets;
    this.rates.sample(atMs, totals);
  }

  /** As `REPORT_FLOWS` has them. */
  flows(): number[] {
    const flows: number[] = [];
    this.rates.writeFlows(flows, 0, TOLD);
    return flows;
  }

  #countTraffic(traffic: TrafficSum): void {
    const totals = this.#totals;
    const { reliable, sequenced, unsequenced, upkeep } = traffic;
    this.#countChannel(RELIABLE, reliable);
    this.#countChannel(SEQUENCED, sequenced);
    this.#countChannel(UNSEQUENCED, unsequenced);
    for (let at = 0; at < 4; at++)
      totals[ALL + at] = totals[RELIABLE + at]! + totals[SEQUENCED + at]! + totals[UNSEQUENCED + at]!;
    totals[DEBUG] = traffic.debugBytesOut;
    totals[DEBUG + 1] = traffic.debugMessagesOut;
    const all = newCounters();
    for (const counters of [reliable, sequenced, unsequenced, upkeep]) addCounters(all, counters);
    totals[WIRE_OUT] = all.packetsOut + traffic.debugPacketsOut;
    totals[WIRE_OUT + 1] = all.wireBytesOut + traffic.debugWireBytesOut;
    totals[WIRE_OUT + 2] = upkeep.wireBytesOut;
    totals[WIRE_IN] = all.packetsIn;
    totals[WIRE_IN + 1] = all.wireBytesIn;
    totals[WIRE_IN + 2] = upkeep.wireBytesIn;
    totals[FRAME_BYTES] = traffic.frameBytes;
    totals[FRAME_PACKETS] = traffic.framePackets;
    totals[FRAME_WIRE] = unsequenced.wireBytesOut;
    totals[RECORDS] = traffic.records;
    totals[OWN_RECORDS] = traffic.ownRecords;
    totals[OWN_BYTES] = traffic.ownBytes;
  }

  #countChannel(at: number, { bytesOut, messagesOut, bytesIn, messagesIn }: Readonly<ChannelCounters>): void {
    this.#totals[at] = bytesOut;
    this.#totals[at + 1] = messagesOut;
    this.#totals[at + 2] = bytesIn;
    this.#totals[at + 3] = messagesIn;
  }
}
