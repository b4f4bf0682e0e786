/** What the view editor does with the server: fetches the selected client's view, has it previewed, applies, saves and loads it. */

import type { AskBody } from "./feed/connection.ts";
import type { Tell } from "./feed-types.ts";
import { chooseFile, onFile, saveFile } from "./files.ts";
import type { ViewActions } from "./panels/views.ts";
import type { State } from "./state.ts";
import type { Editor } from "./view/editor.ts";

interface Host {
  readonly state: State;
  readonly editor: Editor;
  ask(body: AskBody): Promise<Tell>;
}

/** While a ring is dragged the server is asked for a preview this often. */
const PREVIEW_EVERY_MS = 250;
/** An ask has at most 64 KiB, and each character of the file may take two there. */
const MOST_FILE_BYTES = 31 * 1024;

export class ViewDesk implements ViewActions {
  readonly #host: Host;
  #asked: number | undefined;
  #candidate: Editor["candidate"];
  #timer: number | undefined;
  say: (text: string, isBad: boolean) => void = () => {};

  constructor(host: Host) {
    this.#host = host;
    onFile(
      "#view-file",
      MOST_FILE_BYTES,
      (text, name) => this.#read(text, name),
      (detail) => this.say(detail, true),
    );
  }

  /** What is previewed now. */
  get candidate(): Editor["candidate"] {
    return this.#candidate;
  }

  /** Keeps the editor on the selected client. */
  follow(): void {
    const { state, editor } = this.#host;
    if (state.panel !== "views") return;
    if (state.player === undefined) {
      editor.close();
      this.#asked = undefined;
    } else if (editor.player !== state.player && this.#asked !== state.player) this.reload();
    this.#renewCandidate();
  }

  #renewCandidate(): void {
    if (this.#timer !== undefined) return;
    const { candidate } = this.#host.editor;
    if (JSON.stringify(candidate) === JSON.stringify(this.#candidate)) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#candidate = this.#host.editor.candidate;
      this.#host.state.preview = undefined;
      this.#host.state.changed();
    }, PREVIEW_EVERY_MS);
  }

  changed(): void {
    this.say("", false);
    this.#host.state.changed();
  }

  reload(): void {
    const { state, editor } = this.#host;
    const { player, room } = state;
    if (player === undefined) return;
    this.#asked = player;
    this.#run({ ask: "view", room, player }, (answer) => {
      if (answer.tell !== "view" || state.player !== player) return;
      editor.open(player, answer.sets);
      state.changed();
    });
  }

  apply(target: "one" | "all"): void {
    const { state, editor } = this.#host;
    const { candidate } = editor;
    if (candidate === undefined || state.player === undefined) return;
    const { sets, scale, unlimited } = candidate;
    const players = target === "all" ? ("all" as const) : [state.player];
    this.#run(
      { ask: "setView", room: state.room, players, sets, unlimited, ...(scale !== null && { scale }) },
      (answer) => {
        if (answer.tell !== "viewsSet") return;
        const refused = answer.answers.filter(({ ok }) => !ok);
        const clamped = answer.answers.find((one) => one.ok && one.clamped.length > 0)?.clamped ?? [];
        if (refused.length > 0) this.say(`Refused: ${refused[0]!.detail}`, true);
        else {
          const whom =
            target === "all" ? `all ${answer.answers.length} clients, and those who join later` : "this client";
          this.say(
            `Applied to ${whom}.${clamped.length > 0 ? ` Loosened: ${clamped.slice(0, 2).join("; ")}.` : ""}`,
            false,
          );
          const own = answer.answers.find(({ player }) => player === state.player);
          if (own !== undefined) editor.open(own.player, own.sets);
        }
        state.changed();
      },
    );
  }

  save(): void {
    const { state, editor } = this.#host;
    const { sets } = editor;
    if (sets === undefined) return;
    this.#run({ ask: "saveView", room: state.room, sets }, (answer) => {
      if (answer.tell !== "viewFile") return;
      saveFile(answer.name, answer.text);
      this.say(
        answer.onServer ? `Saved as ${answer.name}, here and on the server.` : `Saved as ${answer.name}.`,
        false,
      );
    });
  }

  loadFile(): void {
    chooseFile("#view-file");
  }

  loadFromServer(): void {
    this.#run({ ask: "loadView", room: this.#host.state.room }, (answer) => {
      if (answer.tell === "viewFile") this.#take(answer.sets, `Opened ${answer.name} of the server; not applied yet.`);
    });
  }

  /** The server reads the file: it knows the form, and which types and metrics there are. */
  #read(text: string, name: string): void {
    this.#run({ ask: "readView", room: this.#host.state.room, name: name.slice(0, 256), text }, (answer) => {
      if (answer.tell === "viewFile") this.#take(answer.sets, "Opened; not applied yet.");
    });
  }

  #take(sets: Parameters<Editor["replace"]>[0], words: string): void {
    this.#host.editor.replace(sets);
    this.say(words, false);
    this.#host.state.changed();
  }

  #run(body: AskBody, take: (answer: Tell) => void): void {
    this.#host
      .ask(body)
      .then(take)
      .catch((error: unknown) => {
        this.say((error as Error).message, true);
        this.#asked = undefined;
      });
  }
}
