/** What views save on a board: eight people who work at eight places, and the same eight at one place. */

import { expect, it } from "vitest";
import { StateMeter } from "../src/browser/state-meter.ts";
import { Broadcast, CENTRE, Cursor, Move } from "../src/index.ts";
import { setUp, TestPerson } from "./board-lab.ts";

const PEOPLE = 8;
const SECONDS = 20;
const ROUNDS = SECONDS * 20;

/** Updates and bytes a second to the first person, and of a broadcast to each person. `apart`: how far from each other they work, units. */
function work(apart: number): { sent: number; sentBytes: number; all: number; allBytes: number } {
  const board = setUp();
  const people = Array.from({ length: PEOPLE }, (_, index) => {
    const person = new TestPerson(board, `person ${index}`);
    const at = { x: CENTRE + ((index % 4) - 1.5) * apart, y: CENTRE + ((index >> 2) - 0.5) * apart };
    person.lookAt(at.x, at.y);
    person.put(index + 1, "note", at.x, at.y);
    return { person, at };
  });
  board.lab.run(2000);
  const meter = new StateMeter();
  meter.follow(people[0]!.person.client);
  const totals = (): { updates: number; bytes: number } => [...board.lab.world.all(Broadcast)][0]!;
  const { updates, bytes } = totals();
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, { person, at }] of people.entries()) {
      const step = round % 40 < 20 ? 4 : -4;
      person.client.send(Move, { keys: [index + 1], dx: step, dy: 0 });
      const cursor = person.client.mine(Cursor)!;
      Object.assign(cursor, { visible: true, x: at.x + (round % 40), y: at.y });
      if (index === 0) meter.wrote(cursor, ["x"]);
    }
    board.lab.run(50);
  }
  // The server tells its count once a second.
  board.lab.run(1000);
  const after = totals();
  return {
    sent: meter.updates / SECONDS,
    sentBytes: meter.bytes / SECONDS,
    all: (after.updates - updates - meter.ownUpdates) / SECONDS,
    allBytes: (after.bytes - bytes - meter.ownBytes) / SECONDS,
  };
}

it("people who work apart are sent a tenth of a broadcast or less", () => {
  const { sent, sentBytes, all, allBytes } = work(2000);
  expect(sent).toBeLessThan(all / 10);
  expect(sentBytes).toBeLessThan(allBytes / 10);
});

it("people who work at one place are sent as much as a broadcast: all of it is live to all", () => {
  const { sent, sentBytes, all, allBytes } = work(0);
  expect(sent / all).toBeCloseTo(1, 1);
  expect(sentBytes / allBytes).toBeCloseTo(1, 1);
});
