/** What of the world is on the screen in one frame: for leaving out what nobody sees, and for sizes in CSS pixels. */

import type { Camera } from "../camera.ts";

export class Sight {
  x = 0;
  y = 0;
  /** CSS pixels per world unit. */
  scale = 1;
  rotation = 0;
  #cosine = 1;
  #sine = 0;
  #halfWidth = 0;
  #halfHeight = 0;

  look(camera: Camera): void {
    this.x = camera.x;
    this.y = camera.y;
    this.scale = camera.scale;
    this.rotation = camera.rotation;
    this.#cosine = Math.cos(camera.rotation);
    this.#sine = Math.sin(camera.rotation);
    this.#halfWidth = camera.width / 2 / camera.scale;
    this.#halfHeight = camera.height / 2 / camera.scale;
  }

  /** Whether a circle in the world touches the screen. */
  sees(x: number, y: number, radius: number): boolean {
    const dx = x - this.x;
    const dy = y - this.y;
    const u = dx * this.#cosine + dy * this.#sine;
    const v = dy * this.#cosine - dx * this.#sine;
    return Math.abs(u) < this.#halfWidth + radius && Math.abs(v) < this.#halfHeight + radius;
  }

  /** World units that so many CSS pixels are. */
  pixels(count: number): number {
    return count / this.scale;
  }
}
