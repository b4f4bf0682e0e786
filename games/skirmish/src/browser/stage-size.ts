/** The size of the stage. The page reports when it changes; asking for it in every frame would make the browser compute the layout each time. */

import type { Camera } from "./camera.ts";
import type { Scene } from "./scene.ts";

/** More device pixels than this per CSS pixel cost time and are not seen. */
const MOST_RATIO = 2;

export class StageSize {
  #width: number;
  #height: number;
  #shown = "";

  constructor(stage: HTMLElement) {
    this.#width = stage.clientWidth;
    this.#height = stage.clientHeight;
    new ResizeObserver(() => {
      this.#width = stage.clientWidth;
      this.#height = stage.clientHeight;
    }).observe(stage);
  }

  /** Tells the camera, and the scene if it is news. */
  fit(camera: Camera, scene: Scene): void {
    const [width, height] = [Math.max(1, this.#width), Math.max(1, this.#height)];
    const ratio = Math.min(MOST_RATIO, devicePixelRatio);
    camera.width = width;
    camera.height = height;
    const shown = `${width} ${height} ${ratio}`;
    if (shown === this.#shown) return;
    this.#shown = shown;
    scene.resize(width, height, ratio);
  }
}
