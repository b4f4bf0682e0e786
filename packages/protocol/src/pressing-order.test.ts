import { DecisionKind, type Decisions } from "@nearfield/core/internal";
import fc from "fast-check";
import { expect, test } from "vitest";
import { PressingOrder } from "./pressing-order.ts";

const { update, leave, destroy } = DecisionKind;

function decisionsOf(rows: readonly (readonly [urgency: number, waited: number, kind: number])[]): Decisions {
  const none = new Uint8Array(rows.length);
  return {
    count: rows.length,
    ids: Uint32Array.from(rows, (_, i) => rows.length - i),
    kinds: Uint8Array.from(rows, ([, , kind]) => kind),
    urgencies: Float64Array.from(rows, ([urgency]) => urgency),
    waits: Uint32Array.from(rows, ([, waited]) => waited),
    causes: none,
    zones: none,
    settled: none,
    withheld: 0,
  };
}

test("the most urgent goes first, then who has waited longest, then removals, then the lowest id; used again for any number", () => {
  const order = new PressingOrder();
  const row = fc.tuple(fc.constantFrom(1, 2.5, 1 / 0), fc.integer({ min: 0, max: 2 }), fc.constantFrom(update, leave));
  fc.assert(
    fc.property(fc.array(row, { maxLength: 200 }), fc.nat({ max: 200 }), (rows, taken) => {
      const decisions = decisionsOf(rows);
      const { ids, kinds, urgencies, waits } = decisions;
      const expected = rows.map((_, i) => i);
      expected.sort((i, j) => {
        if (urgencies[i] !== urgencies[j]) return urgencies[j]! - urgencies[i]!;
        return waits[j]! - waits[i]! || kinds[j]! - kinds[i]! || ids[i]! - ids[j]!;
      });
      order.begin(decisions);
      const first: number[] = [];
      while (order.first >= 0 && first.length < taken) {
        first.push(order.first);
        order.shift();
      }
      expect(first).toEqual(expected.slice(0, taken));
      const left: number[] = [];
      for (let i = order.pop(); i >= 0; i = order.pop()) left.push(i);
      expect(left.toSorted((a, b) => a - b)).toEqual(expected.slice(taken).toSorted((a, b) => a - b));
      expect(order.first).toBe(-1);
    }),
  );
});

test("both kinds of removals are alike", () => {
  const order = new PressingOrder();
  order.begin(
    decisionsOf([
      [1, 0, update],
      [1, 0, destroy],
      [1, 0, leave],
    ]),
  );
  expect(order.first).toBe(2);
});
