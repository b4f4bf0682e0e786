/**
 * A drawing context in world units that can be turned and turned back without `save` and `restore`, which would be dear for every small thing that is
 * drawn. Code that turns it may leave it turned; code that needs it upright must say so.
 */

import type { Camera } from "../camera.ts";

export class Pen {
  readonly context: CanvasRenderingContext2D;
  #scale = 1;
  #left = 0;
  #top = 0;
  #isTurned = false;

  constructor(context: CanvasRenderingContext2D) {
    this.context = context;
  }

  /** From here on the context takes world units, seen from `lift` times as near. `ratio` is device pixels per CSS pixel. */
  aim(camera: Camera, ratio: number, lift = 1): void {
    this.#scale = camera.scale * ratio * lift;
    this.#left = (camera.width / 2 + camera.shakeX) * ratio - camera.x * this.#scale;
    this.#top = (camera.height / 2 + camera.shakeY) * ratio - camera.y * this.#scale;
    this.#isTurned = true;
    this.level();
  }

  /** World units as they are. Costs nothing where they are so already. */
  level(): void {
    if (!this.#isTurned) return;
    this.#isTurned = false;
    this.context.setTransform(this.#scale, 0, 0, this.#scale, this.#left, this.#top);
  }

  /** World units around a place, turned by a direction: a unit vector. */
  turn(x: number, y: number, cos: number, sin: number): void {
    const scale = this.#scale;
    this.#isTurned = true;
    this.context.setTransform(
      scale * cos,
      scale * sin,
      -scale * sin,
      scale * cos,
      this.#left + x * scale,
      this.#top + y * scale,
    );
  }
}
