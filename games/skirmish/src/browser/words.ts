/** What things are called and said on the page: kinds, refusals, orders. */

import type { BuildingKind, MapName, PieceKind, Refusal, UnitKind } from "../state.ts";

export const KIND_NAMES: Readonly<Record<PieceKind, string>> = {
  builder: "Builder",
  scout: "Scout",
  trooper: "Trooper",
  lancer: "Lancer",
  tank: "Tank",
  mortar: "Mortar",
  wasp: "Wasp",
  base: "Base",
  refinery: "Refinery",
  barracks: "Barracks",
  factory: "Factory",
  pad: "Pad",
  tower: "Tower",
};

export const KIND_WORDS: Readonly<Record<PieceKind, string>> = {
  builder: "Digs ore, builds and repairs. Cannot fight.",
  scout: "Fast and far-sighted. Beats mortars; falls to troopers and tanks.",
  trooper: "Beats scouts, lancers and wasps. Falls to tanks.",
  lancer: "Beats tanks. Falls to troopers, cannot shoot at what flies.",
  tank: "Beats troopers and scouts. Falls to lancers and wasps.",
  mortar: "Shells buildings from beyond a tower's reach. Helpless close up.",
  wasp: "Flies over water and cliffs. Beats mortars and tanks; falls to troopers and towers.",
  base: "Trains builders. Ore is delivered here, and a little is dug by itself.",
  refinery: "Ore is delivered here: build it beside a field.",
  barracks: "Trains troopers and lancers.",
  factory: "Makes scouts, tanks and mortars.",
  pad: "Makes wasps.",
  tower: "Shoots at what comes near, and sees far.",
};

export const REFUSAL_WORDS: Readonly<Record<Refusal, string>> = {
  notYours: "These are not yours",
  noTarget: "There is nothing to do that to",
  outside: "That is outside the map",
  noOre: "Not enough ore",
  noRoom: "There is no room for it",
  wrongKind: "None of these can do that",
  queueFull: "The queue is full",
  unitLimit: "You have as many units as you may",
  notPlaying: "The match is not on",
};

export const MAP_WORDS: Readonly<Record<MapName, string>> = {
  small: "small map",
  medium: "medium map",
  large: "large map",
};

/** The key of each building in the build menu, and of each unit in the building that trains it: letters of their names. */
export const BUILD_KEYS: Readonly<Record<BuildingKind, string>> = {
  base: "B",
  refinery: "R",
  barracks: "K",
  factory: "F",
  pad: "P",
  tower: "T",
};

export const TRAIN_KEYS: Readonly<Record<UnitKind, string>> = {
  builder: "B",
  scout: "S",
  trooper: "T",
  lancer: "L",
  tank: "T",
  mortar: "O",
  wasp: "W",
};
