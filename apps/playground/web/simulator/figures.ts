/** The figures beside the charts: text for people, `data-value` for programs that read the page. */

import { setText } from "@nearfield/kit/browser";
import type { Simulation } from "./simulation.ts";
import type { Figures } from "./statistics.ts";

const DIGITS: Readonly<Record<string, number>> = {
  avgDistanceError: 2,
  maxDistanceError: 2,
  avgDataSent: 3,
  maxDataSent: 3,
  updatesPerSecond: 1,
  lostShare: 1,
  pathDeviation: 2,
  jumpsPerSecond: 2,
};

export function showFigures(place: HTMLElement, simulation: Simulation): void {
  const figures = simulation.statistics.figures();
  const values: Record<string, number> = { ...figures, lost: simulation.lost };
  for (const element of place.querySelectorAll<HTMLElement>("[data-figure]")) {
    const name = element.dataset["figure"]!;
    const text = formatFigure(name, values[name] ?? 0);
    setText(element, text);
    element.dataset["value"] = text;
  }
}

export function formatFigure(name: keyof Figures | string, value: number): string {
  return value.toFixed(DIGITS[name] ?? 0);
}
