/** What the player wants, the same for every device: keys and mouse, two sticks on a touch screen, or a gamepad. */

import type { StickIntent } from "@nearfield/kit/browser";

/** Wishes that hold as long as something is held. */
export interface Intent extends StickIntent {
  uses: boolean;
  dashes: boolean;
}

/** Wishes of a moment. */
export type Action = "use" | "chat" | "stash" | "board" | "trade" | "account" | "net" | "mute" | "help" | "escape";

export function noIntent(): Intent {
  return { moveX: 0, moveY: 0, aim: "pointer", aimX: 0, aimY: 0, fires: false, uses: false, dashes: false };
}
