/** Between the game's dots, one byte a tile, and their replicated form, one 13-bit field a row of a room. Pure. */

import { ROOM, ROOMS, tileAt } from "./maze.ts";

export const DOT_ROWS = [
  "row1",
  "row2",
  "row3",
  "row4",
  "row5",
  "row6",
  "row7",
  "row8",
  "row9",
  "row10",
  "row11",
  "row12",
  "row13",
] as const;
export type DotRow = (typeof DOT_ROWS)[number];
export type RoomDots = { [row in DotRow]: number };

/** The dots of one row (1–13) of a room as bits. */
export function packRow(dots: Uint8Array, room: number, row: number): number {
  const start = tileAt((room % ROOMS) * ROOM + 1, Math.floor(room / ROOMS) * ROOM + row);
  let bits = 0;
  for (let at = 0; at < DOT_ROWS.length; at++) bits |= dots[start + at]! << at;
  return bits;
}

export function packRoom(dots: Uint8Array, room: number): RoomDots {
  return Object.fromEntries(DOT_ROWS.map((name, at) => [name, packRow(dots, room, at + 1)])) as RoomDots;
}

/** Writes the dots of a room to where `packRoom` took them from. */
export function unpackRoom(packed: RoomDots, room: number, dots: Uint8Array): void {
  for (const [row, name] of DOT_ROWS.entries()) {
    const start = tileAt((room % ROOMS) * ROOM + 1, Math.floor(room / ROOMS) * ROOM + row + 1);
    for (let at = 0; at < DOT_ROWS.length; at++) dots[start + at] = (packed[name] >> at) & 1;
  }
}

/** Whether a room has a dot at (x, y), tiles counted from its corner. */
export function hasDot(room: RoomDots, x: number, y: number): boolean {
  const row = DOT_ROWS[y - 1];
  return row !== undefined && x >= 1 && x <= DOT_ROWS.length && ((room[row] >> (x - 1)) & 1) === 1;
}
