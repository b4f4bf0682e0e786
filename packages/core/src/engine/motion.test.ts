import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SpeedCaps } from "./motion.ts";

const steps = fc.array(fc.double({ min: 0, max: 10, noNaN: true }), { minLength: 1, maxLength: 300, size: "max" });

describe("speed caps", () => {
  test("who moves farther than promised is told of, and promises more from then on", () => {
    fc.assert(
      fc.property(steps, fc.double({ min: 0, max: 5, noNaN: true }), (walked, floor) => {
        const caps = new SpeedCaps();
        caps.lowerFloor(floor);
        caps.start(3, 0);
        for (const [round, step] of walked.entries()) {
          const promised = caps.of(3);
          expect(caps.exceeds(3, step, round)).toBe(step > promised);
          expect(caps.of(3)).toBeGreaterThanOrEqual(step);
        }
      }),
    );
  });

  test("an even walk breaks its promise once", () => {
    const caps = new SpeedCaps();
    caps.lowerFloor(0);
    caps.start(0, 0);
    const broken = Array.from({ length: 500 }, (_, round) => caps.exceeds(0, round % 2 === 0 ? 2 : 2.4, round));
    expect(broken.filter(Boolean)).toHaveLength(1);
  });

  test("after a dash the cap sinks again, no lower than what was seen since", () => {
    const caps = new SpeedCaps();
    caps.lowerFloor(0);
    caps.start(0, 0);
    caps.exceeds(0, 100, 1);
    for (let round = 2; round < 200; round++) caps.exceeds(0, 1, round);
    expect(caps.of(0)).toBeLessThan(2);
    expect(caps.of(0)).toBeGreaterThanOrEqual(1);
  });

  test("below the floor nobody breaks anything, and it only sinks", () => {
    const caps = new SpeedCaps();
    caps.start(0, 0);
    expect([caps.of(0), caps.exceeds(0, 1e9, 1)]).toEqual([Number.POSITIVE_INFINITY, false]);
    caps.start(0, 1);
    expect([caps.lowerFloor(5), caps.lowerFloor(5), caps.lowerFloor(6)]).toEqual([true, false, false]);
    expect([caps.exceeds(0, 5, 2), caps.exceeds(0, 5.1, 3)]).toEqual([false, false]);
    expect(caps.of(0)).toBeGreaterThanOrEqual(5.1);
  });

  test("a floor that sinks leaves everybody a cap that was walked by", () => {
    const caps = new SpeedCaps();
    caps.lowerFloor(5);
    caps.start(0, 0);
    expect(caps.exceeds(0, 4, 1)).toBe(false);
    caps.lowerFloor(1);
    expect(caps.of(0)).toBeGreaterThanOrEqual(4);
  });

  test("a slot that is used again starts anew; neighbours and growth change nothing", () => {
    const caps = new SpeedCaps();
    caps.lowerFloor(0);
    caps.start(0, 0);
    caps.exceeds(0, 7, 1);
    caps.start(5000, 1);
    expect(caps.of(0)).toBeGreaterThanOrEqual(7);
    expect(caps.of(5000)).toBe(0);
    caps.start(0, 2);
    expect(caps.of(0)).toBe(0);
  });
});
