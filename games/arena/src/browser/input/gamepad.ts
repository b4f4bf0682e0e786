/** The arena's buttons on a gamepad; sticks and the trigger that fires are the kit's. */

import { Pad } from "@nearfield/kit/browser";
import type { Action, Intent } from "./intent.ts";

const SCOPE = 6;
const BOARD = 8;
const MOMENTS: readonly (readonly [Action, number])[] = [
  ["confirm", 0],
  ["swap", 3],
  ["previous", 4],
  ["next", 5],
  ["help", 9],
  ["net", 12],
  ["mute", 13],
];

export class ArenaPad {
  readonly #pad: Pad<Action>;

  constructor(act: (action: Action) => void) {
    this.#pad = new Pad({ act, moments: MOMENTS });
  }

  /** Writes what the gamepad says into an intent; true if it is in use. */
  read(intent: Intent): boolean {
    const isUsed = this.#pad.read(intent);
    intent.zooms ||= this.#pad.isHeld(SCOPE);
    intent.board ||= this.#pad.isHeld(BOARD);
    return isUsed || this.#pad.isHeld(SCOPE);
  }
}
