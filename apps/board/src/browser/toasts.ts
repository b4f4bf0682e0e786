/** Short words to the person that go away by themselves. */

import { make } from "@nearfield/kit/browser";

const SHOWN_MS = 4000;
const MOST = 3;

export class Toasts {
  readonly #list: HTMLElement;

  constructor(list: HTMLElement) {
    this.#list = list;
  }

  /** The same words are not said twice at a time. */
  say(words: string): void {
    for (const child of this.#list.children) if (child.textContent === words) return;
    const toast = make("li", {}, words);
    this.#list.append(toast);
    while (this.#list.children.length > MOST) this.#list.firstElementChild!.remove();
    setTimeout(() => toast.remove(), SHOWN_MS);
  }
}
