import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FARTHEST_PLAN } from "../memory/layout.ts";
import { heap } from "../memory/memory.ts";
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
        const log = new UpdateLog(heap);
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
    const step = fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 4 }), fc.integer({ min: 1, max: 3 }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300, size: "max" }), (steps) => {
        const log = new UpdateLog(heap);
        const made = Array.from({ length: 5 }, () => new Map<number, number>());
        for (const slot of made.keys()) log.clear(slot);
        for (const [index, [kind, slot, updates]] of steps.entries()) {
          if (kind === 0) {
            log.clear(slot);
            made[slot]!.clear();
          }
          for (let i = 0; i < updates; i++) {
            const version = made[slot]!.size + 2;
            log.note(slot, version, index >> 1);
            made[slot]!.set(version, index >> 1);
          }
        }
        for (const [slot, versions] of made.entries()) {
          for (const [version, round] of versions) {
            if (log.roundOf(slot, version) !== round)
              expect([slot, version, log.roundOf(slot, version)]).toEqual(round);
          }
        }
      }),
    );
  });
});
