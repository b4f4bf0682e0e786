/** Decisions in the order of their slots: the same order as a plain sort gives, for any slots; slots that come twice are refused. */

import { MAX_SLOTS } from "@nearfield/schema/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SlotOrder } from "./slot-order.ts";

function sequenceOf(count: number): Int32Array {
  return Int32Array.from({ length: count }, (_, i) => i);
}

describe("the order of slots", () => {
  it("is that of a plain sort, frame after frame, in small worlds and in the largest", () => {
    const order = new SlotOrder();
    const slots = fc
      .constantFrom(40, 2000, MAX_SLOTS)
      .chain((range) => fc.uniqueArray(fc.nat(range - 1), { maxLength: 120 }));
    fc.assert(
      fc.property(slots, fc.nat(100), (list, generation) => {
        // The bits above the slot are an object's generation; they do not count.
        const ids = Uint32Array.from(list, (slot, i) => slot + (i % (generation + 1)) * MAX_SLOTS);
        const sequence = sequenceOf(ids.length);
        expect(order.sort(ids, sequence, ids.length)).toBe(true);
        expect([...sequence]).toEqual([...list.keys()].sort((a, b) => list[a]! - list[b]!));
      }),
      { numRuns: 300 },
    );
  });

  it("leaves decisions as they were if a slot comes twice, and forgets them", () => {
    const order = new SlotOrder();
    const twice = Uint32Array.from([70_000, 3, 9, 3 + MAX_SLOTS]);
    const sequence = sequenceOf(4);
    expect(order.sort(twice, sequence, 4)).toBe(false);
    expect([...sequence]).toEqual([0, 1, 2, 3]);
    const once = Uint32Array.from([9, 3]);
    const next = sequenceOf(2);
    expect(order.sort(once, next, 2)).toBe(true);
    expect([...next]).toEqual([1, 0]);
  });
});
