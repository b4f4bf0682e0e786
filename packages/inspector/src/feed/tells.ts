/** Every message to a page of the inspector. The larger ones have files of their own. */

import type { JsonSets } from "./asks.ts";
import type { ClusterTell } from "./cluster.ts";
import type { DrawnPivot, HeatTell, LevelTell, MapTell } from "./map.ts";
import type { FramesTell, RecordingTell } from "./recording.ts";
import type { Report } from "./report.ts";
import type { WhyTell } from "./why.ts";

export type Tell =
  | Welcome
  | Done
  | Refused
  | Report
  | MapTell
  | LevelTell
  | HeatTell
  | ClusterTell
  | WhyTell
  | PreviewTell
  | ViewTell
  | ViewsSetTell
  | ViewFileTell
  | RecordingTell
  | FramesTell;

export interface Welcome {
  tell: "welcome";
  id?: number;
  version: number;
  /** Nominal length of a round. */
  roundMs: number;
  round: number;
  /** When the inspector was attached: wall clock, ms since 1970. */
  startedMs: number;
  rooms: RoomSummary[];
  types: TypeSummary[];
  /** In the order of `Report.causes`. */
  causes: string[];
  /** In the order of `Report.rounds.stages`. */
  stages: string[];
  /** What a view may hold at most. */
  viewCapacity: { sets: number; zones: number; sectors: number; pivots: number };
  /** Radius of the aura in the main room's report, world units; `null`: unlimited. */
  auraRadius: number | null;
  /** Name of the server's own configuration file, without folders, if `saveView` writes one; else `null`. */
  viewFile: string | null;
  /** Names for `conditions`; empty if the host cannot set any. */
  presets: string[];
  /** Whether the server is one of a cluster, and `cluster` can be watched. Left out by servers that know of none. */
  hasCluster?: boolean;
}

export interface RoomSummary {
  name: string;
  players: number;
  objects: number;
}

export interface TypeSummary {
  name: string;
  /** Number of axes of its position; 0: it has no place. */
  axes: number;
  hasOrientation: boolean;
  /** Range of its position by axis, `[least, most]`; `null` if it has no limits. */
  extent: ([number, number] | null)[];
  fields: string[];
}

/** An ask that has no answer of its own was carried out. */
export interface Done {
  tell: "done";
  id?: number;
}

export type RefusalCode =
  | "bad-message"
  | "too-long"
  | "too-many"
  | "version"
  | "token"
  | "no-hello"
  | "no-room"
  | "no-player"
  | "no-object"
  | "bad-view"
  | "no-recording"
  | "no-view-file"
  | "no-conditions"
  | "no-cluster"
  | "failed";

/** An ask was not carried out. After "token", "version", "no-hello", "too-long" and "too-many" the connection is closed. */
export interface Refused {
  tell: "refused";
  id?: number;
  ask: string;
  code: RefusalCode;
  /** For people: what was wrong and what to do. */
  detail: string;
}

export interface PreviewTell {
  tell: "preview";
  room: string;
  player: number;
  round: number;
  /** What was changed of the settings, as `setView` would change them. */
  clamped: string[];
  sets: JsonSets;
  /** How long both views have been counted. */
  countedMs: number;
  /** The longest time bound of the view. The figures of far zones are reliable only after this time. */
  settlesMs: number;
  candidate: PreviewFigures;
  current: PreviewFigures;
}

export interface PreviewFigures {
  /** Number of pairs now, as `[zone][sector]`. */
  pairs: number[][];
  sendsPerSecond: number;
  bytesPerSecond: number;
  /** Sends per second by zone. */
  sendsByZone: number[];
}

export interface ViewTell {
  tell: "view";
  id?: number;
  room: string;
  player: number;
  nickname: string;
  sets: JsonSets;
  pivots: DrawnPivot[];
}

export interface ViewsSetTell {
  tell: "viewsSet";
  id?: number;
  room: string;
  answers: { player: number; ok: boolean; sets: JsonSets; clamped: string[]; detail: string }[];
}

/** Answers `saveView` and `loadView`: the text of the configuration file. */
export interface ViewFileTell {
  tell: "viewFile";
  id?: number;
  room: string;
  /** A file name for the operator's own machine. */
  name: string;
  text: string;
  sets: JsonSets;
  /** Whether it was written to, or read from, the server's own file. */
  onServer: boolean;
}
