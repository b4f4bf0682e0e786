/**
 * Where rooms and walls are, and what lies in them at first: a function of the seed alone. Nine rooms in a three by three pattern, joined by a tree of wide
 * passages and two more, so that every room can be reached and a party can go round. The way begins in a corner room and ends in the one farthest from it.
 */

import { Dice } from "@nearfield/kit";
import { GRID, MOST_MONSTERS, TILE } from "./numbers.ts";

export interface Room {
  /** In tiles; the far edges belong to the room. */
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** Passages from the first room. */
  readonly depth: number;
}

export interface Spot {
  readonly x: number;
  readonly y: number;
}

const ACROSS = 3;
const CELL = Math.floor((GRID - 2) / ACROSS);
/** Half of a passage's width, tiles. */
const HALF_PASSAGE = 1;

export class Layout {
  readonly seed: number;
  readonly rooms: readonly Room[];
  readonly start: Spot;
  readonly exit: Spot;
  /** 1 where nothing can go, by tile. */
  readonly walls: Uint8Array = new Uint8Array(GRID * GRID).fill(1);
  /** Where monsters begin, the warden first; and how deep. */
  readonly dens: readonly (Spot & { readonly depth: number })[];
  /** Where treasure lies at first. */
  readonly hoards: readonly (Spot & { readonly depth: number })[];

  constructor(seed: number) {
    this.seed = seed;
    const dice = new Dice(seed, "layout");
    const boxes = Array.from({ length: ACROSS * ACROSS }, (_, at) => boxOf(at, dice));
    const depths = this.#dig(boxes, dice);
    this.rooms = boxes.map((box, at) => ({ ...box, depth: depths[at]! }));
    this.start = middleOf(this.rooms[0]!);
    const last = depths.indexOf(Math.max(...depths));
    this.exit = middleOf(this.rooms[last]!);
    this.#pillars(dice, last);
    this.dens = this.#lay(dice, last);
    this.hoards = this.#hide(dice);
  }

  isWall(x: number, y: number): boolean {
    const column = Math.floor(x / TILE);
    const row = Math.floor(y / TILE);
    return column < 0 || row < 0 || column >= GRID || row >= GRID || this.walls[row * GRID + column] === 1;
  }

  /** Whether a square with these half sides fits; it touches at most four tiles while it is smaller than one. */
  fits(x: number, y: number, half: number): boolean {
    return !(
      this.isWall(x - half, y - half) ||
      this.isWall(x + half, y - half) ||
      this.isWall(x - half, y + half) ||
      this.isWall(x + half, y + half)
    );
  }

  /** Whether nothing stands between two places. */
  sees(x: number, y: number, toX: number, toY: number): boolean {
    const dx = toX - x;
    const dy = toY - y;
    const parts = Math.ceil(Math.sqrt(dx * dx + dy * dy) / (TILE / 2));
    for (let part = 1; part < parts; part++)
      if (this.isWall(x + (dx * part) / parts, y + (dy * part) / parts)) return false;
    return true;
  }

  /** Rooms and passages; gives each room's number of passages from the first. */
  #dig(boxes: readonly Omit<Room, "depth">[], dice: Dice): number[] {
    for (const { left, top, right, bottom } of boxes) this.#clear(left, top, right, bottom);
    const depths = boxes.map(() => -1);
    depths[0] = 0;
    const open = [0];
    while (open.length > 0) {
      const from = open[dice.int(open.length)]!;
      const to = dice.shuffle(neighboursOf(from)).find((room) => depths[room] === -1);
      if (to === undefined) open.splice(open.indexOf(from), 1);
      else {
        depths[to] = depths[from]! + 1;
        open.push(to);
        this.#join(boxes[from]!, boxes[to]!, dice);
      }
    }
    for (let more = 0; more < 2; more++) {
      const from = dice.int(boxes.length);
      this.#join(boxes[from]!, boxes[dice.pick(neighboursOf(from))]!, dice);
    }
    return depths;
  }

  #join(one: Omit<Room, "depth">, other: Omit<Room, "depth">, dice: Dice): void {
    const a = tileIn(one, dice);
    const b = tileIn(other, dice);
    const h = HALF_PASSAGE;
    const column = dice.chance(0.5) ? a.column : b.column;
    const row = column === a.column ? b.row : a.row;
    this.#clear(Math.min(a.column, b.column) - h, row - h, Math.max(a.column, b.column) + h, row + h);
    this.#clear(column - h, Math.min(a.row, b.row) - h, column + h, Math.max(a.row, b.row) + h);
  }

  #clear(left: number, top: number, right: number, bottom: number): void {
    for (let row = Math.max(1, top); row <= Math.min(GRID - 2, bottom); row++)
      this.walls.fill(0, row * GRID + Math.max(1, left), row * GRID + Math.min(GRID - 2, right) + 1);
  }

  /** Pillars of two by two tiles in the quarters of large rooms; never in the middle, where ways and exits are. */
  #pillars(dice: Dice, last: number): void {
    this.rooms.forEach(({ left, top, right, bottom }, at) => {
      if (at === 0 || right - left < 11 || bottom - top < 11 || (at !== last && dice.chance(0.35))) return;
      for (const column of [left + 3, right - 4])
        for (const row of [top + 3, bottom - 4]) {
          for (let down = row; down < row + 2; down++)
            this.walls.fill(1, down * GRID + column, down * GRID + column + 2);
        }
    });
  }

  #lay(dice: Dice, last: number): (Spot & { depth: number })[] {
    const dens = [{ ...this.exit, depth: this.rooms[last]!.depth }];
    const perRoom = Math.floor((MOST_MONSTERS - 1) / (this.rooms.length - 1));
    this.rooms.forEach((room, at) => {
      if (at === 0) return;
      for (let count = 0; count < perRoom; count++) dens.push({ ...this.#freeSpot(room, dice), depth: room.depth });
    });
    return dens;
  }

  #hide(dice: Dice): (Spot & { depth: number })[] {
    return this.rooms.flatMap((room, at) =>
      Array.from({ length: at === 0 ? 2 : 3 }, () => ({ ...this.#freeSpot(room, dice), depth: room.depth })),
    );
  }

  #freeSpot(room: Room, dice: Dice): Spot {
    for (let tries = 0; tries < 20; tries++) {
      const { column, row } = tileIn(room, dice);
      const x = (column + 0.5) * TILE;
      const y = (row + 0.5) * TILE;
      if (this.fits(x, y, TILE * 0.9)) return { x, y };
    }
    return middleOf(room);
  }
}

function boxOf(at: number, dice: Dice): Omit<Room, "depth"> {
  const width = 10 + dice.int(CELL - 12);
  const height = 10 + dice.int(CELL - 12);
  const left = 1 + (at % ACROSS) * CELL + 1 + dice.int(CELL - width - 1);
  const top = 1 + Math.floor(at / ACROSS) * CELL + 1 + dice.int(CELL - height - 1);
  return { left, top, right: left + width - 1, bottom: top + height - 1 };
}

function neighboursOf(room: number): number[] {
  const column = room % ACROSS;
  const row = Math.floor(room / ACROSS);
  const near: number[] = [];
  if (column > 0) near.push(room - 1);
  if (column < ACROSS - 1) near.push(room + 1);
  if (row > 0) near.push(room - ACROSS);
  if (row < ACROSS - 1) near.push(room + ACROSS);
  return near;
}

function middleOf({ left, top, right, bottom }: Omit<Room, "depth">): Spot {
  return { x: ((left + right + 1) / 2) * TILE, y: ((top + bottom + 1) / 2) * TILE };
}

/** A tile of the room that is not at its edge. */
function tileIn({ left, top, right, bottom }: Omit<Room, "depth">, dice: Dice): { column: number; row: number } {
  return { column: left + 1 + dice.int(right - left - 1), row: top + 1 + dice.int(bottom - top - 1) };
}
