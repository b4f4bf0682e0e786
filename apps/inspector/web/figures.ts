/** Writes a figure where the page has a place for it: text for people, `data-value` for programs that read the page. */

import { setText } from "./dom.ts";

export type Value = number | string | null | undefined;

export function setFigure(
  within: ParentNode,
  name: string,
  value: Value,
  text: string,
  level?: "good" | "bad" | "",
): void {
  for (const element of within.querySelectorAll<HTMLElement>(`[data-figure="${name}"]`)) {
    writeFigure(element, value, text, level);
  }
}

export function writeFigure(element: HTMLElement, value: Value, text: string, level?: "good" | "bad" | ""): void {
  setText(element, text);
  const exact = value === null || value === undefined ? "" : String(value);
  if (element.dataset["value"] !== exact) element.dataset["value"] = exact;
  if (level !== undefined && (element.dataset["level"] ?? "") !== level) element.dataset["level"] = level;
}
