/** What the recorder does with the server and with files: starts and stops, fetches new frames, saves and opens. */

import type { AskBody } from "./feed/connection.ts";
import type { Tell } from "./feed-types.ts";
import { chooseFile, onFile, saveFile } from "./files.ts";
import type { RecorderActions } from "./panels/recorder.ts";
import type { Playback } from "./playback.ts";
import { MOST_FILE_BYTES, readRecording, writeRecording } from "./recording.ts";
import type { State } from "./state.ts";

interface Host {
  readonly state: State;
  readonly playback: Playback;
  ask(body: AskBody): Promise<Tell>;
  notify(text: string): void;
}

const EVERY_MS = 100;

export class RecorderDesk implements RecorderActions {
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
    onFile(
      "#recording-file",
      MOST_FILE_BYTES,
      (text) => this.#open(text),
      (detail) => host.notify(`The recording was not opened: ${detail}`),
    );
  }

  record(on: boolean): void {
    const { state, playback } = this.#host;
    const { room } = state;
    if (on) playback.clear();
    this.#host
      .ask(on ? { ask: "record", room, on, everyMs: EVERY_MS } : { ask: "record", room, on })
      .then((answer) => {
        if (answer.tell === "recording" && state.report !== undefined) {
          state.report = { ...state.report, recording: answer.state };
          this.fetchNew();
          state.changed();
        }
      })
      .catch((error: unknown) => this.#host.notify(`Recording: ${(error as Error).message}`));
  }

  /** Only where it is looked at: frames nobody asked for are not sent. */
  fetchNew(): void {
    const { state, playback } = this.#host;
    const { report, welcome, room } = state;
    if (state.panel !== "recorder" && !playback.isOn) return;
    if (report?.recording == null || welcome === undefined) return;
    playback
      .fetch(report.recording, room, welcome, (body) => this.#host.ask(body))
      .then((isNew) => {
        if (isNew) state.changed();
      })
      .catch(() => {
        // Lost with the connection; fetched with the next report.
      });
  }

  save(): void {
    const { recording } = this.#host.playback;
    if (recording.frames.length === 0) return;
    saveFile("nearfield-recording.json", ...writeRecording(recording));
  }

  openFile(): void {
    chooseFile("#recording-file");
  }

  #open(text: string): void {
    const { state, playback } = this.#host;
    playback.openFile(readRecording(text));
    state.select(undefined, undefined);
    state.open(state.panel === "overview" ? "recorder" : state.panel);
  }
}
