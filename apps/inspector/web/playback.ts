/**
 * Playing a recording back: fetched from the server frame by frame or read from a file, and a playhead that is moved by hand or runs.
 *
 * Frames that are being recorded are fetched as they come, so that a recording can be looked at while it goes on.
 */

import type { AskBody } from "./feed/connection.ts";
import type { RecordedFrame, RecordingState, Tell, TypeSummary } from "./feed-types.ts";
import { frameAt, type Recording, timesOf } from "./recording.ts";

export class Playback {
  /** A recording is shown instead of what is live. */
  isOn = false;
  isRunning = false;
  timeMs = 0;
  #frames: RecordedFrame[] = [];
  #types: readonly TypeSummary[] = [];
  #roundMs = 0;
  #isFile = false;
  #isFetching = false;

  get recording(): Recording {
    return { roundMs: this.#roundMs, types: this.#types, frames: this.#frames };
  }

  get types(): readonly TypeSummary[] {
    return this.#types;
  }

  get frame(): RecordedFrame | undefined {
    return this.isOn ? this.#frames[frameAt(this.#frames, this.timeMs)] : undefined;
  }

  get span(): { fromMs: number; toMs: number } {
    return timesOf(this.#frames);
  }

  get length(): number {
    return this.#frames.length;
  }

  /** Shows a file's recording from its beginning. */
  openFile({ roundMs, types, frames }: Recording): void {
    this.#frames = [...frames];
    this.#types = types;
    this.#roundMs = roundMs;
    this.#isFile = true;
    this.start();
  }

  start(): void {
    if (this.#frames.length === 0) return;
    this.isOn = true;
    this.isRunning = false;
    this.timeMs = this.span.fromMs;
  }

  /** Back to live; a file's frames make way for the server's. */
  end(): void {
    this.isOn = this.isRunning = false;
    if (this.#isFile) this.clear();
  }

  clear(): void {
    this.#frames = [];
    this.#isFile = false;
    this.isOn = this.isRunning = false;
  }

  seek(timeMs: number): void {
    const { fromMs, toMs } = this.span;
    this.timeMs = Math.min(toMs, Math.max(fromMs, timeMs));
  }

  /** Lets the playhead run on; it rests at the end. */
  advance(elapsedMs: number): void {
    if (!this.isOn || !this.isRunning) return;
    this.seek(this.timeMs + elapsedMs);
    if (this.timeMs >= this.span.toMs) this.isRunning = false;
  }

  /**
   * Fetches the frames that the server has and the page has not. One run at a time; a recording that began anew replaces the old one.
   *
   * @returns whether there was anything new
   */
  async fetch(
    state: RecordingState,
    room: string,
    welcome: { readonly roundMs: number; readonly types: readonly TypeSummary[] },
    ask: (body: AskBody) => Promise<Tell>,
  ): Promise<boolean> {
    if (this.#isFile || this.#isFetching) return false;
    if (this.#frames.length > 0 && this.#frames[0]!.map.timeMs < state.fromMs) this.#drop(state);
    let from = Math.max(state.first, (this.#frames.at(-1)?.number ?? -1) + 1);
    const end = state.first + state.count;
    if (from >= end) return false;
    this.#isFetching = true;
    this.#types = welcome.types;
    this.#roundMs = welcome.roundMs;
    try {
      while (from < end) {
        const answer = await ask({ ask: "frames", room, from, count: 50 });
        if (answer.tell !== "frames" || answer.frames.length === 0) break;
        this.#frames.push(...answer.frames);
        from = (answer.frames.at(-1)?.number ?? from) + 1;
      }
    } finally {
      this.#isFetching = false;
    }
    return true;
  }

  /** What the server let go, or all of it if the numbers began anew. */
  #drop({ first, fromMs }: RecordingState): void {
    const newest = this.#frames.at(-1)!;
    const isAnew = newest.map.timeMs < fromMs || newest.number < first;
    this.#frames = isAnew ? [] : this.#frames.filter(({ number }) => number >= first);
    if (isAnew) this.isOn = this.isRunning = false;
  }
}
