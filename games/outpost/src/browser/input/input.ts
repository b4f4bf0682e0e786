/** Merges all input devices into one intent a frame. The device that was used last decides where one looks. */

import { Look, Pad, TwinSticks } from "@nearfield/kit/browser";
import { Desk, type DeskHandlers } from "./desk.ts";
import { type Action, type Intent, noIntent } from "./intent.ts";

/** Buttons of a gamepad. */
const USE = 0;
const DASH = 1;

export class Input {
  readonly #desk: Desk;
  readonly #sticks: TwinSticks;
  readonly #pad: Pad<Action>;
  readonly #look = new Look();
  /** Touch buttons that are held: "use", "dash". */
  readonly #held = new Set<string>();

  constructor(handlers: DeskHandlers, root: HTMLElement, surface: HTMLElement) {
    const use = (): void => {
      root.dataset["touch"] = "true";
      handlers.wake();
    };
    this.#desk = new Desk(handlers, surface);
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
    intent.uses ||= this.#held.has("use") || this.#pad.isHeld(USE);
    intent.dashes ||= this.#held.has("dash") || this.#pad.isHeld(DASH);
    this.#look.settle(intent, thumbs || pad, desk);
    return intent;
  }
}
