/**
 * One texture with every small picture of the game, painted at load. Its channels are materials, not colours: red is bare metal, green is paint in the
 * colour of whoever it belongs to, blue shines white. So one picture serves all sides, and all layers share one texture.
 */

import { CanvasSource } from "pixi.js";

const SIZE = 2048;
/** Pixels between pictures, so that smaller versions of the texture do not mix neighbours. */
const GAP = 8;

/** Where a picture lies in the texture, as the layers keep it. */
export interface Frame {
  /** Left upper and right lower corner: two 16-bit numbers each, 65,535 for the whole texture. */
  readonly from: number;
  readonly to: number;
  /** Half of the picture's edge, in the units that its painter used. */
  readonly reach: number;
}

/** Paints around 0, 0; the picture reaches `reach` of its units to every side. */
export type Painter = (context: CanvasRenderingContext2D) => void;

export class Sheet {
  readonly #context: CanvasRenderingContext2D;
  #x = GAP;
  #y = GAP;
  #row = 0;

  constructor() {
    const canvas = document.createElement("canvas");
    canvas.width = SIZE;
    canvas.height = SIZE;
    this.#context = canvas.getContext("2d", { willReadFrequently: false })!;
  }

  /** `pixels`: edge of the picture. */
  add(pixels: number, reach: number, paint: Painter): Frame {
    if (this.#x + pixels + GAP > SIZE) {
      this.#x = GAP;
      this.#y += this.#row + GAP;
      this.#row = 0;
    }
    if (this.#y + pixels > SIZE) throw new RangeError("the sheet of pictures is full");
    const [x, y] = [this.#x, this.#y];
    this.#x += pixels + GAP;
    this.#row = Math.max(this.#row, pixels);
    const context = this.#context;
    context.save();
    context.beginPath();
    context.rect(x, y, pixels, pixels);
    context.clip();
    context.translate(x + pixels / 2, y + pixels / 2);
    context.scale(pixels / 2 / reach, pixels / 2 / reach);
    context.lineJoin = "round";
    context.lineCap = "round";
    paint(context);
    context.restore();
    return { from: corner(x, y), to: corner(x + pixels, y + pixels), reach };
  }

  /** After this nothing can be added. */
  finish(): CanvasSource {
    return new CanvasSource({
      resource: this.#context.canvas,
      resolution: 1,
      autoGenerateMipmaps: true,
      scaleMode: "linear",
      mipmapFilter: "linear",
      addressMode: "clamp-to-edge",
    });
  }
}

function corner(x: number, y: number): number {
  const part = (pixel: number): number => Math.round((pixel / SIZE) * 65_535);
  return (part(x) | (part(y) << 16)) >>> 0;
}

/** The lower part of a picture, `share` of its height: for what is being built. */
export function lowerPart(frame: Frame, share: number): number {
  const top = frame.from >>> 16;
  const bottom = frame.to >>> 16;
  return ((frame.from & 0xffff) | (Math.round(bottom - (bottom - top) * share) << 16)) >>> 0;
}

/** A material as a CSS colour. Each part goes from 0 to 1; all at 0 is black. */
export function stuff(metal: number, paint = 0, light = 0): string {
  const part = (share: number): number => Math.round(255 * Math.min(1, share));
  return `rgb(${part(metal)} ${part(paint)} ${part(light)})`;
}

export const DARK = "rgb(0 0 0)";
