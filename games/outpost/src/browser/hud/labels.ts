/** Names over heads, and what people say: elements that are moved, not made, from frame to frame. */

import { make, setText } from "@nearfield/kit/browser";

export interface Label {
  readonly id: string;
  readonly name: string;
  /** What it says now; empty: nothing. */
  readonly words?: string;
  /** CSS pixels. */
  readonly x: number;
  readonly y: number;
  readonly colour?: string;
  readonly kind?: "person" | "place";
}

interface Shown {
  readonly element: HTMLElement;
  readonly name: HTMLElement;
  readonly words: HTMLElement;
}

export class Labels {
  readonly #root: HTMLElement;
  readonly #shown = new Map<string, Shown>();

  constructor(root: HTMLElement) {
    this.#root = root;
  }

  show(labels: readonly Label[]): void {
    const wanted = new Set(labels.map(({ id }) => id));
    for (const [id, { element }] of this.#shown) {
      if (wanted.has(id)) continue;
      element.remove();
      this.#shown.delete(id);
    }
    for (const label of labels) this.#put(label);
  }

  clear(): void {
    this.show([]);
  }

  #put({ id, name, words = "", x, y, colour, kind = "person" }: Label): void {
    const shown = this.#shown.get(id) ?? this.#make(id, kind);
    setText(shown.name, name);
    setText(shown.words, words);
    if (colour !== undefined) shown.element.style.setProperty("--colour", colour);
    shown.element.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  }

  #make(id: string, kind: string): Shown {
    const name = make("span");
    const words = make("q");
    const element = make("div", { class: kind }, name, words);
    this.#root.append(element);
    const shown = { element, name, words };
    this.#shown.set(id, shown);
    return shown;
  }
}
