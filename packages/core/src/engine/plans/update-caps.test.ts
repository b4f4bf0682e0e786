/** No object ever got more updates than its caps said, unless the engine was told in that round. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { WINDOW } from "../memory/layout.ts";
import { UpdateCaps } from "./update-caps.ts";

describe("update caps", () => {
  test("whoever is busier than promised is told of, in the round it happens", () => {
    const updates = fc.array(fc.constantFrom(0, 0, 0, 0, 1, 1, 2, 9), { minLength: 1, maxLength: 900 });
    fc.assert(
      fc.property(updates, (perRound) => {
        const caps = new UpdateCaps();
        caps.start(0, 0);
        perRound.forEach((count, index) => {
          const round = index + 1;
          const windows = (): number[] => [caps.busyOf(0), caps.busyOfHalf(0), caps.busyOfQuarter(0)];
          const cap = caps.capOf(0);
          const promised = windows();
          for (let i = 0; i < count; i++) caps.count(0);
          const told = count > 0 && caps.exceeds(0, round);
          expect(count).toBeLessThanOrEqual(caps.capOf(0));
          if (!told) expect(count).toBeLessThanOrEqual(cap);
          if (count === 0) return;
          for (const [part, rounds] of [WINDOW, WINDOW / 2, WINDOW / 4].entries()) {
            const busy = perRound.slice(Math.max(0, round - rounds), round).filter((one) => one > 0).length;
            if (!told) expect(busy).toBeLessThanOrEqual(promised[part]!);
            expect(busy).toBeLessThanOrEqual(windows()[part]!);
          }
        });
      }),
    );
  });

  test("nothing is promised at first; the cap sinks when things are calm, and rises in a few steps", () => {
    const caps = new UpdateCaps();
    caps.start(3, 0);
    let told = 0;
    const update = (round: number): void => {
      caps.count(3);
      if (caps.exceeds(3, round)) told++;
    };
    for (let round = 1; round <= 300; round++) update(round);
    expect([told, caps.busyOf(3)]).toEqual([0, WINDOW]);
    for (let round = 320; round < 1000; round += 20) update(round);
    expect([told, caps.busyOf(3), caps.busyOfHalf(3), caps.busyOfQuarter(3)]).toEqual([0, 4, 2, 2]);
    for (let round = 1000; round < 1100; round++) update(round);
    expect([told, caps.busyOf(3)]).toEqual([9, WINDOW]);
  });
});
