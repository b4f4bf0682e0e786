/** The size of the stage. The page reports when it changes; asking for it in every frame would make the browser compute the layout each time. */

import type { Stage } from "./art/stage.ts";

/** More device pixels than this per CSS pixel cost time and are not seen. */
const MOST_RATIO = 2;

export class StageSize {
  #width: number;
  #height: number;
  #shown = "";

  constructor(canvas: HTMLElement) {
    this.#width = canvas.clientWidth;
    this.#height = canvas.clientHeight;
    new ResizeObserver(() => {
      this.#width = canvas.clientWidth;
      this.#height = canvas.clientHeight;
    }).observe(canvas);
  }

  /** Tells the stage, if it is news. */
  fit(stage: Stage): void {
    const [width, height] = [Math.max(1, this.#width), Math.max(1, this.#height)];
    const ratio = Math.min(MOST_RATIO, devicePixelRatio);
    const shown = `${width} ${height} ${ratio}`;
    if (shown === this.#shown) return;
    this.#shown = shown;
    stage.resize(width, height, ratio);
  }
}
