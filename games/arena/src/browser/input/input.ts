/** Merges all input devices into one intent a frame. The device that was used last decides where the avatar looks. */

import { Desk, type DeskHandlers } from "./desk.ts";
import { Pad } from "./gamepad.ts";
import { Glass } from "./glass.ts";
import { type Intent, noIntent } from "./intent.ts";

export class Input {
  readonly #desk: Desk;
  readonly #glass: Glass;
  readonly #pad: Pad;
  #usesSticks = false;
  /** The last direction a stick looked in. */
  #lastX = 1;
  #lastY = 0;

  constructor(handlers: DeskHandlers, root: HTMLElement, surface: HTMLElement) {
    this.#desk = new Desk(handlers, surface);
    this.#glass = new Glass(handlers, root, surface);
    this.#pad = new Pad((action) => handlers.act(action));
  }

  /** What the player wants in this frame. */
  read(): Intent {
    const intent = noIntent();
    const desk = this.#desk.read(intent);
    const thumbs = this.#glass.read(intent);
    const pad = this.#pad.read(intent);
    if (thumbs || pad) this.#usesSticks = true;
    else if (desk) this.#usesSticks = false;
    if (this.#usesSticks) this.#lookBySticks(intent);
    const length = Math.hypot(intent.moveX, intent.moveY);
    if (length > 1) {
      intent.moveX /= length;
      intent.moveY /= length;
    }
    return intent;
  }

  /** A scope that was raised by a tap goes down with death. */
  lowerScope(): void {
    this.#glass.lowerScope();
  }

  /** Without a stick to look with, one looks where one runs; at rest, where one looked last. */
  #lookBySticks(intent: Intent): void {
    if (intent.aim === "stick") {
      this.#lastX = intent.aimX;
      this.#lastY = intent.aimY;
    } else if (intent.moveX !== 0 || intent.moveY !== 0) {
      this.#lastX = intent.moveX;
      this.#lastY = intent.moveY;
    }
    intent.aim = "stick";
    intent.aimX = this.#lastX;
    intent.aimY = this.#lastY;
  }
}
