/** One texture with every small picture of the game, painted at load. All sprites share it, so that a layer is one draw call. */

import { CanvasSource, Rectangle, Texture } from "pixi.js";

const SIZE = 1024;
const GAP = 4;
/** Pixels for one world unit. */
const FINE = 4;

export class Atlas {
  readonly #canvas = document.createElement("canvas");
  readonly #context: CanvasRenderingContext2D;
  readonly #source: CanvasSource;
  #x = GAP;
  #y = GAP;
  #row = 0;

  constructor() {
    this.#canvas.width = SIZE;
    this.#canvas.height = SIZE;
    this.#context = this.#canvas.getContext("2d")!;
    this.#source = new CanvasSource({ resource: this.#canvas, resolution: FINE, scaleMode: "linear" });
  }

  /** A picture of so many world units each way, painted around its middle. */
  add(units: number, paint: (context: CanvasRenderingContext2D) => void): Texture {
    const pixels = Math.ceil(units * FINE);
    if (this.#x + pixels + GAP > SIZE) {
      this.#x = GAP;
      this.#y += this.#row + GAP;
      this.#row = 0;
    }
    if (this.#y + pixels > SIZE) throw new RangeError("the atlas is full");
    const context = this.#context;
    context.save();
    context.translate(this.#x + pixels / 2, this.#y + pixels / 2);
    context.beginPath();
    context.rect(-pixels / 2, -pixels / 2, pixels, pixels);
    context.clip();
    context.scale(FINE, FINE);
    context.lineCap = "round";
    context.lineJoin = "round";
    paint(context);
    context.restore();
    const frame = new Rectangle(this.#x / FINE, this.#y / FINE, pixels / FINE, pixels / FINE);
    this.#x += pixels + GAP;
    this.#row = Math.max(this.#row, pixels);
    return new Texture({ source: this.#source, frame });
  }
}

/** A soft spot that fades to nothing at the edge. */
export function spot(context: CanvasRenderingContext2D, radius: number, colour: string, core = 0): void {
  const gradient = context.createRadialGradient(0, 0, radius * core, 0, 0, radius);
  gradient.addColorStop(0, colour);
  gradient.addColorStop(1, `${colour.slice(0, 7)}00`);
  context.fillStyle = gradient;
  context.fillRect(-radius, -radius, radius * 2, radius * 2);
}

export function disc(context: CanvasRenderingContext2D, x: number, y: number, radius: number, colour: string): void {
  context.fillStyle = colour;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

export function shape(
  context: CanvasRenderingContext2D,
  colour: string,
  points: readonly (readonly [number, number])[],
): void {
  context.fillStyle = colour;
  context.beginPath();
  points.forEach(([x, y], at) => {
    if (at === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  });
  context.closePath();
  context.fill();
}
