import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isNewer, SEQUENCE_MODULUS, SequenceCounter, SequenceFilter } from "./sequence.ts";

const sequence = fc.integer({ min: 0, max: SEQUENCE_MODULUS - 1 });

describe("isNewer", () => {
  it("compares by the shorter way round the circle", () => {
    expect(isNewer(1, 0)).toBe(true);
    expect(isNewer(0, 1)).toBe(false);
    expect(isNewer(0, 65_535)).toBe(true);
    expect(isNewer(2, 65_534)).toBe(true);
    expect(isNewer(65_535, 0)).toBe(false);
    expect(isNewer(0x7fff, 0)).toBe(true);
    expect(isNewer(0x8000, 0)).toBe(false);
    expect(isNewer(0, 0x8000)).toBe(false);
  });

  it("never holds both ways, and holds one way unless equal or opposite", () => {
    fc.assert(
      fc.property(sequence, sequence, (a, b) => {
        const isDecided = a !== b && Math.abs(a - b) !== SEQUENCE_MODULUS / 2;
        expect(isNewer(a, b) !== isNewer(b, a)).toBe(isDecided);
      }),
    );
  });

  it("holds for every step of less than half the circle", () => {
    fc.assert(
      fc.property(sequence, fc.integer({ min: 1, max: SEQUENCE_MODULUS / 2 - 1 }), (start, step) => {
        expect(isNewer((start + step) % SEQUENCE_MODULUS, start)).toBe(true);
      }),
    );
  });
});

describe("SequenceFilter", () => {
  it("accepts every number of an unbroken run over several wraps, and none twice", () => {
    const counter = new SequenceCounter();
    const filter = new SequenceFilter();
    for (let index = 0; index < 3 * SEQUENCE_MODULUS; index += 1) {
      const next = counter.next();
      if (next !== index % SEQUENCE_MODULUS) throw new Error(`packet ${index} got number ${next}`);
      if (!filter.accept(next)) throw new Error(`refused number ${next} of packet ${index}`);
      if (filter.accept(next)) throw new Error(`accepted number ${next} of packet ${index} twice`);
    }
  });

  it("accepts only what goes forward, whatever is lost, doubled and reordered", () => {
    const steps = fc.array(fc.integer({ min: -40, max: 400 }), { maxLength: 300 });
    fc.assert(
      fc.property(sequence, steps, (start, arrivals) => {
        const filter = new SequenceFilter();
        let newest = start - 1;
        for (const step of arrivals) {
          const position = Math.max(newest + step, start);
          const isAhead = position > newest;
          expect(filter.accept(position % SEQUENCE_MODULUS)).toBe(isAhead);
          if (isAhead) newest = position;
        }
      }),
    );
  });
});
