/**
 * Where players were (F fig. 5.10): positions of all rounds on a grid over the map, as a picture. Dark is nobody, through violet and orange to
 * yellow for most; walls are drawn in grey so that corridors show.
 */

import { encodePng } from "./png.ts";
import type { Recording, Stance } from "./recording.ts";

/** World units along a side of a square of the grid. */
const SQUARE = 5;
/** Pixels along the longer side of the picture, about. */
const PICTURE = 900;
/** Exponent below 1, so that paths are visible beside the few places where many players stand. */
const CONTRAST = 0.45;
/** Colours from nobody to most, evenly spaced. */
const RAMP: readonly (readonly [number, number, number])[] = [
  [10, 8, 26],
  [62, 15, 94],
  [146, 36, 103],
  [221, 81, 58],
  [251, 161, 26],
  [252, 255, 164],
];
const WALL: readonly [number, number, number] = [52, 56, 66];

export interface HeatMap {
  readonly columns: number;
  readonly rows: number;
  readonly counts: Float64Array;
}

/** @param isCounted whether a bot's place in a round is one to count. */
export function heatMapOf(
  recording: Recording,
  width: number,
  height: number,
  isCounted: (recording: Recording, round: number, bot: number) => boolean,
): HeatMap {
  const columns = Math.ceil(width / SQUARE);
  const rows = Math.ceil(height / SQUARE);
  const counts = new Float64Array(columns * rows);
  const stance: Stance = { x: 0, y: 0, heading: 0 };
  for (let round = 0; round < recording.rounds; round++) {
    for (let bot = 0; bot < recording.avatars; bot++) {
      if (!recording.stanceAt(round, bot, stance) || !isCounted(recording, round, bot)) continue;
      const column = Math.min(columns - 1, Math.max(0, Math.floor(stance.x / SQUARE)));
      const row = Math.min(rows - 1, Math.max(0, Math.floor(stance.y / SQUARE)));
      counts[row * columns + column]! += 1;
    }
  }
  return { columns, rows, counts };
}

/** @param isWall whether something stands at this place of the world. */
export function heatMapPng({ columns, rows, counts }: HeatMap, isWall: (x: number, y: number) => boolean): Uint8Array {
  const scale = Math.max(1, Math.round(PICTURE / Math.max(columns, rows)));
  const heat = softened(counts, columns, rows);
  const most = heat.reduce((max, value) => Math.max(max, value), 1);
  const width = columns * scale;
  const rgb = new Uint8Array(width * rows * scale * 3);
  for (let y = 0; y < rows * scale; y++) {
    for (let x = 0; x < width; x++) {
      const column = Math.floor(x / scale);
      const row = Math.floor(y / scale);
      const place = isWall((column + 0.5) * SQUARE, (row + 0.5) * SQUARE);
      const share = between(heat, columns, rows, x / scale - 0.5, y / scale - 0.5) / most;
      rgb.set(place ? WALL : colourOf(share ** CONTRAST), (y * width + x) * 3);
    }
  }
  return encodePng(width, rows * scale, rgb);
}

/** Each square with a part of its neighbours', so that single steps do not show as specks. */
function softened(counts: Float64Array, columns: number, rows: number): Float64Array {
  const out = new Float64Array(counts.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      let sum = 0;
      for (let dy = -1; dy <= 1; dy++) {
        for (let dx = -1; dx <= 1; dx++) {
          if (row + dy < 0 || row + dy >= rows || column + dx < 0 || column + dx >= columns) continue;
          sum += counts[(row + dy) * columns + column + dx]! * (dx === 0 ? 2 : 1) * (dy === 0 ? 2 : 1);
        }
      }
      out[row * columns + column] = sum / 16;
    }
  }
  return out;
}

function between(heat: Float64Array, columns: number, rows: number, x: number, y: number): number {
  const column = Math.max(0, Math.min(columns - 2, Math.floor(x)));
  const row = Math.max(0, Math.min(rows - 2, Math.floor(y)));
  const u = Math.max(0, Math.min(1, x - column));
  const v = Math.max(0, Math.min(1, y - row));
  const at = row * columns + column;
  const above = heat[at]! * (1 - u) + heat[at + 1]! * u;
  const below = heat[at + columns]! * (1 - u) + heat[at + columns + 1]! * u;
  return above * (1 - v) + below * v;
}

/** Colours from nobody to most, in fine steps. */
const COLOURS: readonly (readonly number[])[] = Array.from({ length: 256 }, (_, step) => {
  const at = (step / 256) * (RAMP.length - 1);
  const index = Math.floor(at);
  return RAMP[index]!.map((value, i) => Math.round(value + (RAMP[index + 1]![i]! - value) * (at - index)));
});

function colourOf(share: number): readonly number[] {
  return COLOURS[Math.max(0, Math.min(COLOURS.length - 1, Math.floor(share * COLOURS.length)))]!;
}
