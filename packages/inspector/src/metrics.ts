/**
 * A server's counters as samples for Prometheus. Everything is read when it is asked for. Only the duration of rounds is noted as they
 * happen, by a stopwatch in each room. Labels are rooms, channels, causes, zones and stages, never players, whose number has no bound. This
 * file knows no exporter: `Metrics` of @nearfield/inspector/node writes the samples with prom-client.
 */

import { CAUSE_NAMES } from "@nearfield/core";
import { REASONS } from "@nearfield/protocol/internal";
import type { Room, Server } from "@nearfield/server";
import type { TrafficSum } from "@nearfield/server/internal";
import { type Guest, type RoomSeam, STAGE_NAMES, type Stay } from "@nearfield/server/seam";
import type { Process } from "./report-maker.ts";
import { roomTraffic } from "./room-meters.ts";
import { StageTimes } from "./stage-times.ts";

export interface MetricsOptions {
  /** A clock in ms, for the duration of rounds. Default: none, durations are left out. */
  readonly now?: (() => number) | undefined;
  readonly process?: (() => Process) | undefined;
}

export type MetricLabels = Readonly<Record<string, string | number>>;

/** Receives samples; an exporter implements it. All samples of a family have the same labels. */
export interface MetricSink {
  /** The name ends in `_total`, and the value only grows. */
  counter(name: string, help: string, value: number, labels?: MetricLabels): void;
  gauge(name: string, help: string, value: number, labels?: MetricLabels): void;
}

const CHANNELS = ["reliable", "sequenced", "unsequenced"] as const;

/** A guest in each room: reads the room's counters and notes the duration of its rounds. */
class RoomMeter implements Guest {
  readonly name = "metrics";
  readonly seam: RoomSeam;
  readonly stopwatch: StageTimes | undefined;

  constructor(seam: RoomSeam, now: (() => number) | undefined, onRound: (ms: number) => void) {
    this.seam = seam;
    if (now === undefined) return;
    this.stopwatch = new StageTimes(now, STAGE_NAMES.length);
    this.stopwatch.onRound = onRound;
  }
}

export class MetricSource {
  readonly #server: Server;
  readonly #options: MetricsOptions;
  readonly #meters = new Map<Room, Stay<RoomMeter>>();
  /** Called with the duration of every round. */
  onRound: (room: string, seconds: number) => void = () => {};

  constructor(server: Server, options: MetricsOptions = {}) {
    this.#server = server;
    this.#options = options;
    this.#meetRooms();
  }

  /** Hands all present samples to the sink. */
  read(out: MetricSink): void {
    this.#meetRooms();
    out.gauge("nearfield_round_seconds_nominal", "Nominal length of a round.", this.#server.roundMs / 1000);
    writeDoor(out, this.#server);
    for (const { guest } of this.#meters.values()) {
      const { seam, stopwatch } = guest;
      const traffic = roomTraffic(seam);
      writeRounds(out, seam, stopwatch);
      writeTraffic(out, seam.name, traffic);
      writeSends(out, seam, traffic);
      writeAudit(out, seam);
      writePeople(out, seam, traffic);
    }
    const used = this.#options.process?.();
    if (used !== undefined) writeProcess(out, used);
  }

  dispose(): void {
    for (const { leave } of this.#meters.values()) leave();
    this.#meters.clear();
  }

  /** Joins new rooms, and forgets closed ones. */
  #meetRooms(): void {
    const rooms = new Set(this.#server.rooms.values());
    for (const room of this.#meters.keys()) if (!rooms.has(room)) this.#meters.delete(room);
    for (const room of rooms) {
      if (this.#meters.has(room)) continue;
      const onRound = (ms: number): void => this.onRound(room.name, ms / 1000);
      this.#meters.set(
        room,
        room.invite((seam) => new RoomMeter(seam, this.#options.now, onRound)),
      );
    }
  }
}

function writeDoor(out: MetricSink, { door }: Server): void {
  for (const reason of REASONS) {
    const refused = door.refused.get(reason) ?? 0;
    out.counter("nearfield_refused_total", "Links refused at the door, by the reason they were given.", refused, {
      reason,
    });
  }
  for (const [why, refused] of door.linksRefused)
    out.counter("nearfield_links_refused_total", "Requests refused before there was a link.", refused, { why });
  out.gauge("nearfield_strangers", "Links that have not said hello.", door.strangers);
  out.counter("nearfield_reports_suppressed_total", "Errors counted and not reported one by one.", door.suppressed);
  const seconds = door.clientMs / 1000;
  out.counter("nearfield_client_work_seconds_total", "The server's time that clients' messages took.", seconds);
  out.counter("nearfield_reports_failed_total", "Times that onError itself failed.", door.failed);
}

function writeRounds(out: MetricSink, { name, telemetry }: RoomSeam, times: StageTimes | undefined): void {
  const room = { room: name };
  out.counter("nearfield_rounds_total", "Rounds run.", telemetry.rounds, room);
  out.counter("nearfield_handler_errors_total", "Exceptions thrown by the game.", telemetry.handlerErrors, room);
  if (times === undefined) return;
  for (const [stage, label] of STAGE_NAMES.entries()) {
    const seconds = times.totals[stage]! / 1000;
    out.counter("nearfield_round_stage_seconds_total", "Time spent in each stage, from every 8th round.", seconds, {
      ...room,
      stage: label,
    });
  }
}

function writeTraffic(out: MetricSink, room: string, traffic: TrafficSum): void {
  for (const channel of CHANNELS) {
    const { bytesIn, bytesOut, messagesIn, messagesOut } = traffic[channel];
    const ways = [
      ["in", bytesIn, messagesIn],
      ["out", bytesOut, messagesOut],
    ] as const;
    for (const [direction, bytes, messages] of ways) {
      const labels = { room, direction, channel };
      out.counter("nearfield_bytes_total", "Payload bytes, debug traffic apart.", bytes, labels);
      out.counter("nearfield_messages_total", "Messages, debug traffic apart.", messages, labels);
    }
  }
  writeWire(out, room, traffic);
  out.counter("nearfield_debug_bytes_total", "Bytes of explanations to clients.", traffic.debugBytesOut, { room });
  out.counter("nearfield_frame_bytes_total", "Bytes of frames.", traffic.frameBytes, { room });
  out.counter("nearfield_frame_packets_total", "Packets of frames.", traffic.framePackets, { room });
}

function writeWire(out: MetricSink, room: string, traffic: TrafficSum): void {
  for (const channel of [...CHANNELS, "upkeep"] as const) {
    const { packetsIn, packetsOut, wireBytesIn, wireBytesOut } = traffic[channel];
    const ways = [
      ["in", wireBytesIn, packetsIn],
      ["out", wireBytesOut, packetsOut],
    ] as const;
    for (const [direction, bytes, packets] of ways) {
      const labels = { room, direction, channel };
      out.counter(
        "nearfield_wire_bytes_total",
        "Bytes on the wire with all headers, debug traffic apart.",
        bytes,
        labels,
      );
      out.counter("nearfield_packets_total", "Packets on the wire, debug traffic apart.", packets, labels);
    }
  }
}

function writeSends(out: MetricSink, { name, telemetry }: RoomSeam, traffic: TrafficSum): void {
  const room = { room: name };
  for (const [cause, sends] of telemetry.sends.entries()) {
    const labels = { ...room, cause: CAUSE_NAMES[cause]! };
    out.counter("nearfield_sends_total", "Decisions to send, by cause, those withheld included.", sends, labels);
  }
  out.counter("nearfield_withheld_total", "Decisions not sent for want of bytes.", telemetry.withheld, room);
  out.counter("nearfield_records_total", "Records written into frames.", traffic.records, room);
  out.counter(
    "nearfield_own_records_total",
    "Records of the receiving client's own objects.",
    traffic.ownRecords,
    room,
  );
  out.counter("nearfield_own_bytes_total", "Their bytes, without those of packets.", traffic.ownBytes, room);
  out.counter("nearfield_events_total", "Events emitted.", telemetry.events, room);
  out.counter("nearfield_commands_total", "Commands carried out.", telemetry.commands, room);
  out.counter("nearfield_writes_accepted_total", "Client writes accepted.", telemetry.writesAccepted, room);
  out.counter("nearfield_writes_refused_total", "Client writes refused.", telemetry.writesRefused, room);
}

function writeAudit(out: MetricSink, { name, audit }: RoomSeam): void {
  const room = { room: name };
  out.counter("nearfield_audit_examined_total", "Pairs examined by the auditor.", audit.examined, room);
  out.counter(
    "nearfield_audit_faults_total",
    "Pairs that broke the promise when the auditor looked at them; must be 0.",
    audit.faults,
    room,
  );
  if (Number.isFinite(audit.roundsPerPass)) {
    const help = "Rounds in which the auditor looks at every pair once.";
    out.gauge("nearfield_audit_rounds_per_pass", help, audit.roundsPerPass, room);
  }
  const paused = "Clients to whom nothing was sent, summed over rounds.";
  out.counter("nearfield_audit_paused_view_rounds_total", paused, audit.pausedViewRounds, room);
  out.gauge("nearfield_audit_open", "Pairs whose client is behind right now.", audit.open, room);
  for (const kind of ["decided", "delivered"] as const) {
    for (const { zone, cause, pairRounds } of audit.shortfalls(kind)) {
      const labels = { ...room, of: kind, zone, cause };
      out.counter("nearfield_shortfall_pair_rounds_total", "Pair-rounds over the bound.", pairRounds, labels);
    }
  }
}

function writePeople(out: MetricSink, seam: RoomSeam, traffic: TrafficSum): void {
  const { name, telemetry, players, connections, world } = seam;
  const room = { room: name };
  const everybody = [...players.values()];
  const trips = everybody.map((player) => player.telemetry.roundTripRounds).filter((rounds) => rounds >= 0);
  const seconds = seam.roundMs / 1000;
  const count = (test: (player: (typeof everybody)[number]) => boolean): number => everybody.filter(test).length;
  for (const presence of ["here", "away"] as const) {
    const present = count((player) => player.presence === presence);
    out.gauge("nearfield_players", "Players by presence.", present, { ...room, presence });
  }
  out.gauge("nearfield_objects", "Objects in the world.", world.count, room);
  out.counter("nearfield_joins_total", "Players that joined.", telemetry.joins, room);
  for (const [reason, ended] of telemetry.ended)
    out.counter("nearfield_ended_total", "Players that left, by why.", ended, { ...room, reason });
  out.counter("nearfield_leaves_total", "Players that left.", telemetry.leaves, room);
  out.counter("nearfield_resumes_total", "Sessions taken up again.", telemetry.resumes, room);
  out.counter("nearfield_packets_arrived_total", "Packets known to have arrived.", traffic.packetsArrived, room);
  out.counter("nearfield_packets_lost_total", "Packets known to be lost.", traffic.packetsLost, room);
  out.counter(
    "nearfield_paused_rounds_total",
    "Rounds in which a slow client was skipped.",
    traffic.pausedRounds,
    room,
  );
  out.gauge("nearfield_rounds_per_turn", "Rounds from one turn of a client to its next.", telemetry.every, room);
  out.counter(
    "nearfield_rounds_sat_out_total",
    "Rounds that clients sat out because time was short.",
    traffic.roundsOut,
    room,
  );
  const loosened = count((player) => player.telemetry.outerFactor > 1);
  out.gauge(
    "nearfield_clients_loosened",
    "Clients whose bounds are loosened for want of bytes or time.",
    loosened,
    room,
  );
  const paused = [...connections.values()].filter(({ isPaused, link }) => isPaused && link !== undefined).length;
  out.gauge("nearfield_clients_paused", "Connected clients that are skipped, being too far behind.", paused, room);
  const backlog = [...connections.values()].reduce((sum, { link }) => sum + (link?.backlogBytes ?? 0), 0);
  out.gauge("nearfield_backlog_bytes", "Bytes waiting in clients' links.", backlog, room);
  if (trips.length === 0) return;
  const mean = trips.reduce((sum, rounds) => sum + rounds, 0) / trips.length;
  out.gauge("nearfield_round_trip_seconds_mean", "Mean of the clients' round trips.", mean * seconds, room);
  out.gauge(
    "nearfield_round_trip_seconds_max",
    "Longest of the clients' round trips.",
    Math.max(...trips) * seconds,
    room,
  );
}

function writeProcess(out: MetricSink, { cpuMs, rssBytes, heapBytes, uptimeMs }: Process): void {
  out.counter("process_cpu_seconds_total", "CPU time used.", cpuMs / 1000);
  out.gauge("process_resident_memory_bytes", "Resident memory.", rssBytes);
  out.gauge("nodejs_heap_size_used_bytes", "Heap in use.", heapBytes);
  out.gauge("process_uptime_seconds", "Time since the process began.", uptimeMs / 1000);
}
