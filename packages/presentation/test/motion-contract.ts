/** What every motion model must keep, whatever it makes of what it is sent. Run it against each. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MOTION_SIZE } from "../src/index.ts";
import { FULL_MOTION_SIZE, type MotionModel, PLACE_SIZE } from "../src/internal/index.ts";

const PADDING = 2;
/** Never −0, which equals 0 everywhere but in a matcher. */
const number = fc.double({ min: -1000, max: 1000, noNaN: true }).map((value) => value + 0);
const motionOf = (axis: fc.Arbitrary<number>) =>
  fc.array(axis, { minLength: FULL_MOTION_SIZE, maxLength: FULL_MOTION_SIZE });
const historyOf = (motion: fc.Arbitrary<number[]>, sinceMs: fc.Arbitrary<number>) =>
  fc.array(fc.record({ motion, sinceMs }), { minLength: 1, maxLength: 6 });
const sends = historyOf(motionOf(number), fc.nat(5000));
/** Far away, at absurd speeds, at one moment or a hair apart. */
const hostileSends = historyOf(
  motionOf(fc.double({ min: -1e12, max: 1e12, noNaN: true })),
  fc.oneof(fc.constant(0), fc.double({ min: -1, max: 1, noNaN: true }), fc.nat(5000)),
);
const flat = (motion: readonly number[]): number[] => motion.map((value, i) => (i % PLACE_SIZE === 2 ? 0 : value));
const swapped = (motion: readonly number[]): number[] =>
  motion.map((_, i) => motion[i - (i % PLACE_SIZE) + ((i + 1) % PLACE_SIZE)]!);

/** A model with its state amid other numbers. */
export class Fed {
  readonly #model: MotionModel;
  readonly #state: Float64Array;

  constructor(model: MotionModel) {
    this.#model = model;
    this.#state = new Float64Array(model.stateSize + 2 * PADDING);
    this.#state.fill(Number.NaN, 0, PADDING).fill(Number.NaN, PADDING + model.stateSize);
  }

  send(motion: readonly number[], settles = false, sinceMs = 0): void {
    this.#model.receive(this.#state, PADDING, Float64Array.from([7, ...motion]), 1, sinceMs, settles);
  }

  at(elapsedMs: number): number[] {
    const out = new Float64Array(PLACE_SIZE + 1);
    this.#model.place(this.#state, PADDING, elapsedMs, out, 1);
    return [...out.subarray(1)];
  }

  /** What it says of its velocity; undefined if nothing, or nothing of this state. */
  velocityAt(elapsedMs: number): number[] | undefined {
    const out = new Float64Array(PLACE_SIZE + 1);
    this.#model.velocity?.(this.#state, PADDING, elapsedMs, out, 1);
    const told = [...out.subarray(1)];
    const isUntold = told.every((velocity) => velocity === Number.POSITIVE_INFINITY);
    return this.#model.velocity === undefined || isUntold ? undefined : told;
  }

  /** What its state begins with. */
  get kept(): number[] {
    return [...this.#state.subarray(PADDING, PADDING + (this.#model.motionSize ?? MOTION_SIZE))];
  }

  get rests(): boolean {
    return this.#model.rests(this.#state, PADDING);
  }

  get strayNumbers(): number {
    return this.#state.reduce((sum, kept, index) => {
      const own = index >= PADDING && index < PADDING + this.#model.stateSize;
      return own || Number.isNaN(kept) ? sum : sum + 1;
    }, 0);
  }
}

export function describeMotionModel(model: MotionModel): void {
  describe(`the contract, kept by ${model.name}`, () => {
    const afterAll = (history: readonly { motion: readonly number[]; sinceMs: number }[], settles: boolean): Fed => {
      const fed = new Fed(model);
      for (const [index, { motion, sinceMs }] of history.entries()) {
        fed.send(motion, settles && index === history.length - 1, index === 0 ? 0 : sinceMs);
      }
      return fed;
    };
    const sentPlace = (history: readonly { motion: readonly number[] }[]): readonly number[] =>
      history.at(-1)!.motion.slice(0, PLACE_SIZE);

    test("at the time of a send the object is where it was sent", () => {
      fc.assert(
        fc.property(sends, fc.boolean(), (history, settles) => {
          expect(afterAll(history, settles).at(0)).toEqual(sentPlace(history));
        }),
      );
    });

    test("one that settles rests where it was sent, for good", () => {
      fc.assert(
        fc.property(sends, fc.nat(), (history, elapsedMs) => {
          const fed = afterAll(history, true);
          expect(fed.rests).toBe(true);
          expect(fed.at(elapsedMs)).toEqual(sentPlace(history));
        }),
      );
    });

    test("what it says rests does not move", () => {
      fc.assert(
        fc.property(sends, fc.nat(), (history, elapsedMs) => {
          const fed = afterAll(history, false);
          if (fed.rests) expect(fed.at(elapsedMs)).toEqual(sentPlace(history));
        }),
      );
    });

    test("keeps to its own numbers", () => {
      fc.assert(
        fc.property(sends, (history) => {
          const fed = afterAll(history, false);
          fed.at(100);
          expect(fed.strayNumbers).toBe(0);
        }),
      );
    });

    test("moves at the velocity it tells of, if it does", () => {
      fc.assert(
        fc.property(sends, fc.nat(10_000), fc.nat(10_000), (history, startMs, lengthMs) => {
          const fed = afterAll(history, false);
          const before = fed.velocityAt(startMs);
          const after = fed.velocityAt(startMs + lengthMs);
          if (before === undefined || after === undefined) return;
          const from = fed.at(startMs);
          fed.at(startMs + lengthMs).forEach((to, axis) => {
            const ways = [before[axis]!, after[axis]!].map((velocity) => (velocity * lengthMs) / 1000);
            expect(to - from[axis]!).toBeGreaterThan(Math.min(...ways) - 1e-5);
            expect(to - from[axis]!).toBeLessThan(Math.max(...ways) + 1e-5);
          });
        }),
      );
    });

    test("reads no more of a send than it says", () => {
      fc.assert(
        fc.property(sends, fc.nat(10_000), (history, elapsedMs) => {
          const size = model.motionSize ?? MOTION_SIZE;
          const blank = history.map(({ motion, sinceMs }) => ({
            motion: motion.map((n, i) => (i < size ? n : 9)),
            sinceMs,
          }));
          expect(afterAll(blank, false).at(elapsedMs)).toEqual(afterAll(history, false).at(elapsedMs));
        }),
      );
    });

    test("forgets earlier sends, or says that it remembers them and begins with what it read of the last", () => {
      fc.assert(
        fc.property(sends, fc.nat(10_000), (history, elapsedMs) => {
          const fed = afterAll(history, false);
          const { motion } = history.at(-1)!;
          if (model.remembers === true) expect(fed.kept).toEqual(motion.slice(0, model.motionSize ?? MOTION_SIZE));
          else expect(fed.at(elapsedMs)).toEqual(afterAll(history.slice(-1), false).at(elapsedMs));
        }),
      );
    });

    test("goes straight on and fades as it says, to the bit, if it does", () => {
      fc.assert(
        fc.property(sends, fc.nat(10_000), fc.boolean(), (history, elapsedMs, settles) => {
          const { fadingMs } = model;
          if (fadingMs === undefined) return;
          const { motion } = history.at(-1)!;
          const seconds = elapsedMs / (1 + elapsedMs / fadingMs) / 1000;
          const velocity = (axis: number): number => (settles ? 0 : motion[PLACE_SIZE + axis]!);
          const expected = sentPlace(history).map((place, axis) => place + velocity(axis) * seconds);
          expect(afterAll(history, settles).at(elapsedMs)).toEqual(expected);
        }),
      );
    });

    test("in 2D stays at z 0, and is in every plane what it is in this one", () => {
      fc.assert(
        fc.property(sends, fc.nat(5000), (history, elapsedMs) => {
          const inPlane = history.map(({ motion, sinceMs }) => ({ motion: flat(motion), sinceMs }));
          const turned = inPlane.map(({ motion, sinceMs }) => ({ motion: swapped(motion), sinceMs }));
          const [x, y, z] = afterAll(inPlane, false).at(elapsedMs);
          expect(z).toBe(0);
          expect(afterAll(turned, false).at(elapsedMs)).toEqual([y, z, x]);
        }),
      );
    });

    test("is a function of what was sent, to the bit, and of that alone", () => {
      fc.assert(
        fc.property(sends, fc.nat(5000), (history, elapsedMs) => {
          const looked = afterAll(history, false);
          looked.at(1);
          looked.at(elapsedMs / 2);
          expect(looked.at(elapsedMs)).toEqual(afterAll(history, false).at(elapsedMs));
        }),
      );
    });

    test("answers with numbers, whatever it is sent", () => {
      fc.assert(
        fc.property(hostileSends, fc.boolean(), fc.nat(1e9), (history, settles, elapsedMs) => {
          const fed = afterAll(history, settles);
          expect(fed.at(elapsedMs).filter((value) => !Number.isFinite(value))).toEqual([]);
          expect(fed.at(0)).toEqual(sentPlace(history).map((value) => value + 0));
        }),
      );
    });
  });
}
