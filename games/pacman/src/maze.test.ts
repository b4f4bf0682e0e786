import { describe, expect, it } from "vitest";
import {
  DX,
  DY,
  FLOOR,
  GATE,
  HEADINGS,
  Maze,
  PEN,
  ROOM,
  ROOMS,
  roomAt,
  roomCentre,
  SIDE,
  tileAt,
  WALL,
} from "./maze.ts";

const SEEDS = Array.from({ length: 40 }, (_, at) => at * 7919 + 1);

function floorTiles(maze: Maze): [number, number][] {
  const found: [number, number][] = [];
  for (let y = 0; y < SIDE; y++) for (let x = 0; x < SIDE; x++) if (maze.at(x, y) === FLOOR) found.push([x, y]);
  return found;
}

describe.each(SEEDS)("maze of seed %i", (seed) => {
  const maze = new Maze(seed);

  it("lets a player reach every floor tile", () => {
    const start = floorTiles(maze)[0]!;
    const seen = new Set([tileAt(...start)]);
    const queue = [start];
    for (const [x, y] of queue) {
      for (const heading of HEADINGS) {
        const next: [number, number] = [x + DX[heading], y + DY[heading]];
        if (!maze.open(...next) || seen.has(tileAt(...next))) continue;
        seen.add(tileAt(...next));
        queue.push(next);
      }
    }
    expect(seen.size).toBe(floorTiles(maze).length);
  });

  it("has no dead end and no open outer wall", () => {
    const bad = floorTiles(maze).filter(([x, y]) => {
      const exits = HEADINGS.filter((heading) => maze.open(x + DX[heading], y + DY[heading])).length;
      return x === 0 || y === 0 || x === SIDE - 1 || y === SIDE - 1 || exits < 2;
    });
    expect(bad).toEqual([]);
  });

  it("joins every pair of neighbouring rooms", () => {
    for (let row = 0; row < ROOMS; row++) {
      for (let border = 1; border < ROOMS; border++) {
        const edge = border * ROOM;
        const along = Array.from({ length: ROOM }, (_, at) => row * ROOM + at);
        expect(along.some((at) => maze.open(edge - 1, at) && maze.open(edge, at))).toBe(true);
        expect(along.some((at) => maze.open(at, edge - 1) && maze.open(at, edge))).toBe(true);
        expect(along.filter((at) => maze.open(edge - 1, at) !== maze.open(edge, at))).toEqual([]);
        expect(along.filter((at) => maze.open(at, edge - 1) !== maze.open(at, edge))).toEqual([]);
      }
    }
  });

  it("keeps players out of the ghost homes and lets ghosts out", () => {
    expect(maze.homes).toHaveLength(4);
    for (const home of maze.homes) {
      const [x, y] = [home.inside % SIDE, Math.floor(home.inside / SIDE)];
      expect(maze.at(x, y)).toBe(PEN);
      expect(maze.at(x, y - 1)).toBe(GATE);
      expect(maze.at(x, y - 2)).toBe(FLOOR);
      expect(maze.open(x, y - 1)).toBe(false);
      expect(maze.openToGhost(x, y - 1, false)).toBe(false);
      expect(maze.openToGhost(x, y - 1, true)).toBe(true);
      expect(maze.fieldTo(home.inside)[home.exit]).toBe(2);
    }
  });

  it("puts dots on floor only, pellets among them, and some in every room", () => {
    const perRoom = new Array<number>(ROOMS * ROOMS).fill(0);
    let misplaced = 0;
    maze.dots.forEach((dot, tile) => {
      if (dot === 0) return;
      const [x, y] = [tile % SIDE, Math.floor(tile / SIDE)];
      if (maze.at(x, y) !== FLOOR) misplaced++;
      perRoom[roomAt(x, y)]!++;
    });
    expect(misplaced).toBe(0);
    for (const pellet of maze.pellets) expect(maze.dots[pellet]).toBe(1);
    for (const count of perRoom) expect(count).toBeGreaterThan(60);
  });
});

describe("maze", () => {
  it("is a function of its seed", () => {
    expect(new Maze(5).tiles).toEqual(new Maze(5).tiles);
    expect(new Maze(5).tiles).not.toEqual(new Maze(6).tiles);
  });

  it("has a floor tile near the middle of every room, and says which room a place is in", () => {
    const maze = new Maze(3);
    for (let room = 0; room < ROOMS * ROOMS; room++) {
      const tile = maze.middleOf(room);
      expect(maze.tiles[tile]).toBe(FLOOR);
      expect(roomAt(tile % SIDE, Math.floor(tile / SIDE))).toBe(room);
      expect(roomAt(roomCentre(room % ROOMS), roomCentre(Math.floor(room / ROOMS)))).toBe(room);
    }
    expect(roomAt(14.4, 0)).toBe(0);
    expect(roomAt(14.6, 0)).toBe(1);
  });

  it("knows the way to any room's middle from everywhere", () => {
    const maze = new Maze(11);
    const field = maze.fieldTo(maze.middleOf(0));
    expect([...field].map((steps) => steps === 0xffff)).toEqual([...maze.tiles].map((kind) => kind === WALL));
  });
});
