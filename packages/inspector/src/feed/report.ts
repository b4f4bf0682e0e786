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

/** What the auditor found, and beside it, from `decided` on, the account that the model keeps of itself. */
export interface AuditFigures {
  /**
   * Pairs of a view and an object that the view promises something about: in its replica, and in a cell with a bound. All pairs there are
   * now, times the share of promised ones among those looked at since `Report.sinceMs`.
   */
  pairs: number;
  /** Promised pairs that were looked at since `Report.sinceMs`; a pair counts in every look. */
  promised: number;
  /** Share of these that were within their bound: as decided, and as delivered. `null` before the first. */
  heldDecided: number | null;
  heldDelivered: number | null;
  /** Pairs looked at since the room began. */
  examined: number;
  /** Rounds in which every pair is looked at once; `null`: nobody audits. */
  roundsPerPass: number | null;
  /** Looks since the room began that found a fault. Must be 0. */
  faults: number;
  /** The kinds of which there were any. */
  faultKinds: FaultKindRow[];
  /** The newest pairs that were found faulty, the one found last at the end; 64 at most. */
  faultyPairs: FaultyPairRow[];
  /** Pair-rounds over the bound since the room began. */
  decided: number;
  delivered: number;
  /** Clients that are behind right now. */
  open: number;
  shortfalls: ShortfallRow[];
}

/** Faults of one kind since the room began: looks that found one, and rounds of the first and the last. */
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
  /** Rounds in which it was found first and last, and in how many looks. */
  since: number;
  last: number;
  looks: number;
  /** It has been in order since. */
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
