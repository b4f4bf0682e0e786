/** What models and networks are called in menus and legends. One that has no words here yet goes by its own name. */

import { networkPresets } from "@nearfield/netlab";
import type { NetworkName } from "@nearfield/netlab/internal";
import { MOTION_MODELS } from "@nearfield/presentation";
import type { ModelName } from "./settings.ts";

/** For a menu, and for the legend of a chart. */
const MODEL_WORDS: Readonly<Record<string, readonly [menu: string, legend: string]>> = {
  hold: ["Order 0: stays", "Order 0"],
  linear: ["Order 1: by velocity", "Order 1"],
  fading: ["Order 1: ever more slowly", "Order 1, fading"],
  accelerated: ["Order 2: by acceleration", "Order 2"],
  quadratic: ["Order 2: by two velocities", "Order 2, velocities"],
  historyLine: ["History: line of two", "History, line"],
  historyCurve: ["History: curve of three", "History, curve"],
  history: ["History: adaptive", "History"],
  interpolation: ["Interpolation", "Interpolation"],
};

export function modelChoices(): (readonly [string, string])[] {
  const names = [...Object.keys(MOTION_MODELS), "interpolation"];
  const known = Object.keys(MODEL_WORDS).filter((name) => names.includes(name));
  const others = names.filter((name) => !known.includes(name));
  return [...known, ...others].map((name) => [name, MODEL_WORDS[name]?.[0] ?? name] as const);
}

export function shortModelName(model: ModelName): string {
  return MODEL_WORDS[model]?.[1] ?? model;
}

export function networkChoices(): (readonly [string, string])[] {
  const names = Object.keys(networkPresets) as NetworkName[];
  return [...names.map((name) => [name, networkPresets[name].title] as const), ["own", "My own"] as const];
}
