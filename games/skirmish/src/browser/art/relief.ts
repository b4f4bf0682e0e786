/**
 * The ground in finer steps than its tiles, for the shader that draws it: by texel the rise along x and y, the height, and how much higher the ground around
 * is. Heights between the corners of tiles follow a smooth curve; a small wobble keeps cliffs from running along the grid.
 */

import { BufferImageSource } from "pixi.js";
import { TILE } from "../../state.ts";
import type { Terrain } from "../../terrain/terrain.ts";
import { grain } from "./palette.ts";

/** Texels along the edge of a tile. */
const FINENESS = 4;
/** World units by which a place is moved before its height is read. */
const WOBBLE = 5;
/** Texels to each hand whose mean height counts as the ground around. */
const AROUND = 7;

export interface Relief {
  readonly source: BufferImageSource;
  /** Texels in a row. The first and the last lie on the map's edges. */
  readonly across: number;
}

export function reliefOf(terrain: Terrain): Relief {
  const across = terrain.tiles * FINENESS + 1;
  const heights = fineHeights(terrain, across);
  const means = meanHeights(heights, across);
  const step = (2 * TILE) / FINENESS;
  const texels = new Uint16Array(across * across * 4);
  for (let row = 0; row < across; row++) {
    const above = Math.max(0, row - 1) * across;
    const below = Math.min(across - 1, row + 1) * across;
    for (let column = 0; column < across; column++) {
      const at = row * across + column;
      const left = row * across + Math.max(0, column - 1);
      const right = row * across + Math.min(across - 1, column + 1);
      texels[at * 4] = half((heights[right]! - heights[left]!) / step);
      texels[at * 4 + 1] = half((heights[below + column]! - heights[above + column]!) / step);
      texels[at * 4 + 2] = half(heights[at]!);
      texels[at * 4 + 3] = half(means[at]! - heights[at]!);
    }
  }
  const source = new BufferImageSource({
    resource: texels,
    width: across,
    height: across,
    format: "rgba16float",
    alphaMode: "no-premultiply-alpha",
    scaleMode: "linear",
    addressMode: "clamp-to-edge",
  });
  return { source, across };
}

function fineHeights(terrain: Terrain, across: number): Float32Array {
  const heights = new Float32Array(across * across);
  const { corners, tiles } = terrain;
  const wide = tiles + 1;
  const line = (index: number): number => (index < 0 ? 0 : index > tiles ? tiles : index);
  for (let row = 0; row < across; row++) {
    for (let column = 0; column < across; column++) {
      const x = column / FINENESS + (WOBBLE / TILE) * wobble(column, row, 1);
      const y = row / FINENESS + (WOBBLE / TILE) * wobble(column, row, 2);
      const [x0, y0] = [Math.floor(x), Math.floor(y)];
      const [u, v] = [x - x0, y - y0];
      let height = 0;
      for (let near = -1; near <= 2; near++) {
        const at = line(y0 + near) * wide;
        height +=
          weight(near, v) *
          (weight(-1, u) * corners[at + line(x0 - 1)]! +
            weight(0, u) * corners[at + line(x0)]! +
            weight(1, u) * corners[at + line(x0 + 1)]! +
            weight(2, u) * corners[at + line(x0 + 2)]!);
      }
      heights[row * across + column] = Math.max(0, height);
    }
  }
  return heights;
}

/** Share of the corner `near` steps away in the height at `share` of the way to the next one: a curve through all corners (Catmull–Rom). */
function weight(near: number, share: number): number {
  const t = share;
  if (near === -1) return ((2 - t) * t - 1) * t * 0.5;
  if (near === 0) return ((3 * t - 5) * t * t + 2) * 0.5;
  if (near === 1) return ((4 - 3 * t) * t + 1) * t * 0.5;
  return (t - 1) * t * t * 0.5;
}

/** Smooth noise from −1 to 1; one swing takes about a tile. */
function wobble(column: number, row: number, salt: number): number {
  const [x, y] = [column / 5, row / 5];
  const [x0, y0] = [Math.floor(x), Math.floor(y)];
  const [u, v] = [x - x0, y - y0];
  const [eu, ev] = [u * u * (3 - 2 * u), v * v * (3 - 2 * v)];
  const top = grain(x0, y0, salt) * (1 - eu) + grain(x0 + 1, y0, salt) * eu;
  const bottom = grain(x0, y0 + 1, salt) * (1 - eu) + grain(x0 + 1, y0 + 1, salt) * eu;
  return (top * (1 - ev) + bottom * ev) * 2 - 1;
}

/** Mean heights of squares around each texel: sums along rows, then along columns. */
function meanHeights(heights: Float32Array, across: number): Float32Array {
  const rows = new Float32Array(heights.length);
  const means = new Float32Array(heights.length);
  for (let line = 0; line < across; line++) {
    slide(heights, rows, line * across, 1, across);
  }
  for (let line = 0; line < across; line++) {
    slide(rows, means, line, across, across);
  }
  return means;
}

function slide(from: Float32Array, to: Float32Array, start: number, stride: number, count: number): void {
  const read = (index: number): number => from[start + Math.min(count - 1, Math.max(0, index)) * stride]!;
  let sum = 0;
  for (let index = -AROUND; index <= AROUND; index++) sum += read(index);
  for (let index = 0; index < count; index++) {
    to[start + index * stride] = sum / (2 * AROUND + 1);
    sum += read(index + AROUND + 1) - read(index - AROUND);
  }
}

const single = new Float32Array(1);
const bits = new Uint32Array(single.buffer);

/** A number in 16 bits, as textures keep it. What is nearer to 0 than 2⁻¹⁴ becomes 0. */
function half(value: number): number {
  single[0] = value;
  const all = bits[0]!;
  const exponent = ((all >>> 23) & 255) - 112;
  if (exponent <= 0) return 0;
  return ((all >>> 16) & 0x8000) | (exponent << 10) | ((all >>> 13) & 0x3ff);
}
