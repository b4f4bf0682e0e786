/** The one window over the town. Its contents are made anew when what they show has changed; the keyboard stays where it was. */

import { find } from "@nearfield/kit/browser";

export interface WindowContents {
  readonly title: string;
  /** Changes when the contents must be made anew. */
  readonly version: string;
  readonly make: () => readonly Node[];
}

export class Windows {
  readonly #root: HTMLElement;
  readonly #title: HTMLElement;
  readonly #body: HTMLElement;
  #version = "";

  constructor(root: HTMLElement, close: () => void) {
    this.#root = find("#window", root);
    this.#title = find("#window-title", root);
    this.#body = find("#window-body", root);
    find("#window-close", root).addEventListener("click", close);
  }

  show(contents: WindowContents | undefined): void {
    this.#root.hidden = contents === undefined;
    if (contents === undefined) {
      this.#version = "";
      return;
    }
    if (contents.version === this.#version) return;
    this.#version = contents.version;
    this.#root.dataset["window"] = contents.title;
    this.#title.textContent = contents.title;
    const focused = this.#focused();
    this.#body.replaceChildren(...contents.make());
    if (focused !== undefined) this.#body.querySelector<HTMLElement>(focused)?.focus({ preventScroll: true });
  }

  /** How to find what has the focus among contents that are made anew: the keyboard stays where it was. */
  #focused(): string | undefined {
    const focused = document.activeElement;
    if (!(focused instanceof HTMLElement) || !this.#body.contains(focused)) return undefined;
    if (focused.id !== "") return `#${focused.id}`;
    const { deal } = focused.dataset;
    return deal === undefined ? undefined : `[data-deal="${deal}"]`;
  }
}
