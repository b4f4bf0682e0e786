import { expect, test } from "vitest";
import { Court } from "./court.ts";

test("places are taken in the order in which they were asked for, and given back", () => {
  const court = new Court(2);
  const [ann, bob, cid, dee] = [{}, {}, {}, {}];
  expect([ann, bob, cid, dee].map((party) => court.admit(party))).toEqual([true, true, false, false]);
  court.leave(ann!);
  // Dee asks first in this round, but Cid has waited longer.
  expect([dee, cid, dee, bob].map((party) => court.admit(party!))).toEqual([false, true, false, true]);
  court.leave(cid!);
  expect([court.admit(dee!), court.heard]).toEqual([true, 2]);
});

test("who gives up its wish holds nobody up", () => {
  const court = new Court(1);
  const [ann, bob, cid] = [{}, {}, {}];
  for (const party of [ann, bob, cid]) court.admit(party!);
  court.leave(bob!);
  court.leave(ann!);
  expect(court.admit(cid!)).toBe(true);
});

test("the line is bounded, and who does not fit comes in when it is shorter", () => {
  const court = new Court(1);
  const parties = Array.from({ length: 1000 }, () => ({}));
  const served = new Set<object>();
  for (let round = 0; round < 1000; round++)
    for (const party of parties)
      if (!served.has(party) && court.admit(party)) {
        served.add(party);
        court.leave(party);
      }
  expect(served.size).toBe(1000);
});

test("one trial goes on in a round, in turns", async () => {
  const court = new Court(4);
  const done: string[] = [];
  const trial = async (name: string): Promise<void> => {
    for (let piece = 0; piece < 3; piece++) {
      await court.pause();
      done.push(`${name}${piece}`);
    }
  };
  const all = Promise.all([trial("a"), trial("b")]);
  for (let round = 1; round <= 6; round++) {
    court.round();
    for (let at = 0; at < 4; at++) await Promise.resolve();
    expect(done).toHaveLength(round);
  }
  await all;
  expect(done).toEqual(["a0", "b0", "a1", "b1", "a2", "b2"]);
});
