/** The sheets that lie over the fight: title, connection trouble, help. At most one of them shows; death and watching are bars that leave the fight in sight. */

import { find } from "./hud/dom.ts";
import type { Status } from "./network.ts";

const NAME_KEY = "nearfield.arena.name";
const MOST_LETTERS = 14;

const MISMATCH = {
  title: "Version mismatch",
  text: "The game on the server is not the one on this page. Reload the page to get the new one.",
};
/** Why a server sent us away, in words for players. Codes it may yet learn fall back to what the server said. */
const REASONS: Readonly<Record<string, { title: string; text: string }>> = {
  full: {
    title: "The arena is full",
    text: "All places are taken. Somebody will leave soon; try again in a moment.",
  },
  version: MISMATCH,
  schema: MISMATCH,
  closing: { title: "The server has closed", text: "It said goodbye properly. It may be back in a moment." },
  link: { title: "No answer from the server", text: "It may be starting, or your network may be down." },
  "session-gone": { title: "Connection lost", text: "You were away for too long, and your place was given up." },
};

export interface ScreenHandlers {
  play(name: string): void;
  watch(name: string): void;
  retry(): void;
  toTitle(): void;
}

export class Screens {
  readonly #root: HTMLElement;
  #showing = "";
  #helpOver = "";
  #told = "";

  constructor(root: HTMLElement, storage: Storage, handlers: ScreenHandlers) {
    this.#root = root;
    const name = find<HTMLInputElement>(root, "#name");
    name.maxLength = MOST_LETTERS;
    name.value = storage.getItem(NAME_KEY) ?? "";
    const chosen = (): string => {
      const text = name.value.trim().slice(0, MOST_LETTERS);
      if (text) storage.setItem(NAME_KEY, text);
      name.blur();
      return text || "Player";
    };
    find<HTMLFormElement>(root, "#join").addEventListener("submit", (event) => {
      event.preventDefault();
      handlers.play(chosen());
    });
    find(root, "#watch").addEventListener("click", () => handlers.watch(chosen()));
    find(root, "#retry").addEventListener("click", () => handlers.retry());
    find(root, "#to-title").addEventListener("click", () => handlers.toTitle());
    find(root, "#help-close").addEventListener("click", () => this.toggleHelp());
  }

  get showing(): string {
    return this.#showing;
  }

  /** `""` shows the fight. Help stays open over the fight until it is closed. */
  show(screen: "title" | "notice" | "help" | ""): void {
    if (this.#showing === "help" && screen === "") return;
    this.#set(screen);
  }

  toggleHelp(): void {
    if (this.#showing === "help") this.#set(this.#helpOver);
    else {
      this.#helpOver = this.#showing;
      this.#set("help");
      find(this.#root, "#help-close").focus({ preventScroll: true });
    }
  }

  closeHelp(): void {
    if (this.#showing === "help") this.toggleHelp();
  }

  showStatus(status: Status): void {
    const told = status.kind === "ended" ? status.code : status.kind;
    if (status.kind === "playing" || (this.#showing === "notice" && this.#told === told)) return;
    this.#told = told;
    const ended = status.kind === "ended";
    const reason = ended ? (REASONS[status.code] ?? { title: "Disconnected", text: status.detail }) : undefined;
    find(this.#root, "#notice-title").textContent =
      reason?.title ?? (status.kind === "joining" ? "Joining…" : "Connection lost");
    find(this.#root, "#notice-text").textContent =
      reason?.text ??
      (status.kind === "reconnecting"
        ? "Taking it up again… Your place and your score are kept."
        : "Finding you a place.");
    for (const id of ["#retry", "#to-title"]) find(this.#root, id).hidden = !ended;
    find(this.#root, "#notice .spinner").hidden = ended;
    find(this.#root, "#notice").dataset["code"] = told;
    this.#set("notice");
  }

  #set(screen: string): void {
    if (this.#showing === screen) return;
    this.#showing = screen;
    this.#root.dataset["screen"] = screen || "game";
    for (const sheet of this.#root.querySelectorAll<HTMLElement>(".sheet")) sheet.hidden = sheet.id !== screen;
    if (screen === "title" && matchMedia("(hover: hover)").matches)
      find<HTMLInputElement>(this.#root, "#name").focus({ preventScroll: true });
  }
}
