/** What the player wants, whatever it plays with: keys and mouse, two thumbs, or a gamepad. */

import { Desk, type DeskHandlers, Look, Pad, type StickIntent, TwinSticks } from "@nearfield/kit/browser";
import { FULL_STICK } from "../rules.ts";
import type { Wish } from "./network.ts";

export type Action = "chat" | "cairn" | "yards" | "help";

/** By the key's code, or by what it writes. */
const KEYS: Readonly<Record<string, readonly Action[]>> = {
  Enter: ["chat"],
  KeyC: ["cairn"],
  KeyY: ["yards"],
  KeyH: ["help"],
  "?": ["help"],
  Escape: ["help"],
};

export class Input {
  readonly #desk: Desk<Action>;
  readonly #sticks: TwinSticks;
  readonly #pad: Pad<Action>;
  readonly #look = new Look();
  readonly #surface: HTMLElement;

  constructor(handlers: DeskHandlers<Action>, root: HTMLElement, surface: HTMLElement) {
    const use = (): void => {
      root.dataset["touch"] = "true";
    };
    this.#surface = surface;
    this.#desk = new Desk(handlers, { actions: KEYS, held: ["Space"] }, surface);
    this.#sticks = new TwinSticks({ use }, root, surface);
    this.#pad = new Pad({
      act: (action) => handlers.act(action),
      moments: [
        ["cairn", 0],
        ["help", 9],
      ],
    });
  }

  /** What the player wants in this frame. The hero stands in the middle of the surface. */
  read(): Wish {
    const intent: StickIntent = { moveX: 0, moveY: 0, aim: "pointer", aimX: 0, aimY: 0, fires: false };
    const desk = this.#desk.read(intent);
    const thumbs = this.#sticks.read(intent);
    const pad = this.#pad.read(intent);
    this.#look.settle(intent, thumbs || pad, desk);
    const isPointer = intent.aim === "pointer";
    const lookX = intent.aimX - (isPointer ? this.#surface.clientWidth / 2 : 0);
    const lookY = intent.aimY - (isPointer ? this.#surface.clientHeight / 2 : 0);
    return {
      moveX: Math.round(intent.moveX * FULL_STICK),
      moveY: Math.round(intent.moveY * FULL_STICK),
      heading: Math.atan2(lookY, lookX),
      fires: intent.fires || this.#desk.isHeld("Space"),
    };
  }
}
