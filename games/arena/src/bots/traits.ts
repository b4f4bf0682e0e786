/** Traits and names of bots. The dice choose a bot's traits once, so that no two bots play in quite the same way. */

import type { Dice } from "@nearfield/kit";

export interface Traits {
  /** Time from seeing somebody to the first shot, ms. */
  readonly reactionMs: number;
  /** Deviation of the aim, radians, when it has just turned to somebody; it settles to a third of that. */
  readonly aimError: number;
  /** Fastest turn, radians per second. */
  readonly turnSpeed: number;
  /** Time between two thoughts, ms. */
  readonly thinkMs: number;
  /** Distance it likes to fight at, world units. */
  readonly range: number;
  /** Inclination, 0 to 1: to look for items, to go to a fight that is heard, and to stay and use the zoom. */
  readonly greed: number;
  readonly boldness: number;
  readonly patience: number;
}

export function throwTraits(dice: Dice): Traits {
  return {
    reactionMs: 220 + 300 * dice.next(),
    aimError: 0.16 + 0.2 * dice.next(),
    turnSpeed: 5 + 4 * dice.next(),
    thinkMs: 120 + 60 * dice.next(),
    range: 90 + 150 * dice.next(),
    greed: 0.2 + 0.4 * dice.next(),
    boldness: dice.next(),
    patience: dice.next(),
  };
}

const NAMES: readonly string[] = [
  "Ada",
  "Bolt",
  "Cleo",
  "Dash",
  "Echo",
  "Fenn",
  "Gil",
  "Hex",
  "Iris",
  "Juno",
  "Kato",
  "Lux",
  "Mira",
  "Nova",
  "Otto",
  "Pax",
  "Quill",
  "Rook",
  "Sable",
  "Tess",
  "Uma",
  "Vex",
  "Wren",
  "Zed",
];

/** A name for the bot with that index. When all names are used, a number is added. */
export function botName(index: number): string {
  const name = NAMES[index % NAMES.length]!;
  return index < NAMES.length ? name : `${name} ${Math.floor(index / NAMES.length) + 1}`;
}
