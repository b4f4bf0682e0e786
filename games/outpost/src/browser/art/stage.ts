/**
 * Draws what it is told to, anew in every frame: the ground, sprites in layers, and light. Layers share one texture, so each is one draw call.
 *
 *   ground → decals → shadows → things → above → (darkness, with holes of light) → glow
 *
 * Light is drawn small into a texture of its own, added up on the ambient colour, and multiplied over the picture.
 */

import { Container, RenderTexture, Sprite, Texture, WebGLRenderer } from "pixi.js";
import { NIGHT } from "./palette.ts";

export const LAYERS = ["decals", "shadows", "things", "above", "glow"] as const;
export type LayerName = (typeof LAYERS)[number];

/** Pixels of the light's texture, of those that the screen has. */
const LIGHT_SHARE = 0.25;
/** World units of the picture of light, from its middle. */
const LIGHT_REACH = 32;

export interface View {
  /** World units in the middle of the screen. */
  readonly x: number;
  readonly y: number;
  /** CSS pixels per world unit. */
  readonly zoom: number;
}

export interface Look {
  readonly rotation?: number;
  readonly scale?: number;
  /** Times `scale`. */
  readonly stretch?: number;
  readonly tint?: number;
  readonly alpha?: number;
}

/** Sprites that are used again in the next frame. */
class Pool {
  readonly container: Container = new Container();
  readonly #blend: "normal" | "add";
  #used = 0;

  constructor(blend: "normal" | "add") {
    this.#blend = blend;
  }

  next(texture: Texture): Sprite {
    let sprite = this.container.children[this.#used] as Sprite | undefined;
    if (sprite === undefined) {
      sprite = new Sprite({ texture, anchor: 0.5, blendMode: this.#blend });
      this.container.addChild(sprite);
    }
    this.#used++;
    sprite.visible = true;
    sprite.texture = texture;
    return sprite;
  }

  finish(): void {
    const { children } = this.container;
    for (let at = this.#used; at < children.length; at++) children[at]!.visible = false;
    this.#used = 0;
  }
}

export class Stage {
  readonly #renderer: WebGLRenderer;
  readonly #root = new Container();
  readonly #world = new Container();
  readonly #glowWorld = new Container();
  readonly #ground = new Sprite();
  readonly #pools: Readonly<Record<LayerName, Pool>> = {
    decals: new Pool("normal"),
    shadows: new Pool("normal"),
    things: new Pool("normal"),
    above: new Pool("normal"),
    glow: new Pool("add"),
  };
  readonly #lights = new Pool("add");
  readonly #lightWorld = new Container();
  readonly #lightTexture = RenderTexture.create({ width: 1, height: 1, scaleMode: "linear" });
  readonly #darkness: Sprite;
  readonly #lightPicture: Texture;
  #ambient = 0xffffff;
  #view: View = { x: 0, y: 0, zoom: 1 };
  #width = 1;
  #height = 1;

  private constructor(renderer: WebGLRenderer, lightPicture: Texture) {
    this.#renderer = renderer;
    this.#lightPicture = lightPicture;
    this.#darkness = new Sprite({ texture: this.#lightTexture, blendMode: "multiply" });
    this.#world.addChild(this.#ground, ...LAYERS.slice(0, -1).map((name) => this.#pools[name].container));
    this.#glowWorld.addChild(this.#pools.glow.container);
    this.#lightWorld.addChild(this.#lights.container);
    this.#root.addChild(this.#world, this.#darkness, this.#glowWorld);
  }

  /** `light`: the picture of a light's spot. */
  static async create(canvas: HTMLCanvasElement, light: Texture): Promise<Stage> {
    const renderer = new WebGLRenderer();
    await renderer.init({ canvas, backgroundColor: NIGHT, antialias: false, autoDensity: false });
    return new Stage(renderer, light);
  }

  get width(): number {
    return this.#width;
  }

  get height(): number {
    return this.#height;
  }

  get view(): View {
    return this.#view;
  }

  resize(width: number, height: number, ratio: number): void {
    this.#width = width;
    this.#height = height;
    this.#renderer.resize(width, height, ratio);
    this.#lightTexture.resize(
      Math.max(1, Math.ceil(width * LIGHT_SHARE)),
      Math.max(1, Math.ceil(height * LIGHT_SHARE)),
    );
    this.#darkness.setSize(width, height);
  }

  /** What everything stands on: a picture whose left upper corner is the world's origin. `ambient` is the light where there is no lamp. */
  lay(picture: HTMLCanvasElement, pixelsPerUnit: number, ambient: number): void {
    if (this.#ground.texture !== Texture.EMPTY) this.#ground.texture.destroy(true);
    this.#ground.texture = Texture.from(picture, true);
    this.#ground.scale.set(1 / pixelsPerUnit);
    this.#ambient = ambient;
  }

  screenX(x: number): number {
    return (x - this.#view.x) * this.#view.zoom + this.#width / 2;
  }

  screenY(y: number): number {
    return (y - this.#view.y) * this.#view.zoom + this.#height / 2;
  }

  worldX(x: number): number {
    return (x - this.#width / 2) / this.#view.zoom + this.#view.x;
  }

  worldY(y: number): number {
    return (y - this.#height / 2) / this.#view.zoom + this.#view.y;
  }

  begin(view: View): void {
    this.#view = view;
    for (const world of [this.#world, this.#glowWorld]) {
      world.scale.set(view.zoom);
      world.position.set(this.#width / 2 - view.x * view.zoom, this.#height / 2 - view.y * view.zoom);
    }
    const small = view.zoom * LIGHT_SHARE;
    this.#lightWorld.scale.set(small);
    this.#lightWorld.position.set(
      (this.#width / 2) * LIGHT_SHARE - view.x * small,
      (this.#height / 2) * LIGHT_SHARE - view.y * small,
    );
  }

  /** Whether something of that size is on the screen. */
  isSeen(x: number, y: number, radius: number): boolean {
    const { x: atX, y: atY, zoom } = this.#view;
    return Math.abs(x - atX) < this.#width / 2 / zoom + radius && Math.abs(y - atY) < this.#height / 2 / zoom + radius;
  }

  put(layer: LayerName, texture: Texture, x: number, y: number, look: Look = {}): void {
    const { rotation = 0, scale = 1, stretch = 1, tint = 0xffffff, alpha = 1 } = look;
    const sprite = this.#pools[layer].next(texture);
    sprite.position.set(x, y);
    sprite.rotation = rotation;
    sprite.scale.set(scale * stretch, scale);
    sprite.tint = tint;
    sprite.alpha = alpha;
  }

  light(x: number, y: number, radius: number, tint: number, strength = 1): void {
    if (!this.isSeen(x, y, radius)) return;
    const sprite = this.#lights.next(this.#lightPicture);
    sprite.position.set(x, y);
    sprite.scale.set(radius / LIGHT_REACH);
    sprite.tint = tint;
    sprite.alpha = strength;
  }

  end(): void {
    for (const name of LAYERS) this.#pools[name].finish();
    this.#lights.finish();
    this.#renderer.render({
      container: this.#lightWorld,
      target: this.#lightTexture,
      clear: true,
      clearColor: this.#ambient,
    });
    this.#renderer.render({ container: this.#root, clear: true });
  }
}
