/** The page's elements by their id, and writing to them only what changed: the page is touched as seldom as possible. */

export function find<T extends HTMLElement = HTMLElement>(root: ParentNode, selector: string): T {
  const element = root.querySelector<T>(selector);
  if (!element) throw new Error(`the page has no ${selector}`);
  return element;
}

/** Texts, markup, attributes and variables of elements, remembered as they were last written. */
export class Writer {
  readonly #root: HTMLElement;
  readonly #elements = new Map<string, HTMLElement>();
  readonly #written = new Map<string, string>();

  constructor(root: HTMLElement) {
    this.#root = root;
  }

  element(id: string): HTMLElement {
    const known = this.#elements.get(id) ?? find(this.#root, `#${id}`);
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

/** Nicknames come from strangers. */
export function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
