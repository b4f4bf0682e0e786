/**
 * Weapons, armour, and what each weapon does to each armour: the table that decides who beats whom. `damage.test.ts` lets every pair that the game promises
 * fight at equal cost.
 */

import type { PieceKind } from "../state.ts";

export type ArmedKind = "scout" | "trooper" | "lancer" | "tank" | "mortar" | "wasp" | "tower";

export interface Weapon {
  /** Health that a shot takes, before armour. */
  readonly damage: number;
  readonly reloadMs: number;
  /** Farthest and nearest edge of a target that a shot reaches. */
  readonly range: number;
  readonly nearest: number;
  /** Enemies within this distance of the target are hit too, half as hard at the rim. 0: the target alone. */
  readonly splash: number;
}

export const WEAPONS: Readonly<Record<ArmedKind, Weapon>> = {
  scout: { damage: 6, reloadMs: 600, range: 70, nearest: 0, splash: 0 },
  trooper: { damage: 8, reloadMs: 800, range: 100, nearest: 0, splash: 0 },
  lancer: { damage: 22, reloadMs: 1500, range: 95, nearest: 0, splash: 0 },
  tank: { damage: 26, reloadMs: 1400, range: 115, nearest: 0, splash: 0 },
  mortar: { damage: 40, reloadMs: 3000, range: 260, nearest: 80, splash: 28 },
  wasp: { damage: 16, reloadMs: 1000, range: 80, nearest: 0, splash: 0 },
  tower: { damage: 18, reloadMs: 900, range: 190, nearest: 0, splash: 0 },
};

export type Armour = "soft" | "quick" | "plated" | "frail" | "winged" | "wall";

export const ARMOURS: Readonly<Record<PieceKind, Armour>> = {
  builder: "soft",
  scout: "quick",
  trooper: "soft",
  lancer: "soft",
  tank: "plated",
  mortar: "frail",
  wasp: "winged",
  base: "wall",
  refinery: "wall",
  barracks: "wall",
  factory: "wall",
  pad: "wall",
  tower: "wall",
};

/** Factor on a weapon's damage. 0: the weapon cannot hit that at all. */
export const EFFECTS: Readonly<Record<ArmedKind, Readonly<Record<Armour, number>>>> = {
  scout: { soft: 0.7, quick: 1, plated: 0.3, frail: 2.2, winged: 0.5, wall: 0.3 },
  trooper: { soft: 1, quick: 1.3, plated: 0.35, frail: 1, winged: 1.8, wall: 0.5 },
  lancer: { soft: 0.4, quick: 0.6, plated: 2.6, frail: 1, winged: 0, wall: 1 },
  tank: { soft: 1.3, quick: 1.2, plated: 1, frail: 1, winged: 0, wall: 1.2 },
  mortar: { soft: 1, quick: 0.5, plated: 0.6, frail: 1, winged: 0, wall: 3 },
  wasp: { soft: 0.6, quick: 0.8, plated: 2, frail: 2, winged: 1, wall: 0.7 },
  tower: { soft: 1, quick: 1, plated: 0.7, frail: 0.8, winged: 1.8, wall: 0 },
};
