/**
 * Playing a recording back: fetched from the server frame by frame or read from a file, and a playhead that is moved by hand or runs.
 *
 * Frames that are being recorded are fetched as they come, so that a recording can be looked at while it goes on.
 */

import type { AskBody } from "./feed/connection.ts";
import type { HeatTell, LevelTell, RecordedFrame, RecordingState, Tell } from "./feed-types.ts";
import { worldOf } from "./map/scene.ts";
import { recordedHeat } from "./recorded-heat.ts";
import { recordedWhy, type WhyAnswer } from "./recorded-why.ts";
import { frameAt, type Recording, timesOf } from "./recording.ts";
import { ReportTrack } from "./report-track.ts";
import type { Facts, Shown } from "./shown.ts";

const NO_FACTS: Facts = { roundMs: 0, types: [], causes: [], stages: [] };
/** A server answers some 30 asks a second; a long recording takes more of them, so they are spread. */
const ASK_EVERY_MS = 60;
const OLD =
  "This recording was made by an older version, which kept the map and the traffic alone: see Map and Recorder. Record again to have this panel too.";

export class Playback {
  /** A recording is shown instead of what is live. */
  isOn = false;
  isRunning = false;
  timeMs = 0;
  readonly #pause: (ms: number) => Promise<void>;
  readonly #levels = new Map<number, LevelTell>();
  #frames: RecordedFrame[] = [];
  #facts: Facts = NO_FACTS;
  #isFile = false;
  #isFetching = false;
  /** Made from all frames when they are needed; undefined since there are others. */
  #track: ReportTrack | undefined;
  #heat: { readonly tell: HeatTell | undefined } | undefined;

  /** @param pause resolves after so long */
  constructor(pause: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms))) {
    this.#pause = pause;
  }

  get recording(): Recording {
    return { facts: this.#facts, levels: [...this.#levels.values()], frames: this.#frames };
  }

  get facts(): Facts {
    return this.#facts;
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

  /** Where objects were during all of it. */
  get heat(): HeatTell | undefined {
    this.#heat ??= { tell: recordedHeat(this.#frames, this.#facts.types, worldOf(this.#facts.types)) };
    return this.#heat.tell;
  }

  level(number: number): LevelTell | undefined {
    return this.#levels.get(number);
  }

  /** What panels show of the moment at the playhead. */
  shown(player: number | undefined, object: number | undefined): Shown {
    this.#track ??= new ReportTrack(this.#frames);
    const report = this.#track.at(this.timeMs);
    const client = report?.clients.find((one) => one.player === player);
    const answer = this.#why(player, object, client);
    return {
      isPlayback: true,
      facts: this.#facts,
      report,
      series: this.#track.series,
      endMs: this.timeMs,
      roundTrips: this.#track.roundTripsAt(this.timeMs),
      player,
      object,
      client,
      why: answer !== undefined && "why" in answer ? answer.why : undefined,
      presets: [],
      lacksReport: report === undefined ? OLD : undefined,
      lacksWhy: answer !== undefined && "lacks" in answer ? answer.lacks : undefined,
    };
  }

  #why(player: number | undefined, object: number | undefined, client: Shown["client"]): WhyAnswer | undefined {
    if (player === undefined || object === undefined || this.#frames.length === 0) return undefined;
    const at = frameAt(this.#frames, this.timeMs);
    return recordedWhy(this.#frames, at, this.#facts, client, player, object);
  }

  /** Shows a file's recording from its beginning. */
  openFile({ facts, levels, frames }: Recording): void {
    this.clear();
    this.#frames = [...frames];
    this.#facts = facts;
    for (const level of levels) this.#levels.set(level.level, level);
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
    this.#levels.clear();
    this.#renew();
    this.#isFile = false;
    this.isOn = this.isRunning = false;
  }

  #renew(): void {
    this.#track = this.#heat = undefined;
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
    facts: Facts,
    ask: (body: AskBody) => Promise<Tell>,
  ): Promise<boolean> {
    if (this.#isFile || this.#isFetching) return false;
    if (this.#frames.length > 0 && this.#frames[0]!.map.timeMs < state.fromMs) this.#drop(state);
    let from = Math.max(state.first, (this.#frames.at(-1)?.number ?? -1) + 1);
    const end = state.first + state.count;
    if (from >= end) return false;
    this.#isFetching = true;
    const { roundMs, types, causes, stages } = facts;
    this.#facts = { roundMs, types, causes, stages };
    try {
      while (from < end) {
        const answer = await ask({ ask: "frames", room, from, count: 50 });
        // What was opened or cleared meanwhile is not to be mixed with this.
        if (answer.tell !== "frames" || answer.frames.length === 0 || this.#isFile) break;
        this.#take(answer.frames, answer.levels);
        from = (answer.frames.at(-1)?.number ?? from) + 1;
        if (from < end) await this.#pause(ASK_EVERY_MS);
      }
    } finally {
      this.#isFetching = false;
    }
    return true;
  }

  #take(frames: readonly RecordedFrame[], levels: readonly LevelTell[]): void {
    this.#frames.push(...frames);
    for (const level of levels) this.#levels.set(level.level, level);
    this.#renew();
  }

  /** What the server let go, or all of it if the numbers began anew. */
  #drop({ first, fromMs }: RecordingState): void {
    const newest = this.#frames.at(-1)!;
    const isAnew = newest.map.timeMs < fromMs || newest.number < first;
    this.#frames = isAnew ? [] : this.#frames.filter(({ number }) => number >= first);
    this.#renew();
    if (isAnew) this.isOn = this.isRunning = false;
  }
}
