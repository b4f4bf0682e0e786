/** The sheets that lie over the fight: title, connection trouble, help. At most one of them shows; death and watching are bars that leave the fight in sight. */

import { type LinkStatus, statusWords } from "@nearfield/kit";
import { find } from "@nearfield/kit/browser";

const NAME_KEY = "nearfield.arena.name";
const MOST_LETTERS = 14;

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
    const name = find<HTMLInputElement>("#name", root);
    name.maxLength = MOST_LETTERS;
    name.value = storage.getItem(NAME_KEY) ?? "";
    const chosen = (): string => {
      const text = name.value.trim().slice(0, MOST_LETTERS);
      if (text) storage.setItem(NAME_KEY, text);
      name.blur();
      return text || "Player";
    };
    find<HTMLFormElement>("#join", root).addEventListener("submit", (event) => {
      event.preventDefault();
      handlers.play(chosen());
    });
    find("#watch", root).addEventListener("click", () => handlers.watch(chosen()));
    find("#retry", root).addEventListener("click", () => handlers.retry());
    for (const id of ["#to-title", "#help-leave"]) find(id, root).addEventListener("click", () => handlers.toTitle());
    find("#help-close", root).addEventListener("click", () => this.toggleHelp());
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
      find("#help-close", this.#root).focus({ preventScroll: true });
    }
  }

  showStatus(status: LinkStatus): void {
    const told = status.kind === "ended" ? status.code : status.kind;
    if (status.kind === "playing" || (this.#showing === "notice" && this.#told === told)) return;
    this.#told = told;
    const ended = status.kind === "ended";
    const { title, text } = statusWords(status, "arena");
    find("#notice-title", this.#root).textContent = title;
    find("#notice-text", this.#root).textContent = text;
    for (const id of ["#retry", "#to-title"]) find(id, this.#root).hidden = !ended;
    find("#notice .spinner", this.#root).hidden = ended;
    find("#notice", this.#root).dataset["code"] = told;
    this.#set("notice");
  }

  #set(screen: string): void {
    if (this.#showing === screen) return;
    this.#showing = screen;
    this.#root.dataset["screen"] = screen || "game";
    for (const sheet of this.#root.querySelectorAll<HTMLElement>(".sheet")) sheet.hidden = sheet.id !== screen;
    if (screen === "title" && matchMedia("(hover: hover)").matches)
      find<HTMLInputElement>("#name", this.#root).focus({ preventScroll: true });
  }
}
