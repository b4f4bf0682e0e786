/** What the player wants, the same for every device: keys and mouse, two sticks on a touch screen, or a gamepad. */

/** Wishes that hold as long as something is held. */
export interface Intent {
  /** Direction to run, each −1 to 1. */
  moveX: number;
  moveY: number;
  /** Where to look: at a point of the screen (CSS pixels), or along a direction. */
  aim: "pointer" | "stick";
  aimX: number;
  aimY: number;
  fires: boolean;
  zooms: boolean;
  /** The scoreboard is held open. */
  board: boolean;
}

/** Wishes of a moment. */
export type Action = "swap" | "rifle" | "rocket" | "mute" | "net" | "help" | "next" | "previous" | "confirm";

export function noIntent(): Intent {
  return { moveX: 0, moveY: 0, aim: "pointer", aimX: 0, aimY: 0, fires: false, zooms: false, board: false };
}
