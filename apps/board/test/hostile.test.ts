/** What a modified page may send: every bound of the board holds, and nobody else notices. */

import { lock, onRefused, release } from "@nearfield/client/writing";
import { describe, expect, it } from "vitest";
import {
  CENTRE,
  Cursor,
  Draw,
  Erase,
  MOST_PLACE,
  MOST_POINTS,
  Move,
  NOTE_BYTES,
  Note,
  Put,
  packInk,
  REACH,
  REQUEST_BURST,
  REQUESTS_PER_SECOND,
} from "../src/index.ts";
import { setUp, TestPerson } from "./board-lab.ts";

describe("hostile requests", () => {
  it("ink that is too long, too wide, or no ink at all is refused", () => {
    const board = setUp();
    const eve = new TestPerson(board, "eve");
    const straight = (count: number) => Array.from({ length: 2 * count }, (_, index) => index >> 1);
    eve.draw(1, straight(MOST_POINTS + 1));
    eve.draw(2, [0, 0, REACH, REACH, REACH + 1, REACH]);
    for (const [key, ink] of [
      [3, []],
      [4, [0]],
      [5, [0x80]],
      [6, [0x81, 0x00, 2]],
      [7, [0x81, 0x80, 2]],
    ] as const)
      eve.client.send(Draw, { key, whole: key, x: 1, y: 1, colour: 0, size: 0, ink: Uint8Array.from(ink) });
    eve.client.send(Draw, { key: 8, whole: 8, x: 1, y: 1, colour: 0, size: 3, ink: packInk([0, 0]) });
    board.lab.run(300);
    expect(eve.refusals).toEqual(Array(8).fill("bad-ink"));
    expect(board.host.things).toBe(0);
    eve.draw(9, straight(MOST_POINTS));
    board.lab.run(300);
    expect(board.host.things).toBe(1);
  });

  it("words that are too long, and places outside of the board, are not even sent", () => {
    const board = setUp();
    const eve = new TestPerson(board, "eve");
    expect(() => eve.put(1, "x".repeat(NOTE_BYTES + 1))).toThrow(/480 bytes/);
    expect(() => eve.put(1, "x", -1)).toThrow(/put.x/);
    expect(() => eve.put(1, "x", MOST_PLACE + 1)).toThrow(/put.x/);
  });

  it("nothing is moved off the board, not even one of many", () => {
    const board = setUp();
    const eve = new TestPerson(board, "eve");
    eve.put(1, "inner");
    eve.put(2, "edge", MOST_PLACE, CENTRE);
    eve.client.send(Move, { keys: [1, 2], dx: 1, dy: 0 });
    board.lab.run(200);
    expect(eve.refusals).toEqual(["outside"]);
    expect([...board.lab.world.all(Note)].map(({ x }) => x)).toEqual([CENTRE, MOST_PLACE]);
  });

  it("another's stroke is not drawn over, another's note not written without its lock", () => {
    const board = setUp();
    const [ann, eve] = [new TestPerson(board, "ann"), new TestPerson(board, "eve")];
    ann.draw(1, [0, 0, 5, 5]);
    ann.put(2, "ann's");
    board.lab.run(200);
    eve.draw(1, [0, 0, 90, 90]);
    eve.draw(2, [0, 0, 90, 90]);
    board.lab.run(200);
    expect(eve.refusals).toEqual(["not-yours", "not-yours"]);
    expect(ann.stroke(1)!.ink).toEqual(packInk([0, 0, 5, 5]));
    expect(() => Object.assign(eve.note(2)!, { words: "eve's" })).toThrow(/lock/);
  });

  it("under a lock only the words are written: not place, author or key", async () => {
    const board = setUp();
    const [ann, eve] = [new TestPerson(board, "ann"), new TestPerson(board, "eve")];
    ann.put(1, "ann's");
    board.lab.run(200);
    const held = lock(eve.client, eve.note(1)!);
    board.lab.run(200);
    const note = await held;
    const refusals: string[] = [];
    onRefused(eve.client, (_, refusal) => refusals.push(refusal));
    Object.assign(note, { x: 1, author: eve.client.world.session, words: "eve's" });
    release(eve.client, note);
    board.lab.run(300);
    expect(refusals).toEqual(["invalid"]);
    for (const person of [ann, eve])
      expect(person.note(1)).toMatchObject({ x: CENTRE, author: ann.client.world.session, words: "ann's" });
  });

  it("nobody shows a cursor under another's number", () => {
    const board = setUp();
    const [ann, eve] = [new TestPerson(board, "ann"), new TestPerson(board, "eve")];
    const [number, annNumber] = [eve.client.world.session, ann.client.world.session];
    eve.client.mine(Cursor)!.number = annNumber;
    board.lab.run(300);
    expect(ann.cursors.map((cursor) => cursor.number).sort()).toEqual([annNumber, number].sort());
  });

  it("a flood of requests is cut to the rate, and the others go on", () => {
    const board = setUp();
    const [ann, eve] = [new TestPerson(board, "ann"), new TestPerson(board, "eve")];
    const seconds = 4;
    for (let round = 0; round < seconds * 20; round++) {
      for (let each = 0; each < 30; each++) eve.put(1000 + round * 30 + each, "spam");
      board.lab.run(50);
    }
    board.lab.run(2000);
    expect(board.host.things).toBeGreaterThanOrEqual(REQUEST_BURST);
    expect(board.host.things).toBeLessThanOrEqual(REQUEST_BURST + (seconds + 2) * REQUESTS_PER_SECOND);
    expect(new Set(eve.refusals)).toEqual(new Set(["too-fast"]));
    ann.put(1, "still here");
    board.lab.run(200);
    expect(ann.note(1)?.words).toBe("still here");
  });

  it("one person's things are counted, and so are all; a full board makes room of what people left behind", () => {
    const board = setUp({ most: 8, mostOfOne: 5 });
    const [ann, eve] = [new TestPerson(board, "ann"), new TestPerson(board, "eve")];
    for (let key = 1; key <= 7; key++) eve.put(key, "eve's");
    board.lab.run(200);
    expect(eve.refusals).toEqual(["too-many", "too-many"]);
    for (let key = 11; key <= 14; key++) ann.put(key, "ann's");
    board.lab.run(200);
    expect(ann.refusals).toEqual(["board-full"]);
    eve.client.send(Erase, { keys: [1] });
    board.lab.run(200);
    ann.put(15, "fits again");
    board.lab.run(200);
    expect(ann.note(15)).toBeDefined();
    eve.lab.leave();
    board.lab.run(200);
    ann.put(16, "on the oldest of eve's");
    board.lab.run(200);
    expect(ann.note(16)).toBeDefined();
    expect(ann.note(2)).toBeUndefined();
    expect(board.host.things).toBe(8);
  });

  it("keys that name nothing, and the same key many times, do no harm", () => {
    const board = setUp();
    const eve = new TestPerson(board, "eve");
    eve.put(1, "one");
    eve.client.send(Move, { keys: [1, 1, 1, 999], dx: 2, dy: 0 });
    eve.client.send(Erase, { keys: [999, 998] });
    eve.client.send(Erase, { keys: [] });
    eve.client.send(Put, { key: 2, x: 0, y: 0, colour: 7, size: 3, plain: true, words: "" });
    board.lab.run(200);
    expect(eve.note(1)!.x).toBe(CENTRE + 2);
    expect(eve.note(2)!.size).toBe(2);
    expect(eve.refusals).toEqual([]);
  });
});
