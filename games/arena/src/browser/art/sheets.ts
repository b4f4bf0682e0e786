/**
 * The level from far above: floor and walls in few large sheets, each a coarse copy of the squares it covers. Where a screen shows forty squares, two
 * to six sheets are copied instead.
 */

import { newPicture, type Picture } from "./picture.ts";

/** Side of a sheet, world units; one pixel for each. */
const SIDE = 1000;

interface Sheet {
  readonly x: number;
  readonly y: number;
  readonly floor: CanvasRenderingContext2D;
  readonly tops: CanvasRenderingContext2D;
}

export class Sheets {
  readonly #sheets: readonly Sheet[];

  constructor(level: { readonly width: number; readonly height: number }) {
    const sheets: Sheet[] = [];
    for (let y = 0; y < level.height; y += SIDE) {
      for (let x = 0; x < level.width; x += SIDE) {
        const [width, height] = [Math.min(SIDE, level.width - x), Math.min(SIDE, level.height - y)];
        sheets.push({ x, y, floor: layerOf(x, y, width, height), tops: layerOf(x, y, width, height) });
      }
    }
    this.#sheets = sheets;
  }

  /** Takes over a square of the level as it is painted now. `tops` is undefined where no wall stands. */
  take(floor: Picture, tops: Picture | undefined, x: number, y: number, side: number): void {
    for (const sheet of this.#within(x, y, x + side, y + side)) {
      sheet.floor.drawImage(floor, x, y, side, side);
      sheet.tops.clearRect(x, y, side, side);
      if (tops) sheet.tops.drawImage(tops, x, y, side, side);
    }
  }

  /** Paints onto the floor. */
  mark(picture: Picture, x: number, y: number, size: number, opacity: number): void {
    for (const { floor } of this.#within(x, y, x + size, y + size)) {
      floor.globalAlpha = opacity;
      floor.drawImage(picture, x, y, size, size);
      floor.globalAlpha = 1;
    }
  }

  /** Copies what lies within an area; the context has world units. */
  draw(
    context: CanvasRenderingContext2D,
    what: "floor" | "tops",
    left: number,
    top: number,
    right: number,
    bottom: number,
  ): void {
    for (const sheet of this.#sheets) {
      const { canvas } = sheet[what];
      if (sheet.x > right || sheet.y > bottom || sheet.x + canvas.width < left || sheet.y + canvas.height < top)
        continue;
      // A little more than its share hides the hairline between two sheets.
      context.drawImage(canvas, sheet.x, sheet.y, canvas.width + 0.4, canvas.height + 0.4);
    }
  }

  #within(left: number, top: number, right: number, bottom: number): Sheet[] {
    return this.#sheets.filter(({ x, y }) => x < right && y < bottom && x + SIDE > left && y + SIDE > top);
  }
}

function layerOf(x: number, y: number, width: number, height: number): CanvasRenderingContext2D {
  const context = newPicture(width, height);
  context.setTransform(1, 0, 0, 1, -x, -y);
  context.imageSmoothingQuality = "high";
  return context;
}
