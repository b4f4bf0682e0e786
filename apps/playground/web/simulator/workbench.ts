/**
 * The simulator's state without its page: the settings, the running simulation, the recording, and whether it records or plays back. `tick` is one
 * frame: it steers by hand, records that, or plays a recording back.
 */

import { EntityField } from "@nearfield/simulation";
import type { ControlInput } from "@nearfield/simulation/internal";
import type { OpenTrace } from "./network-trace.ts";
import { FRAME_MS, FRAMES_PER_SECOND, Player, Recorder, type Recording } from "./recording.ts";
import { sampleRecording } from "./sample.ts";
import { DEFAULT_SETTINGS, type SimulatorSettings } from "./settings.ts";
import { Simulation } from "./simulation.ts";
import { LiveSeries, Trail } from "./trail.ts";

/** Steered by hand, steered by hand and recorded, played back from the recording, or at the recording's end. */
export type Mode = "steer" | "record" | "playback" | "ended";

const TRAIL_FRAMES: number = 3 * FRAMES_PER_SECOND;
const SERIES_FRAMES: number = 10 * FRAMES_PER_SECOND;

export class Workbench {
  readonly trueTrail: Trail = new Trail(TRAIL_FRAMES);
  readonly shownTrail: Trail = new Trail(TRAIL_FRAMES);
  readonly series: LiveSeries = new LiveSeries(SERIES_FRAMES);
  settings: SimulatorSettings;
  simulation: Simulation;
  mode: Mode = "steer";
  recording: Recording | undefined;
  /** A recorded network in the place of the settings' one. */
  network: OpenTrace | undefined;
  /** Whether the recording is the sample and not somebody's own. */
  isSample = false;
  /** What steered the last frame. */
  input: ControlInput = { keys: 0, targetX: 0, targetY: 0 };
  #recorder = new Recorder();
  #player: Player | undefined;

  constructor(settings: SimulatorSettings = DEFAULT_SETTINGS) {
    this.settings = settings;
    this.simulation = new Simulation(settings);
  }

  /** Seconds taken down or played so far. */
  get recordedSeconds(): number {
    return this.#recorder.frames / FRAMES_PER_SECOND;
  }

  get playedSeconds(): number {
    return (this.#player?.frame ?? 0) / FRAMES_PER_SECOND;
  }

  /** A playback starts over, so that its figures are those of one setting; otherwise the entity moves on. */
  change(settings: SimulatorSettings): void {
    const isOtherLuck = settings.seed !== this.settings.seed;
    const isElsewhere = this.network !== undefined && settings.replayFromS !== this.settings.replayFromS;
    const isOtherSample = isOtherLuck || settings.control !== this.settings.control;
    this.settings = settings;
    if (this.isSample && isOtherSample) this.takeSample();
    if (this.mode === "playback" || this.mode === "ended") this.play();
    else if (isOtherLuck || isElsewhere) this.#restart();
    else {
      this.simulation.change(settings, this.network?.trace);
      this.shownTrail.clear();
    }
  }

  /** Replays a recorded network from where the settings say, or, without one, goes back to the settings' own. */
  replay(network: OpenTrace | undefined): void {
    this.network = network;
    if (this.mode === "playback" || this.mode === "ended") this.play();
    else if (this.mode === "record") this.simulation.change(this.settings, network?.trace);
    else this.#restart();
  }

  /** Where in the recorded network it is, ms from its start; it begins again at its end. */
  get replayMs(): number {
    const durationMs = this.network?.trace.durationMs ?? Number.POSITIVE_INFINITY;
    return (this.settings.replayFromS * 1000 + this.simulation.nowMs) % durationMs;
  }

  /** Back to the start point, steered by hand. */
  startOver(): void {
    this.mode = "steer";
    this.#restart();
  }

  record(): void {
    this.mode = "record";
    this.#recorder = new Recorder();
    this.#restart();
  }

  /** Ends a recording; nothing was recorded if nothing moved for not even a frame. */
  stopRecording(): void {
    this.mode = "steer";
    if (this.#recorder.frames === 0) return;
    this.recording = this.#recorder.finish();
    this.isSample = false;
  }

  /** Plays the recording, from its start. Without one, does nothing. */
  play(): void {
    if (this.recording === undefined) return;
    this.mode = "playback";
    this.#player = new Player(this.recording);
    this.#restart();
  }

  /** The sample movement for the chosen control, in the place of a recording. */
  takeSample(): void {
    this.recording = sampleRecording(this.settings.control, this.settings.seed);
    this.isSample = true;
  }

  /** Whether the recording moves anything under the chosen control: clicks do nothing for keys, and the other way round. */
  get suits(): boolean {
    const { keys = [], clicks = [] } = this.recording ?? {};
    return this.settings.control === "point" ? clicks.length > 0 : keys.some((held) => held !== 0);
  }

  /** One frame; `byHand` is asked only when somebody steers. */
  tick(byHand: () => ControlInput): void {
    const input = this.#nextInput(byHand);
    if (input === undefined) return;
    this.input = input;
    this.simulation.step(input);
    this.#follow();
    if (this.mode === "record" && this.#recorder.isFull) this.stopRecording();
  }

  #nextInput(byHand: () => ControlInput): ControlInput | undefined {
    if (this.mode === "ended") return undefined;
    if (this.mode === "playback") {
      const input = this.#player?.next();
      if (input === undefined) this.mode = "ended";
      return input;
    }
    const input = byHand();
    if (this.mode === "record") this.#recorder.add(input);
    return input;
  }

  #follow(): void {
    const { truth, shown, statistics, nowMs } = this.simulation;
    this.trueTrail.push(truth[EntityField.x]!, truth[EntityField.y]!);
    if (shown !== undefined) this.shownTrail.push(shown.x, shown.y);
    const error = shown === undefined ? null : statistics.error;
    this.series.push(nowMs / 1000, error, statistics.windowBytes / 1000);
  }

  #restart(): void {
    this.simulation = new Simulation(this.settings, this.network?.trace);
    this.trueTrail.clear();
    this.shownTrail.clear();
    this.series.clear();
    this.input = { keys: 0, targetX: 0, targetY: 0 };
  }
}

/** Whole frames to step for a screen's frame, and the time left over. A screen of about the same rate steps exactly once per frame. */
export function framesFor(elapsedMs: number, leftMs: number): { readonly frames: number; readonly leftMs: number } {
  if (Math.abs(elapsedMs - FRAME_MS) < 3) return { frames: 1, leftMs };
  // A tab that slept does not catch up.
  const totalMs = Math.min(leftMs + elapsedMs, 250);
  const frames = Math.floor(totalMs / FRAME_MS);
  return { frames, leftMs: totalMs - frames * FRAME_MS };
}
