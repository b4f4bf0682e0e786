/**
 * Which way a bot takes: one look is a flood of the corridors around it. Each first step out of its tile gathers what lies behind it: the nearest dot
 * draws (only the nearest, or it would dither between two heaps); frightened ghosts and, with power, other players draw strongly; hunting ghosts and
 * powered players repel, and a step into danger costs more than any dot brings.
 *
 * It looks at a `Sight`, which is made from the game by bots of the server, and from a replica by bots that are clients.
 */

import type { Dice } from "@nearfield/kit";
import { DX, DY, HEADINGS, type Heading, type Maze, opposite, ROOM, ROOMS, roomIndex, SIDE, tileAt } from "./maze.ts";
import type { Ghost, Pac, Spot, Tile } from "./state.ts";

export type SeenPac = Spot & Readonly<Pick<Pac, "heading" | "powerUntil" | "safeUntil">>;
export type SeenGhost = Spot & Readonly<Pick<Ghost, "mood" | "until">>;

/** What a bot knows when it looks. Times are ticks. */
export interface Sight {
  readonly maze: Maze;
  /** 1 where a dot or pellet lies, as far as is known. */
  readonly dots: Uint8Array;
  readonly tick: number;
  ghosts(): Iterable<SeenGhost>;
  /** The others who move and can be harmed. */
  rivals(self: SeenPac): Iterable<SeenPac>;
}

/** How far a bot looks, in steps. */
const LOOK = 26;
/** Ghosts nearer than this many steps are dangerous. */
const DANGER = 6;

/** The heading a bot takes from where it stands. */
export function chooseWay(sight: Sight, pac: SeenPac, dice: Dice): Heading {
  const { maze } = sight;
  const [x, y] = [Math.round(pac.x), Math.round(pac.y)];
  const ways = HEADINGS.filter((heading) => maze.open(x + DX[heading], y + DY[heading]));
  const worth = lookAround(sight, pac, tileAt(x, y));
  const bored = worth.every((value) => Math.abs(value) < 6 / LOOK);
  const onward = bored ? towardsDots(sight, x, y) : undefined;
  let best: Heading = pac.heading;
  let bestWorth = Number.NEGATIVE_INFINITY;
  for (const way of ways) {
    let value = worth[way] + dice.next() * 0.2;
    if (way === onward) value += 3;
    if (way === pac.heading) value += 0.3;
    if (way === opposite(pac.heading)) value -= 1.2;
    if (value <= bestWorth) continue;
    best = way;
    bestWorth = value;
  }
  return best;
}

/** What lies behind each first step, by a flood that remembers through which step it came. */
function lookAround(sight: Sight, pac: SeenPac, start: Tile): [number, number, number, number] {
  const { maze, dots, tick } = sight;
  const worth: [number, number, number, number] = [0, 0, 0, 0];
  const fed: [boolean, boolean, boolean, boolean] = [false, false, false, false];
  const things = thingsNear(sight, pac);
  const seen = new Map<Tile, Heading>();
  let ring: [Tile, Heading][] = [];
  for (const heading of HEADINGS) step(maze, start, heading, heading, seen, ring, start);
  for (let steps = 1; steps <= LOOK && ring.length > 0; steps++) {
    const next: [Tile, Heading][] = [];
    for (const [tile, first] of ring) {
      if (dots[tile] === 1 && !fed[first]) {
        worth[first] += (maze.pellets.has(tile) ? 9 : 6) / (steps + 1);
        fed[first] = true;
      }
      for (const thing of things.get(tile) ?? []) worth[first] += worthOf(thing, pac, steps, tick);
      for (const heading of HEADINGS) step(maze, tile, heading, first, seen, next, start);
    }
    ring = next;
  }
  return worth;
}

function step(
  maze: Maze,
  from: Tile,
  heading: Heading,
  first: Heading,
  seen: Map<Tile, Heading>,
  into: [Tile, Heading][],
  start: Tile,
): void {
  const tile = from + DX[heading] + DY[heading] * SIDE;
  if (tile === start || seen.has(tile) || !maze.open(tile % SIDE, Math.floor(tile / SIDE))) return;
  seen.set(tile, first);
  into.push([tile, first]);
}

type Thing = { readonly ghost: SeenGhost } | { readonly pac: SeenPac };

function thingsNear(sight: Sight, self: SeenPac): Map<Tile, Thing[]> {
  const things = new Map<Tile, Thing[]>();
  const note = (spot: { x: number; y: number }, thing: Thing): void => {
    if (Math.abs(spot.x - self.x) > ROOM || Math.abs(spot.y - self.y) > ROOM) return;
    const tile = tileAt(Math.round(spot.x), Math.round(spot.y));
    things.set(tile, [...(things.get(tile) ?? []), thing]);
  };
  for (const ghost of sight.ghosts()) note(ghost, { ghost });
  for (const pac of sight.rivals(self)) note(pac, { pac });
  return things;
}

function worthOf(thing: Thing, self: SeenPac, steps: number, tick: number): number {
  if ("ghost" in thing) {
    const { mood, until } = thing.ghost;
    if (mood === "roaming")
      return self.safeUntil > tick + steps * 6 || steps > DANGER ? 0 : (-14 * (DANGER + 1 - steps)) / DANGER;
    // A step takes about seven ticks; a ghost that will be brave again on arrival is no prey.
    return mood === "frightened" && until - tick > steps * 9 ? 9 / (steps + 1) : 0;
  }
  const [mine, theirs] = [self.powerUntil - tick, thing.pac.powerUntil - tick];
  if (theirs > 0 && mine <= 0) return steps > DANGER ? 0 : (-12 * (DANGER + 1 - steps)) / DANGER;
  return mine > steps * 10 && theirs <= 0 && thing.pac.safeUntil <= tick ? 12 / (steps + 1) : 0;
}

/** With nothing in sight: the way to the fullest of the rooms around. */
function towardsDots(sight: Sight, x: number, y: number): Heading | undefined {
  const { maze, dots } = sight;
  let room = -1;
  let most = 0;
  for (let row = Math.max(0, roomIndex(y) - 1); row <= Math.min(ROOMS - 1, roomIndex(y) + 1); row++) {
    for (let column = Math.max(0, roomIndex(x) - 1); column <= Math.min(ROOMS - 1, roomIndex(x) + 1); column++) {
      const count = dotsIn(dots, column, row);
      if (count <= most) continue;
      most = count;
      room = row * ROOMS + column;
    }
  }
  if (room < 0) return undefined;
  const field = maze.fieldTo(maze.middleOf(room));
  const here = field[tileAt(x, y)]!;
  return HEADINGS.find(
    (heading) => maze.open(x + DX[heading], y + DY[heading]) && field[tileAt(x + DX[heading], y + DY[heading])]! < here,
  );
}

function dotsIn(dots: Uint8Array, column: number, row: number): number {
  let count = 0;
  for (let y = row * ROOM; y < (row + 1) * ROOM; y++) {
    for (let x = column * ROOM; x < (column + 1) * ROOM; x++) count += dots[tileAt(x, y)]!;
  }
  return count;
}
