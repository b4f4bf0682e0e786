/** Several people at one board, on virtual time: who may do what, and when the others see it. */

import { setPivots, viewOf } from "@nearfield/client/views";
import { lock, release } from "@nearfield/client/writing";
import { describe, expect, it } from "vitest";
import { CENTRE, Draft, Erase, Move, Note, Paint, Person, Raise, THING_MS } from "../src/index.ts";
import { type Board, setUp, TestPerson } from "./board-lab.ts";

const FAR = CENTRE + 3500;

function two(board: Board = setUp()): { board: Board; ann: TestPerson; ben: TestPerson } {
  return { board, ann: new TestPerson(board, "ann"), ben: new TestPerson(board, "ben") };
}

describe("things on the board", () => {
  it("show what two people put down, to both and to who comes later", () => {
    const { board, ann, ben } = two();
    ann.put(1, "hello");
    ben.draw(2, [0, 0, 30, 40]);
    board.lab.run(200);
    const carl = new TestPerson(board, "carl");
    for (const person of [ann, ben, carl]) {
      expect(person.note(1)).toMatchObject({ words: "hello", author: ann.client.world.session });
      expect(person.stroke(2)).toMatchObject({ x: CENTRE, author: ben.client.world.session });
    }
  });

  it("are moved, painted and raised by anybody", () => {
    const { board, ann, ben } = two();
    ann.put(1, "a");
    ann.put(2, "b");
    board.lab.run(200);
    ben.client.send(Move, { keys: [1, 2], dx: 12.5, dy: -3 });
    ben.client.send(Paint, { keys: [1], colour: 5 });
    ben.client.send(Raise, { keys: [1] });
    board.lab.run(200);
    expect(ann.note(1)).toMatchObject({ x: CENTRE + 12.5, y: CENTRE - 3, colour: 5 });
    expect(ann.note(2)).toMatchObject({ x: CENTRE + 12.5, colour: 1 });
    expect(ann.note(1)!.order).toBeGreaterThan(ann.note(2)!.order);
  });

  it("are erased by their author, and by anybody once the author has left", () => {
    const { board, ann, ben } = two();
    ann.put(1, "mine");
    board.lab.run(200);
    ben.client.send(Erase, { keys: [1] });
    board.lab.run(200);
    expect(ben.refusals).toEqual(["not-yours"]);
    expect(ann.note(1)).toBeDefined();
    ann.lab.leave();
    board.lab.run(200);
    ben.client.send(Erase, { keys: [1] });
    board.lab.run(200);
    expect(ben.note(1)).toBeUndefined();
    expect(board.host.things).toBe(0);
  });

  it("come back under the same key when an erasure is undone", () => {
    const { board, ann, ben } = two();
    ann.put(1, "first");
    board.lab.run(200);
    ann.client.send(Erase, { keys: [1] });
    board.lab.run(200);
    expect(ben.note(1)).toBeUndefined();
    ann.put(1, "first");
    board.lab.run(200);
    expect(ben.note(1)?.words).toBe("first");
  });

  it("are put down once, however often they are asked for", () => {
    const { board, ann, ben } = two();
    ann.put(1, "once");
    ann.put(1, "twice");
    board.lab.run(200);
    expect([...ben.client.world.all(Note)].map(({ words }) => words)).toEqual(["once"]);
  });

  it("grow under the pen: more ink under the same key", () => {
    const { board, ann, ben } = two();
    ann.draw(1, [0, 0, 10, 10]);
    board.lab.run(100);
    const before = ben.stroke(1)!.ink.length;
    ann.draw(1, [0, 0, 10, 10, 20, 5]);
    board.lab.run(100);
    expect(ben.stroke(1)!.ink.length).toBeGreaterThan(before);
    expect(board.host.things).toBe(1);
  });
});

describe("what one looks at is live", () => {
  /** Ms from the change until the reader has it. */
  function arrival(board: Board, change: () => void, has: () => boolean): number {
    const startMs = board.lab.clock.nowMs;
    change();
    board.lab.until(has, 2 * THING_MS.at(-1)!);
    return board.lab.clock.nowMs - startMs;
  }

  it("a near note changes at once, a far one within its bound and not at once, and is live when one goes there", () => {
    const { board, ann, ben } = two();
    ann.put(1, "near");
    ann.put(2, "far", FAR, FAR);
    ann.put(3, "also far", FAR, FAR - 200);
    board.lab.run(1000);
    const paint = (key: number, colour: number) => () => void ann.client.send(Paint, { keys: [key], colour });
    const nearMs = arrival(board, paint(1, 4), () => ben.note(1)!.colour === 4);
    const farMs = arrival(board, paint(2, 4), () => ben.note(2)!.colour === 4);
    expect(nearMs).toBeLessThanOrEqual(150);
    expect(farMs).toBeGreaterThan(1000);
    expect(farMs).toBeLessThanOrEqual(THING_MS.at(-1)! + 150);
    paint(3, 6)();
    board.lab.run(300);
    expect(ben.note(3)!.colour).toBe(1);
    expect(
      arrival(
        board,
        () => ben.lookAt(FAR, FAR),
        () => ben.note(3)!.colour === 6,
      ),
    ).toBeLessThanOrEqual(200);
  });

  it("what comes and goes is told at once, however far away", () => {
    const { board, ann, ben } = two();
    const cameMs = arrival(
      board,
      () => void ann.put(1, "new", FAR, FAR),
      () => ben.note(1) !== undefined,
    );
    const wentMs = arrival(
      board,
      () => void ann.client.send(Erase, { keys: [1] }),
      () => ben.note(1) === undefined,
    );
    expect([cameMs, wentMs].every((ms) => ms <= 150)).toBe(true);
  });

  it("near the cursor counts too, where the screen shows more than is live", () => {
    const { board, ann, ben } = two();
    ann.put(1, "beside", CENTRE + 3000, CENTRE);
    board.lab.run(1000);
    setPivots(ben.client, [
      { camera: [CENTRE - 1000, CENTRE], size: [3840, 2400], coefficients: [1.6, 4] },
      { point: [CENTRE + 3000, CENTRE] },
    ]);
    board.lab.run(500);
    const ms = arrival(
      board,
      () => void ann.client.send(Paint, { keys: [1], colour: 7 }),
      () => ben.note(1)!.colour === 7,
    );
    expect(ms).toBeLessThanOrEqual(150);
  });

  it("a page that asks for a larger rectangle is given as much as is granted", () => {
    const { board, ben } = two();
    setPivots(ben.client, [{ camera: [CENTRE, CENTRE], size: [8000, 5000], coefficients: [2, 20] }]);
    board.lab.run(500);
    expect(viewOf(ben.client)!.settings.pivots).toMatchObject([{ size: [3840, 2400], coefficients: [2, 6.25] }]);
  });
});

describe("words", () => {
  it("are written by one at a time: the second gets the lock, and the first one's words, when the first is done", async () => {
    const { board, ann, ben } = two();
    ann.put(1, "");
    board.lab.run(200);
    const held = lock(ann.client, ann.note(1)!);
    const waited = lock(ben.client, ben.note(1)!);
    board.lab.run(1000);
    expect([ann, ben].map(({ client }) => client.world.isLocked(ann.note(1)!))).toEqual([true, false]);
    const mine = await held;
    mine.words = "by ann";
    release(ann.client, mine);
    board.lab.run(200);
    const his = await waited;
    expect(his.words).toBe("by ann");
    his.words = "by ann, then ben";
    release(ben.client, his);
    board.lab.run(200);
    expect(ann.note(1)!.words).toBe("by ann, then ben");
  });

  it("are cleaned of what cannot be seen", async () => {
    const { board, ann, ben } = two();
    ann.put(1, "a\u202eb\u0000c\r\nd");
    board.lab.run(200);
    expect(ben.note(1)!.words).toBe("abc\nd");
    const held = lock(ann.client, ann.note(1)!);
    board.lab.run(200);
    const note = await held;
    note.words = "x\u0007y";
    release(ann.client, note);
    board.lab.run(300);
    expect([ann, ben].map((person) => person.note(1)!.words)).toEqual(["xy", "xy"]);
  });

  it("show as a draft, letter by letter, to those who look there", () => {
    const { board, ann, ben } = two();
    const draft = ann.client.mine(Draft)!;
    Object.assign(draft, { open: true, x: CENTRE, y: CENTRE, words: "he" });
    board.lab.run(150);
    draft.words = "hello";
    board.lab.run(150);
    expect([...ben.client.world.all(Draft)].find(({ open }) => open)?.words).toBe("hello");
  });
});

describe("a broken link", () => {
  it("loses nothing: what was asked for meanwhile arrives once, the lock is kept, the others see the person away", async () => {
    const { board, ann, ben } = two();
    ann.put(1, "");
    board.lab.run(200);
    const held = lock(ann.client, ann.note(1)!);
    board.lab.run(200);
    const note = await held;
    ann.lab.setReachable(false);
    ann.lab.breakLink();
    board.lab.run(3000);
    const away = () => [...ben.client.world.all(Person)].find(({ name }) => name === "ann")!.away;
    expect(away()).toBe(true);
    ann.put(2, "while away");
    note.words = "also while away";
    release(ann.client, note);
    ben.put(3, "meanwhile");
    board.lab.run(3000);
    expect(ben.note(2)).toBeUndefined();
    ann.lab.setReachable(true);
    board.lab.until(() => ann.client.state === "active");
    board.lab.run(500);
    for (const person of [ann, ben]) {
      expect([1, 2, 3].map((key) => person.note(key)?.words)).toEqual(["also while away", "while away", "meanwhile"]);
    }
    expect(away()).toBe(false);
    expect(board.host.people).toBe(2);
  });

  it.each([1, 2, 3])("with loss, everybody ends with the same board (seed %i)", (seed) => {
    const board = setUp({}, { seed });
    const conditions = { latencyMs: 60, jitterMs: 20, burst: { loss: 0.15, meanBurst: 3 } };
    const people = ["ann", "ben", "carl"].map((name) => new TestPerson(board, name, conditions));
    for (let step = 0; step < 40; step++) {
      const person = people[step % 3]!;
      person.put(100 + step, `note ${step}`, CENTRE + step * 5, CENTRE);
      person.client.send(Move, { keys: [100 + (step >> 1)], dx: 3, dy: -2 });
      if (step % 5 === 4) person.client.send(Erase, { keys: [100 + step - 3] });
      if (step === 20) people[1]!.lab.breakLink();
      board.lab.run(120);
    }
    board.lab.run(THING_MS.at(-1)! + 3000);
    const seen = (person: TestPerson) =>
      [...person.client.world.all(Note)].map(({ key, x, y, words }) => `${key} ${x} ${y} ${words}`).sort();
    const truth = [...board.lab.world.all(Note)].map(({ key, x, y, words }) => `${key} ${x} ${y} ${words}`).sort();
    for (const person of people) expect(seen(person), person.lab.nickname).toEqual(truth);
    expect(truth.length).toBeGreaterThan(30);
  });
});
