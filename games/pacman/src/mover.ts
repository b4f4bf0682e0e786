/**
 * How things move along corridors. Pure: place, heading and wish in, place out. The server moves the primaries with it, and the page
 * moves its pictures with it between two updates, so that both agree where a corridor bends.
 *
 * Tile centres are whole numbers. A player keeps a wished turn until a crossing allows it, may begin it up to `CORNER` before the
 * centre and may still take it as late after, and slides onto the new axis while moving on: cutting corners, as in the arcade.
 */

import { DX, DY, type Heading, opposite } from "./maze.ts";

export interface Mover {
  x: number;
  y: number;
  heading: Heading;
}

/** Which tiles the mover may enter. */
export type Open = (x: number, y: number) => boolean;

/** Tiles before and after a crossing's centre within which a turn is taken. Larger is more forgiving of late keys. */
export const CORNER = 0.4;
/** Longest piece moved at once, in tiles: short enough that no crossing is stepped over. */
const PIECE = 0.125;
/** Below this two places are the same: rounding errors of many small pieces must not keep a mover a hair off a centre for ever. */
const HAIR = 1e-9;

/** Moves a player by `distance` tiles and says whether it moved. */
export function walk(mover: Mover, want: Heading, distance: number, open: Open): boolean {
  let moved = false;
  for (let left = distance; left > 0; left -= PIECE) {
    turnIfWanted(mover, want, open);
    if (advance(mover, Math.min(left, PIECE), open)) moved = true;
  }
  return moved;
}

function turnIfWanted(mover: Mover, want: Heading, open: Open): void {
  if (want === mover.heading) return;
  if (want === opposite(mover.heading)) {
    mover.heading = want;
    return;
  }
  const [x, y] = [Math.round(mover.x), Math.round(mover.y)];
  const off = DX[mover.heading] === 0 ? mover.y - y : mover.x - x;
  if (Math.abs(off) <= CORNER && open(x + DX[want], y + DY[want])) mover.heading = want;
}

function advance(mover: Mover, distance: number, open: Open): boolean {
  const [x, y] = [Math.round(mover.x), Math.round(mover.y)];
  const [dx, dy] = [DX[mover.heading], DY[mover.heading]];
  const toCentre = (x - mover.x) * dx + (y - mover.y) * dy;
  const reach = open(x + dx, y + dy) ? distance : Math.min(distance, Math.max(0, toCentre));
  mover.x = dx === 0 ? towards(mover.x, x, distance) : settled(mover.x + dx * reach, x);
  mover.y = dy === 0 ? towards(mover.y, y, distance) : settled(mover.y + dy * reach, y);
  return reach > 0;
}

function towards(from: number, to: number, distance: number): number {
  return Math.abs(to - from) <= distance ? to : from + Math.sign(to - from) * distance;
}

function settled(place: number, centre: number): number {
  return Math.abs(place - centre) < HAIR ? centre : place;
}

/** Moves a ghost by `distance` tiles. At every tile centre it asks `choose` for its next heading; ghosts never leave the middle of the corridor. */
export function glide(mover: Mover, distance: number, choose: (x: number, y: number) => Heading): void {
  let left = distance;
  while (left > HAIR) {
    const [x, y] = [Math.round(mover.x), Math.round(mover.y)];
    if (mover.x === x && mover.y === y) mover.heading = choose(x, y);
    const [dx, dy] = [DX[mover.heading], DY[mover.heading]];
    const toCentre = (x - mover.x) * dx + (y - mover.y) * dy;
    const toNext = toCentre > 0 ? toCentre : toCentre + 1;
    if (left < toNext - HAIR) {
      mover.x += dx * left;
      mover.y += dy * left;
      return;
    }
    mover.x = Math.round(mover.x + dx * toNext);
    mover.y = Math.round(mover.y + dy * toNext);
    left -= toNext;
  }
}
