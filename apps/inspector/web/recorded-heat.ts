/** Where objects were during a whole recording: the heat map of its frames, worked out in the page. */

import type { HeatTell, RecordedFrame, TypeSummary } from "./feed-types.ts";
import type { Box } from "./map/transform.ts";

const MOST_CELLS = 64;
/** Frames that are looked at: of longer recordings every so many-th. */
const MOST_LOOKS = 1500;

/** @returns undefined if no object has a position */
export function recordedHeat(
  frames: readonly RecordedFrame[],
  types: readonly TypeSummary[],
  box: Box | undefined,
): HeatTell | undefined {
  const world = box ?? boxAround(frames);
  const [width, height] = world === undefined ? [0, 0] : [world.maxX - world.minX, world.maxY - world.minY];
  if (world === undefined || !(width > 0 && height > 0)) return undefined;
  const cell = Math.max(width, height) / MOST_CELLS;
  const [columns, rows] = [Math.max(1, Math.round(width / cell)), Math.max(1, Math.round(height / cell))];
  const counts = new Array<number>(columns * rows).fill(0);
  const type = typeOf(frames, types);
  const stride = Math.max(1, Math.ceil(frames.length / MOST_LOOKS));
  let samples = 0;
  for (let index = 0; index < frames.length; index += stride) {
    const { map } = frames[index]!;
    samples += 1;
    for (const [at, own] of map.types.entries()) {
      if (own !== type) continue;
      const column = within(Math.floor(((map.x[at]! - world.minX) / width) * columns), columns);
      const row = within(Math.floor(((map.y[at]! - world.minY) / height) * rows), rows);
      counts[row * columns + column]! += 1;
    }
  }
  const most = counts.reduce((high, count) => Math.max(high, count), 0);
  const [x, y]: [number, number][] = [
    [world.minX, world.maxX],
    [world.minY, world.maxY],
  ];
  return { tell: "heat", room: "", type, columns, rows, x: x!, y: y!, counts, samples, most };
}

/** The first type that players own objects of, else the first with a place. */
function typeOf(frames: readonly RecordedFrame[], types: readonly TypeSummary[]): number {
  for (const { map } of frames) {
    const owned = map.owners.findIndex((owner) => owner !== 0);
    if (owned >= 0) return map.types[owned]!;
  }
  return types.findIndex(({ axes }) => axes > 1);
}

function boxAround(frames: readonly RecordedFrame[]): Box | undefined {
  let box: Box | undefined;
  for (const { map } of frames) {
    for (const [at, x] of map.x.entries()) {
      const y = map.y[at]!;
      box = {
        minX: Math.min(box?.minX ?? x, x),
        maxX: Math.max(box?.maxX ?? x, x),
        minY: Math.min(box?.minY ?? y, y),
        maxY: Math.max(box?.maxY ?? y, y),
      };
    }
  }
  return box;
}

function within(cell: number, cells: number): number {
  return Math.min(cells - 1, Math.max(0, cell));
}
