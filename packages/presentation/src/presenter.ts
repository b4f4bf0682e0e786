/**
 * One object's picture with its own state: what a simulator, a test or a server's rewind uses. Clients keep many objects in columns and
 * use `Presentation` itself.
 */

import { PLACE_SIZE } from "./motion-model.ts";
import { Presentation } from "./presentation.ts";
import { SEND_SIZE, type Send, writeSend } from "./send.ts";
import { type PresenterSettings, resolvePresenterSettings } from "./settings.ts";
import { PICTURE_SIZE } from "./target.ts";

/** What is shown. Each number is overwritten by the next answer. */
export interface Picture {
  /** World units; z is 0 in 2D. */
  readonly position: Float64Array;
  /** Radians in [−π, π): heading, or yaw, pitch and roll. */
  readonly orientation: Float64Array;
}

/** A send and the render time at which it was applied, ms. */
export interface AppliedSend extends Send {
  readonly appliedAtMs: number;
}

export class Presenter {
  readonly presentation: Presentation;
  /** All there is to it: copy it and copy it back to return to a moment. */
  readonly state: Float64Array;
  readonly #send: Float64Array = new Float64Array(SEND_SIZE);
  readonly #shown: Float64Array = new Float64Array(PICTURE_SIZE);
  readonly #picture: Picture = {
    position: this.#shown.subarray(0, PLACE_SIZE),
    orientation: this.#shown.subarray(PLACE_SIZE),
  };

  /** @param settings or a presentation that others use too. */
  constructor(settings: PresenterSettings | Presentation = {}) {
    this.presentation =
      settings instanceof Presentation ? settings : new Presentation(resolvePresenterSettings(settings));
    this.state = new Float64Array(this.presentation.stateSize);
  }

  /** Takes in a send at a render time; false, and nothing changes, if a newer one is known. */
  receive(send: Send, appliedAtMs: number): boolean {
    writeSend(send, this.#send, 0);
    return this.presentation.receive(this.state, 0, this.#send, 0, appliedAtMs);
  }

  /** What is shown at a render time from the last send on. */
  at(renderMs: number): Picture {
    this.presentation.show(this.state, 0, renderMs, this.#shown, 0);
    return this.#picture;
  }

  /** Where the picture will have come to when it has converged (N §2.7.1.3), if nothing else is sent; to be drawn beside it. */
  convergencePoint(): Picture {
    return this.at(this.presentation.convergedAtMs(this.state, 0));
  }
}

/**
 * What was shown at a render time, from nothing but the settings and the sends in the order they were applied: those applied later do
 * not count. This is what a server asks that knows a client's sends.
 */
export function shownAt(
  settings: PresenterSettings | Presentation,
  sends: readonly AppliedSend[],
  renderMs: number,
): Picture {
  const presenter = new Presenter(settings);
  for (const send of sends) if (send.appliedAtMs <= renderMs) presenter.receive(send, send.appliedAtMs);
  return presenter.at(renderMs);
}
