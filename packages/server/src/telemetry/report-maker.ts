/**
 * Makes the report of a room: samples its counters when told the time, and puts rates, ratios and shares beside them. All that needs a
 * host (CPU, memory) comes through `Process`.
 */

import { CAUSE_NAMES } from "@nearfield/core";
import type { RoomCore } from "../room/room-core.ts";
import { STAGE_NAMES } from "../room/round.ts";
import { ClientRows } from "./client-rows.ts";
import { finite } from "./drawn.ts";
import type { AuditFigures, Baseline, ChannelFlows, Flow, Report, TrafficFlows } from "./feed/report.ts";
import { Meter } from "./meter.ts";
import type { RoomProbe } from "./room-probe.ts";
import { FRAME_HEAD_BYTES, recordBytes } from "./sizes.ts";
import { noTimes } from "./stage-times.ts";
import { type ChannelCounters, TrafficSum } from "./telemetry.ts";

/** What the process has used, if there is one to ask. */
export interface Process {
  /** CPU time used since it began, ms. */
  readonly cpuMs: number;
  readonly rssBytes: number;
  readonly heapBytes: number;
  readonly uptimeMs: number;
}

const CHANNELS = ["reliable", "sequenced", "unsequenced"] as const;
const BROADCAST_METHOD =
  "every update, creation and removal to every connected client that keeps up, counted in every round; bytes: our own packet heads and mean size of an update";
const AURA_METHOD =
  "the share of the broadcast's sends within the radius of a pivot, looked at in every 8th round; what enters and leaves is not counted; bytes as for the broadcast";

export function roomTraffic({ telemetry, players }: RoomCore): TrafficSum {
  const sum = new TrafficSum();
  sum.add(telemetry.departed);
  for (const player of players.values()) sum.add(player.telemetry);
  return sum;
}

export class ReportMaker {
  readonly #core: RoomCore;
  readonly #probe: RoomProbe;
  readonly #meters = new Map<string, Meter>();
  readonly #clients: ClientRows;
  readonly #since: { ms: number; decided: number; delivered: number };
  #process: Process | undefined;
  #sampledRound = 0;

  constructor(core: RoomCore, probe: RoomProbe, presetOf: (player: number) => string | null) {
    this.#core = core;
    this.#probe = probe;
    this.#clients = new ClientRows(core, presetOf);
    const { audit } = core.model;
    const round = core.host.roundNumber;
    this.#since = {
      ms: round * core.host.resolved.roundMs,
      decided: audit.decided,
      delivered: audit.deliveredUpTo(round),
    };
  }

  /** @param atMs of a clock that runs evenly; the server's nominal time stands still when rounds are late. */
  sample(atMs: number, process: Process | undefined): void {
    const { telemetry, host } = this.#core;
    this.#sampledRound = host.roundNumber;
    this.#process = process;
    const traffic = roomTraffic(this.#core);
    const take = (name: string, total: number): void => this.#meter(name).sample(atMs, total);
    const all = { messagesOut: 0, bytesOut: 0, messagesIn: 0, bytesIn: 0 };
    take("debug.bytesOut", traffic.debugBytesOut);
    take("debug.messagesOut", traffic.debugMessagesOut);
    for (const channel of CHANNELS) {
      for (const count of Object.keys(all) as (keyof ChannelCounters)[]) {
        take(`${channel}.${count}`, traffic[channel][count]);
        all[count] += traffic[channel][count];
      }
    }
    for (const count of Object.keys(all) as (keyof ChannelCounters)[]) take(`all.${count}`, all[count]);
    for (const [cause, sends] of telemetry.sends.entries()) take(`cause ${cause}`, sends);
    take("sends", telemetry.sends.reduce((sum, sends) => sum + sends, 0) - telemetry.withheld);
    take("withheld", telemetry.withheld);
    take("updates", this.#probe.changes.updates);
    take("events", telemetry.events);
    take("commands", telemetry.commands);
    take("frame bytes", traffic.frameBytes);
    take("frame packets", traffic.framePackets);
    take("records", traffic.records);
    take("broadcast", this.#probe.baselines.broadcastSends);
    take("aura", this.#probe.baselines.auraSends);
    if (process !== undefined) take("cpu", process.cpuMs);
    this.#clients.sample(atMs);
  }

  /** Rates of the last second, for a recording. */
  rates(): { bytesOutPerSecond: number; bytesInPerSecond: number; sendsPerSecond: number } {
    return {
      bytesOutPerSecond: this.#meter("all.bytesOut").now,
      bytesInPerSecond: this.#meter("all.bytesIn").now,
      sendsPerSecond: this.#meter("sends").now,
    };
  }

  report(): Omit<Report, "recording"> {
    const { name, players, world, host } = this.#core;
    const { baselines, times } = this.#probe;
    return {
      tell: "report",
      room: name,
      round: this.#sampledRound,
      timeMs: this.#sampledRound * host.resolved.roundMs,
      sinceMs: this.#since.ms,
      players: players.size,
      objects: world.count,
      traffic: this.#traffic(),
      sends: this.#flow("sends"),
      causes: CAUSE_NAMES.map((_, cause) => this.#flow(`cause ${cause}`)),
      sendsByZone: this.#probe.sendsByZone(),
      withheld: this.#flow("withheld"),
      updates: this.#flow("updates"),
      bytesPerSend: this.#recordBytes(),
      frames: this.#flow("frame bytes"),
      events: this.#flow("events"),
      commands: this.#flow("commands"),
      baselines: {
        broadcast: this.#baseline("broadcast", BROADCAST_METHOD),
        aura: { ...this.#baseline("aura", AURA_METHOD), radius: finite(baselines.radius) },
      },
      rounds: times?.times() ?? noTimes(STAGE_NAMES.length),
      process: {
        cpu: this.#process === undefined ? null : this.#meter("cpu").now / 1000,
        rssBytes: this.#process?.rssBytes ?? null,
        heapBytes: this.#process?.heapBytes ?? null,
        uptimeMs: this.#process?.uptimeMs ?? this.#sampledRound * host.resolved.roundMs,
      },
      audit: this.#audit(),
      clients: this.#clients.rows(),
      clientsInAll: players.size,
    };
  }

  #meter(name: string): Meter {
    let meter = this.#meters.get(name);
    if (meter === undefined) {
      meter = new Meter();
      this.#meters.set(name, meter);
    }
    return meter;
  }

  #flow(name: string): Flow {
    return this.#meter(name).flow();
  }

  #traffic(): TrafficFlows {
    const way = (channel: string, way: "In" | "Out"): ChannelFlows => ({
      bytes: this.#flow(`${channel}.bytes${way}`),
      messages: this.#flow(`${channel}.messages${way}`),
    });
    const both = (direction: "In" | "Out") => ({
      reliable: way("reliable", direction),
      sequenced: way("sequenced", direction),
      unsequenced: way("unsequenced", direction),
      all: way("all", direction),
    });
    return { out: { ...both("Out"), debug: way("debug", "Out") }, in: both("In") };
  }

  #recordBytes(): { now: number | null; mean: number | null } {
    const [bytes, packets, records] = ["frame bytes", "frame packets", "records"].map((name) => this.#meter(name));
    return {
      now: recordBytes(bytes!.risenNow, packets!.risenNow, records!.risenNow) ?? null,
      mean: recordBytes(bytes!.risen, packets!.risen, records!.risen) ?? null,
    };
  }

  #baseline(name: "broadcast" | "aura", method: string): Baseline {
    const [theirs, ours] = [this.#meter(name), this.#meter("sends")];
    const [frames, packets] = [this.#meter("frame bytes"), this.#meter("frame packets")];
    const size = this.#recordBytes();
    const bytes = {
      now: packets.now * FRAME_HEAD_BYTES + theirs.now * (size.now ?? size.mean ?? 0),
      mean: packets.mean * FRAME_HEAD_BYTES + theirs.mean * (size.mean ?? 0),
    };
    return {
      sendsPerSecond: { now: theirs.now, mean: theirs.mean },
      bytesPerSecond: bytes,
      ratio: { now: ratio(theirs.now, ours.now), mean: ratio(theirs.mean, ours.mean) },
      bytesRatio: { now: ratio(bytes.now, frames.now), mean: ratio(bytes.mean, frames.mean) },
      method,
    };
  }

  #audit(): AuditFigures {
    const { audit } = this.#core.model;
    const { pairRounds } = this.#probe;
    const delivered = audit.deliveredUpTo(this.#sampledRound);
    const held = (short: number): number | null => (pairRounds === 0 ? null : Math.max(0, 1 - short / pairRounds));
    return {
      pairs: this.#core.sessions.size * this.#core.world.count,
      heldDecided: held(audit.decided - this.#since.decided),
      heldDelivered: held(delivered - this.#since.delivered),
      examined: audit.examined,
      faults: audit.faults,
      decided: audit.decided,
      delivered,
      open: audit.open,
      shortfalls: (["decided", "delivered"] as const).flatMap((of) =>
        audit.shortfalls(of).map(({ zone, cause, spells, pairRounds, longest }) => {
          return { of, zone, cause, spells, pairRounds, longestRounds: longest };
        }),
      ),
    };
  }
}

function ratio(theirs: number, ours: number): number | null {
  return ours > 0 ? theirs / ours : null;
}
