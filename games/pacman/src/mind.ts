/**
 * The mind of a bot. It looks around only about every fifth of a second, and sometimes hesitates. After its last life it starts a new game. It acts
 * by pressing keys, like any player.
 */

import { Dice } from "@nearfield/kit";
import { chooseWay, type SeenPac, type Sight } from "./choose-way.ts";
import { type Heading, type Pac, ticks } from "./state.ts";

const AGAIN_MS = 3000;
const NAMES = [
  "Blip",
  "Mira",
  "Otto",
  "Pixel",
  "Juno",
  "Kiwi",
  "Rico",
  "Tilda",
  "Zed",
  "Nova",
  "Bo",
  "Fenn",
  "Lux",
  "Ada",
  "Moss",
  "Ivo",
];

/** A name for the bot with that index. When all names are used, a number is added. */
export function botName(index: number): string {
  const name = NAMES[index % NAMES.length]!;
  return index < NAMES.length ? name : `${name} ${Math.floor(index / NAMES.length) + 1}`;
}

export type Self = SeenPac & Readonly<Pick<Pac, "life" | "moving">>;

export class Mind {
  readonly #dice: Dice;
  #lookAt = 0;
  #outSince = -1;

  constructor(seed: number, name: string) {
    this.#dice = new Dice(seed, name);
  }

  /** The key it presses in this step: a heading, or to start over; undefined for none. */
  act(sight: Sight, self: Self): Heading | "again" | undefined {
    const { tick } = sight;
    if (self.life === "out") {
      if (this.#outSince < 0) this.#outSince = tick;
      return tick - this.#outSince >= ticks(AGAIN_MS) ? "again" : undefined;
    }
    this.#outSince = -1;
    const isStuck = !self.moving;
    if (self.life !== "playing" || (tick < this.#lookAt && !isStuck)) return undefined;
    this.#lookAt = tick + ticks(150 + this.#dice.int(170));
    if (!isStuck && this.#dice.chance(0.2)) return undefined;
    return chooseWay(sight, self, this.#dice);
  }
}
