/**
 * The sabotage suite: an auditor is worth what it finds. In a room where all goes on, one fault at a time is planted in what the engine is
 * told, does or answers; each must be found by the room's audit within `MOST_ROUNDS` rounds. The same rooms without a fault are in
 * `control.test.ts`: there it finds none.
 */

import { describe, expect, it } from "vitest";
import { seeds } from "../seeds.ts";
import { AuditedRoom } from "./audited-room.ts";
import { PLANTED } from "./faults.ts";

/** From the room's first round: clients join, the fault shows, a pass over all pairs takes one to three rounds. */
const MOST_ROUNDS = 200;
/** Until all kinds of faults that it leads to have shown. */
const MORE_ROUNDS = 40;

it("there are at least 20 of them, each with its own name", () => {
  expect(PLANTED.length).toBeGreaterThanOrEqual(20);
  expect(new Set(PLANTED.map(({ name }) => name)).size).toBe(PLANTED.length);
});

describe.each(seeds(101, 1))("planted, seed %i", (seed) => {
  it.each(PLANTED)("$name", ({ plant, kinds, plan }) => {
    const room = new AuditedRoom(seed, { ...plan, plant });
    const rounds = room.roundsToFind(MOST_ROUNDS);
    expect(rounds, `seed ${seed}: not found within ${MOST_ROUNDS} rounds`).toBeLessThanOrEqual(MOST_ROUNDS);
    room.lab.step(MORE_ROUNDS);
    const found = new Set(room.audit.faultCounts().map(({ kind }) => kind));
    expect(
      kinds.some((kind) => found.has(kind)),
      `found ${[...found].join()}, not ${kinds.join()}`,
    ).toBe(true);
  });
});
