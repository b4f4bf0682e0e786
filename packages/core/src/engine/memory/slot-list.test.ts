import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { heap } from "./memory.ts";
import { SlotList } from "./slot-list.ts";

describe("slot list", () => {
  test("has every slot once, whatever is added and removed", () => {
    const step = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.nat({ max: 300 }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400, size: "max" }), (steps) => {
        const list = new SlotList(heap);
        const expected = new Set<number>();
        for (const [kind, slot] of steps) {
          if (kind === 0 && slot < 20) {
            list.clear();
            expected.clear();
          } else if (kind < 4) {
            list.remove(slot);
            expected.delete(slot);
          } else {
            list.add(slot);
            expected.add(slot);
          }
        }
        expect(list.count).toBe(expected.size);
        const listed = Array.from({ length: list.count }, (_, i) => list.at(i));
        expect(new Set(listed)).toEqual(expected);
        expect([...list.slots.subarray(0, list.count)]).toEqual(listed);
      }),
    );
  });

  test("keeps the order in which slots were added", () => {
    const list = new SlotList(heap);
    for (const slot of [7, 3, 100_000, 3, 7, 1]) list.add(slot);
    expect([...list.slots.subarray(0, list.count)]).toEqual([7, 3, 100_000, 1]);
  });
});
