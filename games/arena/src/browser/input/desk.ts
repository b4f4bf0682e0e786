/** The arena's keys and mouse: what the kit's desk does not know. The left button or Space fires, the right one or Shift raises the scope, the wheel changes the weapon. */

import { Desk, type DeskHandlers } from "@nearfield/kit/browser";
import type { Action, Intent } from "./intent.ts";

const ACTIONS: Readonly<Record<string, readonly Action[]>> = {
  KeyQ: ["swap"],
  Digit1: ["rifle"],
  Digit2: ["rocket"],
  KeyM: ["mute"],
  KeyV: ["net"],
  KeyH: ["help"],
  F1: ["help"],
  Escape: ["help"],
  Enter: ["confirm"],
  KeyE: ["next"],
  ArrowRight: ["next"],
  ArrowLeft: ["previous"],
};
const HELD = ["Space", "ShiftLeft", "ShiftRight", "Tab"] as const;

/** One turn of a wheel comes as many events, ms. */
const WHEEL_MS = 180;

export class ArenaDesk {
  readonly #desk: Desk<Action>;
  #turnedMs = 0;

  constructor(handlers: DeskHandlers<Action>, surface: HTMLElement) {
    this.#desk = new Desk(handlers, { actions: ACTIONS, held: HELD }, surface);
    surface.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        if (Math.abs(event.deltaY) < 2 || event.timeStamp - this.#turnedMs < WHEEL_MS) return;
        this.#turnedMs = event.timeStamp;
        handlers.act("swap");
      },
      { passive: false },
    );
  }

  /** Writes what is held into an intent; true if keys or mouse said anything since the last time. */
  read(intent: Intent): boolean {
    const spoke = this.#desk.read(intent);
    intent.fires ||= this.#desk.isHeld("Space");
    intent.zooms ||= this.#desk.isRightHeld || this.#desk.isHeld("ShiftLeft", "ShiftRight");
    intent.board ||= this.#desk.isHeld("Tab");
    return spoke;
  }
}
