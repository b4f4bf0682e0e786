/** Our presenter as a receiver. */

import { Presenter, type PresenterSettings } from "@nearfield/presentation";
import type { Receiver, Shown, Update } from "./update.ts";

export class PresenterReceiver implements Receiver {
  readonly #presenter: Presenter;
  #hasHeard = false;

  constructor(settings: PresenterSettings) {
    this.#presenter = new Presenter(settings);
  }

  receive(update: Update, nowMs: number): void {
    this.#hasHeard = true;
    this.#presenter.receive(
      {
        timeMs: update.sentMs,
        position: [update.x, update.y],
        velocity: [update.velocityX, update.velocityY],
        acceleration: [update.accelerationX, update.accelerationY],
        orientation: [update.heading],
        turnRate: [update.turnRate],
      },
      nowMs,
    );
  }

  show(nowMs: number, out: Shown): boolean {
    const { position, orientation } = this.#presenter.at(nowMs);
    out.x = position[0]!;
    out.y = position[1]!;
    out.heading = orientation[0]!;
    return this.#hasHeard;
  }
}
