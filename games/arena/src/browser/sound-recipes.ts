/** How each sound of the arena is made: noise through filters that move, and tones that glide. Nothing is loaded; the kit renders them once. */

import { chime, type Recipe, type Tone } from "@nearfield/kit/browser";

const tick: Tone = { from: 1500, to: 1100, lengthS: 0.05, loud: 0.24, wave: "square" };

export type SoundName =
  | "rifle"
  | "launch"
  | "blast"
  | "farShots"
  | "farBlast"
  | "ricochet"
  | "hit"
  | "kill"
  | "hurt"
  | "death"
  | "respawn"
  | "health"
  | "armour"
  | "ammo"
  | "launcher"
  | "swap"
  | "empty"
  | "scopeUp"
  | "scopeDown"
  | "matchOver";

export const RECIPES: Readonly<Record<SoundName, Recipe>> = {
  rifle: {
    bursts: [{ from: 3400, to: 500, lengthS: 0.13, loud: 0.5, filter: "bandpass" }],
    tones: [{ from: 190, to: 55, lengthS: 0.09, loud: 0.4, wave: "triangle" }],
  },
  launch: {
    bursts: [{ from: 500, to: 2200, lengthS: 0.5, loud: 0.34, filter: "bandpass" }],
    tones: [{ from: 120, to: 60, lengthS: 0.2, loud: 0.4, wave: "sawtooth" }],
  },
  blast: {
    bursts: [
      { from: 1800, to: 70, lengthS: 0.9, loud: 0.9 },
      { from: 5000, to: 800, lengthS: 0.16, loud: 0.35, filter: "highpass" },
    ],
    tones: [{ from: 95, to: 28, lengthS: 0.55, loud: 0.8 }],
  },
  /** Fights far away: no more than a rumble. */
  farShots: { bursts: [{ from: 700, to: 300, lengthS: 0.22, loud: 0.12 }] },
  farBlast: { bursts: [{ from: 260, to: 50, lengthS: 0.8, loud: 0.3 }] },
  ricochet: { bursts: [{ from: 6000, to: 2500, lengthS: 0.06, loud: 0.14, filter: "highpass" }] },
  hit: { tones: [tick] },
  kill: { tones: [tick, ...chime([660, 880, 1320], 0.07, 0.13, 0.17, 0.06)] },
  hurt: {
    bursts: [{ from: 900, to: 180, lengthS: 0.14, loud: 0.45 }],
    tones: [{ from: 170, to: 70, lengthS: 0.16, loud: 0.45, wave: "sawtooth" }],
  },
  death: {
    bursts: [{ from: 1200, to: 90, lengthS: 0.8, loud: 0.4 }],
    tones: [{ from: 330, to: 42, lengthS: 0.9, loud: 0.4, wave: "sawtooth" }],
  },
  respawn: {
    tones: [
      { from: 220, to: 880, lengthS: 0.28, loud: 0.2, wave: "triangle" },
      { from: 880, lengthS: 0.16, loud: 0.14, atS: 0.24 },
    ],
  },
  health: { tones: chime([523, 784], 0.07, 0.12, 0.17) },
  armour: { tones: chime([392, 588], 0.07, 0.12, 0.17) },
  ammo: { tones: chime([330, 495], 0.07, 0.12, 0.17) },
  launcher: { tones: chime([262, 393, 524], 0.07, 0.12, 0.17) },
  swap: {
    bursts: [
      { from: 2600, to: 1800, lengthS: 0.04, loud: 0.2, filter: "bandpass" },
      { from: 1500, to: 2400, lengthS: 0.05, loud: 0.24, filter: "bandpass", atS: 0.07 },
    ],
  },
  empty: { bursts: [{ from: 3000, to: 2600, lengthS: 0.03, loud: 0.2, filter: "bandpass" }] },
  scopeUp: { tones: [{ from: 420, to: 640, lengthS: 0.09, loud: 0.09 }] },
  scopeDown: { tones: [{ from: 640, to: 420, lengthS: 0.09, loud: 0.09 }] },
  matchOver: { tones: chime([392, 523, 659, 784], 0.14, 0.3, 0.16) },
};
