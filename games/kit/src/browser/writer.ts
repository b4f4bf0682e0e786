/**
 * Writes to the elements of a page, by their id, only what changed: every frame may tell everything, and the page is touched as seldom as
 * possible. It remembers what it wrote and does not read the page, so nobody else may write the same.
 */

import { find } from "./dom.ts";

export class Writer {
  readonly #root: HTMLElement;
  readonly #elements = new Map<string, HTMLElement>();
  readonly #written = new Map<string, string>();

  constructor(root: HTMLElement) {
    this.#root = root;
  }

  element(id: string): HTMLElement {
    const known = this.#elements.get(id) ?? find(`#${id}`, this.#root);
    this.#elements.set(id, known);
    return known;
  }

  text(id: string, text: string): void {
    if (this.#isNews(`${id} text`, text)) this.element(id).textContent = text;
  }

  markup(id: string, markup: string): void {
    if (this.#isNews(`${id} markup`, markup)) this.element(id).innerHTML = markup;
  }

  hidden(id: string, hidden: boolean): void {
    if (this.#isNews(`${id} hidden`, String(hidden))) this.element(id).hidden = hidden;
  }

  data(id: string, name: string, value: string): void {
    if (this.#isNews(`${id} data ${name}`, value)) this.element(id).dataset[name] = value;
  }

  /** A CSS variable. */
  variable(id: string, name: string, value: string): void {
    if (this.#isNews(`${id} ${name}`, value)) this.element(id).style.setProperty(name, value);
  }

  #isNews(key: string, value: string): boolean {
    if (this.#written.get(key) === value) return false;
    this.#written.set(key, value);
    return true;
  }
}
