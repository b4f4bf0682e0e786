/** A recorded session: frames of the map and a few rates, kept on the server within bounds, for the page to scrub through. */

import type { MapTell } from "./map.ts";

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

/** Answers `frames`; at most 50 at once, ask again from `next`. */
export interface FramesTell {
  tell: "frames";
  id?: number;
  room: string;
  frames: RecordedFrame[];
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
}
