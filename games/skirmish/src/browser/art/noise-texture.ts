/** A texture of noise that repeats without a seam: fine grain in red, blotches in green, cracks in blue, slow waves in alpha. */

import { BufferImageSource } from "pixi.js";
import { grain } from "./palette.ts";

const SIZE = 256;

export function paintNoise(): BufferImageSource {
  const texels = new Uint8Array(SIZE * SIZE * 4);
  for (let row = 0; row < SIZE; row++) {
    for (let column = 0; column < SIZE; column++) {
      const at = (row * SIZE + column) * 4;
      const fine = 0.5 * smooth(column, row, 2, 1) + 0.5 * grain(column, row, 2);
      const blotch =
        0.5 * smooth(column, row, 32, 3) + 0.3 * smooth(column, row, 16, 4) + 0.2 * smooth(column, row, 8, 5);
      const crack = 1 - Math.abs(smooth(column, row, 32, 6) + 0.35 * smooth(column, row, 8, 7) - 0.675) * 2.4;
      const wave = 0.6 * smooth(column, row, 32, 8) + 0.4 * smooth(column, row, 16, 9);
      texels[at] = fine * 255;
      texels[at + 1] = blotch * 255;
      texels[at + 2] = Math.max(0, Math.min(1, crack)) * 255;
      texels[at + 3] = wave * 255;
    }
  }
  return new BufferImageSource({
    resource: texels,
    width: SIZE,
    height: SIZE,
    format: "rgba8unorm",
    alphaMode: "no-premultiply-alpha",
    scaleMode: "linear",
    mipmapFilter: "nearest",
    addressMode: "repeat",
    autoGenerateMipmaps: true,
  });
}

/** Noise with one value every `cell` texels and soft ways between; `cell` divides the texture. */
function smooth(column: number, row: number, cell: number, salt: number): number {
  const count = SIZE / cell;
  const [x, y] = [column / cell, row / cell];
  const [x0, y0] = [Math.floor(x), Math.floor(y)];
  const [u, v] = [x - x0, y - y0];
  const [eu, ev] = [u * u * (3 - 2 * u), v * v * (3 - 2 * v)];
  const value = (dx: number, dy: number): number => grain((x0 + dx) % count, (y0 + dy) % count, salt);
  const top = value(0, 0) * (1 - eu) + value(1, 0) * eu;
  const bottom = value(0, 1) * (1 - eu) + value(1, 1) * eu;
  return top * (1 - ev) + bottom * ev;
}
