/** The one window over the town. Its contents are made anew when what they show has changed; while somebody types in it, it is left alone. */

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
    this.#body.replaceChildren(...contents.make());
  }
}
