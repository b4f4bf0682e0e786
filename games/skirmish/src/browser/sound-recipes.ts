/** How each sound of the game is made: noise through filters that move, and tones that glide. Nothing is loaded; the kit renders them once. */

import { chime, PAGE_RECIPES, type Recipe, type Tone } from "@nearfield/kit/browser";

export type SoundName =
  | keyof typeof PAGE_RECIPES
  | "select"
  | "order"
  | "built"
  | "trained"
  | "shot"
  | "mortar"
  | "blast"
  | "alarm"
  | "win"
  | "lose";

export const RECIPES: Readonly<Record<SoundName, Recipe>> = {
  ...PAGE_RECIPES,
  select: { tones: [{ from: 620, to: 760, lengthS: 0.07, loud: 0.13, wave: "triangle" }] },
  order: {
    tones: [
      { from: 520, lengthS: 0.05, loud: 0.13, wave: "triangle" },
      { from: 780, lengthS: 0.08, loud: 0.13, wave: "triangle", atS: 0.05 },
    ],
  },
  built: {
    bursts: [{ from: 2400, to: 600, lengthS: 0.12, loud: 0.2, filter: "bandpass" }],
    tones: chime([392, 523, 784], 0.09, 0.22, 0.15),
  },
  trained: { tones: chime([523, 659], 0.08, 0.16, 0.14) },
  shot: {
    bursts: [{ from: 3200, to: 600, lengthS: 0.1, loud: 0.34, filter: "bandpass" }],
    tones: [{ from: 170, to: 60, lengthS: 0.07, loud: 0.24, wave: "triangle" }],
  },
  mortar: {
    bursts: [{ from: 900, to: 160, lengthS: 0.28, loud: 0.5 }],
    tones: [{ from: 130, to: 42, lengthS: 0.24, loud: 0.5 }],
  },
  blast: {
    bursts: [
      { from: 1700, to: 70, lengthS: 0.8, loud: 0.8 },
      { from: 5000, to: 900, lengthS: 0.14, loud: 0.28, filter: "highpass" },
    ],
    tones: [{ from: 92, to: 28, lengthS: 0.5, loud: 0.7 }],
  },
  alarm: {
    tones: [0, 0.2, 0.4].flatMap((atS): Tone[] => [
      { from: 880, lengthS: 0.09, loud: 0.15, wave: "square", atS },
      { from: 660, lengthS: 0.09, loud: 0.15, wave: "square", atS: atS + 0.1 },
    ]),
  },
  win: { tones: chime([392, 523, 659, 784, 1047], 0.13, 0.4, 0.17) },
  lose: { tones: chime([392, 330, 262, 196], 0.2, 0.5, 0.17) },
};
