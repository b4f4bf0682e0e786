/** Paints a dungeon from above, once: flagstones, rock with lit rims and brick faces, moss, and shade along the walls. Also says where torches hang. */

import type { Layout } from "../../dungeon/layout.ts";
import { GRID, TILE } from "../../dungeon/numbers.ts";
import { grain, INK, mixed } from "./palette.ts";

export const DUNGEON_PIXELS = 1.5;
/** Colour of the light where no lamp is. */
export const DUNGEON_AMBIENT = 0x4d5a86;

export interface Torch {
  readonly x: number;
  readonly y: number;
}

export function paintDungeon(layout: Layout): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = GRID * TILE * DUNGEON_PIXELS;
  const context = canvas.getContext("2d")!;
  context.scale(DUNGEON_PIXELS, DUNGEON_PIXELS);
  context.fillStyle = INK.rock;
  context.fillRect(0, 0, GRID * TILE, GRID * TILE);
  const isWall = (column: number, row: number): boolean => layout.walls[row * GRID + column] !== 0;
  for (let row = 0; row < GRID; row++)
    for (let column = 0; column < GRID; column++)
      if (!isWall(column, row)) flagstones(context, column, row, layout.seed);
  for (let row = 0; row < GRID; row++)
    for (let column = 0; column < GRID; column++) if (!isWall(column, row)) shade(context, column, row, isWall);
  for (let row = 0; row < GRID; row++)
    for (let column = 0; column < GRID; column++)
      if (isWall(column, row)) rock(context, column, row, isWall, layout.seed);
  return canvas;
}

/** On brick faces, some tiles apart. */
export function torchesOf(layout: Layout): Torch[] {
  const torches: Torch[] = [];
  for (let row = 1; row < GRID - 1; row++)
    for (let column = 1; column < GRID - 1; column++) {
      const isFace = layout.walls[row * GRID + column] === 1 && layout.walls[(row + 1) * GRID + column] === 0;
      if (!isFace || (column * 3 + row * 5 + (layout.seed & 7)) % 7 !== 0) continue;
      torches.push({ x: (column + 0.5) * TILE, y: (row + 0.62) * TILE });
    }
  return torches;
}

function flagstones(context: CanvasRenderingContext2D, column: number, row: number, seed: number): void {
  const x = column * TILE;
  const y = row * TILE;
  // Two or four stones on a tile, laid as the dice fall.
  const parts = grain(column, row, seed) < 0.4 ? 1 : 2;
  const size = TILE / parts;
  for (let down = 0; down < parts; down++)
    for (let right = 0; right < parts; right++) {
      const tone = grain(column * 2 + right, row * 2 + down, seed + 1);
      const mossy = grain(column >> 1, row >> 1, seed + 2) > 0.8 ? 0.3 : 0.06;
      const colour = mixed(INK.floorDark, INK.floorLight, 0.15 + tone * 0.5);
      context.fillStyle = INK.brickDark;
      context.fillRect(x + right * size, y + down * size, size, size);
      context.fillStyle = colour;
      context.fillRect(x + right * size + 0.7, y + down * size + 0.7, size - 1.2, size - 1.2);
      context.fillStyle = "rgb(255 255 255 / 0.05)";
      context.fillRect(x + right * size + 0.7, y + down * size + 0.7, size - 1.2, 1);
      context.globalAlpha = mossy * tone;
      context.fillStyle = INK.moss;
      context.fillRect(x + right * size + 1, y + down * size + 1, size - 2, size - 2);
      context.globalAlpha = 1;
    }
}

/** Floor beside walls lies in shade; most under a wall in the north. */
function shade(
  context: CanvasRenderingContext2D,
  column: number,
  row: number,
  isWall: (column: number, row: number) => boolean,
): void {
  const x = column * TILE;
  const y = row * TILE;
  const side = (fromX: number, fromY: number, toX: number, toY: number, strength: number): void => {
    const gradient = context.createLinearGradient(fromX, fromY, toX, toY);
    gradient.addColorStop(0, `rgb(3 5 12 / ${strength})`);
    gradient.addColorStop(1, "rgb(3 5 12 / 0)");
    context.fillStyle = gradient;
    context.fillRect(x, y, TILE, TILE);
  };
  if (isWall(column, row - 1)) side(x, y, x, y + TILE * 0.9, 0.7);
  if (isWall(column, row + 1)) side(x, y + TILE, x, y + TILE * 0.5, 0.35);
  if (isWall(column - 1, row)) side(x, y, x + TILE * 0.6, y, 0.5);
  if (isWall(column + 1, row)) side(x + TILE, y, x + TILE * 0.4, y, 0.5);
}

function rock(
  context: CanvasRenderingContext2D,
  column: number,
  row: number,
  isWall: (column: number, row: number) => boolean,
  seed: number,
): void {
  const x = column * TILE;
  const y = row * TILE;
  const isOpen = (right: number, down: number): boolean =>
    column + right > 0 &&
    row + down > 0 &&
    column + right < GRID &&
    row + down < GRID &&
    !isWall(column + right, row + down);
  const isSeen = [-1, 0, 1].some((right) => [-1, 0, 1].some((down) => isOpen(right, down)));
  if (!isSeen) return;
  context.fillStyle = mixed(INK.rock, INK.rockTop, 0.6 + grain(column, row, seed) * 0.4);
  context.fillRect(x, y, TILE, TILE);
  if (isOpen(0, 1)) bricks(context, x, y, column, row, seed);
  context.fillStyle = INK.rockRim;
  if (isOpen(0, -1)) context.fillRect(x, y, TILE, 2);
  if (isOpen(-1, 0)) context.fillRect(x, y, 1.6, TILE);
  if (isOpen(1, 0)) context.fillRect(x + TILE - 1.6, y, 1.6, TILE);
}

/** The face that a wall turns to whoever stands south of it. */
function bricks(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  column: number,
  row: number,
  seed: number,
): void {
  const top = y + TILE * 0.34;
  context.fillStyle = INK.rockRim;
  context.fillRect(x, top - 2, TILE, 2);
  context.fillStyle = INK.brickDark;
  context.fillRect(x, top, TILE, TILE * 0.66);
  for (let course = 0; course < 3; course++) {
    const shift = ((course + column) % 2) * 6;
    for (let brick = -1; brick < 2; brick++) {
      const left = Math.max(x, x + brick * 12 + shift);
      const right = Math.min(x + TILE, x + brick * 12 + shift + 11);
      if (right <= left) continue;
      const tone = grain(column * 4 + brick, row * 3 + course, seed + 3);
      context.fillStyle = mixed(INK.brickDark, INK.brick, 0.45 + tone * 0.55);
      context.fillRect(left, top + 0.6 + course * 5.2, right - left, 4.4);
    }
  }
}
