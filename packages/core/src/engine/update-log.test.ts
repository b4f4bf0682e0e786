import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FARTHEST_PLAN } from "./pair-table.ts";
import { UpdateLog } from "./update-log.ts";

/** One object that is updated at random: some rounds pass, then so many updates come in one, for so many rounds. */
const stretch = fc.tuple(
  fc.oneof(fc.nat({ max: 4 }), fc.nat({ max: 400 })),
  fc.integer({ min: 1, max: 3 }),
  fc.nat({ max: 12 }),
);

describe("update log", () => {
  test("knows the round of every version that a plan can reach back to", () => {
    fc.assert(
      fc.property(fc.array(stretch, { maxLength: 80, size: "max" }), fc.nat({ max: 200 }), (stretches, slot) => {
        const log = new UpdateLog();
        log.clear(slot);
        const made = new Map<number, number>();
        let [version, round] = [1, 0];
        for (const [pause, updates, rounds] of stretches) {
          round += pause;
          for (let i = 0; i <= rounds; i++) {
            round++;
            for (let count = 0; count < updates; count++) {
              log.note(slot, ++version, round);
              made.set(version, round);
            }
          }
          for (const [old, itsRound] of made) {
            if (itsRound < round - FARTHEST_PLAN) made.delete(old);
            else if (log.roundOf(slot, old) !== itsRound)
              expect([old, log.roundOf(slot, old)]).toEqual([old, itsRound]);
          }
        }
      }),
    );
  });

  test("objects do not mix, and one that takes another's slot starts anew", () => {
    const log = new UpdateLog();
    for (const slot of [0, 1, 300]) log.clear(slot);
    for (let round = 1; round <= 60; round++) {
      log.note(0, round + 1, round * 2);
      if (round % 3 === 0) log.note(1, round / 3 + 1, round);
    }
    expect([log.roundOf(0, 11), log.roundOf(1, 11)]).toEqual([20, 30]);
    log.clear(0);
    log.note(300, 2, 61);
    log.note(0, 2, 70);
    expect([log.roundOf(0, 2), log.roundOf(1, 11), log.roundOf(300, 2)]).toEqual([70, 30, 61]);
  });
});
