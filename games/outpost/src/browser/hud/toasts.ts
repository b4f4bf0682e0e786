/** Short news in the middle of the screen, for some seconds each. */

import { make } from "@nearfield/kit/browser";

const STAYS_MS = 3600;
const MOST = 4;

export class Toasts {
  readonly #root: HTMLElement;

  constructor(root: HTMLElement) {
    this.#root = root;
  }

  tell(words: string): void {
    const toast = make("li", {}, words);
    this.#root.append(toast);
    while (this.#root.children.length > MOST) this.#root.firstElementChild!.remove();
    setTimeout(() => toast.remove(), STAYS_MS);
  }
}
