/**
 * The report: what a room sent and received, why, at what cost, and whether it kept its promise. Times in ms, rates per second, sizes in
 * bytes, `null` where a figure is infinite or not known.
 */

import type { RecordingState } from "./recording.ts";

/** What flowed: now (the last second; to and from single clients, the last two), mean and highest since `since`, and in all since the server or the client began. */
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

/** "all": the game's own, which debug traffic is not. */
export type ChannelName = "reliable" | "sequenced" | "unsequenced" | "debug" | "all";

export interface TrafficFlows {
  out: Record<ChannelName, ChannelFlows>;
  in: Record<Exclude<ChannelName, "debug">, ChannelFlows>;
}

export interface Report {
  tell: "report";
  room: string;
  round: number;
  /** Server time of the sample. */
  timeMs: number;
  /** Server time since when means and peaks are taken: when somebody began to watch. */
  sinceMs: number;
  players: number;
  objects: number;
  traffic: TrafficFlows;
  /** Sends to clients: updates, creations and removals. */
  sends: Flow;
  /** By cause, in the order of `Welcome.causes`. */
  causes: Flow[];
  /** Since the room began, `[zone][cause]`; those withheld included. */
  sendsByZone: number[][];
  /** Sends that were not made for want of bytes. */
  withheld: Flow;
  /** Updates of the world's objects. */
  updates: Flow;
  /** Mean size of an update on the wire, without the heads of packets. `null` before the first. */
  bytesPerSend: { now: number | null; mean: number | null };
  /** Bytes of frames, heads included: what `baselines` compares with. */
  frames: Flow;
  events: Flow;
  commands: Flow;
  baselines: { broadcast: Baseline; aura: Baseline & { radius: number | null } };
  rounds: RoundTimes;
  process: ProcessFigures;
  audit: AuditFigures;
  clients: ClientRow[];
  /** Clients beyond the first 500 are left out of `clients`; so many are there in all. */
  clientsInAll: number;
  /** Round in which `clients` was read: once a second, so it may be before `round`. */
  clientsRound: number;
  recording: RecordingState | null;
}

/** What the same rounds would have cost under another rule; ratios are that ÷ ours, in sends and in bytes. Counted since `Report.sinceMs`. */
export interface Baseline {
  sendsPerSecond: { now: number; mean: number };
  bytesPerSecond: { now: number; mean: number };
  ratio: { now: number | null; mean: number | null };
  bytesRatio: { now: number | null; mean: number | null };
  /** How far the mean may be off, as a share of it, in 19 of 20 cases; 0: everything was counted. `null` before the first look. */
  error: number | null;
  /** How it was counted, for people. */
  method: string;
}

/** Of the last `count` rounds. All 0 where nobody holds a stopwatch. */
export interface RoundTimes {
  count: number;
  meanMs: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** Mean ms of each stage, in the order of `Welcome.stages`; of every 8th of those rounds. */
  stages: number[];
}

export interface ProcessFigures {
  /** Of one core, 0–1 and beyond with threads; `null` where it is not known. */
  cpu: number | null;
  rssBytes: number | null;
  heapBytes: number | null;
  uptimeMs: number;
}

export interface AuditFigures {
  /** Pairs of a view and an object that the view promises something about: in its replica, and in a cell with a bound. */
  pairs: number;
  /** How far their sum over rounds may be off, as a share of it, in 19 of 20 cases; 0: they were counted. */
  pairsError: number;
  /** Share of their pair-rounds that were within their bound, since `Report.sinceMs`: as decided, and as delivered. */
  heldDecided: number | null;
  heldDelivered: number | null;
  examined: number;
  faults: number;
  /** Pair-rounds over the bound since the room began. */
  decided: number;
  delivered: number;
  /** Clients that are behind right now. */
  open: number;
  shortfalls: ShortfallRow[];
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
  outByChannel: { reliable: number; sequenced: number; unsequenced: number; debug: number };
  inByChannel: { reliable: number; sequenced: number; unsequenced: number };
  sends: Flow;
  withheld: number;
  network: NetworkFigures;
}

export interface NetworkFigures {
  /** What carries it: "websocket", "memory", …; `null` while it is away. */
  link: string | null;
  roundTripMs: number | null;
  /** Share of packets of known fate that were lost: of the last seconds, and in all. */
  lossNow: number | null;
  loss: number | null;
  backlogBytes: number;
  paused: boolean;
  pausedRounds: number;
  /** Bytes per second it may be sent; `null`: no limit. */
  budget: number | null;
  /** What its link was found to take; `null` while it keeps up. */
  linkBytesPerSecond: number | null;
  outerFactor: number;
  innerFactor: number;
  /** As set by `conditions`; `null`: untouched. */
  preset: string | null;
}
