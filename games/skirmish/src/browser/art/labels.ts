/** Short words on the stage, painted once each and kept. They stand upright on the screen and keep their size. */

import { CanvasSource, Container, Sprite, Texture } from "pixi.js";

/** Pictures are this much larger than they are shown, for sharp screens. */
const FINENESS = 2;
const HEIGHT = 22;

export class Labels {
  readonly container: Container = new Container();
  readonly #textures = new Map<string, Texture>();
  readonly #sprites: Sprite[] = [];
  #used = 0;

  begin(): void {
    this.#used = 0;
  }

  /** Around a point of the screen, CSS pixels. */
  add(text: string, colour: number, x: number, y: number, opacity: number): void {
    const texture = this.#textureOf(text, colour);
    let sprite = this.#sprites[this.#used];
    if (!sprite) {
      sprite = new Sprite();
      sprite.anchor.set(0.5);
      sprite.scale.set(1 / FINENESS);
      this.#sprites.push(sprite);
      this.container.addChild(sprite);
    }
    this.#used++;
    sprite.texture = texture;
    sprite.position.set(Math.round(x), Math.round(y));
    sprite.alpha = opacity;
    sprite.visible = true;
  }

  end(): void {
    for (let at = this.#used; at < this.#sprites.length; at++) this.#sprites[at]!.visible = false;
  }

  #textureOf(text: string, colour: number): Texture {
    const key = `${colour} ${text}`;
    const ready = this.#textures.get(key);
    if (ready) return ready;
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("2d")!;
    const font = `600 ${12 * FINENESS}px ui-sans-serif, system-ui, "DejaVu Sans", sans-serif`;
    context.font = font;
    canvas.width = Math.ceil(context.measureText(text).width + 20 * FINENESS);
    canvas.height = HEIGHT * FINENESS;
    context.font = font;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillStyle = "rgb(5 8 16 / 0.82)";
    context.beginPath();
    context.roundRect(0, 0, canvas.width, canvas.height, canvas.height / 2);
    context.fill();
    context.fillStyle = `#${colour.toString(16).padStart(6, "0")}`;
    context.fillText(text, canvas.width / 2, canvas.height / 2 + FINENESS);
    const texture = new Texture({ source: new CanvasSource({ resource: canvas, resolution: 1 }) });
    this.#textures.set(key, texture);
    return texture;
  }
}
