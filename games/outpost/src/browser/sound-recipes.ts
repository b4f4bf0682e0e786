/** How each sound of the game is made: noise through filters that move, and tones that glide. Nothing is loaded; the kit renders them once. */

import { chime, PAGE_RECIPES, type Recipe } from "@nearfield/kit/browser";

export type SoundName =
  | keyof typeof PAGE_RECIPES
  | "shoot"
  | "farShot"
  | "hit"
  | "fall"
  | "bossFall"
  | "hurt"
  | "down"
  | "heal"
  | "coin"
  | "treasure"
  | "portal"
  | "wake"
  | "growl"
  | "spit"
  | "chat"
  | "step"
  | "party"
  | "trade";

export const RECIPES: Readonly<Record<SoundName, Recipe>> = {
  ...PAGE_RECIPES,
  shoot: {
    bursts: [{ from: 4200, to: 900, lengthS: 0.1, loud: 0.22, filter: "bandpass" }],
    tones: [{ from: 920, to: 260, lengthS: 0.11, loud: 0.2, wave: "triangle" }],
  },
  farShot: { tones: [{ from: 760, to: 240, lengthS: 0.09, loud: 0.1, wave: "triangle" }] },
  hit: { bursts: [{ from: 1800, to: 500, lengthS: 0.06, loud: 0.24, filter: "bandpass" }] },
  fall: {
    bursts: [{ from: 900, to: 120, lengthS: 0.26, loud: 0.4 }],
    tones: [{ from: 240, to: 70, lengthS: 0.24, loud: 0.24, wave: "sawtooth" }],
  },
  bossFall: {
    bursts: [{ from: 1500, to: 60, lengthS: 1.4, loud: 0.8 }],
    tones: [{ from: 110, to: 30, lengthS: 1.2, loud: 0.7 }, ...chime([262, 330, 392, 523], 0.12, 0.5, 0.14, 0.4)],
  },
  hurt: {
    bursts: [{ from: 900, to: 200, lengthS: 0.14, loud: 0.42 }],
    tones: [{ from: 190, to: 80, lengthS: 0.16, loud: 0.4, wave: "sawtooth" }],
  },
  down: {
    bursts: [{ from: 1100, to: 80, lengthS: 0.8, loud: 0.4 }],
    tones: [{ from: 330, to: 46, lengthS: 0.9, loud: 0.36, wave: "sawtooth" }],
  },
  heal: { tones: chime([523, 659, 784], 0.06, 0.16, 0.15) },
  coin: { tones: chime([988, 1319], 0.05, 0.12, 0.11) },
  treasure: { tones: chime([659, 784, 988, 1319], 0.07, 0.26, 0.13) },
  portal: {
    bursts: [{ from: 300, to: 2600, lengthS: 0.6, loud: 0.18, filter: "bandpass" }],
    tones: [{ from: 196, to: 784, lengthS: 0.5, loud: 0.16, wave: "triangle" }],
  },
  wake: { tones: [{ from: 150, to: 320, lengthS: 0.14, loud: 0.12, wave: "sawtooth" }] },
  growl: { tones: [{ from: 90, to: 60, lengthS: 0.5, loud: 0.34, wave: "sawtooth" }] },
  spit: { bursts: [{ from: 600, to: 1800, lengthS: 0.12, loud: 0.2, filter: "bandpass" }] },
  chat: { tones: chime([740, 880], 0.05, 0.08, 0.08) },
  step: { bursts: [{ from: 500, to: 240, lengthS: 0.05, loud: 0.06 }] },
  party: { tones: chime([392, 523, 659], 0.08, 0.2, 0.13) },
  trade: { tones: chime([523, 784, 1047], 0.07, 0.2, 0.13) },
};
