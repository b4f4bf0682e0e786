/**
 * The dungeon as it is drawn. A state comes every 50 ms, and may differ from what was guessed before; players and monsters glide from where they were drawn to
 * where the new state has them, so that corrections are seen as a small sway and not as a leap.
 */

import { MOST_MONSTERS, STEP_MS } from "../../dungeon/numbers.ts";
import type { DungeonColumns } from "../../dungeon/state.ts";

/** Farther than this nothing glides. */
const LEAP = 70;

class Gliding {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly #fromX: Float64Array;
  readonly #fromY: Float64Array;
  readonly #toX: Float64Array;
  readonly #toY: Float64Array;

  constructor(count: number) {
    [this.x, this.y, this.#fromX, this.#fromY, this.#toX, this.#toY] = Array.from(
      { length: 6 },
      () => new Float64Array(count),
    ) as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];
  }

  take(xs: Float32Array, ys: Float32Array): void {
    for (let at = 0; at < this.x.length; at++) {
      const isLeap = Math.abs(xs[at]! - this.x[at]!) + Math.abs(ys[at]! - this.y[at]!) > LEAP;
      this.#fromX[at] = isLeap ? xs[at]! : this.x[at]!;
      this.#fromY[at] = isLeap ? ys[at]! : this.y[at]!;
      this.#toX[at] = xs[at]!;
      this.#toY[at] = ys[at]!;
    }
  }

  glide(share: number): void {
    for (let at = 0; at < this.x.length; at++) {
      this.x[at] = this.#fromX[at]! + (this.#toX[at]! - this.#fromX[at]!) * share;
      this.y[at] = this.#fromY[at]! + (this.#toY[at]! - this.#fromY[at]!) * share;
    }
  }
}

export class Shown {
  readonly players: Gliding;
  readonly monsters: Gliding = new Gliding(MOST_MONSTERS);
  /** How much of the step has passed, 0 to 1. */
  share = 1;
  #takenMs = 0;

  constructor(players: number) {
    this.players = new Gliding(players);
  }

  take(at: DungeonColumns, nowMs: number): void {
    this.#takenMs = nowMs;
    this.players.take(at.x, at.y);
    this.monsters.take(at.monsterX, at.monsterY);
  }

  glide(nowMs: number): void {
    this.share = Math.max(0, Math.min(1, (nowMs - this.#takenMs) / STEP_MS));
    this.players.glide(this.share);
    this.monsters.glide(this.share);
  }
}
