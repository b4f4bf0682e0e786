/**
 * Paints the floor of one square of the level: plates, paint, stains, pools of light, and the shadows that walls throw. Painted once per
 * square and then only copied, so it may take its time (a few milliseconds).
 */

import type { Ground, Rect } from "./ground.ts";
import { fade, mix, quarterColour } from "./palette.ts";
import { glow, grain, type Picture } from "./picture.ts";
import { paintSoft } from "./soft-light.ts";

/** Side of a plate, world units. */
const PLATE = 50;
/** A painted frame with a number every so many units. */
const BLOCK = 250;
/** Lamps hang about this far apart. */
const LAMPS = 190;

export function paintFloor(context: CanvasRenderingContext2D, ground: Ground, area: Rect): void {
  paintPlates(context, ground, area);
  paintStreets(context, ground, area);
  paintBlocks(context, ground, area);
  paintStains(context, area);
  paintLamps(context, ground, area);
  const walls = wallsNear(ground.walls, area, 60);
  if (walls.length === 0) return;
  paintSoft(context, ground, walls, area);
}

export function wallsNear(walls: readonly Rect[], area: Rect, margin: number): Rect[] {
  return walls.filter(
    ({ x, y, width, height }) =>
      x < area.x + area.width + margin &&
      y < area.y + area.height + margin &&
      x + width > area.x - margin &&
      y + height > area.y - margin,
  );
}

function paintPlates(context: CanvasRenderingContext2D, ground: Ground, { x, y, width, height }: Rect): void {
  context.fillStyle = "#1e2434";
  context.fillRect(x, y, width, height);
  for (let row = Math.floor(y / PLATE); row * PLATE < y + height; row++) {
    for (let column = Math.floor(x / PLATE); column * PLATE < x + width; column++) {
      const tone = grain(column, row);
      const [left, top] = [column * PLATE, row * PLATE];
      const base = mix("#262e42", "#1e2536", tone);
      context.fillStyle = mix(base, quarterColour(ground, left + PLATE / 2, top + PLATE / 2), 0.045);
      context.fillRect(left, top, PLATE, PLATE);
      if (tone > 0.82) ribs(context, left, top);
      context.fillStyle = "rgb(255 255 255 / 0.045)";
      context.fillRect(left, top, PLATE, 0.7);
      context.fillRect(left, top, 0.7, PLATE);
      context.fillStyle = "rgb(0 0 0 / 0.42)";
      context.fillRect(left, top + PLATE - 0.9, PLATE, 0.9);
      context.fillRect(left + PLATE - 0.9, top, 0.9, PLATE);
      context.fillStyle = "rgb(0 0 0 / 0.35)";
      for (const [dx, dy] of [
        [4, 4],
        [PLATE - 5, 4],
        [4, PLATE - 5],
        [PLATE - 5, PLATE - 5],
      ] as const)
        context.fillRect(left + dx, top + dy, 1.3, 1.3);
    }
  }
}

/** Streets are smooth and dark, plazas are laid with small stones. */
function paintStreets(context: CanvasRenderingContext2D, ground: Ground, area: Rect): void {
  const { tile } = ground;
  for (let row = Math.floor(area.y / tile); row * tile < area.y + area.height; row++) {
    for (let column = Math.floor(area.x / tile); column * tile < area.x + area.width; column++) {
      const stuff = ground.stuffAt(column, row);
      if (stuff !== "street" && stuff !== "plaza") continue;
      const [x, y] = [column * tile, row * tile];
      const tone = grain(column, row, 41);
      context.fillStyle = stuff === "street" ? mix("#1a202e", "#171c29", tone) : mix("#333c55", "#2a3348", tone);
      context.fillRect(x, y, tile, tile);
      if (stuff === "street") continue;
      context.fillStyle = "rgb(0 0 0 / 0.3)";
      context.fillRect(x, y + tile - 0.6, tile, 0.6);
      context.fillRect(x + tile - 0.6, y, 0.6, tile);
    }
  }
}

/** A grating: some plates let one look down into the dark. */
function ribs(context: CanvasRenderingContext2D, left: number, top: number): void {
  context.fillStyle = "rgb(0 0 0 / 0.3)";
  context.fillRect(left + 7, top + 7, PLATE - 14, PLATE - 14);
  for (let at = 9; at < PLATE - 9; at += 4) {
    context.fillStyle = "rgb(255 255 255 / 0.055)";
    context.fillRect(left + 8, top + at, PLATE - 16, 1.4);
    context.fillStyle = "rgb(0 0 0 / 0.4)";
    context.fillRect(left + 8, top + at + 1.4, PLATE - 16, 1);
  }
}

function paintBlocks(context: CanvasRenderingContext2D, ground: Ground, { x, y, width, height }: Rect): void {
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.font = "800 62px ui-sans-serif, system-ui, 'DejaVu Sans', sans-serif";
  for (let row = Math.floor((y - BLOCK) / BLOCK); row * BLOCK < y + height; row++) {
    for (let column = Math.floor((x - BLOCK) / BLOCK); column * BLOCK < x + width; column++) {
      const [left, top] = [column * BLOCK, row * BLOCK];
      if (left < 0 || top < 0 || left >= ground.width || top >= ground.height) continue;
      const colour = quarterColour(ground, left + BLOCK / 2, top + BLOCK / 2);
      context.fillStyle = fade(colour, 0.05);
      const name = `${String.fromCharCode(65 + (column % 26))}${row + 1}`;
      context.fillText(name, left + BLOCK / 2, top + BLOCK / 2);
      context.strokeStyle = fade(colour, 0.13);
      context.lineWidth = 1.6;
      context.beginPath();
      for (const [cx, cy, dx, dy] of [
        [left + 6, top + 6, 1, 1],
        [left + BLOCK - 6, top + 6, -1, 1],
        [left + 6, top + BLOCK - 6, 1, -1],
        [left + BLOCK - 6, top + BLOCK - 6, -1, -1],
      ] as const) {
        context.moveTo(cx + dx * 26, cy);
        context.lineTo(cx, cy);
        context.lineTo(cx, cy + dy * 26);
      }
      context.stroke();
    }
  }
}

function paintStains(context: CanvasRenderingContext2D, { x, y, width, height }: Rect): void {
  for (let row = Math.floor(y / 70) - 1; row * 70 < y + height + 70; row++) {
    for (let column = Math.floor(x / 70) - 1; column * 70 < x + width + 70; column++) {
      const dice = grain(column, row, 7);
      if (dice > 0.4) continue;
      const [cx, cy] = [(column + grain(column, row, 8)) * 70, (row + grain(column, row, 9)) * 70];
      const radius = 10 + dice * 55;
      const stain = context.createRadialGradient(cx, cy, 0, cx, cy, radius);
      stain.addColorStop(0, "rgb(0 0 0 / 0.17)");
      stain.addColorStop(1, "rgb(0 0 0 / 0)");
      context.fillStyle = stain;
      context.fillRect(cx - radius, cy - radius, 2 * radius, 2 * radius);
    }
  }
}

function paintLamps(context: CanvasRenderingContext2D, ground: Ground, { x, y, width, height }: Rect): void {
  context.globalCompositeOperation = "lighter";
  for (let row = Math.floor(y / LAMPS) - 1; row * LAMPS < y + height + LAMPS; row++) {
    for (let column = Math.floor(x / LAMPS) - 1; column * LAMPS < x + width + LAMPS; column++) {
      const [cx, cy] = [(column + 0.5 + grain(column, row, 3) * 0.6) * LAMPS, (row + 0.5) * LAMPS];
      if (ground.isSolid(cx, cy)) continue;
      const colour = grain(column, row, 4) < 0.45 ? quarterColour(ground, cx, cy) : "#c8d6ff";
      const radius = 105 + grain(column, row, 5) * 50;
      const light = context.createRadialGradient(cx, cy, 0, cx, cy, radius);
      light.addColorStop(0, fade(colour, 0.17));
      light.addColorStop(0.5, fade(colour, 0.06));
      light.addColorStop(1, fade(colour, 0));
      context.fillStyle = light;
      context.fillRect(cx - radius, cy - radius, 2 * radius, 2 * radius);
    }
  }
  context.globalCompositeOperation = "source-over";
}

/** The mark that a blast leaves on the floor. */
export function scorch(): Picture {
  return glow("#000000", 96);
}
