/** Words that could not be written on their note: the person copies them, puts them on a new note, or lets them go. Nothing typed is lost in silence. */

import { find } from "@nearfield/kit/browser";

/** The oldest goes beyond this many. */
const MOST = 20;

export class Leftovers {
  readonly #box: HTMLElement;
  readonly #text: HTMLElement;
  readonly #words: string[] = [];

  constructor(root: HTMLElement, putDown: (words: string) => void) {
    this.#box = find("#leftover", root);
    this.#text = find("#leftover-words", root);
    find("#leftover-put", root).addEventListener("click", () => {
      const words = this.#next();
      if (words !== undefined) putDown(words);
    });
    find("#leftover-drop", root).addEventListener("click", () => void this.#next());
  }

  get count(): number {
    return this.#words.length;
  }

  add(words: string): void {
    if (words.trim() === "") return;
    this.#words.push(words);
    if (this.#words.length > MOST) this.#words.shift();
    this.#show();
  }

  #next(): string | undefined {
    const words = this.#words.shift();
    this.#show();
    return words;
  }

  #show(): void {
    this.#box.hidden = this.#words.length === 0;
    this.#text.textContent = this.#words[0] ?? "";
  }
}
