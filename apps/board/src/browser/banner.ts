/** How the link stands, in one line at the top; the board goes on being usable under it. */

import type { LinkStatus } from "@nearfield/kit";
import { find, setText } from "@nearfield/kit/browser";
import { agoWords } from "./freshness.ts";

export class Banner {
  readonly #box: HTMLElement;
  readonly #words: HTMLElement;

  constructor(root: HTMLElement) {
    this.#box = find("#banner", root);
    this.#words = find("#banner-words", root);
  }

  show({ kind }: LinkStatus, waiting: number, silentMs: number): void {
    const isOffline = kind === "reconnecting" || kind === "rejoining";
    const isSending = !isOffline && waiting > 20;
    this.#box.hidden = !isOffline && !isSending;
    this.#box.dataset["kind"] = kind;
    const kept =
      waiting === 0
        ? "You can go on."
        : `${waiting} ${waiting === 1 ? "change is" : "changes are"} kept and sent later.`;
    const since = agoWords(silentMs);
    const what = kind === "rejoining" ? "The server has gone" : "Connection lost";
    setText(
      this.#words,
      isSending ? `Sending ${waiting} changes …` : `${what}${since && `: the board as it was ${since}`}. ${kept}`,
    );
  }
}
