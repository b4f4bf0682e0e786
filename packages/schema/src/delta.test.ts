import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BitReader } from "./bit-reader.ts";
import { BitWriter } from "./bit-writer.ts";
import { DeltaReader } from "./delta-reader.ts";
import { DeltaWriter } from "./delta-writer.ts";
import { object } from "./describe.ts";
import { WireError } from "./errors.ts";
import type { Wire } from "./field.ts";
import { angle, bool, enumeration, float64, int, quantized, uint } from "./numbers.ts";
import { emptyPast, PAST_STATES, type Past } from "./prediction.ts";
import { text } from "./sequences.ts";

const Thing = object(
  "thing",
  {
    x: quantized(-50, 50, 0.01),
    y: int(31),
    heading: angle(9),
    name: text(8),
    hull: uint(7),
    lit: bool(),
    kind: enumeration("a", "b", "c"),
    exact: float64(),
    whole: angle(31),
    velX: quantized(-20, 20, 0.1),
    velY: int(31),
  },
  { position: ["x", "y"], velocity: ["velX", "velY"] },
);
const SPANS = [10_000, 2 ** 31 - 1, 511, 127, 1, 2, 2 ** 31 - 1, 400, 2 ** 31 - 1];
const writer = new DeltaWriter(Thing);
const reader = new DeltaReader(Thing);
const { tracked, plain: plainFields, width } = reader.fields;

/** A number that stands, drifts, trembles or jumps. */
const motion = (span: number): fc.Arbitrary<number[]> =>
  fc
    .record({
      start: fc.integer({ min: 0, max: span }),
      speed: fc.oneof(fc.constant(0), fc.integer({ min: -40, max: 40 }), fc.integer({ min: -span, max: span })),
      noise: fc.array(
        fc.oneof(
          { weight: 6, arbitrary: fc.integer({ min: -2, max: 2 }) },
          { weight: 1, arbitrary: fc.integer({ min: -span, max: span }) },
          { weight: 3, arbitrary: fc.constant(0) },
        ),
        { minLength: PAST_STATES + 1, maxLength: PAST_STATES + 1 },
      ),
    })
    .map(({ start, speed, noise }) => noise.map((off, n) => Math.max(0, Math.min(span, start + speed * n + off))));

interface Case {
  readonly columns: number[][];
  readonly gaps: number[];
  readonly rounds: number;
  readonly plain: Map<number, Wire>;
}

const cases: fc.Arbitrary<Case> = fc
  .record({
    columns: fc.tuple(...SPANS.map(motion)),
    gaps: fc.array(fc.integer({ min: 1, max: 255 }), { maxLength: PAST_STATES - 1 }),
    isEven: fc.boolean(),
    rounds: fc.integer({ min: 1, max: 2000 }),
    name: fc.option(fc.constantFrom("", "née", "abcdefgh")),
    exact: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)),
  })
  .map(({ columns, gaps, isEven, rounds, name, exact }) => ({
    columns,
    gaps: isEven ? gaps.map(() => gaps[0]!) : gaps,
    rounds: isEven ? (gaps[0] ?? 1) : rounds,
    plain: new Map<number, Wire>([
      ...(name === null ? [] : [[3, name] as const]),
      ...(exact === null ? [] : [[7, exact] as const]),
    ]),
  }));

/** The past as rows, newest first, and the present after them. */
function pastOf({ columns, gaps }: Case): { past: Past; now: number } {
  const past = emptyPast();
  past.values = new Int32Array(width * (PAST_STATES + 1));
  for (const [i, column] of columns.entries()) {
    for (let step = 0; step <= PAST_STATES; step++) past.values[step * width + i] = column[PAST_STATES - step]!;
  }
  for (let step = 0; step < PAST_STATES; step++) past.at[step] = (step + 1) * width;
  past.gaps.set(gaps);
  return { past, now: 0 };
}

function written(sample: Case): BitWriter {
  const { past, now } = pastOf(sample);
  const mask = [...sample.plain.keys()].reduce((all, index) => all | (1 << index), 0);
  const w = new BitWriter();
  writer.write(w, past, now, sample.rounds, mask, { plainWire: (index) => sample.plain.get(index)! });
  return w;
}

describe("a delta", () => {
  it("tracks what is a whole number of at most 31 bits, and carries the rest as it is", () => {
    expect([[...tracked], [...plainFields]]).toEqual([
      [0, 1, 2, 4, 5, 6, 8, 9, 10],
      [3, 7],
    ]);
  });

  it("comes back exactly, to the bit, after any past", () => {
    fc.assert(
      fc.property(cases, (sample) => {
        const w = written(sample);
        const { past, now } = pastOf(sample);
        const r = new BitReader(w.finish());
        const into = new Int32Array(width);
        const plain = new Map<number, Wire>();
        reader.read(r, past, into, 0, sample.rounds, { putPlain: (index, wire) => plain.set(index, wire) });
        expect([...into]).toEqual([...past.values.subarray(now, now + width)]);
        expect(plain).toEqual(sample.plain);
        expect(w.byteLength * 8 - r.bitsLeft).toBe(w.bitLength);
      }),
      { numRuns: 2000 },
    );
  });

  it("of any bits is a state that fits its fields, written in those bits, or a WireError", () => {
    fc.assert(
      fc.property(cases, fc.uint8Array({ minLength: 1, maxLength: 24 }), (sample, bytes) => {
        const { past } = pastOf(sample);
        const into = new Int32Array(width);
        const plain = new Map<number, Wire>();
        const r = new BitReader(bytes);
        try {
          reader.read(r, past, into, 0, sample.rounds, { putPlain: (index, wire) => plain.set(index, wire) });
        } catch (error) {
          expect(error).toBeInstanceOf(WireError);
          return;
        }
        for (const [i, span] of SPANS.entries()) expect(into[i]).toSatisfy((n: number) => n >= 0 && n <= span);
        past.values.set(into, 0);
        const mask = [...plain.keys()].reduce((all, index) => all | (1 << index), 0);
        const w = new BitWriter();
        writer.write(w, past, 0, sample.rounds, mask, { plainWire: (index) => plain.get(index)! });
        const used = bytes.length * 8 - r.bitsLeft;
        expect(w.bitLength).toBe(used);
        const again = new BitReader(w.finish());
        const first = new BitReader(bytes);
        for (let bit = 0; bit < used; bit++) expect(again.readBits(1)).toBe(first.readBits(1));
      }),
      { numRuns: 2000 },
    );
  });

  it("of what goes straight on takes a bit or two for each field that moves, and one for all the others", () => {
    const straight = { columns: SPANS.map((_, i) => [0, 1, 2, 3, 4].map((n) => (i < 2 ? 100 + n * 30 : 1))) };
    const w = written({ ...straight, gaps: [2, 2, 2], rounds: 2, plain: new Map() });
    expect(w.bitLength).toBeLessThanOrEqual(5);
  });

  it("goes on in a curve, and as the velocity does", () => {
    const curve = [0, 60, 180, 360, 600].map((n) => 1000 + n);
    const columns = SPANS.map((_, i) => (i === 0 ? curve : [1, 1, 1, 1, 1]));
    expect(written({ columns, gaps: [1, 1, 1], rounds: 1, plain: new Map() }).bitLength).toBeLessThanOrEqual(4);
    // Steps of 40, 60, 30 and 90: too uneven for a curve, but each as long as the mean of two velocities.
    const place = [0, 40, 100, 130, 220].map((n) => 1000 + n);
    const speed = [40, 40, 80, -20, 200].map((n) => 200 + n);
    const driven = (velocity: number[]): number => {
      const moved = SPANS.map((_, i) => (i === 0 ? place : i === 7 ? velocity : [1, 1, 1, 1, 1]));
      return written({ columns: moved, gaps: [1, 1, 1], rounds: 1, plain: new Map() }).bitLength;
    };
    const alone = driven([200, 200, 200, 200, 200]);
    const velocityAlone = (() => {
      const moved = SPANS.map((_, i) => (i === 7 ? speed : [1, 1, 1, 1, 1]));
      return written({ columns: moved, gaps: [1, 1, 1], rounds: 1, plain: new Map() }).bitLength;
    })();
    expect(driven(speed) - velocityAlone).toBeLessThan(alone - 6);
  });

  it("turns the shorter way round", () => {
    const columns = SPANS.map((_, i) => (i === 2 ? [500, 504, 508, 0, 4] : [1, 1, 1, 1, 1]));
    expect(written({ columns, gaps: [1, 1, 1], rounds: 1, plain: new Map() }).bitLength).toBeLessThanOrEqual(3);
  });
});
