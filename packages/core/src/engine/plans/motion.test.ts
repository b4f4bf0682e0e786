import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SpeedCaps } from "./motion.ts";

/** Steps of any length, and such as lie just beside a power of two. */
const step = fc.oneof(
  fc.double({ min: 0, max: 10, noNaN: true }),
  fc
    .tuple(fc.integer({ min: -20, max: 20 }), fc.constantFrom(1 - 2 ** -53, 1, 1 + 2 ** -52))
    .map(([e, off]) => 2 ** e * off),
);

function capOf(caps: SpeedCaps, index: number): number {
  const cap = new Float64Array(1);
  caps.copyTo(cap, 0, index);
  return cap[0]!;
}

const exceeds = (caps: SpeedCaps, index: number, length: number, round: number): boolean =>
  caps.exceedsAt(index, Float64Array.of(length), 0, round);

describe("speed caps", () => {
  test("who moves farther than promised is told of, and promises more from then on", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 600, size: "max" }), (walked) => {
        const caps = new SpeedCaps();
        caps.start(3, 0);
        for (const [round, length] of walked.entries()) {
          const promised = capOf(caps, 3);
          expect(exceeds(caps, 3, length, round)).toBe(length > promised);
          expect(capOf(caps, 3)).toBeGreaterThanOrEqual(length);
        }
      }),
    );
  });

  test("an even walk breaks its promise once", () => {
    const caps = new SpeedCaps();
    caps.start(0, 0);
    const broken = Array.from({ length: 1000 }, (_, round) => exceeds(caps, 0, round % 2 === 0 ? 2.1 : 2.5, round));
    expect(broken.filter(Boolean)).toHaveLength(1);
  });

  test("after a dash the cap sinks again, no lower than what was seen since", () => {
    const caps = new SpeedCaps();
    caps.start(0, 0);
    exceeds(caps, 0, 100, 1);
    for (let round = 2; round < 1000; round++) exceeds(caps, 0, 1, round);
    expect(capOf(caps, 0)).toBeLessThanOrEqual(2);
    expect(capOf(caps, 0)).toBeGreaterThanOrEqual(1);
  });

  test("a slot that is used again starts anew; neighbours and growth change nothing", () => {
    const caps = new SpeedCaps();
    caps.start(0, 0);
    exceeds(caps, 0, 7, 1);
    caps.start(5000, 1);
    expect(capOf(caps, 0)).toBeGreaterThanOrEqual(7);
    expect(capOf(caps, 5000)).toBe(0);
    caps.start(0, 2);
    expect(capOf(caps, 0)).toBe(0);
  });
});
