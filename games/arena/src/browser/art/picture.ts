/**
 * Small pictures that are painted once and copied often: a canvas off the page to paint on, the finished picture made of it, and soft dots of light
 * in any colour.
 */

import { fade } from "./palette.ts";

/** A canvas can still be painted on. A bitmap cannot, and is copied in two thirds of the time: the browser need not ask whether it changed. */
export type Picture = HTMLCanvasElement | ImageBitmap;

export function newPicture(width: number, height: number = width): CanvasRenderingContext2D {
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(width);
  canvas.height = Math.ceil(height);
  return canvas.getContext("2d")!;
}

/** The picture as it is now, for good. */
export function finished({ canvas }: CanvasRenderingContext2D): ImageBitmap {
  const copy = new OffscreenCanvas(canvas.width, canvas.height);
  copy.getContext("2d")!.drawImage(canvas, 0, 0);
  return copy.transferToImageBitmap();
}

/** A round glow that is brightest in the middle. */
export function glow(colour: string, size = 64, core = 0): Picture {
  const context = newPicture(size);
  const light = context.createRadialGradient(size / 2, size / 2, 0, size / 2, size / 2, size / 2);
  light.addColorStop(0, core > 0 ? "#ffffff" : colour);
  light.addColorStop(Math.max(0.01, core), colour);
  light.addColorStop(Math.max(0.02, core) + (1 - core) * 0.35, fade(colour, 0.32));
  light.addColorStop(1, fade(colour, 0));
  context.fillStyle = light;
  context.fillRect(0, 0, size, size);
  return finished(context);
}

/** Numbers from 0 to 1 that look like dice and are the same every time: for grain, plates and stains. */
export function grain(x: number, y: number, salt = 0): number {
  let hash = Math.imul(x | 0, 374761393) + Math.imul(y | 0, 668265263) + Math.imul(salt, 2147483647);
  hash = Math.imul(hash ^ (hash >>> 13), 1274126177);
  return ((hash ^ (hash >>> 16)) >>> 0) / 4294967296;
}
