/**
 * A recorded session: frames of the map, what was sent in between, and the report of every half second. It is kept on the server within
 * bounds, and the page can move to any moment of it.
 */

import type { LevelTell, MapTell } from "./map.ts";
import type { ClientRow, Report } from "./report.ts";

export interface RecordingState {
  on: boolean;
  everyMs: number;
  /** The frames that are kept: numbers `first` to `first + count − 1`. */
  first: number;
  count: number;
  fromMs: number;
  toMs: number;
  bytes: number;
  /** The most bytes. Beyond them the oldest frames are dropped. */
  mostBytes: number;
  mostSeconds: number;
}

export interface RecordingTell {
  tell: "recording";
  id?: number;
  room: string;
  state: RecordingState;
}

/** Answers `frames`: at most 50 frames and some 200 kB of text at once. Ask again from `next`. */
export interface FramesTell {
  tell: "frames";
  id?: number;
  room: string;
  frames: RecordedFrame[];
  /** The levels that these frames refer to, each before the first frame that does. */
  levels: LevelTell[];
  /** Number of the frame after the last one here; `null` when there is none yet. */
  next: number | null;
}

export interface RecordedFrame {
  number: number;
  /** With the views of every player. */
  map: MapTell;
  /** Rates over the second before the frame. */
  bytesOutPerSecond: number;
  bytesInPerSecond: number;
  sendsPerSecond: number;
  roundMs: number;
  players: number;
  /** Newest version of each object, in the order of `map.ids`. */
  versions?: number[];
  /** By look: which of its sets holds each object; `null` if the objects' types tell. */
  members?: (number[] | null)[];
  /** What was sent since the frame before. Missing if not all of it was seen. */
  sends?: RecordedSends[];
  /** Only in frames with a new report. */
  report?: RecordedReport;
}

/** What one player was sent. Columns of equal length. */
export interface RecordedSends {
  player: number;
  ids: number[];
  /** How many rounds before the frame's round each was sent. */
  ago: number[];
  /** Index into `Welcome.causes`. */
  causes: number[];
  /** Updates of each object since it was sent, up to the frame's round. */
  behind: number[];
}

/** The rows of clients change once a second. If they are missing, the earlier ones still hold. */
export type RecordedReport = Omit<Report, "clients" | "recording" | "settings"> & { clients?: ClientRow[] };
