import { expect, it } from "vitest";
import { hasDot, packRoom, unpackRoom } from "./dots.ts";
import { Maze, ROOM, ROOMS, tileAt } from "./maze.ts";

it("packs the dots of every room and reads each of them back", () => {
  const maze = new Maze(8);
  for (let room = 0; room < ROOMS * ROOMS; room++) {
    const packed = packRoom(maze.dots, room);
    const [left, top] = [(room % ROOMS) * ROOM, Math.floor(room / ROOMS) * ROOM];
    const wrong = [];
    for (let y = -1; y <= ROOM; y++) {
      for (let x = -1; x <= ROOM; x++) {
        const inside = x >= 0 && y >= 0 && x < ROOM && y < ROOM;
        if (hasDot(packed, x, y) !== (inside && maze.dots[tileAt(left + x, top + y)] === 1)) wrong.push([x, y]);
      }
    }
    expect(wrong).toEqual([]);
  }
});

it("unpacks what it packed", () => {
  const { dots } = new Maze(8);
  const read = new Uint8Array(dots.length).fill(1);
  for (let room = 0; room < ROOMS * ROOMS; room++) unpackRoom(packRoom(dots, room), room, read);
  const wrong = dots.filter((dot, tile) => dot === 1 && read[tile] !== 1);
  expect(wrong).toHaveLength(0);
  for (let room = 0; room < ROOMS * ROOMS; room++) expect(packRoom(read, room)).toEqual(packRoom(dots, room));
});
