/** Buttons of a game's page: each wakes the sound, does its thing, and gives the keyboard back to the game. */

import { find } from "./dom.ts";

/** @param presses what each button does, by its id */
export function onPresses(root: ParentNode, wake: () => void, presses: Readonly<Record<string, () => void>>): void {
  for (const [id, press] of Object.entries(presses)) {
    find(`#${id}`, root).addEventListener("click", (event) => {
      wake();
      press();
      if (event.currentTarget instanceof HTMLElement) event.currentTarget.blur();
    });
  }
}
