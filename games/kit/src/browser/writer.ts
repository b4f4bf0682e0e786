/**
 * Writes to the elements of a page, by their id, and only what changed: a game may set everything in every frame, and the page is touched as rarely as
 * possible. The writer remembers what it wrote and does not read the page, so no other code may write to the same elements. Setting an unchanged
 * value costs a look into a map and allocates nothing.
 */

import { find } from "./dom.ts";

/** An element, and what was last written to it; undefined: nothing yet. */
class Written {
  readonly element: HTMLElement;
  text: string | undefined;
  markup: string | undefined;
  hidden: boolean | undefined;
  /** By name. */
  readonly attributes = new Map<string, string>();
  readonly data = new Map<string, string>();
  readonly variables = new Map<string, string>();

  constructor(element: HTMLElement) {
    this.element = element;
  }
}

export class Writer {
  readonly #root: HTMLElement;
  readonly #written = new Map<string, Written>();

  constructor(root: HTMLElement) {
    this.#root = root;
  }

  element(id: string): HTMLElement {
    return this.#of(id).element;
  }

  text(id: string, text: string): void {
    const written = this.#of(id);
    if (written.text === text) return;
    written.text = text;
    written.element.textContent = text;
  }

  markup(id: string, markup: string): void {
    const written = this.#of(id);
    if (written.markup === markup) return;
    written.markup = markup;
    written.element.innerHTML = markup;
  }

  hidden(id: string, hidden: boolean): void {
    const written = this.#of(id);
    if (written.hidden === hidden) return;
    written.hidden = hidden;
    written.element.hidden = hidden;
  }

  attribute(id: string, name: string, value: string): void {
    const { element, attributes } = this.#of(id);
    if (isNews(attributes, name, value)) element.setAttribute(name, value);
  }

  data(id: string, name: string, value: string): void {
    const { element, data } = this.#of(id);
    if (isNews(data, name, value)) element.dataset[name] = value;
  }

  /** A CSS variable. */
  variable(id: string, name: string, value: string): void {
    const { element, variables } = this.#of(id);
    if (isNews(variables, name, value)) element.style.setProperty(name, value);
  }

  #of(id: string): Written {
    const known = this.#written.get(id);
    if (known !== undefined) return known;
    const fresh = new Written(find(`#${id}`, this.#root));
    this.#written.set(id, fresh);
    return fresh;
  }
}

function isNews(known: Map<string, string>, name: string, value: string): boolean {
  if (known.get(name) === value) return false;
  known.set(name, value);
  return true;
}
