/** What the player's hands ask for, the same for every device. Points are CSS pixels on the stage. */

import type { Box } from "../picture.ts";

/** Wishes that are not about a point. */
export type Action =
  | "attack"
  | "patrol"
  | "go"
  | "repair"
  | "stop"
  | "hold"
  | "build"
  | "cycle"
  | "army"
  | "idle"
  | "alarm"
  | "centre"
  | "home"
  | "net"
  | "mute"
  | "help"
  | "escape"
  | "edges";

export interface StageHandlers {
  /** The pointer is here. */
  point(x: number, y: number): void;
  /** The pointer has left the stage. */
  leave(): void;
  /** A click of the left button. */
  click(x: number, y: number, adds: boolean, isDouble: boolean): void;
  /** A right click. */
  order(x: number, y: number, queued: boolean): void;
  /** A finger: selects or orders, as fits. */
  tap(x: number, y: number, isDouble: boolean): void;
  /** The box that is drawn now; undefined: none. */
  drawBox(box: Box | undefined): void;
  takeBox(box: Box, adds: boolean): void;
  /** The ground follows the hand. */
  drag(dx: number, dy: number): void;
  zoom(x: number, y: number, factor: number): void;
  turn(radians: number): void;
  /** The first touch of anything: sound may begin. */
  wake(): void;
}

export interface KeyHandlers {
  act(action: Action, queued: boolean): void;
  /** A key that the command card may know. True: it did. */
  card(key: string, many: boolean): boolean;
  group(digit: number, how: "recall" | "set" | "add"): void;
  wake(): void;
  /** Whether keys are for the game now, and not for a form or a sheet. */
  isPlaying(): boolean;
}
