/** The sheets over the board: the entrance, why there is no board, help. */

import { type LinkStatus, statusWords } from "@nearfield/kit";
import { find, setText } from "@nearfield/kit/browser";

const NAME_KEY = "nearfield-board-name";

export interface ScreensActions {
  join(name: string): void;
  retry(): void;
}

export class Screens {
  readonly #root: HTMLElement;
  readonly #title: HTMLElement;
  readonly #notice: HTMLElement;
  readonly #help: HTMLElement;

  constructor(root: HTMLElement, storage: Storage, { join, retry }: ScreensActions) {
    this.#root = root;
    this.#title = find("#title", root);
    this.#notice = find("#notice", root);
    this.#help = find("#help", root);
    const name = find<HTMLInputElement>("#name", root);
    name.value = storage.getItem(NAME_KEY) ?? "";
    find<HTMLFormElement>("#join", root).addEventListener("submit", (event) => {
      event.preventDefault();
      const chosen = name.value.trim() || "Guest";
      storage.setItem(NAME_KEY, chosen);
      name.blur();
      this.#title.hidden = true;
      join(chosen);
    });
    find("#retry", root).addEventListener("click", retry);
    find("#help-close", root).addEventListener("click", () => this.toggleHelp());
    this.#help.addEventListener("click", ({ target }) => {
      if (target === this.#help) this.toggleHelp();
    });
    name.focus();
  }

  get isHelpOpen(): boolean {
    return !this.#help.hidden;
  }

  toggleHelp(): void {
    this.#help.hidden = !this.#help.hidden;
  }

  /** While the link is only broken, the board stays to be used. */
  show(status: LinkStatus): void {
    const isOver = status.kind === "ended";
    const isClosed = isOver || status.kind === "joining";
    this.#root.dataset["screen"] = isClosed ? "notice" : "board";
    this.#notice.hidden = !isClosed;
    if (!isClosed) return;
    const { title, text } = statusWords(status, "board");
    this.#notice.dataset["code"] = isOver ? status.code : status.kind;
    setText(find("#notice-title", this.#root), title);
    setText(find("#notice-text", this.#root), text);
    find("#retry", this.#root).hidden = !isOver;
    find("#spinner", this.#root).hidden = isOver;
  }
}
