/**
 * Makes the report of a room: samples its counters when told the time, and adds rates, ratios and shares. Everything that needs a host
 * (CPU, memory) comes through `Process`.
 */

import { CAUSE_NAMES } from "@nearfield/core";
import { addCounters, type ChannelCounters, newCounters, TrafficSum } from "@nearfield/server/internal";
import { type RoomSeam, STAGE_NAMES } from "@nearfield/server/seam";
import { AuditFiguresMaker } from "./audit-figures.ts";
import { ClientRows } from "./client-rows.ts";
import { finite, rounded } from "./drawn.ts";
import type { RecordedReport, RecordingState } from "./feed/recording.ts";
import type {
  Baseline,
  ChannelFlows,
  ClientRow,
  Report,
  SettingsFigures,
  TrafficFlows,
  WireFlows,
} from "./feed/report.ts";
import { Meter } from "./meter.ts";
import type { RoomProbe } from "./room-probe.ts";
import { FRAME_HEAD_BYTES, recordBytes } from "./sizes.ts";
import { noTimes } from "./stage-times.ts";

/** What the process has used, if the host can tell. */
export interface Process {
  /** CPU time used since it began, ms. */
  readonly cpuMs: number;
  readonly rssBytes: number;
  readonly heapBytes: number;
  readonly uptimeMs: number;
}

const CHANNELS = ["reliable", "sequenced", "unsequenced"] as const;
const BROADCAST_METHOD =
  "every update, creation and removal to every connected client that keeps up, counted in every round, in one packet for each client and round; bytes: our own packet heads, and the mean size of an update as our own codec writes a broadcast's, counted on some objects in turn";
const AURA_METHOD =
  "the share of the broadcast's sends within the radius of a pivot, every client in every round, or, where that is more than 250 looks a round, every eighth round and at most 1,500 looks, clients in turn; what enters and leaves is not counted; bytes as for the broadcast";

export function roomTraffic({ telemetry, players }: Pick<RoomSeam, "telemetry" | "players">): TrafficSum {
  const sum = new TrafficSum();
  sum.add(telemetry.departed);
  for (const player of players.values()) sum.add(player.telemetry);
  return sum;
}

/** Of one channel. */
class ChannelMeters {
  readonly bytesOut: Meter = new Meter();
  readonly messagesOut: Meter = new Meter();
  readonly bytesIn: Meter = new Meter();
  readonly messagesIn: Meter = new Meter();

  sample(atMs: number, counters: Readonly<ChannelCounters>): void {
    this.bytesOut.sample(atMs, counters.bytesOut);
    this.messagesOut.sample(atMs, counters.messagesOut);
    this.bytesIn.sample(atMs, counters.bytesIn);
    this.messagesIn.sample(atMs, counters.messagesIn);
  }

  out(): ChannelFlows {
    return { bytes: this.bytesOut.flow(), messages: this.messagesOut.flow() };
  }

  in(): ChannelFlows {
    return { bytes: this.bytesIn.flow(), messages: this.messagesIn.flow() };
  }
}

/** One direction of what the network below carries. */
class WireMeters {
  readonly #packets = new Meter();
  readonly #bytes = new Meter();
  readonly #upkeep = new Meter();

  sample(atMs: number, packets: number, bytes: number, upkeep: number): void {
    this.#packets.sample(atMs, packets);
    this.#bytes.sample(atMs, bytes);
    this.#upkeep.sample(atMs, upkeep);
  }

  flows(): WireFlows {
    return { packets: this.#packets.flow(), bytes: this.#bytes.flow(), upkeep: this.#upkeep.flow() };
  }
}

export class ReportMaker {
  readonly #seam: RoomSeam;
  readonly #probe: RoomProbe;
  readonly #channels = {
    reliable: new ChannelMeters(),
    sequenced: new ChannelMeters(),
    unsequenced: new ChannelMeters(),
    debug: new ChannelMeters(),
    all: new ChannelMeters(),
  };
  readonly #wireOut = new WireMeters();
  readonly #wireIn = new WireMeters();
  readonly #causes: readonly Meter[] = CAUSE_NAMES.map(() => new Meter());
  readonly #sends = new Meter();
  readonly #withheld = new Meter();
  readonly #updates = new Meter();
  readonly #events = new Meter();
  readonly #commands = new Meter();
  readonly #frameBytes = new Meter();
  readonly #framePackets = new Meter();
  readonly #frameWire = new Meter();
  readonly #records = new Meter();
  readonly #ownRecords = new Meter();
  readonly #ownBytes = new Meter();
  readonly #broadcast = new Meter();
  readonly #broadcastPackets = new Meter();
  readonly #auraPackets = new Meter();
  readonly #aura = new Meter();
  readonly #cpu = new Meter();
  readonly #clients: ClientRows;
  readonly #audit: AuditFiguresMaker;
  readonly #sinceMs: number;
  #used: Process | undefined;
  #sampledRound = 0;
  #clientsMs = Number.NEGATIVE_INFINITY;
  /** Joins and leaves when the rows of clients were made. */
  #comings = 0;
  #clientRows: ClientRow[] = [];
  #clientsText: string | undefined;
  #clientsRound = 0;
  /** The report of the newest sample; made when somebody asks for it. */
  #made: Omit<Report, "recording" | "clients" | "settings"> | undefined;
  /** Whether a recording still has to take the newest figures and rows. */
  #isNew = { report: true, clients: true };

  constructor(seam: RoomSeam, probe: RoomProbe, presetOf: (player: number) => string | null) {
    this.#seam = seam;
    this.#probe = probe;
    this.#clients = new ClientRows(seam, presetOf);
    this.#audit = new AuditFiguresMaker(seam);
    this.#sinceMs = seam.roundNumber * seam.roundMs;
  }

  /**
   * @param atMs from a clock that runs evenly; the server's nominal time stands still when rounds are late.
   * @param clientsMs how often the rows of clients are made; anew at once when somebody came or went.
   */
  sample(atMs: number, used: Process | undefined, clientsMs: number): void {
    const { telemetry, roundNumber } = this.#seam;
    const { baselines, changes } = this.#probe;
    this.#sampledRound = roundNumber;
    this.#used = used;
    this.#sampleTraffic(atMs);
    for (const [cause, sends] of telemetry.sends.entries()) this.#causes[cause]!.sample(atMs, sends);
    const sends = telemetry.sends.reduce((sum, ofCause) => sum + ofCause, 0);
    this.#sends.sample(atMs, sends - telemetry.withheld);
    this.#withheld.sample(atMs, telemetry.withheld);
    this.#updates.sample(atMs, changes.updates);
    this.#events.sample(atMs, telemetry.events);
    this.#commands.sample(atMs, telemetry.commands);
    this.#broadcast.sample(atMs, baselines.broadcastSends);
    this.#aura.sample(atMs, baselines.auraSends);
    this.#broadcastPackets.sample(atMs, baselines.broadcastPackets);
    this.#auraPackets.sample(atMs, baselines.auraPackets);
    if (used !== undefined) this.#cpu.sample(atMs, used.cpuMs);
    // By far the longest part: made only as often as a page shows them, at multiples of that time, as pages ask for reports.
    const comings = telemetry.joins + telemetry.leaves;
    if (atMs - this.#clientsMs >= clientsMs || comings !== this.#comings) {
      this.#comings = comings;
      this.#clientsMs = Number.isFinite(clientsMs) ? Math.floor(atMs / clientsMs) * clientsMs : atMs;
      this.#clients.sample(atMs);
      this.#clientRows = this.#clients.rows();
      this.#clientsText = undefined;
      this.#clientsRound = roundNumber;
      this.#isNew.clients = true;
    }
    this.#isNew.report = true;
    this.#made = undefined;
  }

  #sampleTraffic(atMs: number): void {
    const traffic = roomTraffic(this.#seam);
    const all = newCounters();
    for (const channel of CHANNELS) {
      this.#channels[channel].sample(atMs, traffic[channel]);
      addCounters(all, traffic[channel]);
    }
    this.#channels.all.sample(atMs, all);
    const { debugBytesOut: bytesOut, debugMessagesOut: messagesOut, upkeep } = traffic;
    this.#channels.debug.sample(atMs, { ...newCounters(), bytesOut, messagesOut });
    addCounters(all, upkeep);
    const packetsOut = all.packetsOut + traffic.debugPacketsOut;
    this.#wireOut.sample(atMs, packetsOut, all.wireBytesOut + traffic.debugWireBytesOut, upkeep.wireBytesOut);
    this.#wireIn.sample(atMs, all.packetsIn, all.wireBytesIn, upkeep.wireBytesIn);
    this.#frameBytes.sample(atMs, traffic.frameBytes);
    this.#framePackets.sample(atMs, traffic.framePackets);
    this.#frameWire.sample(atMs, traffic.unsequenced.wireBytesOut);
    this.#records.sample(atMs, traffic.records);
    this.#ownRecords.sample(atMs, traffic.ownRecords);
    this.#ownBytes.sample(atMs, traffic.ownBytes);
  }

  /** Rates of the last second, for a recording. */
  rates(): { bytesOutPerSecond: number; bytesInPerSecond: number; sendsPerSecond: number } {
    return {
      bytesOutPerSecond: rounded(this.#channels.all.bytesOut.now),
      bytesInPerSecond: rounded(this.#channels.all.bytesIn.now),
      sendsPerSecond: rounded(this.#sends.now),
    };
  }

  /** A recording begins: it gets everything, also what is not new. */
  renew(): void {
    this.#isNew = { report: true, clients: true };
  }

  /** The newest figures and rows of clients, each only once, for a recording. */
  takeNew(): { report: Omit<RecordedReport, "clients"> | undefined; clients: ClientRow[] | undefined } {
    const { report: hasReport, clients: hasClients } = this.#isNew;
    this.#isNew = { report: false, clients: hasClients && !hasReport };
    return {
      report: hasReport ? this.#figures() : undefined,
      clients: hasReport && hasClients ? this.#clientRows : undefined,
    };
  }

  /** The report as JSON, without its last brace and without its clients: `clientsText` has these. */
  text(recording: RecordingState | null): string {
    const report: Omit<Report, "clients"> = { ...this.#figures(), recording, settings: settingsFigures(this.#seam) };
    return JSON.stringify(report).slice(0, -1);
  }

  /** The rows of clients as JSON; they are those of round `clientsRound`. */
  clientsText(): string {
    this.#clientsText ??= JSON.stringify(this.#clientRows);
    return this.#clientsText;
  }

  get clientsRound(): number {
    return this.#clientsRound;
  }

  #figures(): Omit<Report, "recording" | "clients" | "settings"> {
    this.#made ??= this.#report();
    return this.#made;
  }

  #report(): Omit<Report, "recording" | "clients" | "settings"> {
    const { name, players, world, roundMs } = this.#seam;
    const { baselines, stopwatch } = this.#probe;
    return {
      tell: "report",
      room: name,
      round: this.#sampledRound,
      timeMs: this.#sampledRound * roundMs,
      sinceMs: this.#sinceMs,
      players: players.size,
      objects: world.count,
      traffic: this.#traffic(),
      wire: { out: this.#wireOut.flows(), in: this.#wireIn.flows() },
      sends: this.#sends.flow(),
      causes: this.#causes.map((cause) => cause.flow()),
      sendsByZone: this.#probe.sendsByZone(),
      withheld: this.#withheld.flow(),
      updates: this.#updates.flow(),
      bytesPerSend: this.#recordBytes(),
      frames: this.#frameBytes.flow(),
      records: this.#records.flow(),
      own: { records: this.#ownRecords.flow(), bytes: this.#ownBytes.flow() },
      events: this.#events.flow(),
      commands: this.#commands.flow(),
      baselines: {
        broadcast: this.#baseline(this.#broadcast, this.#broadcastPackets, BROADCAST_METHOD, 0),
        aura: {
          ...this.#baseline(this.#aura, this.#auraPackets, AURA_METHOD, baselines.auraError),
          radius: finite(baselines.radius),
        },
      },
      rounds: stopwatch?.times() ?? noTimes(STAGE_NAMES.length),
      process: {
        cpu: this.#used === undefined ? null : this.#cpu.now / 1000,
        rssBytes: this.#used?.rssBytes ?? null,
        heapBytes: this.#used?.heapBytes ?? null,
        uptimeMs: this.#used?.uptimeMs ?? this.#sampledRound * roundMs,
      },
      audit: this.#audit.figures(this.#sampledRound),
      clientsInAll: players.size,
      clientsRound: this.#clientsRound,
    };
  }

  #traffic(): TrafficFlows {
    const { reliable, sequenced, unsequenced, debug, all } = this.#channels;
    return {
      out: {
        reliable: reliable.out(),
        sequenced: sequenced.out(),
        unsequenced: unsequenced.out(),
        debug: debug.out(),
        all: all.out(),
      },
      in: { reliable: reliable.in(), sequenced: sequenced.in(), unsequenced: unsequenced.in(), all: all.in() },
    };
  }

  /** Headers below one packet of ours, on the links that clients have. */
  #headerBytes(): number {
    const packets = this.#framePackets.risen;
    return packets > 0 ? Math.max(0, this.#frameWire.risen - this.#frameBytes.risen) / packets : 0;
  }

  #recordBytes(): { now: number | null; mean: number | null } {
    const [bytes, packets, records] = [this.#frameBytes, this.#framePackets, this.#records];
    return {
      now: recordBytes(bytes.risenNow, packets.risenNow, records.risenNow) ?? null,
      mean: recordBytes(bytes.risen, packets.risen, records.risen) ?? null,
    };
  }

  #baseline(theirs: Meter, packets: Meter, method: string, error: number | null): Baseline {
    const [ours, frames, wire] = [this.#sends, this.#frameBytes, this.#frameWire];
    const size = this.#probe.baselines.sizes.mean ?? this.#recordBytes().mean ?? 0;
    const headers = this.#headerBytes();
    const bytes = {
      now: packets.now * FRAME_HEAD_BYTES + theirs.now * size,
      mean: packets.mean * FRAME_HEAD_BYTES + theirs.mean * size,
    };
    return {
      sendsPerSecond: { now: rounded(theirs.now), mean: rounded(theirs.mean) },
      bytesPerSecond: { now: rounded(bytes.now), mean: rounded(bytes.mean) },
      ratio: { now: ratio(theirs.now, ours.now), mean: ratio(theirs.mean, ours.mean) },
      bytesRatio: { now: ratio(bytes.now, frames.now), mean: ratio(bytes.mean, frames.mean) },
      wireRatio: {
        now: ratio(bytes.now + packets.now * headers, wire.now),
        mean: ratio(bytes.mean + packets.mean * headers, wire.mean),
      },
      error,
      method,
    };
  }
}

function settingsFigures({ settingsFile }: RoomSeam): SettingsFigures | null {
  if (settingsFile === undefined) return null;
  const { path, loadedMs = null, fault = null } = settingsFile;
  return { path, loadedMs, fault };
}

function ratio(theirs: number, ours: number): number | null {
  return ours > 0 ? theirs / ours : null;
}
