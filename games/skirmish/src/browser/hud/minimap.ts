/** The map from above: ground, fog, pieces, alarms, and what the camera shows. A press goes there, a right press orders. Ten times a second is enough. */

import { FOG_CELL, HIGHEST_GROUND, WATER_HEIGHT } from "../../state.ts";
import type { Terrain } from "../../terrain/terrain.ts";
import type { Camera, Spot } from "../camera.ts";
import type { Field } from "../field.ts";
import type { Pieces } from "../picture.ts";
import type { Alarm } from "./alarms.ts";

const EVERY_MS = 100;
const ALARM_MS = 4000;
/** How dark what is not seen now is, and what was never seen. */
const VEILS: readonly number[] = [225, 95, 0];

export interface MinimapHandlers {
  goTo(x: number, y: number): void;
  order(x: number, y: number, queued: boolean): void;
}

export class Minimap {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  #terrain: Terrain | undefined;
  #ground: HTMLCanvasElement | undefined;
  #fog: { readonly image: ImageData; readonly canvas: HTMLCanvasElement } | undefined;
  #drawnMs = Number.NEGATIVE_INFINITY;
  #size = 0;
  readonly #spot: Spot = { x: 0, y: 0 };

  constructor(canvas: HTMLCanvasElement, until: AbortSignal, handlers: MinimapHandlers) {
    this.#canvas = canvas;
    this.#context = canvas.getContext("2d")!;
    new ResizeObserver(() => {
      this.#size = canvas.clientWidth;
    }).observe(canvas);
    const at = (event: PointerEvent): [number, number] => {
      const { left, top, width } = canvas.getBoundingClientRect();
      const scale = (this.#terrain?.size ?? 0) / width;
      return [(event.clientX - left) * scale, (event.clientY - top) * scale];
    };
    const down = (event: PointerEvent): void => {
      event.preventDefault();
      if (event.button === 2) return handlers.order(...at(event), event.shiftKey);
      canvas.setPointerCapture(event.pointerId);
      handlers.goTo(...at(event));
    };
    const move = (event: PointerEvent): void => {
      if (canvas.hasPointerCapture(event.pointerId)) handlers.goTo(...at(event));
    };
    canvas.addEventListener("contextmenu", (event) => event.preventDefault(), { signal: until });
    canvas.addEventListener("pointerdown", down, { signal: until });
    canvas.addEventListener("pointermove", move, { signal: until });
  }

  enter(terrain: Terrain): void {
    this.#terrain = terrain;
    this.#ground = groundOf(terrain);
    const across = Math.ceil(terrain.size / FOG_CELL);
    const canvas = newCanvas(across);
    this.#fog = { canvas, image: canvas.getContext("2d")!.createImageData(across, across) };
    this.#drawnMs = Number.NEGATIVE_INFINITY;
  }

  draw(field: Field, camera: Camera, colours: readonly number[], alarms: readonly Alarm[], nowMs: number): void {
    if (nowMs - this.#drawnMs < EVERY_MS || this.#ground === undefined) return;
    this.#drawnMs = nowMs;
    const scale = this.#fit(field.terrain.size);
    const context = this.#context;
    const { width } = this.#canvas;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.imageSmoothingEnabled = true;
    context.drawImage(this.#ground, 0, 0, width, width);
    this.#drawOre(field.ore, scale);
    this.#drawPieces(field.remembered, colours, scale, 5, 0.6);
    this.#drawPieces(field.buildings, colours, scale, 5.5, 1);
    this.#drawFog(field);
    this.#drawPieces(field.units, colours, scale, 2.6, 1);
    this.#drawAlarms(alarms, scale, nowMs);
    this.#drawCamera(camera, scale);
  }

  #fit(size: number): number {
    const width = Math.max(1, Math.round(this.#size * Math.min(2, devicePixelRatio)));
    if (this.#canvas.width !== width) this.#canvas.width = this.#canvas.height = width;
    return width / size;
  }

  #drawFog({ fog }: Field): void {
    if (fog === undefined || this.#fog === undefined) return;
    const { image, canvas } = this.#fog;
    const { data } = image;
    for (let cell = 0; cell < fog.cells.length; cell++) data[cell * 4 + 3] = VEILS[fog.cells[cell]!]!;
    canvas.getContext("2d")!.putImageData(image, 0, 0);
    this.#context.drawImage(canvas, 0, 0, this.#canvas.width, this.#canvas.width);
  }

  #drawOre({ count, x, y }: Pieces, scale: number): void {
    const context = this.#context;
    context.fillStyle = "#ffd76a";
    const size = 2.4 * Math.min(2, devicePixelRatio);
    for (let row = 0; row < count; row++)
      context.fillRect(x[row]! * scale - size / 2, y[row]! * scale - size / 2, size, size);
  }

  #drawPieces(pieces: Pieces, colours: readonly number[], scale: number, edge: number, alpha: number): void {
    const { count, x, y, side } = pieces;
    const context = this.#context;
    const size = edge * Math.min(2, devicePixelRatio);
    context.globalAlpha = alpha;
    let painted = -1;
    for (let row = 0; row < count; row++) {
      if (side[row] !== painted) {
        painted = side[row]!;
        context.fillStyle = `#${(colours[painted] ?? 0xffffff).toString(16).padStart(6, "0")}`;
      }
      context.fillRect(x[row]! * scale - size / 2, y[row]! * scale - size / 2, size, size);
    }
    context.globalAlpha = 1;
  }

  #drawAlarms(alarms: readonly Alarm[], scale: number, nowMs: number): void {
    const context = this.#context;
    for (const { x, y, atMs } of alarms) {
      const age = (nowMs - atMs) / ALARM_MS;
      if (age > 1) continue;
      context.strokeStyle = `rgb(255 70 70 / ${1 - age})`;
      context.lineWidth = 2 * Math.min(2, devicePixelRatio);
      context.beginPath();
      context.arc(x * scale, y * scale, 4 + ((age * 4) % 1) * 18 * Math.min(2, devicePixelRatio), 0, 2 * Math.PI);
      context.stroke();
    }
  }

  #drawCamera(camera: Camera, scale: number): void {
    const context = this.#context;
    const corners = [
      [0, 0],
      [camera.width, 0],
      [camera.width, camera.height],
      [0, camera.height],
    ] as const;
    context.beginPath();
    for (const [sx, sy] of corners) {
      const { x, y } = camera.toWorld(sx, sy, this.#spot);
      context.lineTo(x * scale, y * scale);
    }
    context.closePath();
    context.strokeStyle = "rgb(255 255 255 / 0.95)";
    context.lineWidth = 1.5 * Math.min(2, devicePixelRatio);
    context.stroke();
  }
}

function newCanvas(size: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  return canvas;
}

/** One point for each tile: water, land by its height, and what cannot be walked. */
function groundOf(terrain: Terrain): HTMLCanvasElement {
  const canvas = newCanvas(terrain.tiles);
  const context = canvas.getContext("2d")!;
  const image = context.createImageData(terrain.tiles, terrain.tiles);
  for (let tile = 0; tile < terrain.walkable.length; tile++) {
    const height = terrain.tileHeight(tile);
    const level = Math.min(1, Math.max(0, (height - WATER_HEIGHT) / (HIGHEST_GROUND - WATER_HEIGHT)));
    const light = terrain.walkable[tile] === 1 ? 1 : 0.55;
    const [r, g, b] = terrain.isWater(tile)
      ? [24, 58 + height, 92 + height]
      : [(62 + 92 * level) * light, (86 + 66 * level) * light, (58 + 48 * level) * light];
    image.data.set([r, g, b, 255], tile * 4);
  }
  context.putImageData(image, 0, 0);
  return canvas;
}
