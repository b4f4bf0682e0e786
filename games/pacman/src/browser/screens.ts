/** The sheets that lie over the game: title, connection trouble, help, end of a game or of a match. Exactly one shows at a time, or none. */

import { type LinkStatus, statusWords } from "@nearfield/kit";
import { find } from "@nearfield/kit/browser";

const NAME_KEY = "nearfield.pacman.name";
const MOST_LETTERS = 14;

export interface ScreenHandlers {
  play(name: string): void;
  retry(): void;
  again(): void;
  leave(): void;
}

type Screen = "title" | "notice" | "over" | "match-over" | "help" | "";

export class Screens {
  readonly #root: HTMLElement;
  readonly #storage: Storage;
  #showing: Screen = "";
  /** What shows when help is closed. */
  #helpOver: Screen = "";

  constructor(root: HTMLElement, storage: Storage, handlers: ScreenHandlers) {
    this.#root = root;
    this.#storage = storage;
    const name = find<HTMLInputElement>("#name", this.#root);
    name.maxLength = MOST_LETTERS;
    name.value = storage.getItem(NAME_KEY) ?? "";
    find<HTMLFormElement>("#join", this.#root).addEventListener("submit", (event) => {
      event.preventDefault();
      const chosen = name.value.trim().slice(0, MOST_LETTERS) || "Player";
      this.#storage.setItem(NAME_KEY, chosen);
      name.blur();
      handlers.play(chosen);
    });
    find("#retry", this.#root).addEventListener("click", () => handlers.retry());
    find("#again", this.#root).addEventListener("click", () => handlers.again());
    find("#help-close", this.#root).addEventListener("click", () => this.toggleHelp());
    for (const id of ["#leave", "#to-title"]) find(id, this.#root).addEventListener("click", () => handlers.leave());
  }

  get showing(): Screen {
    return this.#showing;
  }

  /** `""` shows the game. Help stays open over the game and over what ends it, until it is closed. */
  show(screen: Screen): void {
    if (this.#showing === "help" && screen !== "title" && screen !== "notice") this.#helpOver = screen;
    else this.#set(screen);
  }

  toggleHelp(): void {
    if (this.#showing === "help") return this.#set(this.#helpOver);
    this.#helpOver = this.#showing;
    this.#set("help");
    find("#help-close", this.#root).focus({ preventScroll: true });
  }

  #set(screen: Screen): void {
    if (this.#showing === screen) return;
    this.#showing = screen;
    this.#root.dataset["screen"] = screen || "game";
    for (const sheet of this.#root.querySelectorAll<HTMLElement>(".sheet")) sheet.hidden = sheet.id !== screen;
    if (screen === "title") find<HTMLInputElement>("#name", this.#root).focus({ preventScroll: true });
    if (screen === "over") find("#again", this.#root).focus({ preventScroll: true });
  }

  showStatus(status: LinkStatus): void {
    if (status.kind === "playing") return;
    const ended = status.kind === "ended";
    const { title, text } = statusWords(status);
    find("#notice-title", this.#root).textContent = title;
    find("#notice-text", this.#root).textContent = text;
    for (const id of ["#retry", "#to-title"]) find(id, this.#root).hidden = !ended;
    find("#notice .spinner", this.#root).hidden = ended;
    find("#notice", this.#root).dataset["code"] = ended ? status.code : status.kind;
    this.show("notice");
  }

  showOver(score: number, best: number, rank: number): void {
    find("#over-score", this.#root).textContent = score.toLocaleString("en");
    find("#over-best", this.#root).textContent = best.toLocaleString("en");
    find("#over-rank", this.#root).textContent = rank > 0 ? `#${rank}` : "–";
    this.show("over");
  }
}
