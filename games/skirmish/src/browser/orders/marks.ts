/** The acknowledgements on the ground: each order leaves a mark at once, and a refused one a red mark where it was meant to happen. */

import type { Mark } from "../picture.ts";

const LIFE_MS = 1600;

export class Marks {
  readonly list: Mark[] = [];
  #last: Mark | undefined;

  add(what: Mark["what"], x: number, y: number, nowMs: number): void {
    this.#last = { x, y, what, atMs: nowMs, refused: false };
    this.list.push(this.#last);
  }

  /** The last order was refused: by the server, or before it was sent. Gives the place, if there is one. */
  refuse(nowMs: number): Mark | undefined {
    const last = this.#last;
    if (last === undefined) return undefined;
    this.#last = undefined;
    const at = this.list.indexOf(last);
    if (at >= 0) this.list.splice(at, 1);
    const mark = { ...last, atMs: nowMs, refused: true };
    this.list.push(mark);
    return mark;
  }

  refuseAt(what: Mark["what"], x: number, y: number, nowMs: number): void {
    this.list.push({ x, y, what, atMs: nowMs, refused: true });
  }

  prune(nowMs: number): void {
    while (this.list[0] !== undefined && nowMs - this.list[0].atMs > LIFE_MS) this.list.shift();
  }

  clear(): void {
    this.list.length = 0;
    this.#last = undefined;
  }
}
