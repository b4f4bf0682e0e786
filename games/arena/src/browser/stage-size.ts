/** The size of the stage. The page reports when it changes; asking for it in every frame would make the browser compute the layout each time. */

import type { Camera } from "./camera.ts";

/** More device pixels than this per CSS pixel cost time and are not seen. */
const MOST_RATIO = 2;

export class StageSize {
  readonly #canvas: HTMLCanvasElement;
  #width: number;
  #height: number;

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
    this.#width = canvas.clientWidth;
    this.#height = canvas.clientHeight;
    new ResizeObserver(() => {
      this.#width = canvas.clientWidth;
      this.#height = canvas.clientHeight;
    }).observe(canvas);
  }

  /** Fits the canvas, and tells the camera; returns device pixels per CSS pixel. */
  fit(camera: Camera): number {
    const ratio = Math.min(MOST_RATIO, devicePixelRatio);
    const [width, height] = [Math.round(this.#width * ratio), Math.round(this.#height * ratio)];
    if (this.#canvas.width !== width) this.#canvas.width = width;
    if (this.#canvas.height !== height) this.#canvas.height = height;
    camera.width = Math.max(1, this.#width);
    camera.height = Math.max(1, this.#height);
    return ratio;
  }
}
