/** The pen: a stroke is cut into pieces while it is drawn, and others see it grow. */

import { inkOf, Pieces } from "../../pieces.ts";
import type { Desk, Press, Tool } from "../desk.ts";
import type { Kept } from "../history.ts";

/** Steps shorter than this are left out, CSS pixels. */
const LEAST_STEP = 2.5;

export class PenTool implements Tool {
  readonly #desk: Desk;
  #pieces: Pieces | undefined;
  #keys: number[] = [];
  #last: Press | undefined;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  down(press: Press): void {
    this.#pieces = new Pieces();
    this.#keys = [];
    this.#add(press);
  }

  move(press: Press): void {
    if (this.#pieces === undefined || this.#last === undefined) return;
    const step = Math.hypot(press.screenX - this.#last.screenX, press.screenY - this.#last.screenY);
    if (step >= LEAST_STEP) this.#add(press);
  }

  #add(press: Press): void {
    const pieces = this.#pieces!;
    this.#last = press;
    const changed = pieces.add(press.x, press.y);
    while (this.#keys.length < pieces.all.length) this.#keys.push(this.#desk.newKey());
    for (const request of this.#kept().slice(-changed)) this.#desk.ask(request);
  }

  #kept(): Kept[] {
    const { colour, size } = this.#desk;
    const whole = this.#keys[0]!;
    return this.#pieces!.all.map((piece, index) => ({
      kind: "draw",
      key: this.#keys[index]!,
      whole,
      x: piece.x,
      y: piece.y,
      colour,
      size,
      ink: inkOf(piece),
    }));
  }

  up(press: Press): void {
    if (this.#pieces === undefined) return;
    if (this.#last !== undefined && (press.x !== this.#last.x || press.y !== this.#last.y)) this.#add(press);
    this.#desk.history.add({ kind: "add", things: this.#kept() });
    this.#pieces = undefined;
  }

  cancel(): void {
    if (this.#pieces === undefined) return;
    this.#desk.ask({ kind: "erase", keys: [...this.#keys] });
    this.#pieces = undefined;
  }
}
