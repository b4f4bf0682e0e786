/** What every motion model must keep, whatever it makes of what it is sent. Run it against each. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type MotionModel, PLACE_SIZE } from "../src/index.ts";

const PADDING = 2;
const number = fc.double({ min: -1000, max: 1000, noNaN: true });
const motion = fc.tuple(number, number, number, number, number, number);
const sends = fc.array(fc.record({ motion, sinceMs: fc.nat(5000) }), { minLength: 1, maxLength: 5 });

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
        fed.send(motion, settles && index === history.length - 1, sinceMs);
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

    test("in 2D stays at z 0", () => {
      const fed = new Fed(model);
      fed.send([1, 2, 0, 3, 4, 0]);
      expect(fed.at(700)[2]).toBe(0);
    });
  });
}
