/** The recorder: record on the server, play back with a time slider through map and charts, save and open files. */

import { Chart } from "../chart.ts";
import { find, setText } from "../dom.ts";
import { setFigure } from "../figures.ts";
import { bytes, bytesPerSecond, count, milliseconds, span } from "../format.ts";
import type { Playback } from "../playback.ts";
import type { State } from "../state.ts";

/** Charts show so much around the playhead, seconds before it. */
const CHART_SECONDS = 30;

export interface RecorderActions {
  record(on: boolean): void;
  save(): void;
  openFile(): void;
}

export class RecorderPanel {
  readonly #place = find("#side-recorder");
  readonly #state: State;
  readonly #playback: Playback;
  readonly #slider = find<HTMLInputElement>("#timeline-slider");
  readonly #charts: readonly [Chart, Chart, Chart];
  #lastMs = 0;

  constructor(state: State, playback: Playback, actions: RecorderActions) {
    this.#state = state;
    this.#playback = playback;
    const seconds = (): number => CHART_SECONDS;
    const base = { height: 110, seconds };
    this.#charts = [
      new Chart(find("#frame-traffic-chart"), {
        ...base,
        format: (value) => bytesPerSecond(value),
        atLeast: 100,
        curves: [
          { label: "out", colour: "--zone1", filled: true },
          { label: "in", colour: "--warm", dash: [6, 3] },
        ],
      }),
      new Chart(find("#frame-sends-chart"), {
        ...base,
        format: (value) => `${count(value)}/s`,
        atLeast: 10,
        curves: [{ label: "sends", colour: "--zone0", filled: true }],
      }),
      new Chart(find("#frame-round-chart"), {
        ...base,
        format: (value) => milliseconds(value),
        atLeast: 0.1,
        curves: [{ label: "round", colour: "--past", filled: true }],
      }),
    ];
    const toggle = (): void => actions.record(this.#state.report?.recording?.on !== true);
    find("#recorder-record").addEventListener("click", toggle);
    find("#record-button").addEventListener("click", toggle);
    find("#recorder-open").addEventListener("click", () => this.#change(() => playback.start()));
    find("#recorder-save").addEventListener("click", () => actions.save());
    for (const id of ["#recorder-load", "#gate-load"]) find(id).addEventListener("click", () => actions.openFile());
    find("#timeline-live").addEventListener("click", () => this.#change(() => playback.end()));
    find("#timeline-play").addEventListener("click", () => this.#change(() => this.toggleRun()));
    this.#slider.addEventListener("input", () =>
      this.#change(() => {
        playback.isRunning = false;
        playback.seek(playback.span.fromMs + Number(this.#slider.value));
      }),
    );
  }

  #change(action: () => void): void {
    action();
    this.#state.changed();
  }

  /** Runs or rests; at the end it begins again. */
  toggleRun(): void {
    const playback = this.#playback;
    if (!playback.isOn) return;
    if (!playback.isRunning && playback.timeMs >= playback.span.toMs) playback.seek(playback.span.fromMs);
    playback.isRunning = !playback.isRunning;
  }

  /** Once a frame: the playhead runs on. */
  tick(nowMs: number): void {
    const elapsedMs = Math.min(250, nowMs - this.#lastMs);
    this.#lastMs = nowMs;
    if (!this.#playback.isRunning) return;
    this.#playback.advance(elapsedMs);
    this.#state.changed();
  }

  show(): void {
    const recording = this.#state.report?.recording ?? null;
    const isOn = recording?.on === true;
    const button = find("#record-button");
    button.classList.toggle("recording", isOn);
    setText(find("span", button), isOn ? span(recording.toMs - recording.fromMs) : "Record");
    setText(find("#recorder-record"), isOn ? "Stop" : "Record");
    setText(find("#recorder-state"), this.#words());
    const { fromMs, toMs } = this.#playback.isOn || recording === null ? this.#playback.span : recording;
    const frames = this.#playback.isOn || recording === null ? this.#playback.length : recording.count;
    setFigure(this.#place, "recording.count", frames, count(frames));
    setFigure(this.#place, "recording.ms", toMs - fromMs, span(toMs - fromMs));
    setFigure(this.#place, "recording.bytes", recording?.bytes ?? null, bytes(recording?.bytes));
    for (const id of ["#recorder-open", "#recorder-save"]) {
      find<HTMLButtonElement>(id).disabled = this.#playback.length === 0;
    }
    this.#showTimeline();
    this.#showFrame();
  }

  #words(): string {
    const recording = this.#state.report?.recording;
    if (this.#playback.isOn) return "Every panel shows what was recorded. Move the slider below, or press Space.";
    if (recording?.on === true) return `Records a picture every ${recording.everyMs} ms, also while no page is open.`;
    if (this.#playback.length > 0) return "A recording is there: play it back, or save it.";
    return "Keeps everything the panels show on the server, to look at again or to pass on.";
  }

  #showTimeline(): void {
    const { isOn, isRunning, timeMs, span: whole } = this.#playback;
    find("#timeline").hidden = !isOn;
    if (!isOn) return;
    this.#slider.max = String(Math.max(1, Math.round(whole.toMs - whole.fromMs)));
    this.#slider.value = String(Math.round(timeMs - whole.fromMs));
    const text = `${span(timeMs - whole.fromMs)} of ${span(whole.toMs - whole.fromMs)}`;
    setText(find("#timeline-time"), text);
    setText(find("#timeline-play"), isRunning ? "❚❚" : "▶");
    setText(find("#timeline-live"), this.#state.report === undefined ? "Close" : "Back to live");
  }

  #showFrame(): void {
    const { frame, recording, timeMs } = this.#playback;
    find("#playback-charts").hidden = frame === undefined;
    if (frame === undefined) return;
    const figure = (name: string, value: number, text: string): void =>
      setFigure(this.#place, `frame.${name}`, value, text);
    figure("out", frame.bytesOutPerSecond, bytesPerSecond(frame.bytesOutPerSecond));
    figure("in", frame.bytesInPerSecond, bytesPerSecond(frame.bytesInPerSecond));
    figure("sends", frame.sendsPerSecond, `${count(Math.round(frame.sendsPerSecond))}/s`);
    figure("round", frame.roundMs, milliseconds(frame.roundMs));
    this.#place.dataset["frame"] = String(frame.number);
    const shown = recording.frames.filter(
      ({ map }) => map.timeMs <= timeMs && map.timeMs >= timeMs - CHART_SECONDS * 1000,
    );
    const times = shown.map(({ map }) => (map.timeMs - timeMs) / 1000);
    const [traffic, sends, rounds] = this.#charts;
    traffic.show(times, [shown.map((one) => one.bytesOutPerSecond), shown.map((one) => one.bytesInPerSecond)]);
    sends.show(times, [shown.map((one) => one.sendsPerSecond)]);
    rounds.show(times, [shown.map((one) => one.roundMs)]);
  }
}
