/**
 * The receiving side as the paper built it (N §2.7.1, §3.2.3). It does not use our own presenter, so that changes to the presenter do not change the
 * calibration. It has dead reckoning of order 0, 1 or 2; time compensation up to a limit, by the time stamp; and convergence in a straight line
 * from what is shown to where the model will be when the convergence time is over, separately for position and heading.
 */

import { exact } from "@nearfield/simulation";
import type { Receiver, Shown, Update } from "./update.ts";

export interface PaperSettings {
  readonly order: 0 | 1 | 2;
  /** At most so much of an update's age is made up for, in ms; 0: no time compensation, and no time stamp. */
  readonly compensationMs: number;
  /** Convergence times in ms; 0 snaps. */
  readonly positionMs: number;
  readonly orientationMs: number;
}

export class PaperReceiver implements Receiver {
  readonly #settings: PaperSettings;
  readonly #from: Shown = { x: 0, y: 0, heading: 0 };
  readonly #shown: Shown = { x: 0, y: 0, heading: 0 };
  readonly #aim: Shown = { x: 0, y: 0, heading: 0 };
  #update: Update | undefined;
  #receivedMs = 0;
  /** Age of the update when it came, as far as it is made up for. */
  #leadMs = 0;

  constructor(settings: PaperSettings) {
    this.#settings = settings;
  }

  receive(update: Update, nowMs: number): void {
    if (this.#update !== undefined && update.sentMs < this.#update.sentMs) return;
    const isFirst = this.#update === undefined;
    if (!isFirst) this.show(nowMs, this.#shown);
    Object.assign(this.#from, this.#shown);
    this.#update = update;
    this.#receivedMs = nowMs;
    this.#leadMs = Math.min(nowMs - update.sentMs, this.#settings.compensationMs);
    if (isFirst) this.#reckon(0, this.#from);
  }

  show(nowMs: number, out: Shown): boolean {
    if (this.#update === undefined) return false;
    const sinceMs = nowMs - this.#receivedMs;
    const { positionMs, orientationMs } = this.#settings;
    this.#reckon(sinceMs, out);
    if (sinceMs < positionMs) {
      this.#reckon(positionMs, this.#aim);
      out.x = this.#from.x + ((this.#aim.x - this.#from.x) * sinceMs) / positionMs;
      out.y = this.#from.y + ((this.#aim.y - this.#from.y) * sinceMs) / positionMs;
    }
    if (sinceMs < orientationMs) {
      this.#reckon(orientationMs, this.#aim);
      const turn = exact.angleBetween(this.#from.heading, this.#aim.heading);
      out.heading = this.#from.heading + (turn * sinceMs) / orientationMs;
    }
    return true;
  }

  #reckon(sinceMs: number, out: Shown): void {
    const update = this.#update!;
    const { order } = this.#settings;
    const s = (this.#leadMs + sinceMs) / 1000;
    const first = order >= 1 ? s : 0;
    const second = order >= 2 ? (s * s) / 2 : 0;
    out.x = update.x + update.velocityX * first + update.accelerationX * second;
    out.y = update.y + update.velocityY * first + update.accelerationY * second;
    out.heading = update.heading + update.turnRate * first;
  }
}
