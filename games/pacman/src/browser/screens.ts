/** The sheets that lie over the game: title, connection trouble, end of a game. Exactly one shows at a time, or none. */

import type { LinkStatus } from "./link.ts";

const NAME_KEY = "nearfield.pacman.name";
const MOST_LETTERS = 14;

/** Why a server sent us away, in words for players. Codes it may yet learn fall back to what the server said. */
const MISMATCH = {
  title: "Version mismatch",
  text: "The game on the server is not the one on this page. Reload the page to get the new one.",
};
const REASONS: Readonly<Record<string, { title: string; text: string }>> = {
  full: { title: "The server is full", text: "All places are taken. Somebody will leave soon; try again in a moment." },
  version: MISMATCH,
  schema: MISMATCH,
  closing: { title: "The server has closed", text: "It said goodbye properly. It may be back in a moment." },
  link: { title: "No answer from the server", text: "It may be starting, or your network may be down." },
  "session-gone": { title: "Connection lost", text: "You were away for too long, and your place was given up." },
};

export interface ScreenHandlers {
  play(name: string): void;
  retry(): void;
  again(): void;
}

export class Screens {
  readonly #root: HTMLElement;
  readonly #storage: Storage;
  #showing = "";

  constructor(root: HTMLElement, storage: Storage, handlers: ScreenHandlers) {
    this.#root = root;
    this.#storage = storage;
    const name = this.#find<HTMLInputElement>("#name");
    name.maxLength = MOST_LETTERS;
    name.value = storage.getItem(NAME_KEY) ?? "";
    this.#find<HTMLFormElement>("#join").addEventListener("submit", (event) => {
      event.preventDefault();
      const chosen = name.value.trim().slice(0, MOST_LETTERS) || "Player";
      this.#storage.setItem(NAME_KEY, chosen);
      name.blur();
      handlers.play(chosen);
    });
    this.#find("#retry").addEventListener("click", () => handlers.retry());
    this.#find("#again").addEventListener("click", () => handlers.again());
  }

  get showing(): string {
    return this.#showing;
  }

  /** `""` shows the game. */
  show(screen: "title" | "notice" | "over" | ""): void {
    if (this.#showing === screen) return;
    this.#showing = screen;
    this.#root.dataset["screen"] = screen || "game";
    for (const sheet of this.#root.querySelectorAll<HTMLElement>(".sheet")) sheet.hidden = sheet.id !== screen;
    if (screen === "title") this.#find<HTMLInputElement>("#name").focus({ preventScroll: true });
    if (screen === "over") this.#find("#again").focus({ preventScroll: true });
  }

  showStatus(status: LinkStatus): void {
    if (status.kind === "playing") return;
    const ended = status.kind === "ended";
    const reason = ended ? (REASONS[status.code] ?? { title: "Disconnected", text: status.detail }) : undefined;
    this.#find("#notice-title").textContent =
      reason?.title ?? (status.kind === "joining" ? "Joining…" : "Connection lost");
    this.#find("#notice-text").textContent =
      reason?.text ??
      (status.kind === "reconnecting" ? "Retrying… Your place and your score are kept." : "Looking for a free room.");
    this.#find("#retry").hidden = !ended;
    this.#find("#notice .spinner").hidden = ended;
    this.#find("#notice").dataset["code"] = ended ? status.code : status.kind;
    this.show("notice");
  }

  showOver(score: number, best: number, rank: number): void {
    this.#find("#over-score").textContent = score.toLocaleString("en");
    this.#find("#over-best").textContent = best.toLocaleString("en");
    this.#find("#over-rank").textContent = rank > 0 ? `#${rank}` : "–";
    this.show("over");
  }

  #find<T extends HTMLElement = HTMLElement>(selector: string): T {
    const element = this.#root.querySelector<T>(selector);
    if (!element) throw new Error(`the page has no ${selector}`);
    return element;
  }
}
