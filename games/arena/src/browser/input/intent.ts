/** What the player wants, the same for every device: keys and mouse, two sticks on a touch screen, or a gamepad. */

import type { StickIntent } from "@nearfield/kit/browser";

/** Wishes that hold as long as something is held. */
export interface Intent extends StickIntent {
  zooms: boolean;
  /** The scoreboard is held open. */
  board: boolean;
}

/** Wishes of a moment. */
export type Action = "swap" | "rifle" | "rocket" | "mute" | "net" | "help" | "next" | "previous" | "confirm";

export function noIntent(): Intent {
  return { moveX: 0, moveY: 0, aim: "pointer", aimX: 0, aimY: 0, fires: false, zooms: false, board: false };
}
