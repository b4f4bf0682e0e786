/**
 * The maze: 8×8 rooms of 15×15 tiles, a pure function of its seed, so that only the seed travels and both sides build the same one.
 *
 * Each room is mirrored left to right, as the arcade mazes are: a random tree over the left half of a 7×7 lattice of nodes (the odd
 * tiles), mirrored, then every dead end is opened. Doors lie on lattice rows and columns, so the doors of two rooms always meet.
 * What always holds (see maze.test.ts): every floor tile is reached from every other, none is a dead end, and the outer wall is closed.
 */

import { Dice } from "@nearfield/kit";

/** Rooms per side of the world. */
export const ROOMS = 8;
/** Tiles per side of a room. */
export const ROOM = 15;
/** Tiles per side of the world. */
export const SIDE: number = ROOMS * ROOM;

export const WALL = 0;
export const FLOOR = 1;
/** The door of a ghost home: ghosts pass, players do not. */
export const GATE = 2;
/** Inside of a ghost home. */
export const PEN = 3;

/** 0 up, 1 right, 2 down, 3 left. */
export type Heading = 0 | 1 | 2 | 3;
export const HEADINGS: readonly Heading[] = [0, 1, 2, 3];
export const DX: readonly [number, number, number, number] = [0, 1, 0, -1];
export const DY: readonly [number, number, number, number] = [-1, 0, 1, 0];
export function opposite(heading: Heading): Heading {
  return ((heading + 2) & 3) as Heading;
}

/** A tile as one number: `y × SIDE + x`. */
export type Tile = number;
export function tileAt(x: number, y: number): Tile {
  return y * SIDE + x;
}

/** The room (its number, row by row) in which a place lies. Tile centres are whole numbers, so a room reaches from −0.5 to 14.5. */
export function roomAt(x: number, y: number): number {
  return roomIndex(y) * ROOMS + roomIndex(x);
}
/** Which row or column of rooms a coordinate lies in. */
export function roomIndex(coordinate: number): number {
  return Math.min(ROOMS - 1, Math.max(0, Math.floor((coordinate + 0.5) / ROOM)));
}
/** The centre of a row or column of rooms. */
export function roomCentre(index: number): number {
  return index * ROOM + (ROOM - 1) / 2;
}

export interface Home {
  readonly room: number;
  /** Where eaten ghosts come back to life. */
  readonly inside: Tile;
  /** The floor tile before the gate. */
  readonly exit: Tile;
}

const FAR = 0xffff;
const LATTICE = (ROOM - 1) / 2;
const AXIS = (LATTICE - 1) / 2;
/** Door places along a wall, in tiles of the room. */
const MIDDLE_DOOR = [7];
const SIDE_DOORS = [3, 11];
/** Rooms with a ghost home: one in each quarter of the world, so that no place is out of their reach. */
const HOME_ROOMS = [1 * ROOMS + 2, 2 * ROOMS + 6, 5 * ROOMS + 1, 6 * ROOMS + 5];

export class Maze {
  readonly seed: number;
  readonly tiles: Uint8Array;
  readonly homes: readonly Home[];
  readonly pellets: ReadonlySet<Tile>;
  /** 1 where a dot or a pellet lies in a full world. */
  readonly dots: Uint8Array;
  readonly #fields = new Map<Tile, Uint16Array>();

  constructor(seed: number) {
    this.seed = seed;
    this.tiles = new Uint8Array(SIDE * SIDE);
    const dice = new Dice(seed, "maze");
    openDoors(this.tiles, dice);
    for (let room = 0; room < ROOMS * ROOMS; room++)
      new RoomBuilder(this.tiles, room, dice).build(HOME_ROOMS.includes(room));
    this.homes = HOME_ROOMS.map((room) => {
      const left = (room % ROOMS) * ROOM;
      const top = Math.floor(room / ROOMS) * ROOM;
      return { room, inside: tileAt(left + 7, top + 7), exit: tileAt(left + 7, top + 5) };
    });
    this.pellets = placePellets(dice);
    this.dots = placeDots(this.tiles);
  }

  at(x: number, y: number): number {
    return x < 0 || y < 0 || x >= SIDE || y >= SIDE ? WALL : this.tiles[tileAt(x, y)]!;
  }

  /** Whether a player may stand there. */
  open(x: number, y: number): boolean {
    return this.at(x, y) === FLOOR;
  }

  /** Whether a ghost may stand there; `pen` says whether it is on its way into or out of its home. */
  openToGhost(x: number, y: number, pen: boolean): boolean {
    const kind = this.at(x, y);
    return kind === FLOOR || (pen && kind !== WALL);
  }

  /** Steps from every tile to a goal (65535 where there is no way). Kept, because goals are few: room centres and ghost homes. */
  fieldTo(goal: Tile): Uint16Array {
    let field = this.#fields.get(goal);
    if (!field) {
      field = this.#flood(goal);
      this.#fields.set(goal, field);
    }
    return field;
  }

  /** A floor tile close to the middle of a room. */
  middleOf(room: number): Tile {
    const x = roomCentre(room % ROOMS);
    const y = roomCentre(Math.floor(room / ROOMS));
    return this.open(x, y) ? tileAt(x, y) : tileAt(x, y - 2);
  }

  #flood(goal: Tile): Uint16Array {
    const field = new Uint16Array(SIDE * SIDE).fill(FAR);
    const queue = new Int32Array(SIDE * SIDE);
    let count = 1;
    queue[0] = goal;
    field[goal] = 0;
    for (let at = 0; at < count; at++) {
      const tile = queue[at]!;
      for (const heading of HEADINGS) {
        const next = tile + DX[heading] + DY[heading] * SIDE;
        if (this.tiles[next] === WALL || field[next] !== FAR) continue;
        field[next] = field[tile]! + 1;
        queue[count++] = next;
      }
    }
    return field;
  }
}

/** Every pair of neighbouring rooms gets one door in the middle or two at the sides. */
function openDoors(tiles: Uint8Array, dice: Dice): void {
  for (let row = 0; row < ROOMS; row++) {
    for (let border = 1; border < ROOMS; border++) {
      const edge = border * ROOM;
      for (const at of dice.chance(0.5) ? MIDDLE_DOOR : SIDE_DOORS) {
        tiles[tileAt(edge - 1, row * ROOM + at)] = FLOOR;
        tiles[tileAt(edge, row * ROOM + at)] = FLOOR;
      }
      for (const at of dice.chance(0.5) ? MIDDLE_DOOR : SIDE_DOORS) {
        tiles[tileAt(row * ROOM + at, edge - 1)] = FLOOR;
        tiles[tileAt(row * ROOM + at, edge)] = FLOOR;
      }
    }
  }
}

/** Builds one room. Nodes are the lattice's crossings, given by column and row 0–6; the tile between two nodes is a wall or a passage. */
class RoomBuilder {
  readonly #tiles: Uint8Array;
  readonly #dice: Dice;
  readonly #left: number;
  readonly #top: number;

  constructor(tiles: Uint8Array, room: number, dice: Dice) {
    this.#tiles = tiles;
    this.#dice = dice;
    this.#left = (room % ROOMS) * ROOM;
    this.#top = Math.floor(room / ROOMS) * ROOM;
  }

  build(home: boolean): void {
    if (home) this.#buildHome();
    this.#growTree();
    this.#openDeadEnds();
    this.#openLoops();
  }

  #get(x: number, y: number): number {
    return this.#tiles[tileAt(this.#left + x, this.#top + y)]!;
  }

  #put(x: number, y: number, kind: number): void {
    this.#tiles[tileAt(this.#left + x, this.#top + y)] = kind;
    this.#tiles[tileAt(this.#left + ROOM - 1 - x, this.#top + y)] = kind;
  }

  #buildHome(): void {
    for (let x = 5; x <= 7; x++) this.#put(x, 7, PEN);
    this.#put(7, 6, GATE);
  }

  /** A node of the left half, the axis included, that is not taken by a ghost home. */
  #isFree(column: number, row: number): boolean {
    return column >= 0 && column <= AXIS && row >= 0 && row < LATTICE && this.#get(1 + 2 * column, 1 + 2 * row) !== PEN;
  }

  #growTree(): void {
    const stack: [number, number][] = [[this.#dice.int(2), this.#dice.int(LATTICE)]];
    for (const [column, row] of stack) this.#put(1 + 2 * column, 1 + 2 * row, FLOOR);
    while (stack.length > 0) {
      const [column, row] = stack[stack.length - 1]!;
      const ways = HEADINGS.filter((heading) => {
        const [c, r] = [column + DX[heading], row + DY[heading]];
        return this.#isFree(c, r) && this.#get(1 + 2 * c, 1 + 2 * r) === WALL;
      });
      if (ways.length === 0) {
        stack.pop();
        continue;
      }
      const heading = this.#dice.pick(ways);
      this.#put(1 + 2 * column + DX[heading], 1 + 2 * row + DY[heading], FLOOR);
      this.#put(1 + 2 * (column + DX[heading]), 1 + 2 * (row + DY[heading]), FLOOR);
      stack.push([column + DX[heading], row + DY[heading]]);
    }
  }

  #openDeadEnds(): void {
    for (const [column, row] of this.#nodes()) {
      const [x, y] = [1 + 2 * column, 1 + 2 * row];
      while (this.#exits(x, y) < 2) {
        const walls = this.#closedWays(column, row);
        const better = walls.filter(([wx, wy]) => !this.#leavesLonePost(wx, wy));
        const [wx, wy] = this.#dice.pick(better.length > 0 ? better : walls);
        this.#put(wx, wy, FLOOR);
      }
    }
  }

  /** Some more loops, so that a chase has ways out; never so many that a single post stands alone. */
  #openLoops(): void {
    for (const [column, row] of this.#nodes()) {
      for (const [wx, wy] of this.#closedWays(column, row)) {
        if (this.#dice.chance(0.16) && !this.#leavesLonePost(wx, wy)) this.#put(wx, wy, FLOOR);
      }
    }
  }

  #nodes(): [number, number][] {
    const nodes: [number, number][] = [];
    for (let column = 0; column <= AXIS; column++) {
      for (let row = 0; row < LATTICE; row++) if (this.#isFree(column, row)) nodes.push([column, row]);
    }
    return this.#dice.shuffle(nodes);
  }

  /** Ways out of a node within the room. Doors do not count: the mirrored node may have none. */
  #exits(x: number, y: number): number {
    return HEADINGS.filter((heading) => {
      const [nextX, nextY] = [x + DX[heading], y + DY[heading]];
      const inside = nextX > 0 && nextX < ROOM - 1 && nextY > 0 && nextY < ROOM - 1;
      return inside && this.#get(nextX, nextY) === FLOOR;
    }).length;
  }

  #closedWays(column: number, row: number): [number, number][] {
    const ways: [number, number][] = [];
    for (const heading of HEADINGS) {
      const [x, y] = [1 + 2 * column + DX[heading], 1 + 2 * row + DY[heading]];
      const [farX, farY] = [x + DX[heading], y + DY[heading]];
      const inside = farX > 0 && farX < ROOM - 1 && farY > 0 && farY < ROOM - 1;
      if (inside && this.#get(x, y) === WALL && this.#get(farX, farY) === FLOOR) ways.push([x, y]);
    }
    return ways;
  }

  #leavesLonePost(x: number, y: number): boolean {
    const posts = x % 2 === 0 ? [[x, y - 1] as const, [x, y + 1] as const] : [[x - 1, y] as const, [x + 1, y] as const];
    return posts.some(([px, py]) => {
      if (px === 0 || py === 0 || px === ROOM - 1 || py === ROOM - 1) return false;
      const walls = HEADINGS.filter((heading) => this.#get(px + DX[heading], py + DY[heading]) !== FLOOR).length;
      // On the axis the mirrored wall opens with this one, and takes two walls from the post at once.
      return walls <= (px === (ROOM - 1) / 2 && x !== px ? 2 : 1);
    });
  }
}

/** Half of the rooms hold a mirrored pair of power pellets. */
function placePellets(dice: Dice): Set<Tile> {
  const pellets = new Set<Tile>();
  for (let room = 0; room < ROOMS * ROOMS; room++) {
    if ((Math.floor(room / ROOMS) + (room % ROOMS)) % 2 === 0) continue;
    const x = dice.pick([1, 1, 3]);
    const y = dice.pick([1, 3, 11, 13]);
    const top = Math.floor(room / ROOMS) * ROOM + y;
    pellets.add(tileAt((room % ROOMS) * ROOM + x, top));
    pellets.add(tileAt((room % ROOMS) * ROOM + ROOM - 1 - x, top));
  }
  return pellets;
}

/** Dots lie on every floor tile but the doors between rooms. */
function placeDots(tiles: Uint8Array): Uint8Array {
  const dots = new Uint8Array(tiles.length);
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const door = x % ROOM === 0 || y % ROOM === 0 || x % ROOM === ROOM - 1 || y % ROOM === ROOM - 1;
      if (!door && tiles[tileAt(x, y)] === FLOOR) dots[tileAt(x, y)] = 1;
    }
  }
  return dots;
}
