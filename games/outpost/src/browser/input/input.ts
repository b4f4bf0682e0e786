/** Merges all input devices into one intent a frame. The device that was used last decides where one looks. */

import { Desk, type DeskHandlers, Look, Pad, TwinSticks } from "@nearfield/kit/browser";
import { type Action, type Intent, noIntent } from "./intent.ts";

/** By the key's code, or by what it writes. */
const KEYS: Readonly<Record<string, readonly Action[]>> = {
  KeyE: ["use"],
  KeyI: ["stash"],
  KeyB: ["board"],
  KeyT: ["trade"],
  KeyK: ["account"],
  KeyV: ["net"],
  KeyM: ["mute"],
  KeyH: ["help"],
  F1: ["help"],
  "?": ["help"],
  Enter: ["chat"],
  Escape: ["escape"],
};
/** Buttons of a gamepad. */
const USE = 0;
const DASH = 1;

export class Input {
  readonly #desk: Desk<Action>;
  readonly #sticks: TwinSticks;
  readonly #pad: Pad<Action>;
  readonly #look = new Look();
  /** Touch buttons that are held: "use", "dash". */
  readonly #held = new Set<string>();

  constructor(handlers: DeskHandlers<Action>, root: HTMLElement, surface: HTMLElement) {
    const use = (): void => {
      root.dataset["touch"] = "true";
      handlers.wake();
    };
    this.#desk = new Desk(handlers, { actions: KEYS, held: ["KeyE", "Space"] }, surface);
    this.#sticks = new TwinSticks({ use }, root, surface);
    this.#pad = new Pad({
      act: (action) => handlers.act(action),
      moments: [
        ["use", USE],
        ["stash", 3],
        ["board", 2],
        ["help", 9],
        ["net", 12],
        ["mute", 13],
      ],
    });
    for (const button of root.querySelectorAll<HTMLElement>("[data-hold]")) {
      const what = button.dataset["hold"]!;
      button.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        use();
        this.#held.add(what);
        if (what === "use") handlers.act("use");
      });
      for (const end of ["pointerup", "pointercancel", "pointerleave"])
        button.addEventListener(end, () => this.#held.delete(what));
    }
    for (const button of root.querySelectorAll<HTMLElement>("[data-tap]"))
      button.addEventListener("click", () => handlers.act(button.dataset["tap"] as Action));
  }

  /** What the player wants in this frame. */
  read(): Intent {
    const intent = noIntent();
    const desk = this.#desk.read(intent);
    const thumbs = this.#sticks.read(intent);
    const pad = this.#pad.read(intent);
    intent.uses ||= this.#desk.isHeld("KeyE") || this.#held.has("use") || this.#pad.isHeld(USE);
    intent.dashes ||=
      this.#desk.isHeld("Space") || this.#desk.isRightHeld || this.#held.has("dash") || this.#pad.isHeld(DASH);
    this.#look.settle(intent, thumbs || pad, desk);
    return intent;
  }
}
