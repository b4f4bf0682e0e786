/**
 * A recorded session: frames of the map, what was sent in between, and the report of every half second, kept on the server within bounds,
 * for the page to scrub through.
 */

import type { LevelTell, MapTell } from "./map.ts";
import type { ClientRow, Report } from "./report.ts";

export interface RecordingState {
  on: boolean;
  everyMs: number;
  /** Frames that are kept: numbers `first` to `first + count − 1`. */
  first: number;
  count: number;
  fromMs: number;
  toMs: number;
  bytes: number;
  /** Beyond these the oldest frames go. */
  mostBytes: number;
  mostSeconds: number;
}

export interface RecordingTell {
  tell: "recording";
  id?: number;
  room: string;
  state: RecordingState;
}

/** Answers `frames`; at most 50 at once and some 200 kB of text, ask again from `next`. */
export interface FramesTell {
  tell: "frames";
  id?: number;
  room: string;
  frames: RecordedFrame[];
  /** Levels that the first of these frames names and the frame before it did not, and so on. */
  levels: LevelTell[];
  /** Number of the frame after the last one here; `null` when there is none yet. */
  next: number | null;
}

export interface RecordedFrame {
  number: number;
  /** With the views of every player. */
  map: MapTell;
  /** Rates over the last second before it. */
  bytesOutPerSecond: number;
  bytesInPerSecond: number;
  sendsPerSecond: number;
  roundMs: number;
  players: number;
  /** Newest version of each object, in the order of `map.ids`. */
  versions?: number[];
  /** By look: which of its sets holds each object; `null` where the objects' types tell. */
  members?: (number[] | null)[];
  /** What was sent since the frame before; missing where that was not seen in full. */
  sends?: RecordedSends[];
  /** In those frames in which there is a new one. */
  report?: RecordedReport;
}

/** What one player was sent. Columns of equal length. */
export interface RecordedSends {
  player: number;
  ids: number[];
  /** Rounds before the frame's. */
  ago: number[];
  /** Index into `Welcome.causes`. */
  causes: number[];
  /** Updates of the object since then, up to the frame's round. */
  behind: number[];
}

/** The rows of clients change once a second: where they are missing, those before hold. */
export type RecordedReport = Omit<Report, "clients" | "recording"> & { clients?: ClientRow[] };
