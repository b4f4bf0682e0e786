/**
 * Makes the report of a room: samples its counters when told the time, and adds rates, ratios and shares. Everything that needs a host
 * (CPU, memory) comes through `Process`.
 */

import { type RoomSeam, STAGE_NAMES } from "@nearfield/server/seam";
import { AuditFiguresMaker } from "./audit-figures.ts";
import { CLIENT_ROW, ClientRows, ROW_LENGTH } from "./client-rows.ts";
import { finite, rounded } from "./drawn.ts";
import type { RecordedReport, RecordingState } from "./feed/recording.ts";
import type { Baseline, ClientRow, Report, SettingsFigures } from "./feed/report.ts";
import { Meters } from "./meters.ts";
import { Counter, REPORT_FLOWS, type ReportFlows, RoomMeters } from "./room-meters.ts";
import type { RoomProbe } from "./room-probe.ts";
import { filled } from "./shape.ts";
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

const BROADCAST_METHOD =
  "every update, creation and removal to every connected client that keeps up, counted in every round, in one packet for each client and round; bytes: our own packet heads, and the mean size of an update as our own codec writes a broadcast's, counted on some objects in turn";
const AURA_METHOD =
  "the share of the broadcast's sends within the radius of a pivot, every client in every round, or, where that is more than 250 looks a round, every eighth round and at most 1,500 looks, clients in turn; what enters and leaves is not counted; bytes as for the broadcast";

/** What is in a report besides its flows and clients, and what the room itself does not know. */
type Rest = Omit<Report, keyof ReportFlows | "clients" | "recording" | "settings">;

/** The shapes of `flows` and `rows` of a report that is on its way to a page. */
export const REPORT_SHAPES: string = JSON.stringify({ flows: REPORT_FLOWS, row: CLIENT_ROW, rowLength: ROW_LENGTH });

export class ReportMaker {
  readonly #seam: RoomSeam;
  readonly #probe: RoomProbe;
  readonly #meters: RoomMeters;
  readonly #cpu = new Meters(1);
  readonly #clients: ClientRows;
  readonly #audit: AuditFiguresMaker;
  readonly #sinceMs: number;
  #used: Process | undefined;
  #sampledRound = 0;
  #clientsMs = Number.NEGATIVE_INFINITY;
  /** Joins and leaves when the rows of clients were made. */
  #comings = 0;
  #rowsText: string | undefined;
  #clientsRound = 0;
  /** Of the newest sample; made when somebody asks for it. */
  #made: { readonly rest: Rest; readonly flows: number[] } | undefined;
  /** Whether a recording still has to take the newest figures and rows. */
  #isNew = { report: true, clients: true };

  constructor(seam: RoomSeam, probe: RoomProbe, presetOf: (player: number) => string | null) {
    this.#seam = seam;
    this.#probe = probe;
    this.#meters = new RoomMeters(seam, probe);
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
    this.#sampledRound = roundNumber;
    this.#used = used;
    this.#meters.sample(atMs);
    if (used !== undefined) this.#cpu.sample(atMs, Float64Array.of(used.cpuMs));
    // By far the longest part: made only as often as a page shows them, at multiples of that time, as pages ask for reports.
    const comings = telemetry.joins + telemetry.leaves;
    if (atMs - this.#clientsMs >= clientsMs || comings !== this.#comings) {
      this.#comings = comings;
      this.#clientsMs = Number.isFinite(clientsMs) ? Math.floor(atMs / clientsMs) * clientsMs : atMs;
      this.#clients.sample(atMs);
      this.#rowsText = undefined;
      this.#clientsRound = roundNumber;
      this.#isNew.clients = true;
    }
    this.#isNew.report = true;
    this.#made = undefined;
  }

  /** Rates of the last second, for a recording. */
  rates(): { bytesOutPerSecond: number; bytesInPerSecond: number; sendsPerSecond: number } {
    const { rates } = this.#meters;
    return {
      bytesOutPerSecond: rounded(rates.now(Counter.bytesOut)),
      bytesInPerSecond: rounded(rates.now(Counter.bytesIn)),
      sendsPerSecond: rounded(rates.now(Counter.sends)),
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
      report: hasReport ? this.#report() : undefined,
      clients: hasReport && hasClients ? this.#clients.rows() : undefined,
    };
  }

  #report(): Omit<RecordedReport, "clients"> {
    const { rest, flows } = this.#figures();
    return { ...rest, ...filled<ReportFlows>(REPORT_FLOWS, flows, 0) };
  }

  /** The report as JSON, without its last brace and without its clients: `rowsText` has these. */
  text(recording: RecordingState | null): string {
    const { rest, flows } = this.#figures();
    // Text by text: to spread an object into another one takes longer than to write it.
    const head = JSON.stringify(rest).slice(0, -1);
    const settings = JSON.stringify(settingsFigures(this.#seam));
    return `${head},"flows":${JSON.stringify(flows)},"recording":${JSON.stringify(recording)},"settings":${settings}`;
  }

  /** The rows of clients as JSON; they are those of round `clientsRound`. */
  rowsText(): string {
    this.#rowsText ??= JSON.stringify(this.#clients.values);
    return this.#rowsText;
  }

  get clientsRound(): number {
    return this.#clientsRound;
  }

  #figures(): { readonly rest: Rest; readonly flows: number[] } {
    this.#made ??= { rest: this.#rest(), flows: this.#meters.flows() };
    return this.#made;
  }

  #rest(): Rest {
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
      sendsByZone: this.#probe.sendsByZone(),
      bytesPerSend: this.#recordBytes(),
      baselines: {
        broadcast: this.#baseline(Counter.broadcast, Counter.broadcastPackets, BROADCAST_METHOD, 0),
        aura: {
          ...this.#baseline(Counter.aura, Counter.auraPackets, AURA_METHOD, baselines.auraError),
          radius: finite(baselines.radius),
        },
      },
      rounds: stopwatch?.times() ?? noTimes(STAGE_NAMES.length),
      process: {
        cpu: this.#used === undefined ? null : this.#cpu.now(0) / 1000,
        rssBytes: this.#used?.rssBytes ?? null,
        heapBytes: this.#used?.heapBytes ?? null,
        uptimeMs: this.#used?.uptimeMs ?? this.#sampledRound * roundMs,
      },
      audit: this.#audit.figures(this.#sampledRound),
      clientsInAll: players.size,
      clientsRound: this.#clientsRound,
    };
  }

  /** Headers below one packet of ours, on the links that clients have. */
  #headerBytes(): number {
    const { rates } = this.#meters;
    const packets = rates.risen(Counter.framePackets);
    return packets > 0 ? Math.max(0, rates.risen(Counter.frameWire) - rates.risen(Counter.frameBytes)) / packets : 0;
  }

  #recordBytes(): { now: number | null; mean: number | null } {
    const { rates } = this.#meters;
    const { frameBytes: bytes, framePackets: packets, records } = Counter;
    return {
      now: recordBytes(rates.risenNow(bytes), rates.risenNow(packets), rates.risenNow(records)) ?? null,
      mean: recordBytes(rates.risen(bytes), rates.risen(packets), rates.risen(records)) ?? null,
    };
  }

  /** @param theirs the counter of the rule's sends; @param packets that of its packets. */
  #baseline(theirs: number, packets: number, method: string, error: number | null): Baseline {
    const { rates } = this.#meters;
    const size = this.#probe.baselines.sizes.mean ?? this.#recordBytes().mean ?? 0;
    const headers = this.#headerBytes();
    const sends = { now: rates.now(theirs), mean: rates.mean(theirs) };
    const carried = { now: rates.now(packets), mean: rates.mean(packets) };
    const bytes = {
      now: carried.now * FRAME_HEAD_BYTES + sends.now * size,
      mean: carried.mean * FRAME_HEAD_BYTES + sends.mean * size,
    };
    const { sends: ours, frameBytes, frameWire } = Counter;
    return {
      sendsPerSecond: { now: rounded(sends.now), mean: rounded(sends.mean) },
      bytesPerSecond: { now: rounded(bytes.now), mean: rounded(bytes.mean) },
      ratio: { now: ratio(sends.now, rates.now(ours)), mean: ratio(sends.mean, rates.mean(ours)) },
      bytesRatio: { now: ratio(bytes.now, rates.now(frameBytes)), mean: ratio(bytes.mean, rates.mean(frameBytes)) },
      wireRatio: {
        now: ratio(bytes.now + carried.now * headers, rates.now(frameWire)),
        mean: ratio(bytes.mean + carried.mean * headers, rates.mean(frameWire)),
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
