/** Merges all input devices into one intent a frame. The device that was used last decides where the avatar looks. */

import { type DeskHandlers, Look } from "@nearfield/kit/browser";
import { ArenaDesk } from "./desk.ts";
import { ArenaPad } from "./gamepad.ts";
import { Glass } from "./glass.ts";
import { type Action, type Intent, noIntent } from "./intent.ts";

export class Input {
  readonly #desk: ArenaDesk;
  readonly #glass: Glass;
  readonly #pad: ArenaPad;
  readonly #look = new Look();

  constructor(handlers: DeskHandlers<Action>, root: HTMLElement, surface: HTMLElement) {
    this.#desk = new ArenaDesk(handlers, surface);
    this.#glass = new Glass(handlers, root, surface);
    this.#pad = new ArenaPad((action) => handlers.act(action));
  }

  /** What the player wants in this frame. */
  read(): Intent {
    const intent = noIntent();
    const desk = this.#desk.read(intent);
    const thumbs = this.#glass.read(intent);
    const pad = this.#pad.read(intent);
    this.#look.settle(intent, thumbs || pad, desk);
    return intent;
  }

  /** A scope that was raised by a tap goes down with death. */
  lowerScope(): void {
    this.#glass.lowerScope();
  }
}
