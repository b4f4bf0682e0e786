/**
 * The player's own weapon reacts at once: flash, tracer and sound come in the frame in which the trigger is pulled, as often as the server will let the
 * weapon shoot. What the shot did comes later, from the server.
 */

import { RIFLE, ROCKET, type Weapon } from "../state.ts";

export interface Magazine {
  readonly weapon: Weapon;
  readonly bullets: number;
  readonly rockets: number;
}

export class Gun {
  /** What the player wants in hand. */
  wanted: Weapon = "rifle";
  #readyMs = 0;
  #clickedMs = 0;

  /** What the trigger does in this frame. */
  pull(fires: boolean, magazine: Magazine, nowMs: number): "nothing" | "empty" | Weapon {
    if (!fires || nowMs < this.#readyMs) return "nothing";
    const { weapon } = magazine;
    if ((weapon === "rifle" ? magazine.bullets : magazine.rockets) === 0) {
      if (nowMs - this.#clickedMs < 350) return "nothing";
      this.#clickedMs = nowMs;
      return "empty";
    }
    this.#readyMs = nowMs + (weapon === "rifle" ? RIFLE.reloadMs : ROCKET.reloadMs);
    return weapon;
  }

  swap(to?: Weapon): void {
    this.wanted = to ?? (this.wanted === "rifle" ? "rocket" : "rifle");
  }
}
