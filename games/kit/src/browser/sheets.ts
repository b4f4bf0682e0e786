/**
 * The sheets that lie over a game: title with a name to choose, connection trouble, help, and those of the game's own. At most one of them shows. Each is
 * an element of class `sheet`; the page's root carries the name of the one that shows, or `game`, as `data-screen`. The page has them all but `#notice`, which
 * is the same in every game and made here.
 */

import { find, make } from "./dom.ts";

const MOST_LETTERS = 14;

export interface SheetHandlers {
  play(name: string): void;
  /** For a page that has a button `#watch`. */
  watch?(name: string): void;
  retry(): void;
  toTitle(): void;
}

/** How the link stands; `code`: why it ended. */
type Status = { readonly kind: "ended"; readonly code: string } | { readonly kind: string };

export interface SheetOptions<S extends Status> {
  /** The game's folder in `games/`: names are kept under it. */
  readonly game: string;
  /** What to say of a status: the kit's `statusWords`. */
  words(status: S): { readonly title: string; readonly text: string };
}

export class Sheets<S extends Status> {
  readonly #root: HTMLElement;
  readonly #words: SheetOptions<S>["words"];
  #showing = "";
  /** What shows when help is closed. */
  #helpOver = "";
  #told = "";

  constructor(root: HTMLElement, storage: Storage, { game, words }: SheetOptions<S>, handlers: SheetHandlers) {
    this.#root = root;
    this.#words = words;
    root.append(makeNotice());
    const key = `nearfield.${game}.name`;
    const name = find<HTMLInputElement>("#name", root);
    name.maxLength = MOST_LETTERS;
    name.value = storage.getItem(key) ?? "";
    const chosen = (): string => {
      const text = name.value.trim().slice(0, MOST_LETTERS);
      if (text) storage.setItem(key, text);
      name.blur();
      return text || "Player";
    };
    find<HTMLFormElement>("#join", root).addEventListener("submit", (event) => {
      event.preventDefault();
      handlers.play(chosen());
    });
    root.querySelector("#watch")?.addEventListener("click", () => handlers.watch?.(chosen()));
    find("#retry", root).addEventListener("click", () => handlers.retry());
    for (const id of ["#to-title", "#help-leave"]) find(id, root).addEventListener("click", () => handlers.toTitle());
    find("#help-close", root).addEventListener("click", () => this.toggleHelp());
  }

  get showing(): string {
    return this.#showing;
  }

  /** `""` shows the game. Help stays open until it is closed, unless the title or a notice comes. */
  show(sheet: string): void {
    if (this.#showing === "help" && sheet !== "title" && sheet !== "notice" && sheet !== "help") this.#helpOver = sheet;
    else this.#set(sheet);
  }

  toggleHelp(): void {
    if (this.#showing === "help") this.#set(this.#helpOver);
    else {
      this.#helpOver = this.#showing;
      this.#set("help");
      find("#help-close", this.#root).focus({ preventScroll: true });
    }
  }

  showStatus(status: S): void {
    const told = "code" in status ? status.code : status.kind;
    if (status.kind === "playing" || (this.#showing === "notice" && this.#told === told)) return;
    this.#told = told;
    const ended = status.kind === "ended";
    const { title, text } = this.#words(status);
    find("#notice-title", this.#root).textContent = title;
    find("#notice-text", this.#root).textContent = text;
    find("#retry", this.#root).hidden = !ended;
    // A server that is gone may stay away: nobody has to wait for it.
    find("#to-title", this.#root).hidden = !ended && status.kind !== "rejoining";
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

/** Tells how the link stands. */
function makeNotice(): HTMLElement {
  const retry = make("button", { id: "retry", type: "button", class: "primary" }, "Try again");
  const toTitle = make("button", { id: "to-title", type: "button" }, "Back");
  const box = make(
    "div",
    { class: "box" },
    make("div", { class: "spinner" }),
    make("h2", { id: "notice-title" }, "Joining…"),
    make("p", { id: "notice-text" }),
    make("div", { class: "row" }, retry, toTitle),
  );
  return make("div", { id: "notice", class: "sheet", hidden: "" }, box);
}
