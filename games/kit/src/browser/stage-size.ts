/** The size of the stage. The page reports when it changes; asking for it in every frame would make the browser compute the layout each time. */

/** More device pixels than this per CSS pixel cost time and are not seen. */
const MOST_RATIO = 2;

/** Who is told the size in CSS pixels: a game's camera. */
export interface Sized {
  width: number;
  height: number;
}

export class StageSize {
  readonly #resize: (width: number, height: number, ratio: number) => void;
  #width: number;
  #height: number;
  #shown = "";

  /** @param resize makes whoever draws that large: CSS pixels, and device pixels for each of them */
  constructor(stage: HTMLElement, resize: (width: number, height: number, ratio: number) => void) {
    this.#resize = resize;
    this.#width = stage.clientWidth;
    this.#height = stage.clientHeight;
    new ResizeObserver(() => {
      this.#width = stage.clientWidth;
      this.#height = stage.clientHeight;
    }).observe(stage);
  }

  /** Once a frame: resizes what draws, if the size is news, and tells the camera. Returns device pixels per CSS pixel. */
  fit(camera?: Sized): number {
    const [width, height] = [Math.max(1, this.#width), Math.max(1, this.#height)];
    const ratio = Math.min(MOST_RATIO, devicePixelRatio);
    if (camera) {
      camera.width = width;
      camera.height = height;
    }
    const shown = `${width} ${height} ${ratio}`;
    if (shown === this.#shown) return ratio;
    this.#shown = shown;
    this.#resize(width, height, ratio);
    return ratio;
  }
}
