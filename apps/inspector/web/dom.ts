/** Words for the elements of the page: those that all pages here share, and one for choices that come and go. */

import { make } from "@nearfield/kit/browser";

export { find, make, setText } from "@nearfield/kit/browser";

/** Replaces the options of a select by those of the list; the chosen one stays chosen if it is still there. */
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
