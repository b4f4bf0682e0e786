/** Small words for building and finding elements. */

export function find<T extends Element = HTMLElement>(selector: string, within: ParentNode = document): T {
  const found = within.querySelector<T>(selector);
  if (found === null) throw new Error(`The page has no ${selector}`);
  return found;
}

export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Writes only what is new, so that a page that is told the same again stays still (and selections in it survive). */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Makes the options of a select those of the list, and keeps what is chosen if it is still there. */
export function setOptions(
  select: HTMLSelectElement,
  options: readonly (readonly [value: string, text: string])[],
): void {
  const wanted = options.map(([value, text]) => `${value}\n${text}`).join("\n\n");
  if (select.dataset["options"] === wanted) return;
  select.dataset["options"] = wanted;
  const chosen = select.value;
  select.replaceChildren(...options.map(([value, text]) => make("option", { value }, text)));
  if (options.some(([value]) => value === chosen)) select.value = chosen;
}
