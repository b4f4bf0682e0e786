/** Keys that mean something once when they are pressed. The command card comes first: its letters change with what is selected. Held keys are in `steering.ts`. */

import { isForElement } from "@nearfield/kit/browser";
import type { Action, KeyHandlers } from "./intent.ts";

const ACTIONS: Readonly<Record<string, Action>> = {
  KeyA: "attack",
  KeyP: "patrol",
  KeyG: "go",
  KeyR: "repair",
  KeyS: "stop",
  KeyH: "hold",
  KeyB: "build",
  Tab: "cycle",
  F2: "army",
  KeyI: "idle",
  Space: "alarm",
  KeyC: "centre",
  Home: "home",
  KeyV: "net",
  KeyM: "mute",
  F1: "help",
  Escape: "escape",
  KeyZ: "edges",
};

export class Keys {
  readonly #handlers: KeyHandlers;

  constructor(handlers: KeyHandlers) {
    this.#handlers = handlers;
    addEventListener("keydown", (event) => this.#press(event));
  }

  #press(event: KeyboardEvent): void {
    const handlers = this.#handlers;
    if (isForElement(event) || event.metaKey || event.altKey || !handlers.isPlaying()) return;
    if (!this.#take(event)) return;
    event.preventDefault();
    handlers.wake();
  }

  /** True if the key means something. */
  #take(event: KeyboardEvent): boolean {
    const handlers = this.#handlers;
    const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1];
    if (digit !== undefined) {
      if (!event.repeat) handlers.group(Number(digit), event.ctrlKey ? "set" : event.shiftKey ? "add" : "recall");
      return true;
    }
    if (event.ctrlKey) return false;
    if (event.key === "?") {
      handlers.act("help", false);
      return true;
    }
    const letter = /^Key([A-Z])$/.exec(event.code)?.[1];
    if (letter !== undefined && handlers.card(letter, event.shiftKey)) return true;
    const action = ACTIONS[event.code];
    if (action === undefined) return false;
    if (!event.repeat) handlers.act(action, event.shiftKey);
    return true;
  }
}
