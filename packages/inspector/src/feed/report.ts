/**
 * The report: what a room sent and received, why, at what cost, and whether it kept its promise. Times are in ms, rates per second, sizes
 * in bytes; `null` means infinite or unknown.
 */

import type { Shape, Value } from "../shape.ts";
import type { RecordingState } from "./recording.ts";

/**
 * A rate: now (over the last second; for single clients over the last two), its mean and peak since `since`, and the total since the server
 * or the client began.
 */
export interface Flow {
  now: number;
  mean: number;
  peak: number;
  total: number;
}

export interface ChannelFlows {
  bytes: Flow;
  messages: Flow;
}

/** "all": the game's own traffic, without debug traffic. */
export type ChannelName = "reliable" | "sequenced" | "unsequenced" | "debug" | "all";

export interface TrafficFlows {
  out: Record<ChannelName, ChannelFlows>;
  in: Record<Exclude<ChannelName, "debug">, ChannelFlows>;
}

/**
 * What the network below carries for one direction: packets and their bytes with all headers, debug traffic and the links' own beats and signals included.
 * `upkeep` is the part of these bytes that beats and signals take.
 */
export interface WireFlows {
  packets: Flow;
  bytes: Flow;
  upkeep: Flow;
}

/**
 * A report on its way to a page: its flows, and its clients one after another, as values without names. `shapes` says what each value is; it is told with
 * the first report. `rows` are left out if they are those of the report before. `FeedReader` makes a `Report` of it.
 */
export interface ToldReport extends Partial<Omit<Report, "tell">> {
  tell: "report";
  flows?: number[];
  rows?: Value[];
  shapes?: ReportShapes;
}

export interface ReportShapes {
  flows: Shape<Partial<Report>>;
  row: Shape<ClientRow>;
  /** Values of a row. */
  rowLength: number;
}

export interface Report {
  tell: "report";
  room: string;
  round: number;
  /** Server time of the sample. */
  timeMs: number;
  /** Server time at which somebody began to watch. Means and peaks count from there. */
  sinceMs: number;
  players: number;
  objects: number;
  traffic: TrafficFlows;
  /** Not in recordings of older versions. */
  wire?: { out: WireFlows; in: WireFlows };
  /** Sends to clients: updates, creations and removals. */
  sends: Flow;
  /** By cause, in the order of `Welcome.causes`. */
  causes: Flow[];
  /** Since the room began, as `[zone][cause]`; withheld sends included. */
  sendsByZone: number[][];
  /** Sends that were not made because bytes ran short. */
  withheld: Flow;
  /** Updates of the world's objects. */
  updates: Flow;
  /** Mean size of an update on the wire, without packet headers. `null` before the first. */
  bytesPerSend: { now: number | null; mean: number | null };
  /** Bytes of frames, headers included. `baselines` compares with them. */
  frames: Flow;
  /** Records in frames; and those of the receiving client's own objects, with their bytes, without those of packets. Not in recordings of older versions. */
  records?: Flow;
  own?: { records: Flow; bytes: Flow };
  events: Flow;
  commands: Flow;
  baselines: { broadcast: Baseline; aura: Baseline & { radius: number | null } };
  rounds: RoundTimes;
  process: ProcessFigures;
  audit: AuditFigures;
  clients: ClientRow[];
  /** Number of all clients; `clients` lists only the first 500. */
  clientsInAll: number;
  /** The round in which `clients` was read. It is read once a second, so it may be before `round`. */
  clientsRound: number;
  recording: RecordingState | null;
  /** The settings file that the room follows. `null`: it follows none. Not in recordings. */
  settings?: SettingsFigures | null;
}

/** What became of a settings file. */
export interface SettingsFigures {
  path: string;
  /** Server time at which it was last put in force. `null`: not yet. */
  loadedMs: number | null;
  /** Why the file as it is now is not in force, with line, column and path. `null` if it is. */
  fault: string | null;
}

/**
 * What the same rounds would have cost under another rule. Ratios are that rule's figure ÷ ours, in sends and in bytes, counted since
 * `Report.sinceMs`.
 */
export interface Baseline {
  sendsPerSecond: { now: number; mean: number };
  bytesPerSecond: { now: number; mean: number };
  ratio: { now: number | null; mean: number | null };
  bytesRatio: { now: number | null; mean: number | null };
  /** With the headers of all packets, ours and theirs. Not in recordings of older versions. */
  wireRatio?: { now: number | null; mean: number | null };
  /** How far the mean may be off in 19 of 20 cases, as a share of it; 0: everything was counted. `null` before the first sample. */
  error: number | null;
  /** The method of counting, for people. */
  method: string;
}

/** Times of the last `count` rounds. All 0 if rounds are not timed. */
export interface RoundTimes {
  count: number;
  meanMs: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** Mean ms of each stage, in the order of `Welcome.stages`. Only every 8th round is timed by stage. */
  stages: number[];
}

export interface ProcessFigures {
  /** Share of one core; above 1 with threads. `null` if unknown. */
  cpu: number | null;
  rssBytes: number | null;
  heapBytes: number | null;
  uptimeMs: number;
}

/** What the auditor found; and from `decided` on the account that the model keeps of itself. */
export interface AuditFigures {
  /**
   * Pairs of a view and an object that the view promises something about: in its replica, and in a cell with a bound. Estimated: the number
   * of all pairs now, times the share of promised ones among those checked since `Report.sinceMs`.
   */
  pairs: number;
  /** Promised pairs that were checked since `Report.sinceMs`. A pair counts each time it is checked. */
  promised: number;
  /** Share of these that were within their bound: as decided, and as delivered. `null` before the first. */
  heldDecided: number | null;
  heldDelivered: number | null;
  /** Pairs checked since the room began. */
  examined: number;
  /** Rounds in which every pair is checked once; `null`: the auditor is off. */
  roundsPerPass: number | null;
  /** Checks since the room began that found a fault. Must be 0. */
  faults: number;
  /** The kinds of fault that occurred. */
  faultKinds: FaultKindRow[];
  /** The newest faulty pairs, at most 64, the last one found at the end. */
  faultyPairs: FaultyPairRow[];
  /** Pair-rounds over the bound since the room began. */
  decided: number;
  delivered: number;
  /** Pairs whose client is behind right now. */
  open: number;
  shortfalls: ShortfallRow[];
}

/** Faults of one kind since the room began: how many checks found one, and the rounds of the first and the last. */
export interface FaultKindRow {
  kind: string;
  looks: number;
  first: number;
  last: number;
}

/** A pair that was found faulty. */
export interface FaultyPairRow {
  kind: string;
  player: number;
  /** `null`: the player has left. */
  nickname: string | null;
  object: number;
  /** Index into `Welcome.types`; `null`: the object is gone. */
  type: number | null;
  zone: number;
  cause: string;
  /** The rounds in which the fault was found first and last, and how many checks found it. */
  since: number;
  last: number;
  looks: number;
  /** Whether the pair has been in order since. */
  isOver: boolean;
}

export interface ShortfallRow {
  of: "decided" | "delivered";
  zone: number;
  cause: string;
  spells: number;
  pairRounds: number;
  longestRounds: number;
}

export interface ClientRow {
  player: number;
  nickname: string;
  role: string;
  presence: string;
  address: string;
  out: Flow;
  in: Flow;
  /** As in `Report.wire`, without debug traffic and upkeep. Not in recordings of older versions. */
  wireOut?: Flow;
  packetsOut?: Flow;
  outByChannel: { reliable: number; sequenced: number; unsequenced: number; debug: number };
  inByChannel: { reliable: number; sequenced: number; unsequenced: number };
  sends: Flow;
  /** Records of its own objects, and their bytes without those of packets. Not in recordings of older versions. */
  own?: { records: number; bytes: number };
  withheld: number;
  network: NetworkFigures;
}

export interface NetworkFigures {
  /** The carrier of its state: "websocket", "memory", …; `null` while it is away. */
  link: string | null;
  roundTripMs: number | null;
  /** Share of lost packets among those of known fate: in the last seconds, and in all. */
  lossNow: number | null;
  loss: number | null;
  backlogBytes: number;
  paused: boolean;
  pausedRounds: number;
  /** The most bytes per second that it is sent; `null`: no limit. */
  budget: number | null;
  /** What its link was measured to take; `null` while it keeps up. */
  linkBytesPerSecond: number | null;
  outerFactor: number;
  innerFactor: number;
  /** Network conditions set by `conditions`; `null`: none. */
  preset: string | null;
}
