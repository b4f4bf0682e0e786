/** Where a player looks, whatever it plays with: the device that was used last decides. Without a stick to look with, one looks where one runs. */

import type { StickIntent } from "./pad.ts";

export class Look {
  #usesSticks = false;
  /** The last direction a stick looked in. */
  #x = 1;
  #y = 0;

  /** Completes an intent that all devices have written to; `sticks` and `desk` say which of them spoke. The run is made no longer than 1. */
  settle(intent: StickIntent, sticks: boolean, desk: boolean): void {
    if (sticks) this.#usesSticks = true;
    else if (desk) this.#usesSticks = false;
    if (this.#usesSticks) this.#bySticks(intent);
    const length = Math.hypot(intent.moveX, intent.moveY);
    if (length <= 1) return;
    intent.moveX /= length;
    intent.moveY /= length;
  }

  #bySticks(intent: StickIntent): void {
    if (intent.aim === "stick") {
      this.#x = intent.aimX;
      this.#y = intent.aimY;
    } else if (intent.moveX !== 0 || intent.moveY !== 0) {
      this.#x = intent.moveX;
      this.#y = intent.moveY;
    }
    intent.aim = "stick";
    intent.aimX = this.#x;
    intent.aimY = this.#y;
  }
}
