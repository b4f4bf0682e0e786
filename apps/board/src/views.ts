/**
 * How exact each person's picture of the board is. Two pivots: what the person's screen shows, and the person's cursor. What lies in the rectangle or
 * near the cursor is live, every change in the round in which it is made. What lies farther away arrives later, and at the latest after its bound.
 *
 * A thing reaches farther than its place, so the rectangle is a little larger than the screen. A screen may show more than `MOST_LIVE_SIDE`, since one
 * can zoom out. Then the middle of it is live, and what is near the cursor, wherever that is.
 */

import { limitsOf, type Pivot, type ViewLimits, type ViewSettings } from "@nearfield/core";

/** Outer edges of the zones around the cursor. */
export const RADII = [320, 800, 2000] as const;
/** Outer edges of the zones around the rectangle: it is so many times larger. */
export const FACTORS = [1.6, 4] as const;
/** How late a change may arrive, by zone, ms. Things wait for their bound from the first change that was not sent. */
export const THING_MS = [0, 1000, 4000, 15_000] as const;
/** Pointers and drafts. The first change after a rest goes out at once. */
export const PRESENCE_MS = [0, 500, 2000, 5000] as const;

/** The longest side of a rectangle that is live as a whole, units. */
export const MOST_LIVE_SIDE = 3840;
/** A thing can be seen whose place is so far outside of the screen: notes and texts reach to the right and down, strokes to all sides. */
const MARGIN = { left: 580, top: 580, right: 260, bottom: 260 } as const;

const late = (times: readonly number[]): { time: number }[] => times.map((time) => ({ time }));

export const view: ViewSettings = {
  sets: [
    { match: { type: "cursor" }, radii: RADII, bounds: late(PRESENCE_MS) },
    { match: { type: "draft" }, radii: RADII, bounds: late(PRESENCE_MS) },
    { match: "everything", radii: RADII, bounds: late(THING_MS), clock: "firstMiss" },
  ],
  pivots: [],
};

/** Two pivots for each person, and a rectangle that reaches `MOST_LIVE_SIDE / 2` to each side. */
export const viewLimits: ViewLimits = limitsOf(view, { pivots: 2, cameras: MOST_LIVE_SIDE / 2 / RADII[0] });

export interface Rectangle {
  /** Its middle. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where things are live as far as the screen goes: all that it shows, with the margin, or as much of its middle as is granted. */
export function livePart({ x, y, width, height }: Rectangle): Rectangle {
  const { left, top, right, bottom } = MARGIN;
  const [wide, high] = [width + left + right, height + top + bottom];
  const share = Math.min(1, MOST_LIVE_SIDE / Math.max(wide, high));
  return { x: x + (right - left) / 2, y: y + (bottom - top) / 2, width: wide * share, height: high * share };
}

/** Whether everything that the screen shows is live. */
export function isWhollyLive(screen: Rectangle): boolean {
  const { x, y, width, height } = livePart(screen);
  return (
    width / 2 - Math.abs(screen.x - x) >= screen.width / 2 && height / 2 - Math.abs(screen.y - y) >= screen.height / 2
  );
}

/** The pivots of somebody whose screen shows this rectangle; without a cursor (a finger that does not touch), of the rectangle alone. */
export function pivotsOf(
  screen: Rectangle,
  cursor: { readonly x: number; readonly y: number } | undefined,
): readonly Pivot[] {
  const { x, y, width, height } = livePart(screen);
  const camera: Pivot = { camera: [x, y], size: [width, height], coefficients: [...FACTORS] };
  return cursor === undefined ? [camera] : [camera, { point: [cursor.x, cursor.y] }];
}

/** The zone in which a place lies: the innermost that any of the pivots gives it. Without pivots, the outermost. */
export function zoneOf(pivots: readonly Pivot[], x: number, y: number): number {
  return Math.min(RADII.length, ...pivots.map((pivot) => zoneAround(pivot, x, y)));
}

function zoneAround(pivot: Pivot, x: number, y: number): number {
  if ("camera" in pivot) {
    const times = Math.max(
      Math.abs(x - pivot.camera[0]) / (pivot.size[0] / 2),
      Math.abs(y - pivot.camera[1]) / (pivot.size[1] / 2),
    );
    return [1, ...FACTORS].findLastIndex((factor) => times > factor) + 1;
  }
  if (!("point" in pivot)) return RADII.length;
  const distance = Math.hypot(x - pivot.point[0]!, y - pivot.point[1]!);
  return RADII.findLastIndex((radius) => distance > radius) + 1;
}
